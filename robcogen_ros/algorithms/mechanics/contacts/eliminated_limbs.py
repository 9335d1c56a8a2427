"""Limbs that stand on the ground, eliminated: their joints follow what else moves.

Where a contact has as many rows as the limb that ends there has joints, these rows give the
accelerations of the joints, d, from those of all other coordinates, i (Hoepler, Stelzer, von Stryk,
Object-oriented dynamics modeling for legged robot trajectory optimization and control, 2004,
section II-B; Jain, Robot and multibody dynamics, 2011, chapter 11, constraint embedding):

    a_d = G a_i + g,   G = -J_d^-1 J_i,   g = J_d^-1 (c - b)
    (H_ii + H_id G + G'(H_di + H_dd G)) a_i = u_i + G'u_d - (H_id + G'H_dd) g
    f = J_d^-T (H_di a_i + H_dd a_d - u_d)

with u = tau - h. Where a limb is singular, J_d has no inverse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.annotate import step
from robcogen_ros.algorithms.mechanics.factorization import Matrix, solve
from robcogen_ros.algorithms.mechanics.operational_space import (
    dot,
    plus,
    product,
    times,
    transposed,
)
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.scalars.operation import Scalar, is_zero, sqrt
from robcogen_ros.model.spatial import Vector


@dataclass(frozen=True, slots=True)
class StanceLimb:
    """A limb that ends in a contact.

    Attributes:
        contact: Number of the contact.
        rows: Its rows among those of all contacts.
        joints: As many joints, the last ones before it.
        coordinates: Numbers of these, those of a base that floats being the first six.
    """

    contact: int
    rows: tuple[int, ...]
    joints: tuple[Joint, ...]
    coordinates: tuple[int, ...]


def stance_limbs(robot: Robot) -> list[StanceLimb]:
    """The limbs of all contacts of a robot.

    Raises:
        RobcogenError: If one has fewer joints than its contact has rows, or another contact moves
            with it.
    """
    limbs: list[StanceLimb] = []
    first, base = 0, 6 if robot.floating_base else 0
    for number, contact in enumerate(robot.contacts):
        count = len(contact.rows)
        path = robot.support(robot.frames[contact.frame].link)
        own = tuple(robot.joints[k] for k in path[-count:])
        names = ", ".join(joint.name for joint in own) or "none"
        if len(own) < count:
            raise RobcogenError(
                f"contact '{contact.name}' has {count} rows, and fewer joints before it: {names}"
            )
        coordinates = tuple(base + joint.coordinate for joint in own)
        others = [c for other in limbs for c in other.coordinates]
        others += [
            base + robot.joints[k].coordinate
            for other in robot.contacts
            if other is not contact
            for k in robot.support(robot.frames[other.frame].link)
        ]
        moved = [j for j in robot.joints if {base + k for k, _ in j.rates} & {*coordinates}]
        if any(joint.is_dependent for joint in own):
            message = f"contact '{contact.name}': joints before it follow others: {names}"
            raise RobcogenError(message)
        if {*others} & {*coordinates} or len(moved) > count:
            raise RobcogenError(f"contact '{contact.name}': more than it moves with {names}")
        limbs.append(StanceLimb(number, tuple(range(first, first + count)), own, coordinates))
        first += count
    return limbs


def dependence(J: Matrix, limb: StanceLimb) -> tuple[Matrix, Matrix]:
    """J_d^-1 and G: how the joints of a limb follow each coordinate; no column of their own.

    Args:
        J: (m, N) rows of all contacts.
        limb: The limb.
    """
    step(f"{limb.joints[-1].name}: joints that follow")
    own = [J[row] for row in limb.rows]
    inverse = inverted([[row[k] for k in limb.coordinates] for row in own])
    rest = [[0 if k in limb.coordinates else -x for k, x in enumerate(row)] for row in own]
    return inverse, product(inverse, rest)


def eliminated(
    H: Matrix,
    free: Sequence[Scalar],
    J: Matrix,
    wanted: Sequence[Scalar],
    limbs: Sequence[StanceLimb],
) -> tuple[list[Scalar], list[Scalar]]:
    """Accelerations a and forces f with H a = free + J'f and J a = wanted.

    Args:
        H: (N, N) inertia matrix.
        free: (N,) forces less those of gravity and velocities.
        J: (m, N) rows of the contacts.
        wanted: (m,) accelerations of the rows less what velocities give.
        limbs: The limbs of all contacts.
    """
    total, left = [list(row) for row in H], list(free)
    follow = []
    for limb in limbs:
        d = limb.coordinates
        inverse, G = dependence(J, limb)
        g = times(inverse, [wanted[row] for row in limb.rows])
        step(f"{limb.joints[-1].name}: what is felt of the limb")
        own = [[H[i][j] for j in d] for i in d]
        across = [[0 if k in d else x for k, x in enumerate(H[i])] for i in d]
        felt = plus(across, product(own, G))
        rest = [u - x for u, x in zip([free[i] for i in d], times(own, g), strict=True)]
        for i, column in enumerate(transposed(G)):
            row = [H[i][k] for k in d]
            if i in d or all(map(is_zero, (*column, *row))):
                continue
            for j in range(i + 1):
                total[i][j] = total[i][j] + dot(column, [x[j] for x in felt])
                total[i][j] = total[i][j] + dot(row, [x[j] for x in G])
            left[i] = left[i] + dot(column, rest) - dot(row, g)
        follow.append((limb, inverse, G, g))
    kept = [k for k in range(len(H)) if all(k not in limb.coordinates for limb in limbs)]
    found = solve([[total[i][j] for j in kept] for i in kept], [left[i] for i in kept])
    motion: list[Scalar] = [0] * len(H)
    for k, value in zip(kept, found, strict=True):
        motion[k] = value
    forces: list[Scalar] = [0] * len(J)
    for limb, inverse, G, g in follow:
        step(f"{limb.joints[-1].name}: accelerations, forces")
        moved = [x + y for x, y in zip(times(G, motion), g, strict=True)]
        for k, acceleration in zip(limb.coordinates, moved, strict=True):
            motion[k] = acceleration
        needed = [dot(H[k], motion) - free[k] for k in limb.coordinates]
        for place, value in zip(limb.rows, times(transposed(inverse), needed), strict=True):
            forces[place] = value
    return motion, forces


def inverted(matrix: Matrix) -> Matrix:
    """The inverse of a square matrix: of three rows by cofactors, of others from R^-1 Q'."""
    if len(matrix) == 3:
        a, b, c = (Vector(*column) for column in transposed(matrix))
        rows = [b.cross(c), c.cross(a), a.cross(b)]
        inverse = 1 / a.dot(rows[0])
        return [[x * inverse for x in row] for row in rows]
    return _inverted_by_columns(matrix)


def _inverted_by_columns(matrix: Matrix) -> Matrix:
    """R^-1 Q', by the modified Gram-Schmidt algorithm (Golub, Van Loan 2013, section 5.2.8)."""
    count = len(matrix)
    left = transposed(matrix)
    R: Matrix = [[0] * count for _ in range(count)]
    for k in range(count):
        length = sqrt(dot(left[k], left[k]))
        scale = 1 / length
        R[k][k] = scale
        left[k] = [x * scale for x in left[k]]
        for j in range(k + 1, count):
            R[k][j] = dot(left[k], left[j])
            left[j] = [x - R[k][j] * y for x, y in zip(left[j], left[k], strict=True)]
    for k in reversed(range(count)):
        for j in range(k + 1, count):
            left[k] = [x - R[k][j] * y for x, y in zip(left[k], left[j], strict=True)]
        left[k] = [x * R[k][k] for x in left[k]]
    return left
