"""Positions of joints that follow from loops, by steps of Newton's method.

A rod hangs in two joints whose axes meet, and a loop holds a point of it. To the rest its ends are
at a distance: with the way w from where the axes meet to the point on the other side, the steps
solve (w'w / L - L) / 2 = 0 in place of three rows.

A step that leaves more than half of what there was may lead to another way to close the loops than
the one that is written: then it counts as none (Deuflhard, Newton methods for nonlinear
problems, 2011, chapter 3). Ways to close them meet where K_d is singular: beyond, its determinant
has another sign, which is not that of the written position.

A rod's own joints follow:, along the first axis, which is z,

    Rz(a) C Rz(b) r = w:   A cos b + B sin b = D,   -A sin b + B cos b = s sqrt(A^2 + B^2 - D^2)

with r the rod, C the turn from the first to the second joint, c its third row, and
A = c_x r_x + c_y r_y, B = c_y r_x - c_x r_y, D = w_z - c_z r_z; a turns what is across. A single
joint that follows beside one rod brings its ends to their distance without steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from robcogen_ros.algorithms.annotate import step
from robcogen_ros.algorithms.mechanics.joints import JointTransform
from robcogen_ros.algorithms.mechanics.kinematics import Matrix, chain_columns, relative_pose
from robcogen_ros.algorithms.mechanics.loops.followers import with_followers
from robcogen_ros.algorithms.mechanics.loops.rows import (
    closure_rows,
    determinant,
    known_transforms,
    loop_gaps,
    solver,
    spanning,
)
from robcogen_ros.algorithms.mechanics.operational_space import dot
from robcogen_ros.model.closures.closure import Closure, Loop
from robcogen_ros.model.joint_kinds import AXIS
from robcogen_ros.model.robot import Frame, Joint, Robot
from robcogen_ros.model.scalars.operation import Scalar, cos, minimum, select, sin, sqrt
from robcogen_ros.model.spatial import Matrix3, Pose, Vector


def with_closed_positions(robot: Robot, closure: Closure) -> Robot:
    """The robot with positions of the joints that follow from loops, NaN if they do not close."""
    if not closure.steps:
        return with_positions(robot, closure)
    known, room = _stepped(robot, closure)
    beyond = sqrt(room)
    joints = list(known.joints)
    for k in closure.solved:
        turn, position = joints[k].turn, joints[k].position
        if turn is not None:
            closed = select(room, turn[0], beyond), select(room, turn[1], beyond)
            joints[k] = replace(joints[k], turn=closed)
        else:
            joints[k] = replace(joints[k], position=select(room, position, beyond))
    return _with_rods(replace(known, joints=tuple(joints)), closure)


def room_left(robot: Robot, closure: Closure) -> Scalar:
    """Returns a number that is negative where steps have not closed the loops in their way."""
    return _stepped(robot, closure)[1]


def with_positions(robot: Robot, closure: Closure) -> Robot:
    """The robot where the steps lead, closed or not."""
    found = _stepped(robot, closure)[0] if closure.steps else _reaching(robot, closure)
    return with_followers(_with_rods(found, closure), closure)


def _reaching(robot: Robot, closure: Closure) -> Robot:
    """The robot whose only joint that is no rod's brings the rod's ends to their distance."""
    (k,), joints, sign = closure.solved, list(robot.joints), closure.signs[-1]
    if joints[k].kind.turns:
        joints[k] = replace(joints[k], turn=_turn_to(*_distance_terms(robot, closure), sign))
    else:
        along, across, square = _slide_terms(robot, closure)
        joints[k] = replace(joints[k], position=along + sqrt(square - across) * sign)
    return replace(robot, joints=tuple(joints))


def distance_margin(robot: Robot, closure: Closure) -> Scalar:
    """Returns the distance of such a joint from being singular, see `closures.margins`."""
    if robot.joints[closure.solved[0]].kind.turns:
        A, B, D = _distance_terms(robot, closure)
        return 1 - D * D / (A * A + B * B)
    _, across, square = _slide_terms(robot, closure)
    return 1 - across / square


def _distance_terms(robot: Robot, closure: Closure) -> tuple[Scalar, Scalar, Scalar]:
    """A, B, D of the angle at which a joint brings the ends of a rod to their distance.

    With u the end before the joint, v the one beyond it, u'Rz v = (u'u + v'v - L^2) / 2.
    """
    u, v, square = _ends(robot, closure)
    D = (u.dot(u) + v.dot(v) - square) / 2 - u.z * v.z
    return u.x * v.x + u.y * v.y, u.y * v.x - u.x * v.y, D


def _slide_terms(robot: Robot, closure: Closure) -> tuple[Scalar, Scalar, Scalar]:
    """Returns the place at which a joint slides past a rod's ends, with h^2 and L^2."""
    u, v, square = _ends(robot, closure)
    apart = u - v
    return apart.z, apart.x * apart.x + apart.y * apart.y, square


