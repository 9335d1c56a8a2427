"""Starts of Newton's method: polynomials of the coordinates that loops follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.scalars.operation import Scalar, maximum, minimum

Array = NDArray[np.float64]

DEGREES = (2, 3)
_MOST_TERMS = 35


@dataclass(frozen=True, slots=True)
class Start:
    """Polynomials of coordinates within a box; beyond, they are as at its nearest place.

    Attributes:
        lower: Ends of the box, one a coordinate [rad or m].
        upper: The other ends.
        degree: Of the polynomials.
        factors: Of each polynomial those of its terms, in the order of `terms`.
        without: How many steps lead as far from where loops are written.
    """

    lower: tuple[Scalar, ...]
    upper: tuple[Scalar, ...]
    degree: int
    factors: tuple[tuple[Scalar, ...], ...]
    without: int = 0

    def map(self, lift: Callable[[Scalar], Any]) -> Start:
        """Returns these starts over another scalar."""
        factors = tuple(tuple(map(lift, row)) for row in self.factors)
        lower, upper = (tuple(map(lift, x)) for x in (self.lower, self.upper))
        return replace(self, lower=lower, upper=upper, factors=factors)

    def at(self, y: Sequence[Scalar]) -> list[Scalar]:
        """The polynomials at positions of the coordinates."""
        inside = (
            minimum(maximum(x, low), high)
            for x, low, high in zip(y, self.lower, self.upper, strict=True)
        )
        values = terms(list(inside), self.degree)
        return [
            sum((a * x for a, x in zip(row[1:], values[1:], strict=True)), start=row[0])
            for row in self.factors
        ]


def terms(y: Sequence[Any], degree: int) -> list[Any]:
    """Products of up to so many of some factors, 1 first."""
    found: dict[tuple[int, ...], Any] = {(): 1}
    for order in range(1, degree + 1):
        for chosen in combinations_with_replacement(range(len(y)), order):
            found[chosen] = found[chosen[:-1]] * y[chosen[-1]] if order > 1 else y[chosen[0]]
    return list(found.values())


def fitted(y: Array, positions: Array, degree: int) -> Start | None:
    """Polynomials of (m, n) coordinates next to (m, k) positions; None if these are too few."""
    columns = np.column_stack(np.broadcast_arrays(*terms(list(y.T), degree)))
    if columns.shape[1] > _MOST_TERMS or len(y) < 4 * columns.shape[1]:
        return None
    factors = np.linalg.lstsq(columns, positions, rcond=1e-6)[0].T
    lower, upper = (tuple(map(float, ends)) for ends in (y.min(axis=0), y.max(axis=0)))
    return Start(lower, upper, degree, tuple(tuple(map(_short, row)) for row in factors))


def _short(x: float) -> float:
    """A number of few digits, which are enough to start from."""
    return float(f"{x:.6g}")
