"""Distance between capsules: segments that are swept by spheres (Ericson 2005, section 5.1.9)."""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import step
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.scalars.operation import Scalar, is_zero, maximum, minimum, select, sqrt
from robcogen_ros.model.spatial import Vector

Ends = Sequence[Vector]
"""Both ends of a segment, or a single point."""


def clamped(x: Scalar) -> Scalar:
    """The nearest number from 0 to 1."""
    return minimum(maximum(x, 0), 1)


def nearest(first: Ends, second: Ends) -> tuple[list[Scalar], list[Scalar]]:
    """The weights of the ends of two segments at the points that are nearest to each other.

    Where several are equally near, some of them; ends of a segment may coincide.
    """
    step("nearest points of two segments")
    if len(first) == 1:
        return [1], _weights(_along(second, first[0]) if len(second) == 2 else None)
    if len(second) == 1:
        return _weights(_along(first, second[0])), [1]
    d1, d2, r = first[1] - first[0], second[1] - second[0], first[0] - second[0]
    a, e, b = d1.dot(d1), d2.dot(d2), d1.dot(d2)
    s = clamped(_over(b * d2.dot(r) - d1.dot(r) * e, a * e - b * b))
    t = _along(second, first[0] + d1 * s)
    return _weights(_along(first, second[0] + d2 * t)), _weights(t)


def distance(first: Ends, second: Ends) -> tuple[Scalar, Vector]:
    """The distance of two segments, and the unit vector from the second to the first.

    The vector is NaN where they touch. What moves the ends changes the distance by the component
    along that vector of how `nearest` weighs their velocities.

    Raises:
        RobcogenError: If they touch whatever the positions are.
    """
    weights = nearest(first, second)
    apart = weighed(first, weights[0]) - weighed(second, weights[1])
    square = apart.dot(apart)
    if is_zero(square):
        raise RobcogenError("limbs whose clearance is asked for touch at every position")
    length = sqrt(square)
    return length, apart * (1 / length)


def weighed(ends: Ends, weights: Sequence[Scalar]) -> Vector:
    """The weighed sum of vectors."""
    terms = (end * weight for end, weight in zip(ends, weights, strict=True))
    return sum(terms, start=Vector())


def _along(ends: Ends, point: Vector) -> Scalar:
    """Returns the place of a segment's point that is nearest to a point, 0 to 1."""
    d = ends[1] - ends[0]
    return clamped(_over(d.dot(point - ends[0]), d.dot(d)))


def _over(x: Scalar, square: Scalar) -> Scalar:
    """A quotient; 0 where the divisor is not positive."""
    return select(-square, 0, x / select(-square, 1, square))


def _weights(t: Scalar | None) -> list[Scalar]:
    return [1] if t is None else [1 - t, t]
