"""A robot on a simulated plane: hard contacts with friction, computed in C++."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.runtime.arguments import check_ranges
from robcogen_ros.runtime.evaluators.evaluator import Evaluator
from robcogen_ros.runtime.objects import CompiledObject, of_contacts

Array = NDArray[np.float64]
_FEET = {"radii": (), "soles": (4, 3)}
"""Settings of feet, and the shape of one."""


class Moving:
    """State of a robot that an object moves.

    Attributes:
        now: Results of the object's last call, by name.
    """

    now: Mapping[str, Array]

    @property
    def position(self) -> Array:
        """(3,) position of the base in the world [m]."""
        return self._copy("position")

    @property
    def orientation(self) -> Array:
        """(4,) quaternion x, y, z, w from the base to the world."""
        return self._copy("orientation")

    @property
    def q(self) -> Array:
        """(n,) positions of the joints."""
        return self._copy("q")

    @property
    def base_velocity(self) -> Array:
        """(6,) spatial velocity of the base in its coordinates."""
        return self._copy("base_velocity")

    @property
    def qd(self) -> Array:
        """(n,) velocities of the joints."""
        return self._copy("qd")

    def _copy(self, name: str) -> Array:
        return np.array(self.now[name])


class Ground(Moving):
    """State of a robot on a ground, and its motion under efforts. Made by `robot.ground()`.

    Wrenches are those of the plane on the feet, [n; f] about the origins of the contacts' frames,
    in world axes, the mean of the last step. See docs/simulated_robot.md for the physics.

    Attributes:
        contacts: Names of the contacts.

    Example:
        >>> ground = robot.ground(friction=0.7)
        >>> ground.place(standing, position=(0, 0, 0.5))
        >>> ground.advance(efforts, 0.001)
        >>> ground.q, ground.base_velocity, ground.touches
    """

    def __init__(
        self,
        evaluator: Evaluator,
        feet: Mapping[str, Mapping[str, ArrayLike] | None],
        settings: Mapping[str, ArrayLike | None],
    ) -> None:
        """A ground for a robot; `robot.ground()` tells what the settings are."""
        contacts = evaluator.summary.contacts
        self.contacts = tuple(contact.name for contact in contacts)
        of_feet = {
            name: of_contacts(name, given, contacts, _FEET[name]) for name, given in feet.items()
        }
        self._object = CompiledObject(evaluator, "ground", {**settings, **of_feet})
        self._object.call("check")
        plane = {f"plane_{name}": settings.get(name) for name in ("friction", "restitution")}
        check_ranges("simulated_ground", {**settings, **plane})
        self.now = self._object.results("advance")

    def place(
        self,
        q: ArrayLike,
        *,
        position: ArrayLike = (0.0, 0.0, 0.0),
        orientation: ArrayLike = (0.0, 0.0, 0.0, 1.0),
        base_velocity: ArrayLike | None = None,
        qd: ArrayLike | None = None,
    ) -> None:
        """Puts the robot somewhere. Feet within a micrometre of the plane touch it.

        Args:
            q: (n,) positions of the joints.
            position: (3,) of the base in the world [m].
            orientation: (4,) quaternion x, y, z, w from the base to the world.
            base_velocity: (6,) spatial velocity in base coordinates, by default at rest.
            qd: (n,) velocities of the joints, by default at rest.

        Raises:
            Fault: If the robot would be below the ground, or a number is out of its range.
        """
        q = np.asarray(q, dtype=np.float64)
        self.now = self._object.results("place")
        self._object.call(
            "place",
            position=position,
            orientation=orientation,
            q=q,
            base_velocity=np.zeros(6) if base_velocity is None else base_velocity,
            qd=np.zeros(q.shape) if qd is None else qd,
        )

    def advance(
        self, effort: ArrayLike, step: float, *, external_forces: ArrayLike | None = None
    ) -> None:
        """Moves on by a step under efforts, which are constant within it.

        Args:
            effort: (n,) of the joints [N m or N].
            step: Less than a second [s].
            external_forces: (links, 6) wrench on each link, in its coordinates, base first.

        Raises:
            Fault: If the robot has fallen, or the motion cannot be computed.
        """
        self.now = self._object.results("advance")
        self._object.call("advance", effort=effort, step=step, external_forces=external_forces)

    @property
    def wrenches(self) -> Array:
        """(contacts, 6) wrenches of the plane on the feet, world axes [N m, N]."""
        return self._copy("wrenches")

    @property
    def touches(self) -> NDArray[np.bool_]:
        """(contacts,) whether each foot touches the plane."""
        return self.now["touches"] > 0.0

    @property
    def angular_velocity(self) -> Array:
        """(3,) of the IMU, as it measures it, in its axes [rad/s]."""
        return self._copy("angular_velocity")

    @property
    def linear_acceleration(self) -> Array:
        """(3,) of the IMU less that of free fall, as it measures it, in its axes [m/s^2]."""
        return self._copy("linear_acceleration")

    @property
    def forces(self) -> Array:
        """(contacts, 3) of the plane on the feet, as they are measured, world axes [N]."""
        return self._copy("forces")

    @property
    def counters(self) -> dict[str, int]:
        """Counts of events since the robot was placed.

        Impacts; switches between sticking, sliding and lifting off; and unsettled steps: no set of
        contacts was consistent, so that impulses over the step were taken.
        """
        names = ("impacts", "switches", "unsettled")
        return dict(zip(names, self.now["counters"].astype(int).tolist(), strict=True))
