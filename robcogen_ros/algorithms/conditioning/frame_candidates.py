"""Candidates for the frame of a link that turns, and their cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.expression import Expression
from robcogen_ros.model.scalars.operation import Scalar, is_zero
from robcogen_ros.model.spatial import Pose, SpatialInertia, Vector

_NEGLIGIBLE = 1e-12
"""Lengths [m] and inertias that count as zero in an estimate."""

_MOMENT, _PRODUCT, _LENGTH, _OBLIQUE_AXIS, _OBLIQUE, _OFFSET = 10, 6, 10, 30, 100, 1
"""Operations, roughly, that a first or second moment, a component of the position of a joint, an
angle between axes, a rotation in general, and an angle added to a joint's take."""

_OWN_LENGTH = 16
"""Size of a component of the position of the link's own joint.

Outwards it costs less: beyond origins that do not move, neither forces nor masses count, and what
the last links carry has more zeros.
"""


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Operations that candidates need beyond + - * /."""

    atan2: Callable[[Scalar, Scalar], Scalar]
    is_zero: Callable[[Scalar], bool]


ROUNDED = Arithmetic(math.atan2, lambda x: abs(x) < _NEGLIGIBLE)
EXACT = Arithmetic(lambda y, x: Expression(value=number.atan2(y.value, x.value)), is_zero)


@dataclass(frozen=True, slots=True)
class Body:
    """A link that turns, as far as its frame matters.

    Attributes:
        pose: Pose of the link's frame, at zero, in the predecessor's.
        inertia: Its inertia, regrouped.
        children: Poses of the frames of the joints on it.
    """

    pose: Pose
    inertia: SpatialInertia
    children: tuple[Pose, ...]

    def placed(self, placement: Pose) -> Body:
        """The link with its frame at a pose in the one it has."""
        back = placement.inverse()
        return Body(
            self.pose @ placement,
            back.inertia(self.inertia),
            tuple(back @ child for child in self.children),
        )

    def rounded(self) -> Body:
        """The link over floats."""
        children = tuple(child.map(float) for child in self.children)
        return Body(self.pose.map(float), self.inertia.map(float), children)


def angles(body: Body, arithmetic: Arithmetic) -> Iterator[Scalar]:
    """Angles by which the frame might be turned about the axis.

    None; x along the first moment, along the vector (Sxz, Syz), along a principal axis of the
    upper block of the second moments; along the common normal to the next axes.
    """
    S, h = body.inertia.tensor.second_moments(), body.inertia.moment
    atan2 = arithmetic.atan2
    yield h.x - h.x
    yield atan2(h.y, h.x)
    yield atan2(S.yz, S.xz)
    yield atan2(S.xy + S.xy, S.xx - S.yy) / 2
    for child in body.children:
        x, y, _ = (row.z for row in child.rotation)
        if arithmetic.is_zero(x) and arithmetic.is_zero(y):
            x, y = -child.translation.y, child.translation.x
        yield atan2(x, -y)


def slides(body: Body, arithmetic: Arithmetic) -> Iterator[Scalar]:
    """Distances by which the frame might be moved along the axis.

    None; to where a component of its position in the predecessor vanishes; to where one of
    (Sxz, Syz) vanishes; to the height of the next joints.
    """
    S, h = body.inertia.tensor.second_moments(), body.inertia.moment
    axis = Vector(*(row.z for row in body.pose.rotation))
    pairs = [(-p, along) for p, along in zip(body.pose.translation, axis, strict=True)]
    pairs += [(S.xz, h.x), (S.yz, h.y)]
    zero = h.x - h.x
    yield zero
    yield from (zero if arithmetic.is_zero(b) else a / b for a, b in pairs)
    yield from (child.translation.z for child in body.children)


def reach(body: Body) -> float:
    """Returns the largest distance from a link's frame to those before and after it [m]."""
    places = [body.pose.translation, *(child.translation for child in body.children)]
    return max(math.hypot(*place) for place in places)


def estimate(body: Body) -> int:
    """Operations, roughly, that the numbers of a link over floats take."""
    S, h = body.inertia.tensor.second_moments(), body.inertia.moment
    cost = _MOMENT * _count(h.x, h.y) + _PRODUCT * _count(S.xy, S.xz, S.yz)
    cost += _OWN_LENGTH * _count(*body.pose.translation)
    cost += 0 if _is_right(body.pose) else _OFFSET
    return cost + sum(_child_estimate(child) for child in body.children)


def _child_estimate(child: Pose) -> int:
    """Returns the cost of the transform to a child, wherever its frame is along its axis."""
    axis = [row.z for row in child.rotation]
    feet = [0.0] + [
        -p / along
        for p, along in zip(child.translation, axis, strict=True)
        if not ROUNDED.is_zero(along)
    ]
    lengths = min(
        _count(*(p + foot * along for p, along in zip(child.translation, axis, strict=True)))
        for foot in feet
    )
    return _LENGTH * lengths + _oblique_estimate(*axis)


def _oblique_estimate(x: float, y: float, z: float) -> int:
    """Returns the cost of turning onto an axis."""
    if _count(x, y, z) == 1:
        return 0
    return _OBLIQUE if _count(x, y) == 2 else _OBLIQUE_AXIS


def _is_right(pose: Pose) -> bool:
    """Returns True if a pose turns x by right angles only, or by an angle between the axes."""
    x = [row.x for row in pose.rotation]
    return ROUNDED.is_zero(x[0]) or _count(*x) == 1


def _count(*values: float) -> int:
    """Returns how many values are not zero."""
    return sum(not ROUNDED.is_zero(value) for value in values)
