"""Stability of a robot with contacts, and distances of its limbs, on float64 arrays."""

from __future__ import annotations

from numpy.typing import ArrayLike

from robcogen_ros.runtime.robots.contact_functions import Array, ContactFunctions


class StabilityFunctions(ContactFunctions):
    """Functions of a robot's stance, where they were asked for by name.

    Points are in base coordinates. A plane is given by `plane_point` (3,) and `plane_normal` (3,),
    of any length, against gravity where it is left out; results on it are NaN where nothing
    pushes along the normal. `sole_corners` (4 flat feet, 3) are corners of the soles of contacts
    of six rows, four a foot, in the coordinates of its frame. What depends on the motion of a base
    takes no `base_velocity` and `base_acceleration` on a fixed base, and `gravity` may be left out.
    """

    def zero_moment_point(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        base_velocity: ArrayLike | None = None,
        base_acceleration: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        *,
        plane_point: ArrayLike,
        external_forces: ArrayLike | None = None,
        plane_normal: ArrayLike | None = None,
    ) -> Array:
        """The point of a plane (3,) about which the ground's wrench has no moment along it."""
        return self._of_contacts("zero_moment_point", locals())["point"]

    def center_of_pressure(
        self,
        q: ArrayLike,
        contact_forces: ArrayLike,
        *,
        plane_point: ArrayLike,
        plane_normal: ArrayLike | None = None,
        contact_rotation: ArrayLike | None = None,
    ) -> Array:
        """Returns the center of pressure (3,) of contact forces (m,).

        The normal is that of the ground if it is left out.
        """
        return self._of_contacts("center_of_pressure", locals())["point"]

    def capture_point(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        base_velocity: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        *,
        plane_point: ArrayLike,
        plane_normal: ArrayLike | None = None,
    ) -> Array:
        """The point of a plane (3,) to step on to come to rest, of a linear inverted pendulum."""
        return self._of_contacts("capture_point", locals())["point"]

    def support_margin(
        self,
        q: ArrayLike,
        gravity: ArrayLike | None = None,
        *,
        sole_corners: ArrayLike | None = None,
        contact: ArrayLike | None = None,
    ) -> Array:
        """Returns the depth of the center of mass in the hull of the closed contacts: ().

        Negative outside [m].
        """
        return self._of_contacts("support_margin", locals())["margin"]

    def dynamic_support_margin(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        base_velocity: ArrayLike | None = None,
        base_acceleration: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        *,
        plane_point: ArrayLike,
        sole_corners: ArrayLike | None = None,
        external_forces: ArrayLike | None = None,
        plane_normal: ArrayLike | None = None,
        contact: ArrayLike | None = None,
    ) -> Array:
        """Returns the depth of the zero-moment point in the hull, along the plane's normal: ()."""
        return self._of_contacts("dynamic_support_margin", locals())["margin"]

    def friction_cone_margins(
        self, contact_forces: ArrayLike, friction_coefficients: ArrayLike
    ) -> Array:
        """Friction times the normal force less the tangential one, one a contact [N]."""
        return self._of_contacts("friction_cone_margins", locals())["margins"]

    def contact_clearance(
        self,
        q: ArrayLike,
        gravity: ArrayLike | None = None,
        *,
        plane_point: ArrayLike,
        plane_normal: ArrayLike | None = None,
    ) -> tuple[Array, Array]:
        """Height of each contact's frame above a plane, (contacts,), and its gradient.

        The gradient is (contacts, n), or floating (contacts, 6+n), the base first.
        """
        found = self._of_contacts("contact_clearance", locals())
        return found["clearance"], found["gradient"]

    def clearance(
        self,
        first: str | tuple[str, str],
        second: str | tuple[str, str],
        q: ArrayLike,
        radii: ArrayLike,
    ) -> tuple[Array, Array]:
        """Distance of two limbs () and its gradient (n,): `A_and_B_clearance_C_and_D`.

        Args:
            first: The frames at the ends of a capsule, or that in the middle of a sphere.
            second: The same of the other limb.
            radii: (2,) of both [m].

        Example:
            >>> distance, gradient = robot.clearance(
            ...     ("LF_knee", "LF_foot"), ("RF_knee", "RF_foot"), q, [0.03, 0.03]
            ... )
        """
        sides = [side if isinstance(side, str) else "_and_".join(side) for side in (first, second)]
        found = self._call("_clearance_".join(sides), {"q": q, "radii": radii})
        return found["clearance"], found["gradient"]
