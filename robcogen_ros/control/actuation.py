"""What reaches the joints of a simulated robot: efforts within limits, friction."""

from __future__ import annotations

import numpy as np

from robcogen_ros.control.dynamics import Array, Joints
from robcogen_ros.control.impulses import Dissipation
from robcogen_ros.control.limits import Limits

STEEPNESS = 1000.0
"""How dry friction within generated dynamics turns over with the velocity [s/rad or s/m]."""


class Actuation:
    """Motors, friction and stops of a robot's joints.

    Attributes:
        dissipation: Friction; it acts at the end of each step.
        lower: Least positions.
        upper: Greatest positions.
    """

    def __init__(
        self, robot: Joints, *, stops: bool = True, dissipation: Dissipation | None = None
    ) -> None:
        """Reads the robot's limits.

        Args:
            robot: The robot.
            stops: Whether joints stop at their limits.
            dissipation: Friction in place of the model's.
        """
        limits = Limits.of(robot)
        self.dissipation = dissipation or Dissipation(robot.damping, robot.friction)
        self.lower = limits.lower if stops else np.full(robot.n, -np.inf)
        self.upper = limits.upper if stops else np.full(robot.n, np.inf)
        self._held = self.lower == self.upper
        self._limits = limits.effort
        self._damping = robot.damping if "damping" in robot.terms else None
        self._friction = robot.friction if "friction" in robot.terms else None

    def within_limits(self, effort: Array) -> Array:
        """What the motors can give of an effort."""
        return np.minimum(np.maximum(effort, -self._limits), self._limits)

    def within_stops(self, q: Array) -> Array:
        """Positions as the stops leave them."""
        return np.minimum(np.maximum(q, self.lower), self.upper)

    def without_friction(self, effort: Array, qd: Array) -> Array:
        """Efforts for dynamics that contain friction, so that they give the motion without."""
        if self._damping is not None:
            effort = effort + self._damping * qd
        if self._friction is not None:
            x = STEEPNESS * qd
            effort = effort + self._friction * x / np.sqrt(x * x + 1)
        return effort

    def blocked(self, ahead: Array) -> Array | None:
        """Joints at their lower and those at their upper stop (2, n), where they would be ahead.

        A joint whose stops are one place is at both. None if no joint is at any.
        """
        at = np.array([ahead < self.lower, ahead > self.upper]) | self._held
        return at if at.any() else None
