"""Joints that depend on others through loops: their turns, their rates, what is left of these.

Where loops close, positions q of the coordinates give those of all joints, qd_joints = G qd and
qdd_joints = G qdd + g (Featherstone 2008, sections 8.8 and 8.11; Jain, Robot and multibody
dynamics, 2011, chapter 11). A robot at a position is one whose dependent joints have their entry
of G for a multiplier, so that algorithms go through loops as through joints that follow others.

A loop in a plane is a triangle. Let u be the way from a corner to the last one, as a complex number
in the frame on the predecessor's side of the joint there, v the way to the next in the successor's
frame, w the side across, and s = 1 if u turns to v by less than half a turn, else -1. Then

    K = (|u|^2 + |v|^2 - |w|^2) / 2,   S = sqrt(|u|^2 |v|^2 - K^2)
    e^(i theta) = u conj(v) (K + i s S) / (|u|^2 |v|^2)

for a joint that the loop passes outwards, and likewise inwards. S is the same at all corners. The
rates follow from the rows of the Jacobian between the loop's frames, which vanish:
K_d qd_d + K_i qd_i = 0 and K_d qdd_d + K_i qdd_i + k = 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.mechanics.eliminated_limbs import inverted
from robcogen_ros.algorithms.mechanics.joints import JointTransform, joint_transforms
from robcogen_ros.algorithms.mechanics.kinematics import (
    Matrix,
    chain_columns,
    paths,
    relative_pose,
)
from robcogen_ros.algorithms.mechanics.operational_space import dot, transposed
from robcogen_ros.model.closures import Closure, misalignment
from robcogen_ros.model.operation import Scalar, select, sqrt
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.spatial import Pose

_LOOP = -1
"""Stands for the loop itself among the corners."""
_CLOSED = 1e-20
"""Sum of the squares of gaps of what counts as closed."""


def at_position(robot: Robot, q: Sequence[Scalar]) -> Robot:
    """The robot with turns and rates of its dependent joints at a position of its loops.

    Args:
        robot: The robot, n coordinates.
        q: (n,) positions [rad or m].
    """
    for closure in robot.closures:
        placed = _with_turns if closure.corners else _with_positions
        robot = _with_rates(placed(robot, closure, q), closure, q)
    return robot


def _with_rates(robot: Robot, closure: Closure, q: Sequence[Scalar]) -> Robot:
    """The robot with G's entries of the joints that follow from a loop."""
    inverse, independent = closure_rows(robot, closure, _transforms(robot, q))
    step(f"loop {closure.name}: rates of its joints")
    joints = list(robot.joints)
    for k, row in zip(closure.dependent, inverse, strict=True):
        shares = [
            (c, named(-dot(row, entries), f"G{k + 1}_{c + 1}"))
            for c, entries in sorted(independent.items())
        ]
        joints[k] = replace(joints[k], shares=tuple(shares))
    return replace(robot, joints=tuple(joints))


def closure_rows(
    robot: Robot, closure: Closure, transforms: Sequence[JointTransform]
) -> tuple[Matrix, dict[int, list[Scalar]]]:
    """The inverse of K_d, and the columns of K_i by their coordinates."""
    unit = [
        replace(joint, multiplier=1, shares=()) if k in closure.dependent else joint
        for k, joint in enumerate(robot.joints)
    ]
    own = {robot.joints[k].successor: i for i, k in enumerate(closure.dependent)}
    dependent: Matrix = [[0] * len(own) for _ in own]
    independent: dict[int, list[Scalar]] = {}
    place = 0
    for loop in closure.loops:
        first, second = (robot.frames[k] for k in loop.frames)
        found = chain_columns(replace(robot, joints=tuple(unit)), transforms, first, second)
        for joint, c, column in found:
            if joint.successor in own:
                entries = dependent[own[joint.successor]]
            else:
                entries = independent.setdefault(c, [0] * len(own))
            for i, row in enumerate(loop.rows, place):
                entries[i] = entries[i] + list(column)[row]
        place += len(loop.rows)
    return _inverse(transposed(dependent)), independent


