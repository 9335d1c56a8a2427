"""The rows K of the Jacobian between the frames of loops, what they are off, and K_d x = b."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from robcogen_ros.algorithms.mechanics.contacts.eliminated_limbs import inverted
from robcogen_ros.algorithms.mechanics.joints import JointTransform, joint_transforms
from robcogen_ros.algorithms.mechanics.kinematics import Matrix, chain_columns, relative_pose
from robcogen_ros.algorithms.mechanics.loops.followers import curve_at
from robcogen_ros.algorithms.mechanics.operational_space import dot, transposed
from robcogen_ros.model.closures.closure import Closure, Loop, misalignment
from robcogen_ros.model.robot import Coordinate, Joint, Robot
from robcogen_ros.model.scalars.operation import Scalar, is_zero, sqrt
from robcogen_ros.model.spatial import MotionVector
from robcogen_ros.model.terms import FELT, JointTerms

Solve = Callable[[Sequence[Scalar]], list[Scalar]]

_COFACTORS = 3
"""Rows of a matrix that is inverted by cofactors."""


def spanning(robot: Robot) -> Robot:
    """The tree of a robot, in which each joint is a coordinate by itself.

    What its dynamics have of rotors, damping and springs of joints is that of joints that follow.
    """
    none: dict[str, Any] = dict.fromkeys(FELT, 0)
    joints = tuple(
        replace(joint, coordinate=k, multiplier=1, shares=(), **none)
        for k, joint in enumerate(robot.joints)
    )
    coordinates = tuple(Coordinate(joint.name) for joint in joints)
    felt = {name: tuple(getattr(joint, name) for joint in robot.joints) for name in FELT}
    terms = JointTerms(**{name: values for name, values in felt.items() if any(values)})
    if terms.stiffness:
        terms = replace(terms, rest=felt["rest"])
    terms = replace(terms, lines=robot.terms.lines)
    return replace(robot, joints=joints, coordinates=coordinates, closures=(), terms=terms)


def known_transforms(robot: Robot) -> Sequence[JointTransform]:
    """Transforms across the joints whose positions are known; across others they mean nothing."""
    known = (replace(joint, position=0) if _is_unknown(joint) else joint for joint in robot.joints)
    return joint_transforms(replace(robot, joints=tuple(known)), ())


def _is_unknown(joint: Joint) -> bool:
    return joint.is_open and joint.turn is None and joint.position is None


def loop_columns(
    robot: Robot, loop: Loop, transforms: Sequence[JointTransform]
) -> list[tuple[int, MotionVector]]:
    """Joints from one frame of a loop to the other, and what they add to the Jacobian."""
    first, second = (robot.frames[k] for k in loop.frames)
    return [
        (k, motion) for _, k, motion in chain_columns(spanning(robot), transforms, first, second)
    ]


def closure_rows(robot: Robot, closure: Closure, transforms: Sequence[JointTransform]) -> Matrix:
    """The rows K of the Jacobian between the frames of loops that count, (rows, joints).

    Columns of joints that lead others have what those add; the columns of those are zero. Of a
    polynomial p(q) that a joint's position x follows it is the row of x - p(q).
    """
    if closure.curve:
        row: list[Scalar] = [0] * len(robot.joints)
        row[closure.dependent[0]] = 1
        row[closure.curve.leader] = -curve_at(robot, closure.curve)[1]
        return [row]
    rows: Matrix = []
    for loop in closure.loops:
        columns: Matrix = [[0] * 6 for _ in robot.joints]
        for k, motion in loop_columns(robot, loop, transforms):
            columns[k] = list(motion)
        for follower in closure.followers:
            added = zip(columns[follower.leader], columns[follower.joint], strict=True)
            columns[follower.leader] = [x + y * follower.multiplier for x, y in added]
            columns[follower.joint] = [0] * 6
        rows += [[column[row] for column in columns] for row in loop.rows]
    return rows


def loop_gaps(robot: Robot, closure: Closure, transforms: Sequence[JointTransform]) -> list[Scalar]:
    """Returns the gaps of the rows of loops that count."""
    every = ((loop, frames_off(robot, loop, transforms)) for loop in closure.loops)
    return [off[row] for loop, off in every for row in loop.rows]


def fixed_gaps(
    robot: Robot, loops: Iterable[Loop], transforms: Sequence[JointTransform]
) -> list[Scalar]:
    """Returns how far all rows that loops fix are off, loop by loop [rad, m]."""
    every = ((loop, frames_off(robot, loop, transforms)) for loop in loops)
    return [off[row] for loop, off in every for row in loop.fixed]


def frames_off(robot: Robot, loop: Loop, transforms: Sequence[JointTransform]) -> list[Scalar]:
    """Returns the gap from a loop's first frame to its second: turned [rad], then moved [m]."""
    first, second = (robot.frames[k] for k in loop.frames)
    pose = relative_pose(robot, transforms, first, second)
    return [*misalignment([list(row) for row in pose.rotation], loop.fixed), *pose.translation]


