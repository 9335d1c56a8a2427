"""Numbers of many states in columns: each number of all states together, then the next."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_LINE = 8
"""Doubles of a line of a cache."""


def column_distance(count: int) -> int:
    """Numbers from a column to the next: whole lines of a cache, an odd number of them.

    Columns at a distance of many powers of two would all lie in a few places of the cache.
    """
    return (-(-count // _LINE) | 1) * _LINE


def empty_columns(count: int, width: int) -> NDArray[np.float64]:
    """An array (count, width) of columns that begin with lines of a cache."""
    distance = column_distance(count)
    room = np.empty(width * distance + _LINE)
    first = -room.ctypes.data // room.itemsize % _LINE
    whole = room[first : first + width * distance].reshape(width, distance)
    columns: NDArray[np.float64] = whole[:, :count].T
    return columns
