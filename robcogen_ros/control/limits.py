"""A robot's limits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robcogen_ros.control.dynamics import Array, Joints


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of all joints; infinite where a joint has none.

    Attributes:
        lower: Least positions.
        upper: Greatest positions.
        velocity: Greatest speeds.
        effort: Greatest efforts.
    """

    lower: Array
    upper: Array
    velocity: Array
    effort: Array

    @classmethod
    def of(cls, robot: Joints) -> Limits:
        """The robot's limits."""
        of_robot = (
            robot.lower_limits,
            robot.upper_limits,
            robot.velocity_limits,
            robot.effort_limits,
        )
        return cls(*(np.asarray(limits) for limits in of_robot))
