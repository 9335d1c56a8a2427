"""Places of numbers in a serialised message, found by looking for them.

rclpy turns a message into Python objects and back field by field, which takes far longer than all
the rest of a small node. Where the numbers of a message lie in its bytes depends only on its names;
so it is enough to serialise such a message once, with numbers that are easily found.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

TIME = struct.Struct("=iI")
"""Seconds and nanoseconds of a time."""

_WIDTH = 8
_MARK = 1.2345678901234567e-200
"""Marks are multiples of this number by integers: no text looks like them."""


def marks(count: int) -> list[float]:
    """Numbers to put into a message, each different from all others."""
    return [_MARK * (i + 1) for i in range(count)]


def times(count: int) -> list[tuple[int, int]]:
    """Seconds and nanoseconds to put into a message, each pair different from all others."""
    return [(0x5EC00000 + i, 0x2A000000 + i) for i in range(count)]


def places(data: bytes, numbers: Sequence[float]) -> list[int] | None:
    """Returns the place of each number, as a double; None if that cannot be told."""
    return _places(data, [struct.pack("=d", number) for number in numbers])


def time_places(data: bytes, pairs: Sequence[tuple[int, int]]) -> list[int] | None:
    """Returns the place of each time, seconds before nanoseconds; None if that cannot be told."""
    return _places(data, [TIME.pack(*pair) for pair in pairs])


def _places(data: bytes, patterns: Sequence[bytes]) -> list[int] | None:
    """Returns the place of each pattern of eight bytes; None if one lies in several places."""
    if len(data) < _WIDTH:
        return None
    windows = np.lib.stride_tricks.sliding_window_view(np.frombuffer(data, np.uint8), _WIDTH)
    words = np.ascontiguousarray(windows).view(np.uint64)[:, 0]
    wanted = np.frombuffer(b"".join(patterns), np.uint64)
    found = np.flatnonzero(np.isin(words, wanted))
    found = found[np.argsort(words[found])]
    order = np.argsort(wanted)
    if not np.array_equal(words[found], wanted[order]):
        return None
    result = np.empty_like(found)
    result[order] = found
    return [int(place) for place in result]
