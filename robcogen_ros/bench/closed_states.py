"""States of robots with loops, closed, and the same of their trees for other libraries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.algorithms.conditioning.plain import plain, position_range
from robcogen_ros.algorithms.mechanics.closures import (
    at_position,
    joint_angles,
    margins,
)
from robcogen_ros.algorithms.mechanics.joints import joint_rates
from robcogen_ros.algorithms.mechanics.loop_rows import spanning
from robcogen_ros.bench.measured import Measured
from robcogen_ros.bench.states import States
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Robot

Array = NDArray[np.float64]

_TRIED = 2000
_FAR = 0.97
"""How much nearer to zero positions are sought after each that is not closed."""
_MARGIN = 1e-3


class ClosedStates(States):
    """Random states at which loops close well, of the coordinates and of all joints."""

    def __init__(self, robot: Robot) -> None:
        """Find the positions.

        Raises:
            RobcogenError: If there are none near zero.
        """
        super().__init__(robot)
        number = plain(robot)
        joints = [joint.name for joint in robot.joints]
        self._own = [joints.index(name) for name in robot.joint_names]
        q: list[Array] = []
        angles: list[list[float]] = []
        rates: list[list[float]] = []
        qd, tau = (self._of(name, robot.n) for name in ("qd", "tau"))
        ranges, far = np.array([position_range(c) for c in robot.coordinates]).T, 1.0
        for _ in range(_TRIED):
            tried = self._random.uniform(*np.clip(ranges, -far, far))
            with np.errstate(all="ignore"):  # loops that do not close
                at = at_position(number, list(tried))
                found = np.array([float(x) for x in margins(at)])
            if not (found > _MARGIN).all():
                far *= _FAR
                continue
            q.append(tried)
            angles.append([float(x) for x in joint_angles(at)])
            rates.append([float(x) for x in joint_rates(at, list(qd[len(rates)]))])
            if len(q) == len(self):
                break
        else:
            raise RobcogenError("there are no positions near zero at which the loops close well")
        self._values["q"] = np.array(q)
        self._tree = States(spanning(robot))
        forces = np.zeros((len(self), len(joints)))
        forces[:, self._own] = tau
        base = self._of("base_velocity", 6)
        self._tree.given(q=np.array(angles), qd=np.array(rates), tau=forces, base_velocity=base)

    def theirs(self, function: Measured, mujoco: bool = False) -> Array:
        """Position, velocity and force of all joints, as other libraries order them."""
        return self._tree.theirs(function, mujoco)

    def result(self, function: Measured, raw: Array, mujoco: bool = False) -> Array:
        """Results of another library for the coordinates, a row a state, in our order."""
        rows = self._tree.result(function, raw, mujoco)
        base = range(len(self.robot.joints), rows.shape[1])
        return rows[:, [*self._own, *base]]
