"""State of a robot on legs, as its controller and its gait take it."""

from __future__ import annotations

from typing import TypedDict

from numpy.typing import ArrayLike


class RobotState(TypedDict):
    """All of it but positions of the joints.

    Attributes:
        position: (3,) of the base in the world [m].
        orientation: (4,) quaternion x, y, z, w from the base to the world.
        base_velocity: (6,) spatial velocity of the base in its coordinates.
        qd: (n,) velocities of the joints.
    """

    position: ArrayLike
    orientation: ArrayLike
    base_velocity: ArrayLike
    qd: ArrayLike
