"""Stability of a robot that stands: its points, and their distances within the contacts' hull.

Zero-moment point and center of pressure (Sardain and Bessonnet 2004) are the points of a plane
about which the wrench of the ground has no moment along the plane; the capture point (Pratt et
al. 2006) is where a linear inverted pendulum has to step to come to rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.model.scalars.operation import Scalar, maximum, minimum, select, sqrt
from robcogen_ros.model.spatial import Force, Vector

Point2 = tuple[Scalar, Scalar]


def positive(x: Scalar) -> Scalar:
    """The number itself if it is positive, else NaN."""
    return x * sqrt(select(-x, -1, 1))


def normal_or(normal: Vector, otherwise: Vector) -> Vector:
    """The normal of a plane that is given; another one where it is zero."""
    given = -normal.dot(normal)
    pairs = zip(otherwise, normal, strict=True)
    return Vector(*(select(given, other, own) for other, own in pairs))


def pressure_point(wrench: Force, point: Vector, normal: Vector) -> Vector:
    """The point of a plane about which a wrench [n; f] has moment along its normal only.

    NaN where the force does not push along the normal.

    Args:
        wrench: Of the ground on the robot, about the origin.
        point: A point of the plane.
        normal: Its normal, of any length.
    """
    step("point without moment along the plane")
    held = normal.cross(wrench.angular) + wrench.linear * normal.dot(point)
    found: Vector = named(held * (1 / positive(normal.dot(wrench.linear))), "p", "point")
    return found


def capture_point(
    center: Vector, velocity: Vector, gravity: Vector, point: Vector, normal: Vector
) -> Vector:
    """Returns the point below which the center of mass comes to rest: c + v sqrt(h / g) on a plane.

    NaN where the center of mass is below the plane or does not fall towards it.

    Args:
        center: Center of mass.
        velocity: Its velocity.
        gravity: Acceleration of free fall.
        point: A point of the plane.
        normal: Its normal, of any length.
    """
    step("point to step on")
    height = normal.dot(center - point)
    reach = sqrt(height / positive(-normal.dot(gravity)))
    moved = center + velocity * reach
    found: Vector = moved - normal * (normal.dot(moved - point) / normal.dot(normal))
    return found


def plane_axes(normal: Vector) -> tuple[Vector, Vector]:
    """Two unit vectors that are perpendicular to a vector and to each other (Duff et al. 2017)."""
    n = normal * (1 / sqrt(normal.dot(normal)))
    sign = select(n.z, 1, -1)
    a = -1 / (sign + n.z)
    b = n.x * n.y * a
    return (
        Vector(1 + sign * n.x * n.x * a, sign * b, -sign * n.x),
        Vector(b, sign + n.y * n.y * a, -n.y),
    )


def closed_points(points: Sequence[Point2], closed: Sequence[Scalar]) -> list[Point2]:
    """The points of closed contacts, the first of them in place of each open one.

    Args:
        points: The points.
        closed: 1 of each that counts, 0 of each that does not.
    """
    first = points[-1]
    for point, on in zip(reversed(points[:-1]), reversed(closed[:-1]), strict=True):
        first = _chosen(on, point, first)
    return [_chosen(on, point, first) for point, on in zip(points, closed, strict=True)]


def unless_closed(closed: Sequence[Scalar]) -> Scalar:
    """NaN where no contact is closed, else 0."""
    return sqrt(select(sum(closed, start=0) - 1, 0, -1))


def hull_margin(points: Sequence[Point2]) -> Scalar:
    """Returns the distance of the origin within the hull of points; negative outside.

    The signed distance to a convex set is the least, over all directions d, of how far the set
    reaches along d: the least one is perpendicular to an edge, or points from the nearest corner
    to the origin. Any direction more that is tried does no harm, so that nothing depends on which
    points are corners; points may coincide.
    """
    step("margin within the convex hull of the contacts")
    best = reduce(maximum, (x for x, _ in points))
    for i, (x, y) in enumerate(points):
        best = _least(best, -x, -y, points, both=False)
        for x2, y2 in points[:i]:
            best = _least(best, y - y2, x2 - x, points, both=True)
    return best


def _least(best: Scalar, x: Scalar, y: Scalar, points: Sequence[Point2], both: bool) -> Scalar:
    """The lesser one of what was found and the reach of points along a direction, or along both."""
    square = x * x + y * y
    per_length = 1 / sqrt(select(-square, 1, square))
    reaches = [x * u + y * v for u, v in points]
    farthest = reduce(maximum, reaches)
    if both:
        farthest = minimum(farthest, -reduce(minimum, reaches))
    return select(-square, best, minimum(best, farthest * per_length))


def _chosen(on: Scalar, point: Point2, other: Point2) -> Point2:
    return select(on * 2 - 1, point[0], other[0]), select(on * 2 - 1, point[1], other[1])
