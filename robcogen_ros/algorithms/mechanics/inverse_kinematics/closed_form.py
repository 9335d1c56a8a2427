"""Joint positions of limbs in closed form, as cosines and sines.

Limbs of three joints that place a point, and of six that place a frame, whose axes are parallel or
meet where it is said: Pieper's condition and its relatives, by subproblems (Murray, Li, Sastry
1994, section 3.3; Elias and Wen, IK-Geo: unified robot inverse kinematics using subproblem
decomposition, 2022). Axes are those at zero angles, all in one frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.mechanics.inverse_kinematics.subproblems import (
    STILL,
    Turn,
    direction_of,
    settled,
    turn_between,
    turn_of_sum,
    turn_to_distance,
    turn_to_height,
)
from robcogen_ros.model.scalars.operation import Scalar, select, sqrt
from robcogen_ros.model.spatial import Matrix3, Pose, Vector


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis that a joint turns about: a unit vector along it, and a point on it."""

    direction: Vector
    point: Vector

    def across(self, vector: Vector) -> Vector:
        """The part of a vector that is at right angles to the axis."""
        found: Vector = vector - self.direction * self.direction.dot(vector)
        return found

    def foot(self, point: Vector) -> Vector:
        """The point on the axis that is next to a point."""
        return point + self.across(self.point - point)

    def nearest(self, other: Axis) -> Vector:
        """The point on the axis that is next to another one, which is not parallel to it."""
        normal = self.direction.cross(other.direction)
        along = (other.point - self.point).cross(other.direction).dot(normal)
        found: Vector = self.point + self.direction * (along / normal.dot(normal))
        return found


@dataclass(frozen=True, slots=True)
class Limb:
    """A chain of joints that turn.

    Attributes:
        axes: Axes of the joints, from its root outwards.
        tip: Pose of the frame that it carries.
    """

    axes: tuple[Axis, ...]
    tip: Pose

    def seen_from(self, frame: Pose) -> Limb:
        """Returns the limb in the coordinates of a frame."""
        back = frame.inverse()
        axes = [Axis(back.rotation.apply(a.direction), back.point(a.point)) for a in self.axes]
        return Limb(tuple(axes), back @ self.tip)

    def reversed(self) -> Limb:
        """The limb from its tip to its root."""
        seen = self.seen_from(self.tip)
        axes = tuple(Axis(-axis.direction, axis.point) for axis in reversed(seen.axes))
        return Limb(axes, self.tip.inverse())

    def reached(self, turns: Sequence[Turn]) -> Pose:
        """The pose of the frame at angles of the joints."""
        pose = self.tip
        for axis, turn in reversed([*zip(self.axes, turns, strict=True)]):
            rows = pose.rotation.transposed()
            turned = Matrix3(*[turn.about(axis.direction, row) for row in rows]).transposed()
            arm = turn.about(axis.direction, pose.translation - axis.point)
            pose = Pose(turned, axis.point + arm)
        return pose


@dataclass(frozen=True, slots=True)
class Form:
    """Special position of a limb's axes, by which it has closed-form solutions.

    Attributes:
        first: Which of the first three axes are parallel ("parallel") or meet ("meeting"), and
            the number of the first of both; of "three parallel", those after the first joint.
        signs: Of axes that are parallel, whether they point the same way (1) or not (-1): of each
            axis relative to that of the second joint of the limb.
        wrist: Whether three joints more turn about one point.
        right: Whether the last two axes are at right angles to those before them.
        turned: Whether all of this is told of the limb from its tip to its root.
    """

    first: tuple[str, int]
    signs: tuple[int, ...] = ()
    wrist: bool = False
    right: bool = True
    turned: bool = False

    @property
    def branches(self) -> tuple[int, ...]:
        """The joints that have two solutions each, in their order from the root."""
        kind, number = self.first
        found = [0, 2] if kind == "three parallel" or number == 1 else [1, 2]
        found += [4] if self.wrist or kind == "three parallel" else []
        return tuple(sorted(5 - joint for joint in found)) if self.turned else tuple(found)


@dataclass(frozen=True, slots=True)
class Solution:
    """Turns of the joints; for each thing that may be out of reach, how far it is not."""

    turns: tuple[Turn, ...]
    margins: tuple[Scalar, ...]


