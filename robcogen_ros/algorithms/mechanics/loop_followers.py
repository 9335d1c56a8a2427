"""Joints that follow, by factors, joints that follow from loops."""

from __future__ import annotations

from dataclasses import replace

from robcogen_ros.algorithms.mechanics.loop_triangle import turned
from robcogen_ros.model.closures import Closure
from robcogen_ros.model.operation import Scalar, atan2, cos, sin
from robcogen_ros.model.robot import Joint, Robot


def angle(joint: Joint, start: Scalar) -> Scalar:
    """The position of a joint of given cosine and sine, less its offset.

    Args:
        joint: The joint.
        start: An angle within half a turn of it.
    """
    assert joint.turn is not None
    written = start + joint.offset
    along, across = turned((cos(written), sin(written)), joint.turn, (1, 0))
    return start + atan2(across, along)


def with_followers(robot: Robot, closure: Closure) -> Robot:
    """The robot with positions of joints that follow dependent ones of a loop, whose are known."""
    joints, starts = list(robot.joints), dict(zip(closure.dependent, closure.start, strict=True))
    for follower in closure.followers:
        leader = joints[follower.leader]
        at = angle(leader, starts[follower.leader]) if leader.turn else leader.position
        position = at * follower.multiplier + follower.offset
        joints[follower.joint] = replace(joints[follower.joint], position=position)
    return replace(robot, joints=tuple(joints))
