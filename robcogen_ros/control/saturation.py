"""Efforts within limits that never let the robot fall."""

from __future__ import annotations

import numpy as np

from robcogen_ros.control.dynamics import Array


def saturated(effort: Array, gravity: Array, limits: Array) -> tuple[Array, float]:
    """Efforts within +-limits, and the scale s in [0, 1] that brought them there.

    All joints share one scale of what exceeds the gravity torques, `g + s (tau - g)`: the motion
    keeps its direction in joint space and the robot its support. A joint whose limit does not even
    carry gravity gives all it has and does not hold back the others.
    """
    if (np.abs(effort) <= limits).all():
        return effort, 1.0
    excess = effort - gravity
    carries = np.abs(gravity) < limits
    room = np.where(excess > 0, limits - gravity, limits + gravity)
    binding = carries & (np.abs(excess) > room)
    scale = float(np.min(room[binding] / np.abs(excess[binding]))) if binding.any() else 1.0
    return np.clip(gravity + scale * excess, -limits, limits), scale
