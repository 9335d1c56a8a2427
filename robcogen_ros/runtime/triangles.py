"""Rows of least squares, rotated into triangles, a group of states that follow one another each.

A triangle holds all that least squares ask of its rows (Golub, Van Loan, Matrix Computations, 2013,
6.5.3). Groups stay as many as give standard errors for which states may depend on their neighbours:
where there are more, two and two are put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_MOST, _FIRST = 128, 4
"""Groups that are kept, and states of the first ones."""
_ROOM = 64 << 20
"""Bytes that they may take."""


class Triangle:
    """Rows of one force, rotated into a triangle: regressor, then force.

    Attributes:
        rows: Of the triangle.
        count: How many rows counted.
    """

    def __init__(self, columns: int) -> None:
        self.rows: Array = np.zeros((0, columns))
        self.count = 0

    def add(self, rows: Array, count: int) -> None:
        """Rotate rows in, some of which count."""
        whole = np.vstack([self.rows, rows])
        concerned: NDArray[np.bool_] = np.asarray(whole.any(axis=0))
        if len(whole) > np.count_nonzero(concerned):
            triangle = triangular(whole[:, concerned])
            whole = np.zeros((len(triangle), len(concerned)))
            whole[:, concerned] = triangle
        self.rows = whole
        self.count += count

    def left(self, values: Array) -> float:
        """Returns the root mean square of what parameters leave of the force."""
        left = self.rows @ np.append(values, -1.0)
        return float(np.sqrt(left @ left / max(self.count, 1)))


class Groups:
    """Triangles of every force, of states in the order in which they came.

    Attributes:
        states: How many there were.
    """

    def __init__(self, forces: int, columns: int) -> None:
        self._forces, self._columns, self.states = forces, columns, 0
        self._size, self._last = _FIRST, 0
        self._groups: list[list[Triangle]] = []
        fitting = _ROOM // (8 * max(forces, 1) * columns**2)
        self._most = int(np.clip(fitting, 16, _MOST)) // 2 * 2

    def add(self, rows: Array, counted: NDArray[np.bool_]) -> None:
        """Takes states: (states, forces, columns) rows, and which count (states, forces)."""
        begin = 0
        while begin < len(rows):
            if not self._groups or self._last == self._size:
                self._begin()
            end = min(begin + self._size - self._last, len(rows))
            for force, triangle in enumerate(self._groups[-1]):
                own = counted[begin:end, force]
                triangle.add(rows[begin:end, force], int(np.count_nonzero(own)))
            self._last += end - begin
            begin = end
        self.states += len(rows)

    def _begin(self) -> None:
        if len(self._groups) == self._most:
            self._groups = [
                [_joined(pair) for pair in zip(one, other, strict=True)]
                for one, other in pairwise(self._groups)
            ][::2]
            self._size *= 2
        self._groups.append([Triangle(self._columns) for _ in range(self._forces)])
        self._last = 0

    def whole(self) -> list[Triangle]:
        """Returns the triangle of each force."""
        none = [Triangle(self._columns) for _ in range(self._forces)]
        return [_joined(own) for own in zip(none, *self._groups, strict=True)]

    def scores(self, values: Array, weights: Array) -> Array:
        """Returns (groups, b) gradients of half the weighted squares at parameters."""
        columns, scores = len(values), np.zeros((len(self._groups), len(values)))
        for group, own in enumerate(self._groups):
            for triangle, weight in zip(own, weights, strict=True):
                regressor, force = triangle.rows[:, :columns], triangle.rows[:, columns]
                scores[group] += weight**2 * regressor.T @ (regressor @ values - force)
        return scores


def _joined(triangles: Sequence[Triangle]) -> Triangle:
    """Returns the triangle of the rows of several."""
    joined = Triangle(triangles[0].rows.shape[1])
    rows = np.vstack([triangle.rows for triangle in triangles])
    joined.add(rows, sum(triangle.count for triangle in triangles))
    return joined


def triangular(rows: Array) -> Array:
    """Returns the triangular factor of rows."""
    return np.asarray(np.linalg.qr(rows, mode="r"), dtype=np.float64)
