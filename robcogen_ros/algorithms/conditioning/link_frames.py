"""Frames inside the links, chosen so that most numbers of a robot are zero.

A link that turns may have its frame anywhere along its axis, and in any direction about it: its
joint's transform then is that of Khalil and Kleinfinger (1986), modified Denavit-Hartenberg, where
it can be. A link's x axis goes along the common normal to the next axis, or where it makes most
of the link's inertia vanish; a right angle costs nothing, any other is added to the joint's angle.
Which is best is decided by an estimate of operations, in floats; what is chosen is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from random import Random

from robcogen_ros.algorithms.conditioning.base_parameters import regrouped
from robcogen_ros.algorithms.conditioning.frame_candidates import (
    EXACT,
    ROUNDED,
    Arithmetic,
    Body,
    angles,
    estimate,
    reach,
    slides,
)
from robcogen_ros.model.robot import Frame, Joint, Link, Robot
from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.expression import Expression, at_values, expression
from robcogen_ros.model.scalars.operation import Scalar, is_zero
from robcogen_ros.model.spatial import Matrix3, Pose, RotationZ, Vector

_IDENTITY = Pose().map(expression)

_NOISE = Decimal("1e-40")
"""Rounding of numbers that are at most some metres, or entries of rotations, computed with 50
digits."""


@lru_cache(maxsize=4)
def with_chosen_frames(robot: Robot) -> Robot:
    """Returns the robot with other frames inside its links; public frames stay where they are.

    Args:
        robot: The robot, its quantities expressions. Where these depend on parameters, frames are
            chosen so that what vanishes does so at any values.
    """
    given = [regrouped(sample) for sample in samples(robot)]
    placed = [_IDENTITY]
    for joint in robot.joints:
        back = placed[joint.predecessor].inverse()
        bodies = [_body(sample, joint.successor, back) for sample in given]
        placed.append(_IDENTITY if joint.kind.slides else _placement(bodies))
    moved = _with_frames_at(robot, placed)
    return replace(moved, joints=tuple(map(_with_angle_in_offset, moved.joints)))


def with_denavit_hartenberg_frames(robot: Robot) -> Robot:
    """Returns the robot with frames that make its joints as alike as possible.

    Each link is turned about its axis so that the frame of the joint which carries its largest
    subtree is turned about x only, by whatever angle (modified Denavit-Hartenberg); of angles of
    axes on one link this can be had for one.

    Args:
        robot: A robot without open parameters, its quantities expressions.
    """
    chosen = with_chosen_frames(robot)
    beyond = [1] * len(chosen.links)
    for joint in reversed(chosen.joints):
        beyond[joint.predecessor] += beyond[joint.successor]
    placed = [_IDENTITY]
    for joint in chosen.joints:
        children = [j for j in chosen.joints if j.predecessor == joint.successor]
        main = max(children, key=lambda j: beyond[j.successor], default=None)
        placed.append(_IDENTITY if main is None or joint.kind.slides else _about_x(main))
    moved = _with_frames_at(chosen, placed)
    joints = (_with_angle_in_offset(joint, right_angles=True) for joint in moved.joints)
    return replace(moved, joints=tuple(joints))


def _about_x(child: Joint) -> Pose:
    """The turn about z after which a child's axis is across x."""
    x, y, _ = child.pose.rotation
    if is_zero(x.z):
        return _IDENTITY
    return _turn(_direction(Vector(-y.z, x.z, 0)))


def samples(robot: Robot) -> list[Robot]:
    """The robot as it is, or if it depends on parameters, at two sets of arbitrary values."""
    if not robot.parameters:
        return [robot]
    random = Random(1)
    names = [parameter.name for parameter in robot.parameters]
    values = [{name: number.number(random.uniform(0.1, 1.0)) for name in names} for _ in range(2)]
    return [robot.map(at_values(given)) for given in values]


def _body(robot: Robot, link: int, back: Pose) -> Body:
    """A link, where a pose leads from its predecessor to the frame chosen there."""
    children = tuple(child.pose for child in robot.joints if child.predecessor == link)
    return Body(back @ robot.joints[link - 1].pose, robot.links[link].inertia, children)


