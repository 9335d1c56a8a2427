"""The motors of a robot, as they are measured and commanded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.names import listed
from robcogen_ros.runtime.robots.measured_joints import FUNCTIONS

SPACES = ("joint", "motor")
"""Spaces that may be measured and commanded, as controllers in C++ number it."""
FOR_DRIVES = "joint_accelerations"
"""The function that a robot needs besides for motors that are sent positions."""


class Motors:
    """Motors on their side of the gears, in the order of `robot.actuated`: a robot's `Measured`.

    Attributes:
        joint_names: Names of the joints that they move.
        n: How many there are.
        continuous: Which of them turn without end.
        velocity_limits: Greatest speeds, inf where there are none.
        effort_limits: Greatest efforts, inf where there are none.
        determine: Whether they determine the coordinates.
    """

    def __init__(self, robot: Any) -> None:
        """Looks for the motors.

        Raises:
            RobcogenError: If one moves a joint that follows others, and the robot lacks a function
                that tells how.
        """
        self._robot = robot
        self.joint_names: tuple[str, ...] = robot.actuated
        self.n = len(self.joint_names)
        self._gears = robot.gears
        self.velocity_limits, self.effort_limits = (
            robot.motor_velocity_limits,
            robot.motor_effort_limits,
        )
        own = dict(zip(robot.joint_names, robot.continuous, strict=True))
        self.continuous: NDArray[np.bool_] = np.array(
            [
                bool(own.get(name)) and abs(gear) == 1.0
                for name, gear in zip(self.joint_names, self._gears, strict=True)
            ]
        )
        self._follows = not set(self.joint_names) <= set(robot.joint_names)
        self._check()
        moved = {
            k
            for name, coordinates in zip(
                robot.moving_joint_names, robot.joint_coordinates, strict=True
            )
            if name in self.joint_names
            for k in coordinates
        }
        self.determine = self.n == robot.n == len(moved)
        self._rows = [robot.moving_joint_names.index(name) for name in self.joint_names]
        self._own = [
            robot.joint_names.index(name) if name in robot.joint_names else -1
            for name in self.joint_names
        ]

    def _check(self) -> None:
        robot = self._robot
        lacking = [f"'{name}'" for name in FUNCTIONS if name not in robot.required_inputs]
        if self._follows and lacking:
            raise RobcogenError(
                f"robot '{robot.name}' lacks {listed(lacking)}, which its motors need in space "
                "'motor'; generate it with FUNCTIONS of that name"
            )

    def positions(self, q: Array) -> Array:
        """Positions of the motors: (motors,) [rad or m]."""
        if not self._follows:
            return np.asarray(self._gears * q[self._own])
        found = self._robot.evaluate("joint_positions", q=q)["positions"]
        return np.asarray(self._gears * found[self._rows])

    def rates(self, q: Array) -> Array:
        """Rates of the motors per unit rate of the coordinates: (motors, n)."""
        if not self._follows:
            return np.asarray(self._gears[:, None] * np.eye(self._robot.n)[self._own])
        G = self._robot.evaluate("coordinate_jacobian", q=q)["G"]
        return np.asarray(self._gears[:, None] * G[self._rows])

    def joint_efforts(self, q: Array, efforts: Array) -> Array:
        """Efforts along the coordinates (n,) of those of the motors within their limits."""
        return np.asarray(self.rates(q).T @ self.given(efforts))

    def given(self, efforts: Array) -> Array:
        """Returns the efforts that motors give: those asked for, within their limits."""
        return np.clip(efforts, -self.effort_limits, self.effort_limits)

    def inverse_dynamics(self, simulation: Any, accelerations: Array) -> Array:
        """Efforts of the motors that give them accelerations, as a robot moves now.

        Coordinates that they do not determine move as they will: where `G qd` are their velocities
        and `H qdd + h = G' u`, that is `G H^-1 G' u = accelerations - dG/dt qd + G H^-1 h` (Khatib
        1987).

        Raises:
            RobcogenError: If the base floats and they do not determine the coordinates, or the
                robot lacks a function that tells how it moves along.
        """
        robot, q, qd = self._robot, simulation.q, simulation.qd
        G, moved = self.rates(q), accelerations - self._bias(q, qd)
        if self.determine:
            return np.asarray(
                np.linalg.solve(G.T, simulation.inverse_dynamics(np.linalg.solve(G, moved)))
            )
        if robot.floating_base:
            raise RobcogenError(
                "positions of motors need motors that determine the coordinates, or a fixed base"
            )
        compliance = np.linalg.solve(robot.inertia_matrix(q), G.T)
        held = compliance.T @ simulation.inverse_dynamics(np.zeros(robot.n))
        return np.asarray(np.linalg.lstsq(G @ compliance, moved + held, rcond=1e-9)[0])

    def _bias(self, q: Array, qd: Array) -> Array:
        """Accelerations of the motors while the coordinates move at constant rates."""
        robot = self._robot
        if not self._follows:
            return np.zeros(self.n)
        if FOR_DRIVES not in robot.required_inputs:
            raise RobcogenError(
                f"robot '{robot.name}' lacks '{FOR_DRIVES}', which motors need that are sent "
                "positions; generate it with FUNCTIONS of that name"
            )
        found = robot.evaluate(FOR_DRIVES, q=q, qd=qd, qdd=np.zeros(robot.n))["accelerations"]
        return np.asarray(self._gears * found[self._rows])


def measured(robot: Any, settings: Mapping[str, Any]) -> Any:
    """Returns what a controller measures and commands: a robot's joints, or its motors.

    Args:
        robot: The robot.
        settings: Of the controller; `space` is a number of `SPACES`.

    Raises:
        RobcogenError: If its motors do not determine the coordinates, or it lacks a function.
    """
    if settings.get("space") != SPACES.index("motor"):
        return robot
    motors = Motors(robot)
    if not motors.determine:
        raise RobcogenError(
            f"space: the motors of robot '{robot.name}' ({', '.join(motors.joint_names)}) do not "
            f"determine its coordinates ({', '.join(robot.joint_names)}); name others by "
            "'actuated', or control it in space 'joint'"
        )
    return motors
