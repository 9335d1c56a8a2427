"""Patterns of matrices of the dynamics: entries that are not zero whatever the state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from typing import TypeVar

T = TypeVar("T")

_BASE, _TURNS = 6, 3
"""Coordinates of a floating base; its turns are the first of them, shifts the others."""


@dataclass(frozen=True, slots=True)
class SparsePattern:
    """The entries of a matrix, column by column: compressed columns.

    Solvers of sparse systems, of quadratic and of nonlinear programs take a matrix so.

    Attributes:
        columns: The rows of each column's entries, ascending.
    """

    columns: tuple[tuple[int, ...], ...]

    @property
    def rows(self) -> tuple[int, ...]:
        """The row of each entry."""
        return tuple(row for rows in self.columns for row in rows)

    @property
    def places(self) -> list[tuple[int, int]]:
        """The row and the column of each entry."""
        return [(row, column) for column, rows in enumerate(self.columns) for row in rows]

    @property
    def starts(self) -> tuple[int, ...]:
        """Numbers of the entries before each column, and of all."""
        return tuple(accumulate(map(len, self.columns), initial=0))

    def renumbered(self, order: Sequence[int]) -> SparsePattern:
        """The entries of a symmetric matrix and their mirror images, of rows in another order."""
        new = {old: i for i, old in enumerate(order)}
        rows: list[set[int]] = [set() for _ in order]
        for row, column in self.places:
            rows[new[row]].add(new[column])
            rows[new[column]].add(new[row])
        return _pattern(rows)

    def triangle(self, *, upper: bool) -> SparsePattern:
        """The entries above or below the diagonal."""
        columns = enumerate(self.columns)
        return SparsePattern(
            tuple(tuple(k for k in rows if (k < i if upper else k > i)) for i, rows in columns)
        )

    def of(self, matrix: Sequence[Sequence[T]]) -> list[T]:
        """The entries of a matrix that is given by rows."""
        return [matrix[row][column] for row, column in self.places]


@dataclass(frozen=True, slots=True)
class DynamicsPatterns:
    """The patterns of a tree's matrices: H_ij is zero where neither of i and j carries the other.

    This is its branch-induced sparsity (Featherstone, Rigid Body Dynamics Algorithms, 2008,
    section 6.4); the derivatives of its forces have the same.

    Attributes:
        inertia: The upper triangle of H; the last entry of a column is that of the diagonal.
        by_positions: The derivatives of the forces by positions; they do not change as a floating
            base is shifted.
        by_velocities: Those by velocities.
    """

    inertia: SparsePattern
    by_positions: SparsePattern
    by_velocities: SparsePattern


def dynamics_patterns(
    coordinates: Sequence[Sequence[int]],
    supports: Sequence[Sequence[int]],
    n: int,
    floating_base: bool,
    pulled: Sequence[Sequence[int]] = (),
) -> DynamicsPatterns:
    """The patterns of a tree.

    Args:
        coordinates: The coordinates that move each joint.
        supports: The joints between the base and each joint's successor, that joint included.
        n: Number of coordinates.
        floating_base: Whether six coordinates of the base come before, which carry all others.
        pulled: For each spring between frames the joints that move its ends against one another.
    """
    base = _BASE if floating_base else 0
    above = [set(range(i + 1)) for i in range(base)]
    above += [{*range(base), base + i} for i in range(n)]
    for own, support in zip(coordinates, supports, strict=True):
        for joint in support:
            for pair in product(own, coordinates[joint]):
                row, column = sorted(pair)
                above[base + column].add(base + row)
    both = [set(rows) for rows in above]
    for column, rows in enumerate(above):
        for row in rows:
            both[row].add(column)
    tied = [set(rows) for rows in both]
    for joints in pulled:
        moved = {base + k for joint in joints for k in coordinates[joint]}
        for k in moved:
            tied[k] |= moved
    shifts = range(_TURNS, base)
    return DynamicsPatterns(
        _pattern(above),
        _pattern([set() if i in shifts else rows for i, rows in enumerate(tied)]),
        _pattern(both),
    )


def _pattern(columns: Sequence[set[int]]) -> SparsePattern:
    return SparsePattern(tuple(tuple(sorted(rows)) for rows in columns))
