"""A robot for loops: calls of compiled functions with everything prepared that can be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.control.dynamics import Array


class PreparedRobot:
    """A fixed-base robot, many times faster to call from Python than for general arrays.

    Vectors are (n,) or (batch, n) float64 arrays, all of the same shape; there are no external
    forces. What a robot never changes is kept as an attribute.

    Attributes:
        robot: The robot.
        n: Number of joints.
        joint_names: Names of the joints.
        continuous: Which joints turn without end.
        lower_limits: Least positions.
        upper_limits: Greatest positions.
        velocity_limits: Greatest speeds.
        effort_limits: Greatest efforts.
        damping: Viscous friction.
        friction: Dry friction.
    """

    def __init__(self, robot: Any) -> None:
        self.robot = robot
        self.n: int = robot.n
        self.joint_names: tuple[str, ...] = tuple(robot.joint_names)
        self.continuous: NDArray[np.bool_] = robot.continuous
        self.lower_limits: Array = robot.lower_limits
        self.upper_limits: Array = robot.upper_limits
        self.velocity_limits: Array = robot.velocity_limits
        self.effort_limits: Array = robot.effort_limits
        self.damping: Array = robot.damping
        self.friction: Array = robot.friction

    def inverse_dynamics(
        self,
        q: Array,
        qd: Array,
        qdd: Array,
        *,
        gravity: Array | None = None,
    ) -> Array:
        """Efforts for an acceleration."""
        return self._call("inverse_dynamics", {"q": q, "qd": qd, "qdd": qdd}, gravity)

    def forward_dynamics(self, q: Array, qd: Array, tau: Array) -> Array:
        """Acceleration under efforts."""
        return self._call("forward_dynamics", {"q": q, "qd": qd, "tau": tau}, None)

    def gravity_torques(self, q: Array) -> Array:
        """Efforts that hold the robot still."""
        return self._call("gravity_torques", {"q": q}, None)

    def inertia_matrix(self, q: Array) -> Array:
        """Joint-space inertia matrix."""
        matrix = self._call("inertia_matrix", {"q": q}, None)
        return matrix.reshape(*q.shape[:-1], self.n, self.n)

    def _call(self, name: str, vectors: Mapping[str, Array], gravity: Array | None) -> Array:
        result: Array = getattr(self.robot, name)(
            **vectors, **({} if gravity is None else {"gravity": gravity})
        )
        return result