def _placement(bodies: Sequence[Body]) -> Pose:
    """Returns a link's new frame in its present one, by one or two samples of the link."""
    turn = _turn(_best(bodies, angles, _roughly_turned, math.inf))
    turned = [body.placed(turn) for body in bodies]
    slide = _best(turned, slides, _slide, reach(turned[-1].rounded()))
    return turn @ _slide(slide).map(expression)


def _best(
    bodies: Sequence[Body],
    candidates: Callable[[Body, Arithmetic], Iterator[Scalar]],
    pose: Callable[[float], Pose],
    farthest: float,
) -> Expression:
    """The candidate whose pose takes fewest operations; the first of equals.

    Candidates are made of the first set of values and judged by the last, at which only that
    vanishes which always does. None goes farther than allowed: where axes are nearly parallel
    their common normal is anywhere, and about a distant point inertias are small differences.
    """
    judge = bodies[-1].rounded()
    rough = list(candidates(bodies[0].rounded(), ROUNDED))
    costs = {each: estimate(judge.placed(pose(each))) for each in rough if abs(each) <= farthest}
    best = rough.index(min(costs, key=lambda each: costs[each]))
    return expression(next(islice(candidates(bodies[0], EXACT), best, None)))


def _direction(vector: Vector) -> Expression:
    """The angle about z from the x axis to a vector."""
    y, x = expression(vector.y).value, expression(vector.x).value
    assert y is not None
    assert x is not None
    return expression(number.atan2(y, x))


def _turn(angle: Expression) -> Pose:
    """A turn about z."""
    assert angle.value is not None
    c, s = (expression(f(angle.value)) for f in (number.cos, number.sin))
    return Pose(RotationZ.of(c, s)).map(expression)


def _roughly_turned(angle: float) -> Pose:
    """A turn about z, over floats."""
    return Pose(RotationZ.of(math.cos(angle), math.sin(angle)))


def _slide(distance: Scalar) -> Pose:
    """A slide along z."""
    return Pose(translation=Vector(0, 0, distance))


def _with_angle_in_offset(joint: Joint, right_angles: bool = False) -> Joint:
    """The joint with its pose's turn about z in its offset, if a turn about one axis is left.

    Args:
        joint: The joint.
        right_angles: Whether turns by these are put there, too.
    """
    x, y, z = joint.pose.rotation
    if joint.kind.slides or not all(entry.is_constant for row in (x, y, z) for entry in row):
        return joint
    if is_zero(x.z):
        angle, fixed = (
            (-x.y, x.x),
            Matrix3(Vector(1, 0, 0), Vector(0, z.z, y.z), Vector(0, -y.z, z.z)),
        )
    elif is_zero(y.z):
        angle, fixed = (
            (y.x, y.y),
            Matrix3(Vector(z.z, 0, x.z), Vector(0, 1, 0), Vector(-x.z, 0, z.z)),
        )
    else:
        return joint
    if not right_angles and any(is_zero(part) for part in angle):
        return joint
    turn = expression(number.atan2(angle[0].value, angle[1].value))
    pose = Pose(fixed.map(expression), joint.pose.translation)
    return replace(joint, pose=pose, offset=joint.offset + turn)


def _with_frames_at(robot: Robot, placed: Sequence[Pose]) -> Robot:
    """The robot with the frame of each link at a pose in the one it has."""
    links = zip(robot.links, placed, strict=True)
    return replace(
        robot,
        links=tuple(_moved_link(link, at) for link, at in links),
        joints=tuple(_moved_joint(joint, placed) for joint in robot.joints),
        frames=tuple(_moved_frame(frame, placed) for frame in robot.frames),
    )


def _moved_joint(joint: Joint, placed: Sequence[Pose]) -> Joint:
    pose = placed[joint.predecessor].inverse() @ joint.pose @ placed[joint.successor]
    return replace(joint, pose=pose.map(_without_noise))


def _without_noise(x: Scalar) -> Scalar:
    """Zero for what is only left of rounding products of rotations."""
    value = x.value if isinstance(x, Expression) else None
    return expression(0) if value is not None and abs(value) < _NOISE else x


def _moved_link(link: Link, at: Pose) -> Link:
    back = at.inverse()
    return replace(link, inertia=back.inertia(link.inertia), frame=back @ link.frame)


def _moved_frame(frame: Frame, placed: Sequence[Pose]) -> Frame:
    return replace(frame, pose=placed[frame.link].inverse() @ frame.pose)
