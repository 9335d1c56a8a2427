"""Motions in ROS 2 bags, of sensor_msgs/JointState; sqlite3 and mcap, with no ROS installed.

`rosbags` reads both. Messages of one block mostly have the same names and sizes, so that their
numbers are at the same places; what the library reads of the first one tells where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.recordings.motion import BLOCK, Array, Motion
from robcogen_ros.recordings.names import renaming_told

TYPE = "sensor_msgs/msg/JointState"
_ARRAYS = ("position", "velocity", "effort")
_STAMP = slice(4, 12)

Raw = tuple[int, bytes]
"""Time when a message was recorded [ns], and its bytes."""


def is_bag(path: Path) -> bool:
    """Returns True if a path is that of a bag."""
    return path.suffix in (".mcap", ".db3") or (path / "metadata.yaml").is_file()


def read_bag(file: str, joints: Sequence[str], topic: str | None = None) -> Iterator[Motion]:
    """The motion in a bag; joints may be in any order in its messages.

    Messages about other joints alone are left out.

    Args:
        file: Directory of the bag, or its only file.
        joints: Names of the joints.
        topic: Where the joint states are; None if there is only one such topic.

    Raises:
        RobcogenError: If there are no joint states, or something is missing in one.
    """
    try:
        from rosbags.highlevel import AnyReader
        from rosbags.typesys import Stores, get_typestore
    except ImportError:
        raise RobcogenError(
            f"{file}: bags need rosbags: pip install rosbags, or robcogen_ros[recordings]"
        ) from None
    try:
        with AnyReader([Path(file)], default_typestore=get_typestore(Stores.ROS2_HUMBLE)) as reader:
            wanted = _connections(file, reader.connections, topic)
            messages = ((stamp, raw) for _, stamp, raw in reader.messages(connections=wanted))
            states = _States(file, joints, lambda raw: reader.deserialize(raw, TYPE))
            while block := list(islice(messages, BLOCK)):
                yield from states.motions(block)
            if states.begin is None:
                told = ", ".join(sorted(states.others)) or "no names"
                raise RobcogenError(
                    f"{file}: no message has {', '.join(joints)}; there are {told}"
                    f"{renaming_told(joints, sorted(states.others))}"
                )
    except RobcogenError:
        raise
    except Exception as error:  # broken files end in errors of rosbags, sqlite3, struct, zlib ...
        raise RobcogenError(f"{file}: cannot be read as a bag: {error}") from None


def _connections(file: str, known: Sequence[Any], topic: str | None) -> list[Any]:
    """Returns the connections of the topic of joint states."""
    states = [connection for connection in known if connection.msgtype == TYPE]
    topics = sorted({connection.topic for connection in states})
    if topic is None and len(topics) > 1:
        raise RobcogenError(f"{file}: joint states on {', '.join(topics)}; choose with topic")
    wanted = topics[:1] if topic is None else [topic]
    found = [connection for connection in states if connection.topic in wanted]
    if not found:
        told = ", ".join(sorted({f"{c.topic} ({c.msgtype})" for c in known})) or "nothing"
        raise RobcogenError(f"{file}: no {TYPE}{f' on {topic}' if topic else ''}; it has {told}")
    return found


@dataclass(frozen=True, slots=True)
class _Group:
    """Messages with the same names.

    Attributes:
        places: Which of a block they are.
        names: Names of the joints.
        stamps: Of each [ns].
        arrays: Positions, velocities, efforts, a row a message.
    """

    places: list[int]
    names: Sequence[str]
    stamps: list[int]
    arrays: list[Array]


class _States:
    """Turns messages into motions.

    Attributes:
        begin: Time of the first state [ns].
        others: Names in messages that are about other joints alone.
    """

    def __init__(
        self, file: str, joints: Sequence[str], deserialize: Callable[[bytes], Any]
    ) -> None:
        self._file, self._joints, self._deserialize = file, tuple(joints), deserialize
        self.begin: int | None = None
        self.others: set[str] = set()

    def motions(self, block: Sequence[Raw]) -> Iterator[Motion]:
        """The motion in messages, in their order."""
        sizes: dict[int, list[int]] = {}
        for place, (_, raw) in enumerate(block):
            sizes.setdefault(len(raw), []).append(place)
        parts = [
            (group, motion)
            for places in sizes.values()
            for group in self._groups(block, places)
            for motion in self._motion([block[k][0] for k in group.places], group)
        ]
        if parts:
            places = np.concatenate([group.places for group, _ in parts])
            yield _joined([motion for _, motion in parts]).rows(np.argsort(places, kind="stable"))

    def _groups(self, block: Sequence[Raw], places: list[int]) -> Iterator[_Group]:
        """Messages of one size, as many as have their numbers at the same places together."""
        raws = [block[k][1] for k in places]
        first = self._deserialize(raws[0])
        numbers = _alike(raws, first)
        if numbers is not None:
            yield _Group(places, first.name, *numbers)
            return
        for place, raw in zip(places, raws, strict=True):
            message = self._deserialize(raw)
            arrays = [np.asarray(getattr(message, name))[None] for name in _ARRAYS]
            yield _Group([place], message.name, [_nanoseconds(message)], arrays)

    def _motion(self, recorded: Sequence[int], group: _Group) -> Iterator[Motion]:
        """The motion in messages with the same names; none if they are about other joints."""
        names, stamps = group.names, group.stamps
        if not set(names) & set(self._joints):
            self.others.update(names)
            return
        times = stamps if all(stamps) else recorded
        self.begin = times[0] if self.begin is None else self.begin
        time = 1e-9 * np.array([t - self.begin for t in times], dtype=np.float64)
        missing = [joint for joint in self._joints if joint not in names]
        if missing:
            raise RobcogenError(
                f"{self._file}: the message at {time[0]:.6f} s has no {', '.join(missing)}, but "
                f"{', '.join(names)}; --lock JOINT=POSITION is for joints that are not recorded"
            )
        order = [list(names).index(joint) for joint in self._joints]
        found = {}
        for name, array in zip(_ARRAYS, group.arrays, strict=True):
            if array.shape[1] == len(names):
                found[name] = array[:, order]
            elif name != "velocity" or array.shape[1]:
                raise RobcogenError(
                    f"{self._file}: the message at {time[0]:.6f} s has {array.shape[1]} numbers in "
                    f"{name}, for {len(names)} joints"
                )
        yield Motion(time, found["position"], found.get("velocity"), None, found["effort"])


def _nanoseconds(message: Any) -> int:
    return int(message.header.stamp.sec) * 10**9 + int(message.header.stamp.nanosec)


def _joined(motions: Sequence[Motion]) -> Motion:
    """Motions one below the other; without velocities if one has none."""

    def whole(arrays: Iterable[Array | None]) -> Array | None:
        known = [array for array in arrays if array is not None]
        return np.concatenate(known) if len(known) == len(motions) else None

    q, tau = np.concatenate([m.q for m in motions]), np.concatenate([m.tau for m in motions])
    return Motion(whole(m.time for m in motions), q, whole(m.qd for m in motions), None, tau)


def _alike(raws: Sequence[bytes], first: Any) -> tuple[list[int], list[Array]] | None:
    """Stamps [ns] and arrays of all messages, where these have the layout of the first one."""
    size = len(raws[0])
    table = np.frombuffer(b"".join(raws), np.uint8).reshape(len(raws), size)
    fixed, places = _layout(first)
    if len(fixed) != size:
        return None
    arrays = []
    for name, place in zip(_ARRAYS, places, strict=True):
        expected = getattr(first, name)
        arrays.append(_columns(table, place, len(expected), "<f8").astype(np.float64))
        if not np.array_equal(arrays[-1][0], expected, equal_nan=True):
            return None  # another encoding than the usual one
    if (table[:, fixed] != table[0, fixed]).any():
        return None
    seconds, rest = _columns(table, _STAMP.start, 1, "<i4"), _columns(table, 8, 1, "<u4")
    stamps: list[int] = (seconds.astype(np.int64) * 10**9 + rest)[:, 0].tolist()
    return stamps, arrays


def _layout(message: Any) -> tuple[NDArray[np.bool_], list[int]]:
    """Returns the bytes of a message that fix its layout, and the places of its arrays.

    In common data representation, where what follows a number of bytes begins at a multiple of it,
    counted from behind the encapsulation.
    """
    fixed = [True] * _STAMP.start + [False] * (_STAMP.stop - _STAMP.start)

    def aligned(size: int) -> None:
        fixed.extend([False] * (-(len(fixed) - _STAMP.start) % size))

    def length(size: int = 0) -> None:
        aligned(4)
        fixed.extend([True] * (4 + size))

    length(len(message.header.frame_id.encode()) + 1)
    length()
    for name in message.name:
        length(len(name.encode()) + 1)
    places = []
    for array in _ARRAYS:
        length()
        numbers = len(getattr(message, array))
        if numbers:
            aligned(8)
        places.append(len(fixed))
        fixed.extend([False] * 8 * numbers)
    return np.array(fixed), places


def _columns(table: NDArray[np.uint8], place: int, count: int, kind: str) -> NDArray[Any]:
    """Numbers at a place of each row."""
    size = count * np.dtype(kind).itemsize
    return (
        np.ascontiguousarray(table[:, place : place + size]).view(kind).reshape(len(table), count)
    )
