"""States of robots with loops, closed, and the same of their trees for other libraries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.algorithms.conditioning.plain import plain, position_range
from robcogen_ros.algorithms.mechanics.joints import joint_rates
from robcogen_ros.algorithms.mechanics.loops.closures import (
    at_position,
    joint_angles,
    margins,
)
from robcogen_ros.algorithms.mechanics.loops.rows import spanning
from robcogen_ros.bench.measured import Measured
from robcogen_ros.bench.states import States
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Robot

Array = NDArray[np.float64]

_TRIED = 100
_NEARER, _NEAREST = 0.7, 1e-3
"""Factor by which positions are sought nearer to zero, and the nearest at last [rad or m]."""
_MARGIN = 1e-3


class ClosedStates(States):
    """Random states at which loops close well, of the coordinates and of all joints."""

    def __init__(self, robot: Robot) -> None:
        """Finds the positions.

        Raises:
            RobcogenError: If there are too few near zero.
        """
        super().__init__(robot)
        number = plain(robot)
        joints = [joint.name for joint in robot.joints]
        self._own = [joints.index(name) for name in robot.joint_names]
        q: list[Array] = []
        angles: list[list[float]] = []
        rates: list[list[float]] = []
        qd, tau = (self._of(name, robot.n) for name in ("qd", "tau"))
        for tried in self._near_zero(number):
            at = at_position(number, list(tried))
            q.append(tried)
            angles.append([float(x) for x in joint_angles(at, list(tried))])
            rates.append([float(x) for x in joint_rates(at, list(qd[len(rates)]))])
        self._values["q"] = np.array(q)
        self._tree = States(spanning(robot))
        forces = np.zeros((len(self), len(joints)))
        forces[:, self._own] = tau
        base = self._of("base_velocity", 6)
        self._tree.given(q=np.array(angles), qd=np.array(rates), tau=forces, base_velocity=base)

    def _near_zero(self, number: Robot) -> Array:
        """Positions that close well, as far from zero as enough of them do.

        Raises:
            RobcogenError: If there are too few anywhere.
        """
        low, high = np.array([position_range(c) for c in number.coordinates]).T
        far = 1.0
        while far > _NEAREST:
            tried = self._random.uniform(
                np.clip(low, -far, far), np.clip(high, -far, far), (_TRIED, number.n)
            )
            with np.errstate(all="ignore"):  # loops that do not close
                found = np.array(margins(at_position(number, list(tried.T))))
            closed: Array = tried[(found > _MARGIN).all(axis=0)]
            if len(closed) >= len(self):
                return closed[: len(self)]
            far *= _NEARER
        raise RobcogenError("there are no positions near zero at which the loops close well")

    def theirs(self, function: Measured, mujoco: bool = False) -> Array:
        """Position, velocity and force of all joints, as other libraries order them."""
        return self._tree.theirs(function, mujoco)

    def result(self, function: Measured, raw: Array, mujoco: bool = False) -> Array:
        """Results of another library for the coordinates, a row a state, in our order."""
        rows = self._tree.result(function, raw, mujoco)
        base = range(len(self.robot.joints), rows.shape[1])
        return rows[:, [*self._own, *base]]