def _ends(robot: Robot, closure: Closure) -> tuple[Vector, Vector, Scalar]:
    """The ends of a rod before and beyond the joint that follows, and the square of its length."""
    ((k,), (rod,)) = closure.solved, _rods(robot, closure)
    joint, transforms = robot.joints[k], known_transforms(robot)
    before = Frame(f"axis of {joint.name}", joint.predecessor, joint.pose)
    beyond = Frame(robot.links[joint.successor].name, joint.successor, Pose())
    ends = rod.hub, rod.far
    outer = next(end for end in ends if k in robot.support(end.link))
    inner = next(end for end in ends if end is not outer)
    u = relative_pose(robot, transforms, before, inner).translation
    v = relative_pose(robot, transforms, beyond, outer).translation
    step(f"loop {closure.name}: position of its joint")
    return u, v, rod.rod.dot(rod.rod)


def _turn_to(A: Scalar, B: Scalar, D: Scalar, sign: int) -> tuple[Scalar, Scalar]:
    """Cosine and sine with A cos + B sin = D, of two solutions that where the slope has a sign."""
    square = A * A + B * B
    across = sqrt(square - D * D) * sign
    return (A * D + B * across) / square, (B * D - A * across) / square


def _stepped(robot: Robot, closure: Closure) -> tuple[Robot, Scalar]:
    """The robot with what the steps give, which are no rods, and `room_left`."""
    joints, leaders = list(robot.joints), {follower.leader for follower in closure.followers}
    starts = dict(zip(closure.dependent, closure.start, strict=True))
    for k in closure.solved:
        kind = joints[k].kind
        if kind.turns and not kind.slides and k not in leaders:
            angle = starts[k] + joints[k].offset
            joints[k] = replace(joints[k], turn=(cos(angle), sin(angle)))
        else:
            joints[k] = replace(joints[k], position=starts[k])
    known = with_followers(replace(robot, joints=tuple(joints)), closure)
    gaps, K = _equations(known, closure, known_transforms(known))
    rooms: list[Scalar] = []
    sides: Sequence[Scalar] = closure.signs[len(closure.rods) :]
    if sides and not closure.signs[-1]:
        sides = [_side(closure, K)]
    for number in range(1, closure.steps + 1):
        step(f"loop {closure.name}: step {number} to its joints")
        ways = solver(closure.solved, K)(gaps)
        joints = list(known.joints)
        for k, way in zip(closure.solved, ways, strict=True):
            joints[k] = _moved(joints[k], -way)
        known, before = replace(robot, joints=tuple(joints)), dot(gaps, gaps)
        known = with_followers(known, closure)
        gaps, K = _equations(known, closure, known_transforms(known))
        rooms.append(before / 4 + closure.closed_at - dot(gaps, gaps))
    step(f"loop {closure.name}: whether it is closed")
    room = reduce(minimum, rooms, closure.closed_at - dot(gaps, gaps))
    for side in sides:
        room = select(_side(closure, K) * side, room, -1)
    return known, room


def _side(closure: Closure, K: Matrix) -> Scalar:
    """Returns a number whose sign changes where ways to close loops meet."""
    return determinant([[row[k] for k in closure.solved] for row in K])