def solved(form: Form, limb: Limb, target: Pose, branch: Sequence[Scalar]) -> Solution:
    """The turns that bring the tip of a limb to a pose; of three joints, to its origin alone.

    Args:
        form: What is special about the limb.
        limb: The limb.
        target: The pose of the tip.
        branch: Of each joint of `form.branches` a sign.
    """
    if form.turned:
        forwards = Form(form.first, form.signs, form.wrist, form.right)
        found = solved(forwards, limb.reversed(), target.inverse(), branch[::-1])
        return Solution(found.turns[::-1], found.margins)
    size = _size(limb, target)
    frame = _frame(form, limb)
    limb, back = limb.seen_from(frame), frame.inverse()
    if len(limb.axes) == 3:
        position = back.point(target.translation)
        task = _Reach(form, limb.axes, limb.tip.translation, position, branch, size)
        return _solution(*task.solve())
    goal = back @ target
    turned = goal.rotation @ limb.tip.rotation.transposed()
    center = limb.axes[4].nearest(limb.axes[5])
    position = goal.translation + turned.apply(center - limb.tip.translation)
    if form.wrist:
        turns, margins = _Reach(form, limb.axes[:3], center, position, branch, size).solve()
        *others, more = _wrist(limb.axes[3:], limb.axes[:3], turns, turned, form.right, branch[2])
        return _solution((*turns, *others), (*margins, more))
    return _solution(*_three_parallel(form, limb.axes, center, position, turned, branch, size))


def _size(limb: Limb, target: Pose) -> Scalar:
    """The square of a length below which all positions lie that solutions are made of."""
    points = [target.translation, limb.tip.translation, *(axis.point for axis in limb.axes)]
    return sum(point.dot(point) for point in points)


Found = tuple[tuple[Turn, ...], tuple[Scalar | None, ...]]


def _solution(turns: tuple[Turn, ...], margins: Sequence[Scalar | None]) -> Solution:
    return Solution(turns, tuple(margin for margin in margins if margin is not None))


def _frame(form: Form, limb: Limb) -> Pose:
    """The frame in which a limb has fewest numbers: z along a special axis, x towards another."""
    one, two, three = limb.axes[:3]
    kind, number = form.first
    z, other = (one, three if kind == "parallel" else two) if number == 0 else (two, one)
    if kind == "meeting":
        origin = (one, two)[number].nearest((two, three)[number])
    else:
        origin = one.point if number == 0 else one.nearest(two)
    across = z.across(other.direction)
    x = across * (1 / sqrt(across.dot(across)))
    columns = Matrix3(x, z.direction.cross(x), z.direction)
    return Pose(columns.transposed(), origin)


@dataclass(frozen=True, slots=True)
class _Reach:
    """Three joints that are to bring a point to another one.

    Attributes:
        form: What is special about their axes.
        axes: Their axes.
        tip: The point at zero angles.
        wanted: The other one.
        branch: Of each joint with two solutions a sign.
        size: The square of a length below which all positions lie.
    """

    form: Form
    axes: Sequence[Axis]
    tip: Vector
    wanted: Vector
    branch: Sequence[Scalar]
    size: Scalar

    def solve(self) -> Found:
        """Turns of the joints, and margins."""
        solve = {
            ("parallel", 0): _first_parallel,
            ("parallel", 1): _last_parallel,
            ("meeting", 0): _first_meeting,
            ("meeting", 1): _last_meeting,
        }[self.form.first]
        return solve(self)


def _last_parallel(to: _Reach) -> Found:
    """A hip whose axis is across those of thigh and knee, as most legs of four-legged robots."""
    one, two, _ = to.axes
    three = two.direction * to.form.signs[2]
    height = two.direction.dot(to.tip)
    back, side = turn_to_height(
        one.direction, to.wanted, two.direction, height, to.branch[0], sqrt(to.size)
    )
    hip, knee = (two.across(axis.foot(Vector())) for axis in to.axes[1:])
    thigh, shank = knee - hip, two.across(to.tip) - knee
    reach = two.across(back.about(one.direction, to.wanted)) - hip
    swing, bend, far = _in_plane(two.direction, three, thigh, shank, reach, to.branch[1], to.size)
    return (back.back, swing, bend), (side, far)


def _first_parallel(to: _Reach) -> Found:
    """A last joint that lifts, two before it that move in a plane; the origin is on the first."""
    one, two, three = to.axes
    second = one.direction * to.form.signs[1]
    elbow = three.foot(Vector())
    height = one.direction.dot(to.wanted - elbow)
    lift, side = turn_to_height(
        three.direction, to.tip - elbow, one.direction, height, to.branch[1], sqrt(to.size)
    )
    outer = elbow + lift.about(three.direction, to.tip - elbow)
    upper, lower = one.across(two.point), one.across(outer - two.point)
    swing, bend, far = _in_plane(
        one.direction, second, upper, lower, one.across(to.wanted), to.branch[0], to.size
    )
    return (swing, bend, lift), (side, far)


def _in_plane(
    first: Vector,
    second: Vector,
    upper: Vector,
    lower: Vector,
    reach: Vector,
    branch: Scalar,
    size: Scalar,
) -> tuple[Turn, Turn, Scalar | None]:
    """Turns about two parallel axes that bring the end of two rods to a point; a margin."""
    square = reach.dot(reach)
    bend, far = turn_to_distance(second, lower, upper, square, branch, size)
    return turn_between(first, upper + bend.about(second, lower), reach, square), bend, far


