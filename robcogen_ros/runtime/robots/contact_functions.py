"""Robots in contact, on float64 arrays: the functions that `contacts=` gives a robot."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.runtime.arguments import (
    Signature,
    checked_array,
    contiguous,
    flags_of_names,
    refuse_no_flags,
)
from robcogen_ros.runtime.derivatives import (
    ContactForwardDynamicsDerivatives,
    ImpactDerivatives,
)
from robcogen_ros.runtime.robots.robot_data import RobotData

Array = NDArray[np.float64]


class ContactFunctions(RobotData, ABC):
    """Functions of a robot with contacts; m rows, in the order of `robot.contacts`.

    Rows are in the axes of the base about the origin of the contact's frame, of a pose angular
    before linear, or in those of the ground, whose axes `contact_rotation` (3, 3) has as columns,
    in the base's. Forces are those of the ground on the robot. `contact` tells which are closed:
    a list of their names, or 1 or 0, one a contact (contacts,) or one a row (m,); all are where it
    is left out. `damping` (m,) is added to the diagonal of the Delassus matrix; it may be left out
    where the rows are independent. A robot on a fixed base takes no `base_velocity`, and `gravity`
    may be left out.
    """

    _signatures: dict[str, Signature]

    @abstractmethod
    def _call(self, name: str, arguments: dict[str, ArrayLike | None]) -> dict[str, Array]:
        """Results of a function."""

    def contact_jacobian(self, q: ArrayLike, *, contact_rotation: ArrayLike | None = None) -> Array:
        """The rows J of the contacts: (m, n) or, floating, (m, 6+n), the base first."""
        return self._of_contacts("contact_jacobian", locals())["J"]

    def contact_bias(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        base_velocity: ArrayLike | None = None,
        *,
        contact_rotation: ArrayLike | None = None,
    ) -> Array:
        """Inertial acceleration of the rows where no coordinate accelerates: (m,)."""
        return self._of_contacts("contact_bias", locals())["bias"]

    def delassus_matrix(self, q: ArrayLike, *, contact_rotation: ArrayLike | None = None) -> Array:
        """J H^-1 J': (m, m)."""
        return self._of_contacts("delassus_matrix", locals())["A"]

    def contact_forward_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        base_velocity: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        *,
        contact: ArrayLike | None = None,
        damping: ArrayLike | None = None,
        contact_acceleration: ArrayLike | None = None,
        contact_rotation: ArrayLike | None = None,
        external_forces: ArrayLike | None = None,
    ) -> tuple[Array, ...]:
        """Accelerations qdd (n,), floating also of the base (6,), and contact forces (m,).

        Example:
            >>> qdd, base_acceleration, forces = robot.contact_forward_dynamics(
            ...     q, qd, tau, base_velocity, gravity, contact=["LF_foot", "RH_foot"]
            ... )
        """
        return tuple(self._of_contacts("contact_forward_dynamics", locals()).values())

    def contact_forward_dynamics_derivatives(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        base_velocity: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        *,
        contact: ArrayLike | None = None,
        damping: ArrayLike | None = None,
        contact_acceleration: ArrayLike | None = None,
        contact_rotation: ArrayLike | None = None,
        external_forces: ArrayLike | None = None,
    ) -> ContactForwardDynamicsDerivatives:
        """Derivatives of accelerations and contact forces by positions, velocities, forces.

        (N, N) each of accelerations, (m, N) of
        forces, N = n or, floating, 6 + n. As the base turns, gravity and the ground stay in space.
        """
        found = self._of_contacts("contact_forward_dynamics_derivatives", locals())
        return ContactForwardDynamicsDerivatives(**found)

    def contact_inverse_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        base_velocity: ArrayLike | None = None,
        base_acceleration: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        *,
        contact_forces: ArrayLike,
        external_forces: ArrayLike | None = None,
        contact_rotation: ArrayLike | None = None,
    ) -> tuple[Array, ...]:
        """Joint forces (n,) for a motion under contact forces; floating also the base's wrench.

        That wrench (6,) is what the contacts leave to be applied to the base.
        """
        return tuple(self._of_contacts("contact_inverse_dynamics", locals()).values())

    def contact_wrenches(
        self, q: ArrayLike, contact_forces: ArrayLike, *, contact_rotation: ArrayLike | None = None
    ) -> Array:
        """Contact forces as `external_forces`: (links, 6) wrench on each link, its coordinates."""
        wrenches = self._of_contacts("contact_wrenches", locals())["external_forces"]
        return contiguous(wrenches.swapaxes(-1, -2))

    def impact(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        base_velocity: ArrayLike | None = None,
        *,
        restitution: ArrayLike | None = None,
        contact: ArrayLike | None = None,
        damping: ArrayLike | None = None,
        contact_rotation: ArrayLike | None = None,
    ) -> tuple[Array, ...]:
        """Velocities qd (n,) after an impact, floating also of the base (6,), and impulses (m,).

        Compression brings all closed rows to rest. Restitution adds `restitution` (), 0 to 1, times
        the impulses along z, while the other rows stay at rest.

        Example:
            >>> after, base_after, impulses = robot.impact(
            ...     q, qd, base_velocity, contact=["LF_foot"], restitution=0.2
            ... )
        """
        return tuple(self._of_contacts("impact", locals()).values())

    def impact_derivatives(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        base_velocity: ArrayLike | None = None,
        *,
        restitution: ArrayLike | None = None,
        contact: ArrayLike | None = None,
        damping: ArrayLike | None = None,
        contact_rotation: ArrayLike | None = None,
    ) -> ImpactDerivatives:
        """Derivatives of velocities (N, N) and impulses (m, N) by positions and velocities.

        As the base turns, the ground stays in space.
        """
        return ImpactDerivatives(**self._of_contacts("impact_derivatives", locals()))

    def _of_contacts(self, name: str, given: Mapping[str, Any]) -> dict[str, Array]:
        """Results of a function, of the arguments that it has on this base; `self` is none."""
        arguments = {key: value for key, value in given.items() if key != "self"}
        if arguments.get("contact") is not None:
            closed = flags_of_names("contact", arguments["contact"], self.contact_records)
            arguments["contact"] = self._by_row(numbers("contact", closed))
        if arguments.get("restitution") is not None:
            arguments["restitution"] = _restitution(arguments["restitution"])
        known: Mapping[str, object] = self._shapes_of(name)
        if "damping" in self.required_inputs.get(name, ()) and arguments.get("damping") is None:
            why = "the rows of the contacts depend on each other at every position"
            raise TypeError(f"damping: {why}, so it must be given; see docs/legged.md")
        return self._call(name, {k: v for k, v in arguments.items() if k in known or v is not None})

    def _shapes_of(self, name: str) -> Mapping[str, object]:
        signature = self._signatures.get(name)
        return {} if signature is None else signature.shapes

    def _by_row(self, closed: Array) -> Array:
        """Returns values for each row of contacts, of those for each contact or each row.

        Raises:
            ValueError: If it is neither, or of other values than 0 and 1.
        """
        counts = [len(contact.rows) for contact in self.contact_records]
        if closed.shape[-1:] == (len(counts),):
            closed = np.repeat(closed, counts, axis=-1)
        if closed.shape[-1:] != (sum(counts),):
            expected = f"{len(counts)} contacts or {sum(counts)} rows"
            raise ValueError(f"contact: expected 0 or 1 of {expected}, found {closed.shape}")
        refuse_no_flags("contact", closed)
        return closed


def _restitution(value: ArrayLike | None) -> Array:
    e = checked_array("restitution", value, ())
    if not np.all((e >= 0) & (e <= 1)):
        raise ValueError(f"restitution: expected 0 to 1, found {value!r}")
    return e[..., np.newaxis]


def numbers(name: str, value: ArrayLike | None) -> Array:
    """An argument as an array of any shape.

    Raises:
        TypeError: If it holds no real numbers.
    """
    try:
        shape = np.shape(value) if value is not None else ()
    except ValueError:  # lists of different lengths
        shape = ()
    return checked_array(name, value, shape)
