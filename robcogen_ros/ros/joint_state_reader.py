"""Joint states read from the bytes they come in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState

from robcogen_ros.control.dynamics import Array
from robcogen_ros.ros import message_layout

_KEPT = 64


@dataclass(frozen=True, slots=True)
class State:
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
        """Its time [ns]."""
        return self.time[0] * 1_000_000_000 + self.time[1]

    def finite(self) -> State:
        """The state without positions that are infinite or no number."""
        good = np.isfinite(self.positions)
        if good.all():
            return self
        names = tuple(name for name, kept in zip(self.names, good, strict=True) if kept)
        return State(names, self.time, self.positions[good])


class JointStateReader:
    """Reads states; those that begin as an earlier one, time aside, have its names and layout."""

    def __init__(self) -> None:
        self._begin = _after_time()
        self._ends: dict[int, int] = {}
        self._known: dict[bytes, tuple[tuple[str, ...], int]] = {}

    def read(self, data: bytes) -> State:
        """The state of a serialised `sensor_msgs/JointState`."""
        end = self._ends.get(len(data), 0)
        known = self._known.get(data[self._begin : end])
        if known is None:
            return self._learn(data)
        names, count = known
        positions = np.frombuffer(data, np.float64, count, end)
        return State(names, message_layout.TIME.unpack_from(data, self._begin - 8), positions)

    def _learn(self, data: bytes) -> State:
        message: Any = deserialize_message(data, JointState)
        names, stamp = tuple(message.name), message.header.stamp
        positions = np.array(message.position, dtype=np.float64)
        end = self._end_of_names(message)
        if end is not None and data[end : end + positions.nbytes] == positions.tobytes():
            if len(self._known) >= _KEPT:
                self._known.clear()
                self._ends.clear()
            self._ends[len(data)] = end
            self._known[data[self._begin : end]] = names, len(positions)
        return State(names, (stamp.sec, stamp.nanosec), positions)

    def _end_of_names(self, message: Any) -> int | None:
        """Where the positions begin in all messages of these names."""
        if not self._begin or not len(message.position):
            return None
        marks = message_layout.marks(len(message.position))
        copy = JointState(header=message.header, name=message.name, position=marks)
        places = message_layout.places(serialize_message(copy), marks)
        return places[0] if places else None


def _after_time() -> int:
    """Where a message's bytes go on after its time; 0 if its layout is none we know."""
    state, times = JointState(), message_layout.times(1)
    state.header.stamp.sec, state.header.stamp.nanosec = times[0]
    places = message_layout.time_places(serialize_message(state), times)
    return places[0] + message_layout.TIME.size if places else 0
