"""Messages of the same joints, made once and only filled in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sensor_msgs.msg import JointState

from robcogen_ros.control.dynamics import Array
from robcogen_ros.ros.messages.filled_bytes import FilledBytes


class JointStateWriter:
    """Fills `sensor_msgs/JointState`, states or commands of some joints."""

    def __init__(self, names: Sequence[str]) -> None:
        """Prepares nothing yet.

        Args:
            names: The joints.
        """
        self._names = list(names)
        self._messages: dict[tuple[str, ...], _Message] = {}

    def filled(self, time: tuple[int, int], **values: Array) -> Any:
        """Returns the message with values filled in; the same object may be filled again.

        Args:
            time: Seconds and nanoseconds.
            values: Of position, velocity and effort, in this order, those that are given: one
                value a joint.
        """
        fields = tuple(values)
        if fields not in self._messages:
            self._messages[fields] = _Message(self._names, fields)
        return self._messages[fields].filled(time, np.concatenate([*values.values()]))


class _Message:
    """A message with some of the fields."""

    def __init__(self, names: list[str], fields: tuple[str, ...]) -> None:
        self._fields = fields
        self._message = JointState(name=names)
        count, stamp = len(names) * len(fields), self._message.header.stamp
        self._bytes = FilledBytes.of(self._message, self._fill, count, [stamp])

    def filled(self, time: tuple[int, int], numbers: Array) -> Any:
        if self._bytes is not None:
            return self._bytes.filled(time, numbers)
        self._fill(self._message, time, numbers.tolist())
        return self._message

    def _fill(self, message: Any, time: tuple[int, int], numbers: Sequence[float]) -> None:
        count = len(message.name)
        message.header.stamp.sec, message.header.stamp.nanosec = time
        for place, field in enumerate(self._fields):
            setattr(message, field, numbers[place * count : (place + 1) * count])