def solver(dependent: Sequence[int], K: Matrix) -> Solve:
    """Returns a function that solves K_d x = b for some joints."""
    own = [[row[k] for k in dependent] for row in K]
    if len(own) > _COFACTORS:
        return _by_columns(own)
    inverse = _inverse(own)
    return lambda b: [dot(row, b) for row in inverse]


def dependent_inverse(closure: Closure, K: Matrix) -> Matrix:
    """The inverse of the columns K_d of the joints that follow."""
    solve, size = solver(closure.dependent, K), range(len(K))
    return transposed([solve([int(i == k) for i in size]) for k in size])


def _by_columns(matrix: Matrix) -> Solve:
    """Solves by R^-1 Q', the modified Gram-Schmidt algorithm (Golub, Van Loan 2013, 5.2.8).

    Columns with fewest entries are first: joints of one loop leave the rows of others alone.
    """
    columns = transposed(matrix)
    order = sorted(range(len(columns)), key=lambda k: sum(not is_zero(x) for x in columns[k]))
    left = [columns[k] for k in order]
    R: Matrix = [[0] * len(left) for _ in left]
    for k, column in enumerate(left):
        R[k][k] = 1 / sqrt(dot(column, column))
        left[k] = [x * R[k][k] for x in column]
        for j in range(k + 1, len(left)):
            R[k][j] = dot(left[k], left[j])
            if not is_zero(R[k][j]):
                left[j] = [x - R[k][j] * y for x, y in zip(left[j], left[k], strict=True)]

    def solve(b: Sequence[Scalar]) -> list[Scalar]:
        found: list[Scalar] = [0] * len(order)
        for k in reversed(range(len(order))):
            beyond = dot(R[k][k + 1 :], [found[c] for c in order[k + 1 :]])
            found[order[k]] = (dot(left[k], b) - beyond) * R[k][k]
        return found

    return solve


def determinant(matrix: Matrix) -> Scalar:
    """The determinant of a square matrix, by minors of its first rows that are not zero."""
    minors: dict[tuple[int, ...], Scalar] = {(): 1}
    for number, row in enumerate(matrix):
        more: dict[tuple[int, ...], Scalar] = {}
        for columns, minor in minors.items():
            for k, x in enumerate(row):
                if k in columns or is_zero(x):
                    continue
                own = tuple(sorted((*columns, k)))
                term = x * minor if (number + own.index(k)) % 2 == 0 else -(x * minor)
                more[own] = more.get(own, 0) + term
        minors = more
    return minors.get(tuple(range(len(matrix))), 0)


def _inverse(matrix: Matrix) -> Matrix:
    """The inverse of a matrix of one to three rows."""
    if len(matrix) == 1:
        return [[1 / matrix[0][0]]]
    if len(matrix) == 3:
        return inverted(matrix)
    (a, b), (c, d) = matrix
    scale = 1 / (a * d - b * c)
    return [[d * scale, -(b * scale)], [-(c * scale), a * scale]]
