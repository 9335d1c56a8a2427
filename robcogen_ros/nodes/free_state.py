"""Poses of planar and floating joints, and of a floating base, from their message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from robcogen_ros.control.dynamics import Array


@dataclass(frozen=True, slots=True)
class FreeState:
    """A `sensor_msgs/MultiDOFJointState`.

    Attributes:
        frame: The frame it is in.
        time: Seconds and nanoseconds.
        poses: (7,) of each joint by name, translation x, y, z [m], then quaternion x, y, z, w of
            length 1.
        wrong: Joints whose numbers are no pose.
    """

    frame: str
    time: tuple[int, int]
    poses: dict[str, Array]
    wrong: tuple[str, ...]


def free_state(message: Any) -> FreeState:
    """The state in a message; the first of equal names counts."""
    header = message.header
    both = list(zip(message.joint_names, message.transforms, strict=True))
    poses = {name: _pose(transform) for name, transform in reversed(both)}
    return FreeState(
        header.frame_id,
        (header.stamp.sec, header.stamp.nanosec),
        {name: pose for name, pose in poses.items() if pose is not None},
        tuple(sorted(name for name, pose in poses.items() if pose is None)),
    )


def _pose(transform: Any) -> Array | None:
    return pose_of(transform.translation, transform.rotation)


def pose_of(p: Any, r: Any) -> Array | None:
    """(7,) x, y, z and a quaternion x, y, z, w of length 1, of messages; None if it is no pose."""
    pose = np.array([p.x, p.y, p.z, r.x, r.y, r.z, r.w])
    length = float(np.linalg.norm(pose[3:]))
    if not (np.isfinite(pose).all() and length > 0):
        return None
    pose[3:] /= length
    return pose
