"""Where the joint-space inertia matrix has entries that are not zero whatever the position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True, slots=True)
class InertiaPattern:
    """The entries of the upper triangle of H, column by column: compressed columns.

    Solvers of sparse systems and of quadratic programs take a matrix so.

    Attributes:
        columns: The rows of each column's entries, ascending; the last is that of the diagonal.
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
        """How many entries come before each column, and how many there are."""
        return tuple(accumulate(map(len, self.columns), initial=0))


def inertia_pattern(
    coordinates: Sequence[int], supports: Sequence[Sequence[int]], n: int, floating_base: bool
) -> InertiaPattern:
    """The pattern of a tree: H_ij is zero where neither of two coordinates carries the other.

    This is its branch-induced sparsity (Featherstone, Rigid Body Dynamics Algorithms, 2008,
    section 6.4).

    Args:
        coordinates: The coordinate of each joint.
        supports: The joints between the base and each joint's successor, that joint included.
        n: Number of coordinates.
        floating_base: Whether six coordinates of the base come before, which carry all others.
    """
    base = 6 if floating_base else 0
    columns = [set(range(i + 1)) for i in range(base)]
    columns += [{*range(base), base + i} for i in range(n)]
    for own, support in zip(coordinates, supports, strict=True):
        for joint in support:
            row, column = sorted((own, coordinates[joint]))
            columns[base + column].add(base + row)
    return InertiaPattern(tuple(tuple(sorted(rows)) for rows in columns))
