"""Positions of joints that follow others through loops, beside those that a joint state names."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_FUNCTION = "joint_positions"


class LoopFollowers:
    """The joints of a robot that follow others through loops.

    Attributes:
        names: Their names; of some robots there are none.
        known: Whether the robot can tell their positions.
    """

    def __init__(self, robot: Any) -> None:
        """Looks for them among a robot of `robcogen_ros.build()` or `load()`."""
        self._robot, self._joints = robot, robot.joint_names
        told = {*robot.joint_names, *robot.mimic}
        self.names = tuple(name for name in robot.moving_joint_names if name not in told)
        self._places = [robot.moving_joint_names.index(name) for name in self.names]
        self.known = _FUNCTION in getattr(robot, "required_inputs", ())

    def added(self, names: tuple[str, ...], positions: Array) -> tuple[tuple[str, ...], Array]:
        """A joint state with the positions of those that it lacks, where loops close.

        Args:
            names: Joints.
            positions: (n,) their positions [rad or m].
        """
        if not (self.names and self.known) or not {*self._joints} <= {*names}:
            return names, positions
        q = np.array([positions[names.index(name)] for name in self._joints])
        found = self._robot.evaluate(_FUNCTION, q=q)["positions"][self._places]
        more = [
            (name, position)
            for name, position in zip(self.names, found, strict=True)
            if name not in names and np.isfinite(position)
        ]
        return (*names, *(n for n, _ in more)), np.append(positions, [x for _, x in more])
