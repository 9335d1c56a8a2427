"""Loops in a plane as triangles: the turns of the joints at their corners.

Let u be the way from a corner to the last one, as a complex number in the frame on the
predecessor's side of the joint there, v the way to the next in the successor's frame, w the side
across, and s = 1 if u turns to v by less than half a turn, else -1. Then

    K = (|u|^2 + |v|^2 - |w|^2) / 2,   S = sqrt(|u|^2 |v|^2 - K^2)
    e^(i theta) = u conj(v) (K + i s S) / (|u|^2 |v|^2)

for a joint that the loop passes outwards, and likewise inwards. S is the same at all corners.

A joint that slides is a corner far away. It brings the two others to the length L of the side
between them, when it is at t +- sqrt(L^2 - h^2), with h how far its axis leads past the one, as it
goes through the other, and t where they are beside each other. Then K = |u|^2 = |v|^2 and S = 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from robcogen_ros.algorithms.annotate import step
from robcogen_ros.algorithms.mechanics.joints import JointTransform
from robcogen_ros.algorithms.mechanics.kinematics import paths
from robcogen_ros.algorithms.mechanics.loops.rows import known_transforms
from robcogen_ros.model.closures.closure import Closure
from robcogen_ros.model.joint_kinds import AXIS
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar, sqrt
from robcogen_ros.model.spatial import Pose

_LOOP = -1
"""Stands for the loop itself among the corners."""

Complex = tuple[Scalar, Scalar]


@dataclass(frozen=True, slots=True)
class _Corner:
    """A corner of a triangle, and the sides that meet there.

    Attributes:
        joint: Number of the joint there; -1 for the loop.
        downward: Whether the loop passes the joint from predecessor to successor.
        pose: Pose of the frame in which the corner is reached, in that in which the last is left.
    """

    joint: int
    downward: bool
    pose: Pose


def with_turns(robot: Robot, closure: Closure) -> Robot:
    """The robot with the turns of the joints that follow from a loop, and the way one slides."""
    if (slide := _sliding(robot, closure)) is not None:
        along, height, square = _slide_terms(robot, closure, slide)
        reach = along + sqrt(square - height * height) * closure.signs[0]
        joints = list(robot.joints)
        joints[slide] = replace(joints[slide], position=reach)
        left = tuple(k for k in closure.corners if k != slide)
        robot, closure = replace(robot, joints=tuple(joints)), replace(closure, corners=left)
    corners, to_last, to_next, squares = _triangle(robot, closure)
    joints, area = list(robot.joints), None
    for i, corner in enumerate(corners):
        if corner.joint == _LOOP:
            continue
        ways = (to_next[i], to_last[i]) if corner.downward else (to_last[i], to_next[i])
        if slide is not None:
            by: Complex = 1 / square, 0
        else:
            before, after, across = squares[i], squares[(i + 1) % 3], squares[(i + 2) % 3]
            K = (before + after - across) / 2
            both = before * after
            area = sqrt(both - K * K) if area is None else area
            sign = closure.signs[closure.corners.index(corner.joint)]
            by = K / both, area * (sign if corner.downward else -sign) / both
        joints[corner.joint] = replace(joints[corner.joint], turn=turned(*ways, by))
    return replace(robot, joints=tuple(joints))


def triangle_margin(robot: Robot, closure: Closure) -> Scalar:
    """Returns the distance of a loop from being singular, see `closures.margins`."""
    if (slide := _sliding(robot, closure)) is not None:
        _, height, square = _slide_terms(robot, closure, slide)
        return 1 - height * height / square
    a, b, c = _triangle(robot, closure)[-1]
    K, total = (a + b - c) / 2, a + b + c
    return 12 * (a * b - K * K) / (total * total)


def _sliding(robot: Robot, closure: Closure) -> int | None:
    """The joint at a corner that slides, if one does."""
    return next((k for k in closure.corners if k >= 0 and not robot.joints[k].kind.turns), None)


def _slide_terms(robot: Robot, closure: Closure, slide: int) -> tuple[Scalar, Scalar, Scalar]:
    """Returns the place, height and length of a joint that slides: h and L^2 of the triangle."""
    found = list(_corners(robot, closure, known_transforms(robot)))[1:]
    i = next(i for i, corner in enumerate(found) if corner.joint == slide)
    first, last, out = found[i - 2], found[i - 1], found[i]
    step(f"loop {closure.name}: the side that its joint slides along")
    side = first.pose.translation, out.pose.inverse().translation
    if first.joint == _LOOP:
        normal, way = out.pose.inverse().rotation.apply(AXIS), last.pose.inverse()
    else:
        normal, way = first.pose.rotation.apply(AXIS), last.pose
    left = side[1] - side[0]
    height = left.y * normal.x - left.x * normal.y
    return left.z if out.downward else -left.z, height, _square(_in_plane(way))


def _triangle(
    robot: Robot, closure: Closure
) -> tuple[list[_Corner], list[Complex], list[Complex], list[Scalar]]:
    """The corners of a loop, the ways from each to the last and next, squares of sides before."""
    corners = list(_corners(robot, closure, known_transforms(robot)))[1:]
    step(f"loop {closure.name}: the triangle of its joints")
    to_last = [_in_plane(corner.pose.inverse()) for corner in corners]
    to_next = [_in_plane(corner.pose) for corner in (*corners[1:], corners[0])]
    sides = [
        to_last[i] if corners[i - 1].joint == _LOOP else to_next[i - 1] for i in range(len(corners))
    ]
    return corners, to_last, to_next, [_square(side) for side in sides]


def turned(u: Complex, v: Complex, by: Complex) -> Complex:
    """conj(u) v times a complex number."""
    along, across = u[0] * v[0] + u[1] * v[1], u[0] * v[1] - u[1] * v[0]
    return along * by[0] - across * by[1], across * by[0] + along * by[1]


def _in_plane(pose: Pose) -> Complex:
    return pose.translation.x, pose.translation.y


def _square(way: Complex) -> Scalar:
    return way[0] * way[0] + way[1] * way[1]


def _corners(
    robot: Robot, closure: Closure, transforms: Sequence[JointTransform]
) -> Iterator[_Corner]:
    """The corners of a loop's triangle, in the order of the loop; one of them first and last."""
    passed = list(_passed(robot, closure))
    start = next(i for i, (k, _) in enumerate(passed) if k in closure.corners)
    first, second = (robot.frames[k].pose for k in closure.loops[0].frames)
    pose = Pose()
    for k, downward in (*passed[start:], *passed[:start], passed[start]):
        if k == _LOOP:
            before, beyond = second, first.inverse()
        elif downward:
            before, beyond = robot.joints[k].pose, Pose()
        else:
            before, beyond = Pose(), robot.joints[k].pose.inverse()
        if k in closure.corners:
            yield _Corner(k, downward, pose @ before)
            pose = beyond
        elif k == _LOOP:
            pose = pose @ before @ beyond
        else:
            across = transforms[k].pose
            pose = pose @ (across if downward else across.inverse())


def _passed(robot: Robot, closure: Closure) -> Iterator[tuple[int, bool]]:
    """Yields the joints that a loop passes, itself first, each with whether downward."""
    first, second = (robot.frames[k] for k in closure.loops[0].frames)
    up, down = paths(robot, first, second)
    yield _LOOP, True
    yield from ((k, False) for k in up)
    yield from ((k, True) for k in down)
