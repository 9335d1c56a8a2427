"""Messages of transforms between the same frames, made once and only filled in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from geometry_msgs.msg import TransformStamped
from tf2_msgs.msg import TFMessage

from robcogen_ros.control.dynamics import Array
from robcogen_ros.ros.messages.filled_bytes import FilledBytes
from robcogen_ros.runtime.robots.joint_poses import Joint


class TransformMessage:
    """Transforms of some joints' children in their parents."""

    def __init__(self, joints: Iterable[Joint], prefix: str = "") -> None:
        """Makes the message.

        Args:
            joints: One joint a transform.
            prefix: Put before the names of frames.
        """
        self._message = TFMessage(transforms=[_stamped(joint, prefix) for joint in joints])
        stamps = [stamped.header.stamp for stamped in self._message.transforms]
        self._bytes = FilledBytes.of(self._message, _fill, 7 * len(stamps), stamps)

    def __len__(self) -> int:
        return len(self._message.transforms)

    def filled(self, time: tuple[int, int], poses: Array) -> Any:
        """Returns the message with poses filled in; the same object may be filled again.

        Args:
            time: Seconds and nanoseconds.
            poses: (m, 7), as `JointPoses.at` gives them.
        """
        if self._bytes is not None:
            return self._bytes.filled(time, poses.reshape(-1))
        _fill(self._message, time, poses.reshape(-1).tolist())
        return self._message


def filled_once(joints: Iterable[Joint], prefix: str, time: tuple[int, int], poses: Array) -> Any:
    """A message that is not filled again; arguments as those of `TransformMessage`."""
    message = TFMessage(transforms=[_stamped(joint, prefix) for joint in joints])
    _fill(message, time, poses.reshape(-1).tolist())
    return message


def _stamped(joint: Joint, prefix: str) -> Any:
    stamped = TransformStamped(child_frame_id=prefix + joint.child)
    stamped.header.frame_id = prefix + joint.parent
    return stamped


def _fill(message: Any, time: tuple[int, int], numbers: Sequence[float]) -> None:
    poses = np.reshape(numbers, (-1, 7)).tolist()
    for stamped, (x, y, z, qx, qy, qz, qw) in zip(message.transforms, poses, strict=True):
        stamp = stamped.header.stamp
        stamp.sec, stamp.nanosec = time
        translation, rotation = stamped.transform.translation, stamped.transform.rotation
        translation.x, translation.y, translation.z = x, y, z
        rotation.x, rotation.y, rotation.z, rotation.w = qx, qy, qz, qw