def _first_meeting(to: _Reach) -> Found:
    """Two joints that turn about the origin, and a knee."""
    one, two, three = to.axes
    knee = three.foot(Vector())
    square, height = to.wanted.dot(to.wanted), one.direction.dot(to.wanted)
    bend, far = turn_to_distance(
        three.direction, to.tip - knee, knee, square, to.branch[1], to.size
    )
    whole = knee + bend.about(three.direction, to.tip - knee)
    raised, side = turn_to_height(
        two.direction, whole, one.direction, height, to.branch[0], sqrt(to.size)
    )
    flat = one.across(to.wanted)
    start = raised.about(two.direction, whole)
    return (turn_between(one.direction, start, flat, flat.dot(flat)), raised, bend), (side, far)


def _last_meeting(to: _Reach) -> Found:
    """A first joint away from the origin, about which two others turn."""
    one, two, three = to.axes
    root = one.foot(Vector())
    back, far = turn_to_distance(
        one.direction, to.wanted - root, root, to.tip.dot(to.tip), to.branch[0], to.size
    )
    whole = root + back.about(one.direction, to.wanted - root)
    height = two.direction.dot(whole)
    last, side = turn_to_height(
        three.direction, to.tip, two.direction, height, to.branch[1], sqrt(to.size)
    )
    flat = two.across(whole)
    start = last.about(three.direction, to.tip)
    return (back.back, turn_between(two.direction, start, flat, flat.dot(flat)), last), (far, side)


def _three_parallel(
    form: Form,
    axes: Sequence[Axis],
    center: Vector,
    wanted: Vector,
    turned: Matrix3,
    branch: Sequence[Scalar],
    size: Scalar,
) -> Found:
    """A first joint, three about parallel axes, two that meet in the center."""
    one, two = axes[:2]
    along = two.direction
    back, side = turn_to_height(
        one.direction, wanted, along, along.dot(center), branch[0], sqrt(size)
    )
    feet = [two.across(axis.foot(Vector())) for axis in axes[1:4]]
    hand = two.across(center) - feet[2]
    reach = two.across(back.about(one.direction, wanted)) - feet[0]
    together = (Axis(along, axes[4].point), *axes[4:])
    upper, lower = feet[1] - feet[0], feet[2] - feet[1]
    spare = _hand_in_line(along, upper, lower, hand, reach)
    *ends, more = _wrist(together, axes[:1], (back.back,), turned, form.right, branch[2], spare)
    whole, fifth, sixth = ends
    reach = reach - whole.about(along, hand)
    swing, bend, far = _in_plane(along, along, upper, lower, reach, branch[1], size)
    rest = whole.then(swing.back).then(bend.back)
    parallel = [
        turn if sign > 0 else turn.back
        for turn, sign in zip((swing, bend, rest), form.signs[1:4], strict=True)
    ]
    return (back.back, *parallel, fifth, sixth), (side, far, more)


def _hand_in_line(axis: Vector, upper: Vector, lower: Vector, hand: Vector, reach: Vector) -> Turn:
    """The turn of the hand outwards; inwards where two rods do not fold up enough for that."""
    out = direction_of(axis, hand, reach)
    left = _square_of_difference(reach, hand) - _square_of_difference(upper, lower)
    return Turn(select(left, out.cosine, -out.cosine), select(left, out.sine, -out.sine))


def _square_of_difference(one: Vector, other: Vector) -> Scalar:
    """Returns the square of the difference of the lengths of two vectors."""
    first, second = one.dot(one), other.dot(other)
    return first + second - 2 * sqrt(first * second)


def _wrist(
    axes: Sequence[Axis],
    before: Sequence[Axis],
    turns: Sequence[Turn],
    turned: Matrix3,
    right: bool,
    branch: Scalar,
    spare: Turn = STILL,
) -> tuple[Turn, Turn, Turn, Scalar | None]:
    """Turns of three joints that, after others, turn the tip as is wanted; a margin.

    Where the first and the last axis are in line, that of the first is `spare`.
    """
    first, middle, last = (axis.direction for axis in axes)

    def wanted(vector: Vector) -> Vector:
        found = turned.apply(vector)
        for axis, turn in zip(before, turns, strict=True):
            found = turn.back.about(axis.direction, found)
        return found

    end = wanted(last)
    across = last - middle * middle.dot(last)
    a, b = first.dot(across), first.dot(middle.cross(last))
    height = first.dot(end) - first.dot(middle) * middle.dot(last)
    rest = end - first * first.dot(end)
    left = rest.dot(rest)
    if right:
        bend, _ = turn_of_sum(a, b, height, 1, left, branch)
        margin, side = None, middle
    else:
        square, lean, tilt = a * a + b * b, first.dot(middle), middle.dot(last)
        left = left - lean * lean - tilt * tilt + 2 * first.dot(end) * lean * tilt
        left = settled(left, square, 1)
        bend, margin = turn_of_sum(a, b, height, square, left, branch)
        side = middle.cross(last) * (1 / sqrt(across.dot(across)))
    one = direction_of(first, bend.about(middle, last), end, spare)
    other = bend.back.about(middle, one.back.about(first, wanted(side)))
    return one, bend, turn_between(last, side, other, 1), margin
