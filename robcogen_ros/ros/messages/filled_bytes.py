"""A serialised message whose numbers and times are written where they lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from rclpy.serialization import deserialize_message, serialize_message

from robcogen_ros.control.dynamics import Array
from robcogen_ros.ros.messages import layout as message_layout

_WORD = 8

Fill = Callable[[Any, tuple[int, int], Sequence[float]], None]


class FilledBytes:
    """The bytes of a message, where this ROS serialises a double as its eight bytes."""

    def __init__(self, data: bytes, doubles: list[int], stamps: list[int]) -> None:
        """Takes a message over; see `of`.

        Args:
            data: The message.
            doubles: Where its numbers lie.
            stamps: Where its times lie.
        """
        shift = -doubles[0] % _WORD
        self._memory = np.zeros(-(-(len(data) + shift) // _WORD), np.float64)
        self._data = self._memory.view(np.uint8)[shift : shift + len(data)]
        self._data[:] = np.frombuffer(data, np.uint8)
        self._doubles = (np.array(doubles) + shift) // _WORD
        self._words = self._memory.view(np.uint32)
        starts = (np.array(stamps) + shift) // 4
        self._stamps = np.stack([starts, starts + 1], axis=1)

    @classmethod
    def of(cls, message: Any, fill: Fill, count: int, stamps: Sequence[Any]) -> FilledBytes | None:
        """The bytes of a message; None if it has no numbers, or its layout is none we know.

        Args:
            message: The message.
            fill: Writes a time and numbers into it.
            count: How many numbers.
            stamps: The times within the message.
        """
        if not count:
            return None
        times, numbers = message_layout.times(len(stamps)), message_layout.marks(count)
        fill(message, times[0], numbers)
        for stamp, (sec, nanosec) in zip(stamps, times, strict=True):
            stamp.sec, stamp.nanosec = sec, nanosec
        data = serialize_message(message)
        doubles = message_layout.places(data, numbers)
        found = message_layout.time_places(data, times)
        if doubles is None or found is None:
            return None
        aligned = all((place - doubles[0]) % _WORD == 0 for place in doubles)
        if not aligned or any((place - doubles[0]) % 4 for place in found):
            return None
        made, trial = cls(data, doubles, found), np.arange(float(count))
        fill(message, (3, 4), trial.tolist())
        same = deserialize_message(made.filled((3, 4), trial), type(message)) == message
        return made if same else None

    def filled(self, time: tuple[int, int], numbers: Array) -> bytes:
        """The message with a time and numbers.

        Args:
            time: Seconds and nanoseconds.
            numbers: All numbers in their order.
        """
        self._memory[self._doubles] = numbers
        self._words[self._stamps] = np.frombuffer(message_layout.TIME.pack(*time), np.uint32)
        return self._data.tobytes()