def _moved(joint: Joint, way: Scalar) -> Joint:
    """The joint moved by a small way, turned by 2 atan(way / 2), which takes no sine."""
    if joint.turn is None:
        return replace(joint, position=joint.position + way)
    half, (c, s) = way / 2, joint.turn
    square = half * half
    scale = 1 / (1 + square)
    along, across = (1 - square) * scale, way * scale
    return replace(joint, turn=(c * along - s * across, s * along + c * across))


def _equations(
    robot: Robot, closure: Closure, transforms: Sequence[JointTransform]
) -> tuple[list[Scalar], Matrix]:
    """Returns the equations left to solve and their rates: an equation a row, a joint a column."""
    if not closure.rods:
        return loop_gaps(robot, closure, transforms), closure_rows(robot, closure, transforms)
    tree, gaps, rows = spanning(robot), [], []
    for rod in _rods(robot, closure):
        w = relative_pose(robot, transforms, rod.hub, rod.far).translation
        length = sqrt(rod.rod.dot(rod.rod))
        gaps.append((w.dot(w) / length - length) / 2)
        row: list[Scalar] = [0] * len(robot.joints)
        for _, k, column in chain_columns(tree, transforms, rod.hub, rod.far):
            row[k] = column.linear.dot(w) / length
        rows.append(row)
    return gaps, rows


@dataclass(frozen=True, slots=True)
class _Rod:
    """A rod.

    Attributes:
        joints: Numbers of the two joints that it hangs in.
        sign: s.
        hub: The frame of the first of them, where the axes meet.
        far: The loop's frame on the other side.
        rod: r, from there to the loop's frame on the rod, in the rod's axes.
        between: C.
    """

    joints: tuple[int, ...]
    sign: int
    hub: Frame
    far: Frame
    rod: Vector
    between: Matrix3


def _rods(robot: Robot, closure: Closure) -> Iterator[_Rod]:
    for loop, pair, sign in zip(closure.loops, closure.rods, closure.signs, strict=False):
        yield _rod(robot, loop, pair, sign)


def _rod(robot: Robot, loop: Loop, pair: tuple[int, ...], sign: int) -> _Rod:
    first, second = (robot.joints[k] for k in pair)
    ends = [robot.frames[k] for k in loop.frames]
    own, far = ends if ends[0].link == second.successor else ends[::-1]
    C, p = second.pose.rotation, second.pose.translation
    axis = C.apply(AXIS)
    # p + t axis = (0, 0, h), in the first joint's frame
    t = -(p.x * axis.x + p.y * axis.y) / (axis.x * axis.x + axis.y * axis.y)
    hub = first.pose @ Pose(translation=AXIS * (p.z + t * axis.z))
    rod = own.pose.translation - AXIS * t
    return _Rod(pair, sign, Frame(f"hub of {loop.name}", first.predecessor, hub), far, rod, C)


def _with_rods(robot: Robot, closure: Closure) -> Robot:
    """The robot with the turns of its rods."""
    joints, transforms = list(robot.joints), known_transforms(robot)
    for rod in _rods(robot, closure) if closure.rods else ():
        w, r = relative_pose(robot, transforms, rod.hub, rod.far).translation, rod.rod
        step(f"loop {closure.name}: turns of its rods")
        c = rod.between.z
        A, B, D = c.x * r.x + c.y * r.y, c.y * r.x - c.x * r.y, w.z - c.z * r.z
        cosine, sine = _turn_to(A, B, D, rod.sign)
        g = rod.between.apply(Vector(cosine * r.x - sine * r.y, sine * r.x + cosine * r.y, r.z))
        reached, wanted = g.x * g.x + g.y * g.y, w.x * w.x + w.y * w.y
        scale = 1 / (sqrt(reached * wanted) if closure.steps else reached)
        turn = (g.x * w.x + g.y * w.y) * scale, (g.x * w.y - g.y * w.x) * scale
        for k, each in zip(rod.joints, (turn, (cosine, sine)), strict=True):
            joints[k] = replace(joints[k], turn=each)
    return replace(robot, joints=tuple(joints))
