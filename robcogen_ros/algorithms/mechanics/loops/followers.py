"""Joints that follow others by polynomials, and by factors those that follow from loops."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from robcogen_ros.algorithms.annotate import named
from robcogen_ros.model.closures.closure import Closure, Curve
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.scalars.operation import Scalar, atan2, cos, sin


def angle(joint: Joint, start: Scalar) -> Scalar:
    """The position of a joint of given cosine and sine, less its offset.

    Args:
        joint: The joint.
        start: An angle within half a turn of it.
    """
    assert joint.turn is not None
    written, (cosine, sine) = start + joint.offset, joint.turn
    c, s = cos(written), sin(written)
    return start + atan2(c * sine - s * cosine, c * cosine + s * sine)


def with_curve(robot: Robot, closure: Closure) -> Robot:
    """The robot with the position of the joint that follows another by a polynomial."""
    assert closure.curve is not None
    (k,) = closure.dependent
    joints = list(robot.joints)
    joints[k] = replace(joints[k], position=named(curve_at(robot, closure.curve)[0], f"q{k + 1}"))
    return replace(robot, joints=tuple(joints))


def curve_at(robot: Robot, curve: Curve) -> tuple[Scalar, Scalar, Scalar]:
    """The value and first two derivatives of a polynomial where the joint is that leads."""
    leader = robot.joints[curve.leader]
    if leader.turn is None:
        return curve.at(leader.position)
    starts = chain.from_iterable(zip(c.dependent, c.start, strict=True) for c in robot.closures)
    return curve.at(angle(leader, dict(starts)[curve.leader]))


def with_followers(robot: Robot, closure: Closure) -> Robot:
    """The robot with positions of joints that follow dependent ones of a loop, whose are known."""
    joints, starts = list(robot.joints), dict(zip(closure.dependent, closure.start, strict=True))
    for follower in closure.followers:
        leader = joints[follower.leader]
        at = angle(leader, starts[follower.leader]) if leader.turn else leader.position
        position = at * follower.multiplier + follower.offset
        joints[follower.joint] = replace(joints[follower.joint], position=position)
    return replace(robot, joints=tuple(joints))
