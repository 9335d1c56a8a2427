"""A robot's limits as they are meant."""

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
        """The robot's limits.

        A joint whose file gives an empty range, or zero as its speed or effort, has no such
        limit: the attributes are required in a URDF, so zeros stand for "unknown".
        """
        lower, upper = np.asarray(robot.lower_limits), np.asarray(robot.upper_limits)
        ranged = (lower < upper) & ~np.asarray(robot.continuous)
        return cls(
            np.where(ranged, lower, -np.inf),
            np.where(ranged, upper, np.inf),
            _positive(robot.velocity_limits),
            _positive(robot.effort_limits),
        )


def _positive(limits: Array) -> Array:
    return np.where(limits > 0, limits, np.inf)
