"""A robot for loops: what never changes is read once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.control.dynamics import Array


class PreparedRobot:
    """A fixed-base robot whose properties are attributes, so that reading them takes no time.

    Attributes:
        n: Number of joints.
        joint_names: Names of the joints.
        continuous: Which joints turn without end.
        lower_limits: Least positions.
        upper_limits: Greatest positions.
        velocity_limits: Greatest speeds.
        effort_limits: Greatest efforts.
        damping: Viscous friction.
        friction: Dry friction.
        inverse_dynamics: Efforts for an acceleration.
        forward_dynamics: Acceleration under efforts.
        gravity_torques: Efforts that hold the robot still.
        inertia_matrix: Joint-space inertia matrix.
    """

    def __init__(self, robot: Any) -> None:
        self.n: int = robot.n
        self.joint_names: tuple[str, ...] = tuple(robot.joint_names)
        self.continuous: NDArray[np.bool_] = robot.continuous
        self.lower_limits: Array = robot.lower_limits
        self.upper_limits: Array = robot.upper_limits
        self.velocity_limits: Array = robot.velocity_limits
        self.effort_limits: Array = robot.effort_limits
        self.damping: Array = robot.damping
        self.friction: Array = robot.friction
        self.inverse_dynamics: Any = robot.inverse_dynamics
        self.forward_dynamics: Any = robot.forward_dynamics
        self.gravity_torques: Any = robot.gravity_torques
        self.inertia_matrix: Any = robot.inertia_matrix
