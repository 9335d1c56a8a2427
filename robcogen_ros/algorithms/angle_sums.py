"""Angles whose constant part is kept apart, so that the joints before keep their digits.

The sum of a joint's coordinate and an offset is rounded before its cosine and sine are taken: an
angle between 2 and 4 by up to 2e-16. Where a small change of the angle changes the inertia about
the axis before it by several times as much, relative to what that is, the theorem of addition
does better: it takes cosine and sine of the coordinate as it is. How much inertia changes is judged
at random positions, in floats; either way is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from robcogen_ros.algorithms.composite_inertia import composite_inertias
from robcogen_ros.algorithms.joints import JointTransform, joint_transforms
from robcogen_ros.algorithms.limbs import joints_alike
from robcogen_ros.algorithms.link_frames import samples
from robcogen_ros.model.operation import cos, is_zero, sin
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.spatial import SpatialInertia, Symmetric3, Vector

_POSITIONS = 64
"""Random positions at which changes are taken."""

_TOLERABLE = 2.0
"""Relative change of an inertia with the angle [1/rad] up to which the sum is good enough."""


@lru_cache(maxsize=4)
def with_careful_angles(robot: Robot) -> Robot:
    """The same robot, offsets kept apart where their sums with coordinates would lose digits.

    Args:
        robot: The robot, its quantities expressions. Limbs of equal shape do the same.
    """
    factors = [_factor(joint) for joint in robot.joints]
    if not any(factors):
        return robot
    sample = samples(robot)[0].map(float)
    q = np.random.default_rng(1).uniform(-np.pi, np.pi, (robot.n, _POSITIONS))
    transforms = joint_transforms(sample, list(q))
    composite = composite_inertias(sample, transforms)
    felt = [
        bool(factor) and _is_felt(sample, joint, transforms, composite)
        for factor, joint in zip(factors, sample.joints, strict=True)
    ]
    joints = []
    for joint, places in zip(robot.joints, joints_alike(robot), strict=True):
        worth_it = all(factors[k] for k in places) and any(felt[k] for k in places)
        joints.append(replace(joint, factor=factors[places[0]]) if worth_it else joint)
    return replace(robot, joints=tuple(joints))


def _factor(joint: Joint) -> str:
    """The larger one of the offset's cosine and sine if it is constant and neither vanishes."""
    if joint.prismatic or not joint.offset.is_constant:
        return ""
    c, s = cos(joint.offset), sin(joint.offset)
    if is_zero(c) or is_zero(s):
        return ""
    return "cos" if abs(float(c)) >= abs(float(s)) else "sin"


def _is_felt(
    robot: Robot,
    joint: Joint,
    transforms: Sequence[JointTransform],
    composite: Sequence[SpatialInertia],
) -> bool:
    """Whether the inertia about the axis before a joint changes much with the joint's angle."""
    i, X = joint.predecessor, transforms[joint.successor - 1]
    if i == 0 or robot.joints[i - 1].prismatic:
        return False
    change = X.fixed.inertia(_turning(X.moved.inertia(composite[joint.successor])))
    return bool(np.any(np.abs(change.tensor.zz) > _TOLERABLE * composite[i].tensor.zz))


def _turning(inertia: SpatialInertia) -> SpatialInertia:
    """How an inertia changes as it turns about z, per angle: z x h, [z]x T - T [z]x."""
    h, T = inertia.moment, inertia.tensor
    tensor = Symmetric3(-2 * T.xy, T.xx - T.yy, -T.yz, 2 * T.xy, T.xz, 0)
    return SpatialInertia(0, Vector(-h.y, h.x, 0), tensor)