def _inverse(matrix: Matrix) -> Matrix:
    """The inverse of a matrix of two or three rows."""
    if len(matrix) != 2:
        return inverted(matrix)
    (a, b), (c, d) = matrix
    scale = 1 / (a * d - b * c)
    return [[d * scale, -(b * scale)], [-(c * scale), a * scale]]


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


def _with_turns(robot: Robot, closure: Closure, q: Sequence[Scalar]) -> Robot:
    """The robot with the turns of the joints that follow from a loop."""
    corners = list(_corners(robot, closure, _transforms(robot, q)))[1:]
    step(f"loop {closure.name}: the triangle of its joints")
    to_last = [_in_plane(corner.pose.inverse()) for corner in corners]
    to_next = [_in_plane(corner.pose) for corner in (*corners[1:], corners[0])]
    squares = [
        _square(to_last[i] if corners[i - 1].joint == _LOOP else to_next[i - 1]) for i in range(3)
    ]  # of the side before each corner
    joints, area = list(robot.joints), None
    for i, corner in enumerate(corners):
        if corner.joint == _LOOP:
            continue
        before, after, across = squares[i], squares[(i + 1) % 3], squares[(i + 2) % 3]
        K = (before + after - across) / 2
        both = before * after
        area = sqrt(both - K * K) if area is None else area
        sign = closure.signs[closure.corners.index(corner.joint)]
        sine = area * (sign if corner.downward else -sign)
        ways = (to_next[i], to_last[i]) if corner.downward else (to_last[i], to_next[i])
        turn = _turn(*ways, (K / both, sine / both))
        joints[corner.joint] = replace(joints[corner.joint], turn=turn)
    return replace(robot, joints=tuple(joints))


Complex = tuple[Scalar, Scalar]


def _turn(u: Complex, v: Complex, by: Complex) -> Complex:
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
    """What a loop passes: the loop itself, then joints, and whether downward."""
    first, second = (robot.frames[k] for k in closure.loops[0].frames)
    up, down = paths(robot, first, second)
    yield _LOOP, True
    yield from ((k, False) for k in up)
    yield from ((k, True) for k in down)


def _is_unknown(joint: Joint) -> bool:
    return joint.is_open and joint.turn is None and joint.position is None


def _with_positions(robot: Robot, closure: Closure, q: Sequence[Scalar]) -> Robot:
    """The robot with positions of the joints that follow from loops, NaN if they do not close."""
    positions = list(closure.start)
    known = _placed(robot, closure, positions)
    for number in range(1, closure.steps + 1):
        transforms = _transforms(known, q)
        left = _gaps(known, closure, transforms)
        inverse, _ = closure_rows(known, closure, transforms)
        step(f"loop {closure.name}: step {number} to its joints")
        positions = [x - dot(row, left) for x, row in zip(positions, inverse, strict=True)]
        known = _placed(robot, closure, positions)
    gaps = _gaps(known, closure, _transforms(known, q))
    step(f"loop {closure.name}: whether it is closed")
    room = _CLOSED - dot(gaps, gaps)
    return _placed(robot, closure, [select(room, x, sqrt(room)) for x in positions])


def _placed(robot: Robot, closure: Closure, positions: Sequence[Scalar]) -> Robot:
    """The robot with dependent joints at positions."""
    joints = list(robot.joints)
    for k, position in zip(closure.dependent, positions, strict=True):
        joints[k] = replace(joints[k], position=position)
    return replace(robot, joints=tuple(joints))


def _gaps(robot: Robot, closure: Closure, transforms: Sequence[JointTransform]) -> list[Scalar]:
    """What the rows of loops that count are off."""
    found: list[Scalar] = []
    for loop in closure.loops:
        first, second = (robot.frames[k] for k in loop.frames)
        pose = relative_pose(robot, transforms, first, second)
        R = [list(row) for row in pose.rotation]
        off = [*misalignment(R, loop.fixed), *pose.translation]
        found += [off[row] for row in loop.rows]
    return found


def _transforms(robot: Robot, q: Sequence[Scalar]) -> Sequence[JointTransform]:
    """Transforms across the joints whose positions are known; across others they mean nothing."""
    known = (
        replace(joint, multiplier=0, shares=()) if _is_unknown(joint) else joint
        for joint in robot.joints
    )
    return joint_transforms(replace(robot, joints=tuple(known)), q)
