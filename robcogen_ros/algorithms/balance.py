"""Masses at given points that have a given first moment across z."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import combinations

from robcogen_ros.model.operation import Scalar, is_zero
from robcogen_ros.model.spatial import Vector

_SHORTEST_LEVER = 0.02
"""Nearer points balance nothing, lest large masses cancel each other [m]."""

_HEAVIEST = 4
_AXES = ("x", "y")
_NUMBERS = (int, float, Decimal)


def balancing_masses(
    moment: Vector, points: Sequence[Vector]
) -> tuple[list[Scalar], tuple[str, ...]]:
    """A mass at each point, so that x and y of the first moment vanish as far as can be.

    Two masses balance both, one the component for which it has the longer lever. All are zero
    where the points are too near, or depend on parameters, or the moment is along x or y: it takes
    no more operations than the mass does.

    Args:
        moment: First moment of mass [kg m].
        points: Where the masses are to be [m].

    Returns:
        The masses [kg], and the axes along which nothing is left of the first moment.
    """
    masses: list[Scalar] = [0] * len(points)
    levers = {k: lever for k, point in enumerate(points) if (lever := _levers(point))}
    axes = [axis for axis in range(2) if not is_zero(tuple(moment)[axis])]
    if len(axes) < 2:
        return masses, ()
    pair = _balancing_pair(levers)
    if pair:
        a, b = (points[k] for k in pair)
        area = a.x * b.y - a.y * b.x
        masses[pair[0]] = (moment.x * b.y - moment.y * b.x) / area
        masses[pair[1]] = (a.x * moment.y - a.y * moment.x) / area
        return masses, _AXES
    reach = {(k, axis): abs(lever[axis]) for k, lever in levers.items() for axis in axes}
    k, axis = max(reach, key=lambda place: reach[place], default=(0, 0))
    if reach.get((k, axis), 0.0) < _SHORTEST_LEVER:
        return masses, ()
    masses[k] = tuple(moment)[axis] / tuple(points[k])[axis]
    return masses, (_AXES[axis],)


def _balancing_pair(levers: Mapping[int, tuple[float, float]]) -> tuple[int, int] | None:
    """The first two points that lie apart in direction."""
    for i, j in combinations(levers, 2):
        (ax, ay), (bx, by) = levers[i], levers[j]
        longest = max(_SHORTEST_LEVER, *map(abs, (ax, ay, bx, by)))
        if abs(ax * by - ay * bx) >= _SHORTEST_LEVER * longest:
            return i, j
    return None


def outweigh(masses: Sequence[Scalar], carried: Scalar) -> bool:
    """Whether a mass is several times what a link carries: their differences lose digits."""
    limit = _number(carried)
    sizes = [abs(size) for mass in masses if (size := _number(mass)) is not None]
    return limit is not None and any(size > _HEAVIEST * abs(limit) for size in sizes)


def _levers(point: Vector) -> tuple[float, float] | None:
    """x and y of a constant point; None if they depend on parameters."""
    x, y = _number(point.x), _number(point.y)
    return None if x is None or y is None else (x, y)


def _number(value: Scalar) -> float | None:
    """A constant as a float; None if it depends on parameters."""
    constant = getattr(value, "literal", value)
    return float(constant) if isinstance(constant, _NUMBERS) else None
