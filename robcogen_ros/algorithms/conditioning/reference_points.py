"""Reference points in limbs, about which tensors of inertia are added up so that they keep digits.

An arm that lies along the first axis of its shoulder has little inertia about it, and much about
the axes across. Where it is oblique to the third axis, or the axes do not meet, much of it gets
into each entry of the tensor about the shoulder, of which the inertia about the first axis is a
small difference. About a reference point of the third axis within the limb, entries are smaller.
That point does not move on the second link, so the tensor may stay about it there, and is shifted
on the axes of the first: some operations more. How much larger the terms of that inertia are than
their sum is judged at random positions, in floats; either way is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from robcogen_ros.algorithms.conditioning.base_parameters import regrouped
from robcogen_ros.algorithms.conditioning.values import array_of, random_transforms
from robcogen_ros.algorithms.limbs import joints_alike
from robcogen_ros.algorithms.mechanics.composite_inertia import composite_inertias
from robcogen_ros.algorithms.mechanics.joints import JointTransform
from robcogen_ros.model.conditioned import conditioned, conditioning
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.expression import Expression
from robcogen_ros.model.scalars.operation import Scalar, is_zero
from robcogen_ros.model.spatial import Pose, SpatialInertia, Vector

_POSITIONS = 1 << 12
"""Random positions at which losses are taken."""

_NORM = 8
"""The power of losses whose mean over the positions counts: large ones do, not one alone."""

_TOLERABLE = 4.0
"""Loss, as a factor on a rounding error, from which on some operations more are worth it."""

_CLEARLY = 0.8
"""Share of the usual loss that a smaller loss must reach."""


@dataclass(frozen=True, slots=True)
class _Shoulder:
    """Indices of turning joints, one after the other, that alone carry what is beyond them.

    The last one is elsewhere along the axis before it.
    """

    first: int
    second: int
    third: int
    elbow: int


@lru_cache(maxsize=4)
def with_reference_points(robot: Robot) -> Robot:
    """Returns the robot with reference points that keep digits of the inertia about an axis.

    Args:
        robot: The robot, its quantities expressions. Limbs of equal shape have theirs alike; what
            depends on parameters has none.
    """
    shoulders = [] if robot.parameters else list(_shoulders(robot))
    if not shoulders:
        return robot
    sample = regrouped(robot.map(float))
    transforms = random_transforms(sample, _POSITIONS)
    composite = composite_inertias(sample, transforms)
    losses = {}
    for shoulder in shoulders:
        third, elbow = sample.joints[shoulder.third], sample.joints[shoulder.elbow]
        reference = third.pose.point(Vector(0, 0, elbow.pose.translation.z / 2))
        X, i = transforms[shoulder.second], third.predecessor
        whole = composite[sample.joints[shoulder.second].predecessor].tensor.zz
        losses[shoulder.third] = tuple(
            _loss(X, composite[i], about, whole) for about in (Vector(), reference)
        )
    halfway = {shoulder.third: robot.joints[shoulder.elbow] for shoulder in shoulders}
    records = list(conditioning(robot))
    for k, places in enumerate(joints_alike(robot)):
        found = [losses[i] for i in places if i in losses]
        if len(found) == len(places) and _worth_it(*map(max, zip(*found, strict=True))):
            records[k] = replace(records[k], reference=_half(halfway[k]))
    return conditioned(robot, records)


def _worth_it(usual: float, about_reference: float) -> bool:
    return usual > _TOLERABLE and about_reference < _CLEARLY * usual


def _half(elbow: Joint) -> Expression:
    """Half the way along the axis before it, as a double."""
    length = elbow.pose.translation.z.value
    return Expression(number.rounded(number.divide(length, number.number(2))))


def _shoulders(robot: Robot) -> Iterator[_Shoulder]:
    beyond: list[list[int]] = [[] for _ in robot.links]
    for k, joint in enumerate(robot.joints):
        beyond[joint.predecessor].append(k)
    for k in range(len(robot.joints)):
        chain = [k]
        while len(chain) < 4 and len(beyond[robot.joints[chain[-1]].successor]) == 1:
            chain += beyond[robot.joints[chain[-1]].successor]
        joints = [robot.joints[i] for i in chain]
        if len(chain) < 4 or any(joint.kind.slides for joint in joints):
            continue
        if not is_zero(joints[-1].pose.translation.z):
            yield _Shoulder(*chain)


def _loss(X: JointTransform, body: SpatialInertia, reference: Vector, whole: Scalar) -> float:
    """Returns the size of a body's terms in the inertia about the axis before its joint.

    Args:
        X: Transform across the joint, at many positions.
        body: The composite body beyond it, in the coordinates of its successor, without mass.
        reference: The point about which its tensor is turned.
        whole: The inertia about that axis, at these positions.
    """
    T, h = Pose(translation=-reference).inertia(body).tensor, body.moment
    R, at = X.pose.rotation, X.pose.point(reference)
    terms = [axis * axis * entry for axis, entry in zip(R.z, (T.xx, T.yy, T.zz), strict=True)]
    terms += [2 * R.z.x * R.z.y * T.xy, 2 * R.z.x * R.z.z * T.xz, 2 * R.z.y * R.z.z * T.yz]
    for row, shift in ((R.x, at.x), (R.y, at.y)):
        terms += [2 * shift * axis * moment for axis, moment in zip(row, h, strict=True)]
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = sum(term * term for term in terms)
        ratios = np.sqrt(array_of(squares)) / np.abs(array_of(whole))
    return float(np.mean(np.nan_to_num(ratios, posinf=0.0) ** _NORM) ** (1 / _NORM))
