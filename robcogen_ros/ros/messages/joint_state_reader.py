"""Joint states read from the bytes they come in."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState

from robcogen_ros.control.dynamics import Array
from robcogen_ros.ros.messages import layout as message_layout

_KEPT = 64
_WORD = 8
_COUNT = struct.Struct("=I")
_NONE: Array = np.zeros(0)


@dataclass(frozen=True, slots=True)
class JointPositions:
    """A joint state.

    Attributes:
        names: Its joints; the same object for as long as they stay the same.
        time: Seconds and nanoseconds.
        positions: (n,) [rad or m].
    """

    names: tuple[str, ...]
    time: tuple[int, int]
    positions: Array

    @property
    def stamp(self) -> int:
        """The time of the state [ns]."""
        return self.time[0] * 1_000_000_000 + self.time[1]

    def finite(self) -> JointPositions:
        """The state without positions that are infinite or no number."""
        good = np.isfinite(self.positions)
        if good.all():
            return self
        names = tuple(name for name, kept in zip(self.names, good, strict=True) if kept)
        return JointPositions(names, self.time, self.positions[good])


@dataclass(frozen=True, slots=True)
class WholeState(JointPositions):
    """A joint state with all that it tells.

    Attributes:
        velocities: (n,) [rad/s or m/s], or empty.
        efforts: (n,) [N m or N], or empty.
    """

    velocities: Array
    efforts: Array


class JointStateReader:
    """Reads states; those that begin as an earlier one, time aside, have its names."""

    def __init__(self) -> None:
        self._ends: dict[int, int] = {}
        self._known: dict[bytes, tuple[str, ...]] = {}
        self._begin, self._aligned = _layout()
        if self._begin and not all(self._learns(name) for name in ("a", "abcde")):
            self._begin = 0

    def read(self, data: bytes) -> JointPositions:
        """The state of a serialised `sensor_msgs/JointState`, its positions only."""
        end = self._ends.get(len(data), 0)
        names = self._known.get(data[self._begin : end])
        if names is None:
            return self._learn(data)
        positions, _ = self._list_at(data, end)
        return JointPositions(names, self._time(data), positions)

    def read_whole(self, data: bytes) -> WholeState:
        """The state with velocities and efforts."""
        end = self._ends.get(len(data), 0)
        names = self._known.get(data[self._begin : end])
        if names is None:
            return self._learn(data)
        return WholeState(names, self._time(data), *self._lists(data, end))

    def _time(self, data: bytes) -> tuple[int, int]:
        sec, nanosec = message_layout.TIME.unpack_from(data, self._begin - message_layout.TIME.size)
        return sec, nanosec

    def _lists(self, data: bytes, end: int) -> tuple[Array, Array, Array]:
        """Positions, velocities and efforts of a message whose names end somewhere."""
        positions, end = self._list_at(data, end)
        velocities, end = self._list_at(data, end)
        efforts, _ = self._list_at(data, end)
        return positions, velocities, efforts

    def _list_at(self, data: bytes, place: int) -> tuple[Array, int]:
        """A list of doubles, its length, then they, aligned; and where it ends."""
        (count,) = _COUNT.unpack_from(data, place)
        begin = place + _COUNT.size
        if not count:
            return _NONE, begin
        begin += (self._aligned - begin) % _WORD
        return np.frombuffer(data, np.float64, count, begin), begin + _WORD * count

    def _learn(self, data: bytes) -> WholeState:
        message: Any = deserialize_message(data, JointState)
        names, stamp = tuple(message.name), message.header.stamp
        lists = [np.array(x, float) for x in (message.position, message.velocity, message.effort)]
        end = self._end_of_names(data, lists, len(names)) if self._begin else 0
        if end:
            if len(self._known) >= _KEPT:
                self._known.clear()
                self._ends.clear()
            self._ends[len(data)] = end
            self._known[data[self._begin : end]] = names
        return WholeState(names, (stamp.sec, stamp.nanosec), *lists)

    def _end_of_names(self, data: bytes, lists: Sequence[Array], names: int) -> int:
        """Returns the place where names end and lists of numbers begin; 0 if there are none."""
        try:
            place = _after_text(data, self._begin) + _COUNT.size
            for _ in range(names):
                place = _after_text(data, place)
            found = self._lists(data, place)
        except (ValueError, struct.error):
            return 0
        alike = all(a.tobytes() == b.tobytes() for a, b in zip(found, lists, strict=True))
        return place if alike else 0

    def _learns(self, name: str) -> bool:
        """Returns True if messages of this ROS are laid out as expected."""
        message = JointState(name=[name], position=[1.0], velocity=[2.0], effort=[3.0])
        self._learn(serialize_message(message))
        known = bool(self._known)
        self._known.clear()
        return known


def _after_text(data: bytes, place: int) -> int:
    """Returns the place after a text and its padding, where the next number may lie."""
    end = place + _COUNT.size + int(_COUNT.unpack_from(data, place)[0])
    return end + -end % _COUNT.size


def _layout() -> tuple[int, int]:
    """Returns the place after a message's time, 0 if unknown, and the alignment of doubles."""
    state, times, marks = JointState(), message_layout.times(1), message_layout.marks(1)
    state.header.stamp.sec, state.header.stamp.nanosec = times[0]
    state.position = marks
    data = serialize_message(state)
    stamps = message_layout.time_places(data, times)
    doubles = message_layout.places(data, marks)
    if not stamps or not doubles:
        return 0, 0
    return stamps[0] + message_layout.TIME.size, doubles[0] % _WORD
