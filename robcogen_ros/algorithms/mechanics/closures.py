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
from functools import reduce

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.mechanics.eliminated_limbs import inverted
from robcogen_ros.algorithms.mechanics.joints import (
    JointTransform,
    joint_positions,
    joint_transforms,
)
from robcogen_ros.algorithms.mechanics.kinematics import (
    Matrix,
    chain_columns,
    paths,
    relative_pose,
)
from robcogen_ros.algorithms.mechanics.operational_space import dot, transposed
from robcogen_ros.model.closures import Closure, Loop, misalignment
from robcogen_ros.model.operation import (
    Scalar,
    atan2,
    cos,
    is_zero,
    minimum,
    select,
    sin,
    sqrt,
)
from robcogen_ros.model.robot import Coordinate, Joint, Robot
from robcogen_ros.model.spatial import Motion, Pose
from robcogen_ros.model.terms import JointTerms

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
    known = (
        joint if joint.is_open else replace(joint, position=position)
        for joint, position in zip(robot.joints, joint_positions(robot, q), strict=True)
    )
    robot = replace(robot, joints=tuple(known))
    for closure in robot.closures:
        placed = _with_turns if closure.corners else _with_closed_positions
        robot = with_rates(placed(robot, closure), closure)
    return robot


def with_rates(robot: Robot, closure: Closure) -> Robot:
    """The robot with G's entries of the joints that follow from a loop."""
    K = closure_rows(robot, closure, _transforms(robot))
    inverse = dependent_inverse(closure, K)
    independent: dict[int, list[Scalar]] = {}
    for k, column in enumerate(transposed(K)):
        if k not in closure.dependent and not all(map(is_zero, column)):
            for c, share in robot.joints[k].rates:
                entries = independent.get(c, [0] * len(column))
                independent[c] = [x + y * share for x, y in zip(entries, column, strict=True)]
    step(f"loop {closure.name}: rates of its joints")
    joints = list(robot.joints)
    for k, row in zip(closure.dependent, inverse, strict=True):
        shares = [
            (c, named(-dot(row, entries), f"G{k + 1}_{c + 1}"))
            for c, entries in sorted(independent.items())
        ]
        joints[k] = replace(joints[k], shares=tuple(shares))
    return replace(robot, joints=tuple(joints))


def spanning(robot: Robot) -> Robot:
    """The tree of a robot, in which each joint is a coordinate by itself."""
    joints = tuple(
        replace(joint, coordinate=k, multiplier=1, shares=())
        for k, joint in enumerate(robot.joints)
    )
    coordinates = tuple(Coordinate(joint.name) for joint in joints)
    return replace(robot, joints=joints, coordinates=coordinates, closures=(), terms=JointTerms())


def loop_columns(
    robot: Robot, loop: Loop, transforms: Sequence[JointTransform]
) -> list[tuple[int, Motion]]:
    """Joints from one frame of a loop to the other, and what they add to the Jacobian."""
    first, second = (robot.frames[k] for k in loop.frames)
    return [
        (k, motion) for _, k, motion in chain_columns(spanning(robot), transforms, first, second)
    ]


def closure_rows(robot: Robot, closure: Closure, transforms: Sequence[JointTransform]) -> Matrix:
    """The rows K of the Jacobian between the frames of loops that count, (rows, joints)."""
    rows: Matrix = []
    for loop in closure.loops:
        columns: Matrix = [[0] * 6 for _ in robot.joints]
        for k, motion in loop_columns(robot, loop, transforms):
            columns[k] = list(motion)
        rows += [[column[row] for column in columns] for row in loop.rows]
    return rows


def dependent_inverse(closure: Closure, K: Matrix) -> Matrix:
    """The inverse of the columns K_d of the joints that follow."""
    return _inverse([[row[k] for k in closure.dependent] for row in K])


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


def _with_turns(robot: Robot, closure: Closure) -> Robot:
    """The robot with the turns of the joints that follow from a loop."""
    corners, to_last, to_next, squares = _triangle(robot, closure)
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


def _triangle(
    robot: Robot, closure: Closure
) -> tuple[list[_Corner], list[Complex], list[Complex], list[Scalar]]:
    """The corners of a loop, the ways from each to the last and next, squares of sides before."""
    corners = list(_corners(robot, closure, _transforms(robot)))[1:]
    step(f"loop {closure.name}: the triangle of its joints")
    to_last = [_in_plane(corner.pose.inverse()) for corner in corners]
    to_next = [_in_plane(corner.pose) for corner in (*corners[1:], corners[0])]
    sides = [to_last[i] if corners[i - 1].joint == _LOOP else to_next[i - 1] for i in range(3)]
    return corners, to_last, to_next, [_square(side) for side in sides]


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


def _with_closed_positions(robot: Robot, closure: Closure) -> Robot:
    """The robot with positions of the joints that follow from loops, NaN if they do not close."""
    known = _with_positions(robot, closure)
    gaps = _gaps(known, closure, _transforms(known))
    step(f"loop {closure.name}: whether it is closed")
    room = _CLOSED - dot(gaps, gaps)
    beyond = sqrt(room)
    joints = list(known.joints)
    for k in closure.dependent:
        turn, position = joints[k].turn, joints[k].position
        if turn is not None:
            closed = select(room, turn[0], beyond), select(room, turn[1], beyond)
            joints[k] = replace(joints[k], turn=closed)
        else:
            joints[k] = replace(joints[k], position=select(room, position, beyond))
    return replace(known, joints=tuple(joints))


