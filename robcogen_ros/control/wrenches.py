"""Wrenches at frames, as the dynamics want them: on links, in their coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import RobcogenError


def wrenches_at(robot: Any, frame: str, force: Array, torque: Array) -> Array:
    """Wrenches on all links (links, 6) of a force and a torque at a frame, in its coordinates.

    Raises:
        RobcogenError: If there is no such frame, or the wrench is not finite.
    """
    if not (np.isfinite(force).all() and np.isfinite(torque).all()):
        raise RobcogenError("the wrench is not finite")
    link, pose = robot.carrier(frame)
    turned = pose[:3, :3] @ force
    result = np.zeros((len(robot.link_names), 6))
    result[link, :3] = pose[:3, :3] @ torque + np.cross(pose[:3, 3], turned)
    result[link, 3:] = turned
    return result
