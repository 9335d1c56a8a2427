"""Joints that depend on others through loops: their turns, their rates, what is left of these.

Where loops close, positions q of the coordinates give those of all joints, qd_joints = G qd and
qdd_joints = G qdd + g (Featherstone 2008, sections 8.8 and 8.11; Jain, Robot and multibody
dynamics, 2011, chapter 11). A robot at a position is one whose dependent joints have their entry
of G for a multiplier, so that algorithms go through loops as through joints that follow others.

Turns of joints in a plane come from triangles (`triangle`), other positions from steps of
Newton's method (`steps`). The rates follow from the rows of the Jacobian between the loop's
frames, which vanish: K_d qd_d + K_i qd_i = 0 and K_d qdd_d + K_i qdd_i + k = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.mechanics.joints import joint_positions
from robcogen_ros.algorithms.mechanics.loops.followers import angle, with_curve, with_followers
from robcogen_ros.algorithms.mechanics.loops.rows import (
    closure_rows,
    dependent_inverse,
    fixed_gaps,
    known_transforms,
    loop_gaps,
    solver,
)
from robcogen_ros.algorithms.mechanics.loops.steps import (
    distance_margin,
    room_left,
    with_closed_positions,
    with_positions,
)
from robcogen_ros.algorithms.mechanics.loops.triangle import triangle_margin, with_turns
from robcogen_ros.algorithms.mechanics.operational_space import dot, transposed
from robcogen_ros.model.closures.closure import Closure
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar, is_zero, minimum, select, sqrt


def at_position(robot: Robot, q: Sequence[Scalar], guess: Sequence[Scalar] = ()) -> Robot:
    """The robot with turns and rates of its dependent joints at a position of its loops.

    Args:
        robot: The robot, n coordinates.
        q: (n,) positions [rad or m].
        guess: Positions of all joints at which steps to those that follow begin [rad or m]; none
            for those that were fitted.
    """
    known = (
        joint if joint.is_open else replace(joint, position=position)
        for joint, position in zip(robot.joints, joint_positions(robot, q), strict=True)
    )
    closures = tuple(closure.started(q, guess) for closure in robot.closures)
    robot = replace(robot, joints=tuple(known), closures=closures)
    for closure in closures:
        placed = with_turns if closure.corners else with_closed_positions
        placed = with_curve if closure.curve else placed
        robot = with_rates(with_followers(placed(robot, closure), closure), closure)
    return robot


def with_rates(robot: Robot, closure: Closure) -> Robot:
    """The robot with G's entries of the joints that follow from a loop."""
    K = closure_rows(robot, closure, known_transforms(robot))
    independent: dict[int, list[Scalar]] = {}
    for k, column in enumerate(transposed(K)):
        if k not in closure.dependent and not all(map(is_zero, column)):
            for c, share in robot.joints[k].rates:
                entries = independent.get(c, [0] * len(column))
                independent[c] = [x + y * share for x, y in zip(entries, column, strict=True)]
    step(f"{closure.title}: rates of its joints")
    solve, order = solver(closure.dependent, K), sorted(independent)
    rates = transposed([solve(independent[c]) for c in order])
    joints = list(robot.joints)
    for k, row in zip(closure.dependent, rates, strict=True):
        own = zip(order, row, strict=True)
        shares = tuple((c, named(-x, f"G{k + 1}_{c + 1}")) for c, x in own)
        joints[k] = replace(joints[k], shares=shares)
    for follower in closure.followers:
        of = joints[follower.leader].shares
        shares = tuple((c, x * follower.multiplier) for c, x in of)
        joints[follower.joint] = replace(joints[follower.joint], shares=shares)
    return replace(robot, joints=tuple(joints))


def joint_angles(robot: Robot, q: Sequence[Scalar]) -> list[Scalar]:
    """Position of each joint [rad or m].

    Where a loop gives the cosine and sine of it, it is within half a turn of where loops are
    written.

    Args:
        robot: The robot, at the position where it has loops.
        q: (n,) the position [rad or m].
    """
    found = zip(angles_without_offset(robot, q), robot.joints, strict=True)
    return [x if joint.turn else x + joint.offset for x, joint in found]


def angles_without_offset(robot: Robot, q: Sequence[Scalar]) -> list[Scalar]:
    """Returns positions less each joint's offset, which a joint turned by a loop has none of."""
    found = joint_positions(robot, q)
    for closure in robot.closures:
        for k, start in zip(closure.dependent, closure.start, strict=True):
            if robot.joints[k].turn:
                found[k] = angle(robot.joints[k], start)
    return found


def residuals(robot: Robot) -> list[Scalar]:
    """Returns what is left of all rows that loops fix, after the last step [rad, m].

    Args:
        robot: The robot, at the position.
    """
    found: list[Scalar] = []
    for closure in robot.closures:
        if closure.loops:
            robot = robot if closure.corners else with_positions(robot, closure)
            found += fixed_gaps(robot, closure.loops, known_transforms(robot))
    return found


def margins(robot: Robot) -> list[Scalar]:
    """Returns the margin of each closure with loops: 1 at most, 0 at a dead centre.

    Of a triangle it is 12 (2 area / (a^2 + b^2 + c^2))^2, 1 where the sides a, b, c are equal; of a
    joint with A cos + B sin = D (`steps`) it is 1 - D^2 / (A^2 + B^2), of one that slides at h
    from what it brings to the length L, 1 - h^2 / L^2. Of others it is the least sine of the angle
    between a row of K_d and the space of the others; where the steps do not close them, minus the
    length of what is left, and minus that sine where they are closed in another way than they are
    written.

    Args:
        robot: The robot, at the position.
    """
    found: list[Scalar] = []
    for closure in filter(lambda closure: closure.loops, robot.closures):
        in_closed_form = triangle_margin if closure.corners else distance_margin
        of = _steps_margin if closure.steps else in_closed_form
        found.append(of(robot, closure))
    return found


def _steps_margin(robot: Robot, closure: Closure) -> Scalar:
    robot = with_positions(robot, closure)
    transforms = known_transforms(robot)
    gaps = loop_gaps(robot, closure, transforms)
    left = dot(gaps, gaps)
    K = closure_rows(robot, closure, transforms)
    step(f"loop {closure.name}: how far from singular")
    rows = [[row[k] for k in closure.dependent] for row in K]
    columns = transposed(dependent_inverse(closure, K))
    sines = [1 / sqrt(dot(a, a) * dot(b, b)) for a, b in zip(rows, columns, strict=True)]
    margin = reduce(minimum, sines)
    own = select(room_left(robot, closure), margin, -margin)
    return select(closure.closed_at - left, own, -sqrt(left))