def _with_positions(robot: Robot, closure: Closure) -> Robot:
    """The robot where the steps lead, closed or not."""
    joints = list(robot.joints)
    for k, start in zip(closure.dependent, closure.start, strict=True):
        kind = joints[k].kind
        if kind.turns and not kind.slides:
            angle = start + joints[k].offset
            joints[k] = replace(joints[k], turn=(cos(angle), sin(angle)))
        else:
            joints[k] = replace(joints[k], position=start)
    for number in range(1, closure.steps + 1):
        known = replace(robot, joints=tuple(joints))
        transforms = _transforms(known)
        left = _gaps(known, closure, transforms)
        inverse = dependent_inverse(closure, closure_rows(known, closure, transforms))
        step(f"loop {closure.name}: step {number} to its joints")
        for k, row in zip(closure.dependent, inverse, strict=True):
            joints[k] = _moved(joints[k], -dot(row, left))
    return replace(robot, joints=tuple(joints))


def _moved(joint: Joint, way: Scalar) -> Joint:
    """The joint moved by a small way, turned by 2 atan(way / 2), which takes no sine."""
    if joint.turn is None:
        return replace(joint, position=joint.position + way)
    half, (c, s) = way / 2, joint.turn
    square = half * half
    scale = 1 / (1 + square)
    along, across = (1 - square) * scale, way * scale
    return replace(joint, turn=(c * along - s * across, s * along + c * across))


def _gaps(robot: Robot, closure: Closure, transforms: Sequence[JointTransform]) -> list[Scalar]:
    """What the rows of loops that count are off."""
    every = ((loop, _off(robot, loop, transforms)) for loop in closure.loops)
    return [off[row] for loop, off in every for row in loop.rows]


def _off(robot: Robot, loop: Loop, transforms: Sequence[JointTransform]) -> list[Scalar]:
    """How far the second frame of a loop is off the first: turned [rad], then moved [m]."""
    first, second = (robot.frames[k] for k in loop.frames)
    pose = relative_pose(robot, transforms, first, second)
    return [*misalignment([list(row) for row in pose.rotation], loop.fixed), *pose.translation]


def joint_angles(robot: Robot) -> list[Scalar]:
    """Position of each joint [rad or m].

    Where a loop gives the cosine and sine of it, it is within half a turn of where loops are
    written.

    Args:
        robot: The robot, at the position.
    """
    found = [
        x + joint.offset for x, joint in zip(joint_positions(robot, ()), robot.joints, strict=True)
    ]
    for closure in robot.closures:
        for k, start in zip(closure.dependent, closure.start, strict=True):
            if turn := robot.joints[k].turn:
                angle = start + robot.joints[k].offset
                along, across = _turn((cos(angle), sin(angle)), turn, (1, 0))
                found[k] = start + atan2(across, along)
    return found


def residuals(robot: Robot) -> list[Scalar]:
    """What is left of all rows that loops fix, loop by loop, where the last step led [rad, m].

    Args:
        robot: The robot, at the position.
    """
    found: list[Scalar] = []
    for closure in robot.closures:
        robot = robot if closure.corners else _with_positions(robot, closure)
        transforms = _transforms(robot)
        for loop in closure.loops:
            off = _off(robot, loop, transforms)
            found += [off[row] for row in loop.fixed]
    return found


def margins(robot: Robot) -> list[Scalar]:
    """How far from singular each closure is: at most 1; 0 at a dead centre, negative beyond reach.

    Of a triangle it is 12 (2 area / (a^2 + b^2 + c^2))^2, 1 where the sides a, b, c are equal. Of
    others it is the least sine of the angle between a row of K_d and the space of the others;
    where the steps do not close them, minus the length of what is left.

    Args:
        robot: The robot, at the position.
    """
    return [
        (_triangle_margin if closure.corners else _steps_margin)(robot, closure)
        for closure in robot.closures
    ]


def _triangle_margin(robot: Robot, closure: Closure) -> Scalar:
    a, b, c = _triangle(robot, closure)[-1]
    K, total = (a + b - c) / 2, a + b + c
    return 12 * (a * b - K * K) / (total * total)


def _steps_margin(robot: Robot, closure: Closure) -> Scalar:
    robot = _with_positions(robot, closure)
    transforms = _transforms(robot)
    gaps = _gaps(robot, closure, transforms)
    left = dot(gaps, gaps)
    K = [[row[k] for k in closure.dependent] for row in closure_rows(robot, closure, transforms)]
    step(f"loop {closure.name}: how far from singular")
    columns = transposed(_inverse(K))
    sines = [1 / sqrt(dot(a, a) * dot(b, b)) for a, b in zip(K, columns, strict=True)]
    return select(_CLOSED - left, reduce(minimum, sines), -sqrt(left))


def _transforms(robot: Robot) -> Sequence[JointTransform]:
    """Transforms across the joints whose positions are known; across others they mean nothing."""
    known = (replace(joint, position=0) if _is_unknown(joint) else joint for joint in robot.joints)
    return joint_transforms(replace(robot, joints=tuple(known)), ())
