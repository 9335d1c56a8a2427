"""Sums by which each joint rotates tensors of inertia, so that small entries keep their digits.

A limb is slender: about one axis across its joint it has many times the inertia that it has about
the other. Turned by about a right angle, the small entry comes from the large one where the sum
that gives it starts there: what is left has the rounding errors of the large one. That entry
may be all the inertia the joint before has. Which sum is the better one (see
`RotationZ.rotate_symmetric`) is judged at random positions, in floats; either is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from robcogen_ros.algorithms.conditioning.link_frames import samples
from robcogen_ros.algorithms.conditioning.values import array_of, random_transforms
from robcogen_ros.algorithms.limbs import joints_alike
from robcogen_ros.algorithms.mechanics.articulated_inertia import (
    ArticulatedInertia,
    around_update,
)
from robcogen_ros.algorithms.mechanics.composite_inertia import composite_inertias
from robcogen_ros.algorithms.mechanics.joints import (
    JointTransform,
)
from robcogen_ros.algorithms.sweeps import Body, sweeps
from robcogen_ros.model.conditioned import ConditionedRobot, Conditioning, conditioned
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.scalars.operation import DIVIDE, Scalar, apply
from robcogen_ros.model.spatial import Pose, Symmetric3

_POSITIONS = 64
"""Random positions at which losses are taken."""

_TOLERABLE = 8.0
"""Loss, as a factor on a rounding error, from which on three products more are worth it."""

_CLEARLY = 0.9
"""Share of the usual loss below which a loss counts as smaller on every machine."""

_ACROSS = 1e-9
"""Cosines below are those of right angles."""

_SHORT, _LONG = ("xy", "yx"), ("xx", "yy")
_ALL = (*_SHORT, *_LONG)

Losses = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Tensors:
    """Tensors of the subtrees of all links, in the links' coordinates.

    Attributes:
        turned: That which the link's joint hands on.
        whole: That of which the predecessor's axis feels a part.
    """

    turned: list[Symmetric3]
    whole: list[Symmetric3]


@lru_cache(maxsize=4)
def with_accurate_rotations(robot: Robot) -> ConditionedRobot:
    """Returns the robot with the sums of each joint that lose fewest digits of what it turns.

    Limbs of equal shape take the same ones.
    """
    sample = samples(robot)[0].map(float)
    transforms = random_transforms(sample, _POSITIONS)
    with np.errstate(divide="ignore", invalid="ignore"):
        rigid = _losses(sample, transforms, _rigid(sample, transforms))
        articulated = _losses(sample, transforms, _articulated(sample, transforms))
    fixed = [_losses_of_angle(joint.pose) for joint in sample.joints]

    def best(losses: list[Losses], places: tuple[int, ...]) -> str:
        return _best(losses[i] for i in places)

    chosen = [
        Conditioning(best(fixed, places), best(rigid, places), best(articulated, places))
        for places in joints_alike(robot)
    ]
    return conditioned(robot, chosen)


def _rigid(robot: Robot, transforms: Sequence[JointTransform]) -> _Tensors:
    tensors = [inertia.tensor for inertia in composite_inertias(robot, transforms)]
    return _Tensors(tensors, tensors)


def _articulated(robot: Robot, transforms: Sequence[JointTransform]) -> _Tensors:
    """Returns the articulated tensors that are turned with each joint, and those of each link."""
    own = [ArticulatedInertia.of(link.inertia) for link in robot.links]
    found, base = sweeps(robot).inward("{joint}", _turned, own, transforms)
    turned, whole = zip(*found, strict=True) if found else ((), ())
    return _Tensors([Symmetric3(), *turned], [base.J, *whole])


def _turned(
    body: Body, whole: ArticulatedInertia, X: JointTransform
) -> tuple[ArticulatedInertia, tuple[Symmetric3, Symmetric3]]:
    U = whole.apply(body.joint.kind.motion(1))
    inverse = apply(DIVIDE, 1, body.joint.kind.component(U) + body.armature)
    left = whole.less_outer(U, U * inverse)
    _, inner = around_update(body, X)
    return left.across(X).onto(X), (whole.J if inner else left.J, whole.J)


def _best(each: Iterable[Losses]) -> str:
    """The sums to take at some joints: short ones unless these lose much more."""
    found = list(each)
    losses = {starts: max(one[starts] for one in found) for starts in _ALL}
    usual, other = _SHORT
    short = other if losses[other] < _CLEARLY * losses[usual] else usual
    long = min(_LONG, key=lambda starts: losses[starts])
    worth_it = losses[short] > _TOLERABLE and losses[long] < losses[short] / 2
    return long if worth_it else short


def _losses_of_angle(pose: Pose) -> Losses:
    """Returns the digits lost by turning by a constant angle about an axis, in any unit.

    xx' = xx - s u takes s^2 of (xx - yy) away, xx' = yy - c w takes c^2.
    """
    x, y, z = pose.rotation
    cosine = min(abs(x.x), abs(y.y), abs(z.z))
    sine = max(0.0, 1 - cosine * cosine) ** 0.5
    return {"xy": sine, "yx": cosine, "xx": 1.0, "yy": 1.0}


def _losses(robot: Robot, transforms: Sequence[JointTransform], tensors: _Tensors) -> list[Losses]:
    """Returns for each joint the digits lost by each way to turn the tensor of its successor."""
    joints = zip(robot.joints, transforms, strict=True)
    return [_losses_across(robot, joint, X, tensors) for joint, X in joints]


def _losses_across(robot: Robot, joint: Joint, X: JointTransform, tensors: _Tensors) -> Losses:
    """The largest rounding errors of what a joint turns, relative to all inertia that counts.

    What counts is the inertia of the predecessor's subtree about its own axis, and if that is not
    one of the first joints, about the others too, which are turned once more.
    """
    if joint.predecessor == 0 or not joint.kind.turns:
        return dict.fromkeys(_ALL, 0.0)
    tensor, onto = tensors.turned[joint.successor], tensors.whole[joint.predecessor]
    turned = X.moved.rotation.rotate_symmetric(tensor)
    first = robot.joints[joint.predecessor - 1].predecessor == 0
    x_axis, y_axis, _ = X.fixed.rotation.transposed()
    loss: dict[str, dict[str, float]] = {}
    for name, axis, entry in (("x", x_axis, turned.xx), ("y", y_axis, turned.yy)):
        counts = not first or abs(axis.z) > _ACROSS
        whole = axis.dot(onto.apply(axis))
        loss[name] = {
            start: counts * _largest(apply(DIVIDE, abs(begin) + abs(entry - begin), whole))
            for start, begin in (("x", tensor.xx), ("y", tensor.yy))
        }
    return {starts: max(loss["x"][starts[0]], loss["y"][starts[1]]) for starts in _ALL}


def _largest(ratios: Scalar) -> float:
    """The largest of some ratios; of nothing to nothing it is none."""
    return float(np.max(np.nan_to_num(array_of(ratios))))
