"""Messages of transforms between the same frames, made once and only filled in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from geometry_msgs.msg import TransformStamped
from rclpy.serialization import deserialize_message, serialize_message
from tf2_msgs.msg import TFMessage

from robcogen_ros.control.dynamics import Array
from robcogen_ros.ros import message_layout
from robcogen_ros.ros.joint_poses import Joint

_WORD = 8


class TransformMessage:
    """Transforms of some joints' children in their parents.

    They are kept serialised, where this ROS serialises a double as its eight bytes.
    """

    def __init__(self, joints: Iterable[Joint], prefix: str = "") -> None:
        """Makes the message.

        Args:
            joints: One joint a transform.
            prefix: Put before the names of frames.
        """
        self._message = TFMessage(transforms=[_stamped(joint, prefix) for joint in joints])
        self._bytes = _Bytes.of(self._message)

    def __len__(self) -> int:
        return len(self._message.transforms)

    def filled(self, time: tuple[int, int], poses: Array) -> Any:
        """What to publish; the same object may be filled again.

        Args:
            time: Seconds and nanoseconds.
            poses: (m, 7), as `JointPoses.at` gives them.
        """
        if self._bytes is not None:
            return self._bytes.filled(time, poses)
        _fill(self._message, time, poses)
        return self._message


class _Bytes:
    """The bytes of a message, whose doubles and times are written in place."""

    def __init__(self, data: bytes, doubles: list[int], stamps: list[int]) -> None:
        shift = -doubles[0] % _WORD
        self._memory = np.zeros(-(-(len(data) + shift) // _WORD), np.float64)
        self._data = self._memory.view(np.uint8)[shift : shift + len(data)]
        self._data[:] = np.frombuffer(data, np.uint8)
        self._doubles = (np.array(doubles).reshape(-1, 7) + shift) // _WORD
        self._words = self._memory.view(np.uint32)
        starts = (np.array(stamps) + shift) // 4
        self._stamps = np.stack([starts, starts + 1], axis=1)

    @classmethod
    def of(cls, message: Any) -> _Bytes | None:
        """The bytes of a message; None if it is empty, or its layout is none we know."""
        count = len(message.transforms)
        if not count:
            return None
        times = message_layout.times(count)
        numbers = message_layout.marks(7 * count)
        _fill(message, times[0], np.reshape(numbers, (-1, 7)))
        for stamped, (sec, nanosec) in zip(message.transforms, times, strict=True):
            stamped.header.stamp.sec, stamped.header.stamp.nanosec = sec, nanosec
        data = serialize_message(message)
        doubles = message_layout.places(data, numbers)
        stamps = message_layout.time_places(data, times)
        if doubles is None or stamps is None:
            return None
        aligned = all((place - doubles[0]) % _WORD == 0 for place in doubles)
        if not aligned or any((place - doubles[0]) % 4 for place in stamps):
            return None
        made = cls(data, doubles, stamps)
        poses = np.arange(7.0 * count).reshape(-1, 7)
        _fill(message, (3, 4), poses)
        return (
            made if deserialize_message(made.filled((3, 4), poses), TFMessage) == message else None
        )

    def filled(self, time: tuple[int, int], poses: Array) -> bytes:
        self._memory[self._doubles] = poses
        self._words[self._stamps] = time
        return self._data.tobytes()


def _stamped(joint: Joint, prefix: str) -> Any:
    stamped = TransformStamped(child_frame_id=prefix + joint.child)
    stamped.header.frame_id = prefix + joint.parent
    return stamped


def _fill(message: Any, time: tuple[int, int], poses: Array) -> None:
    for stamped, (x, y, z, qx, qy, qz, qw) in zip(message.transforms, poses.tolist(), strict=True):
        stamp = stamped.header.stamp
        stamp.sec, stamp.nanosec = time
        translation, rotation = stamped.transform.translation, stamped.transform.rotation
        translation.x, translation.y, translation.z = x, y, z
        rotation.x, rotation.y, rotation.z, rotation.w = qx, qy, qz, qw
