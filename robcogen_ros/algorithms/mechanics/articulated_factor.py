"""Factors of the inertia matrix, H = L'DL, by articulated bodies (Featherstone 2008, table 7.1).

U_i = IA_i S_i is the force that a unit acceleration of joint i takes while all joints beyond it are
free. Row i of DL is what that is to the coordinates before it:

D_i = S_i' U_i + r_i,  (DL)_ij = S_j' jXi* U_i,  r_i: the rotor's inertia
Ia = IA_i - U_i U_i' / D_i,  IA_l += lXi* Ia iXl

Eliminating rows of H gives the same numbers, but as differences of entries that are much larger
where long limbs are light at their ends: here nothing is that large in the first place.
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import named, noted
from robcogen_ros.algorithms.functions.function import Compute
from robcogen_ros.algorithms.mechanics.articulated_inertia import ArticulatedInertia
from robcogen_ros.algorithms.mechanics.factorization import Matrix
from robcogen_ros.algorithms.mechanics.joint_terms import armature_of
from robcogen_ros.algorithms.mechanics.joints import (
    JointTransform,
)
from robcogen_ros.algorithms.sweeps import Body, on_links, sweeps
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar, is_zero
from robcogen_ros.model.spatial import Force

_SHORT = 3
"""Joints in a row up to which either way keeps as many digits. The largest errors of inverses of H
that was eliminated are 1 to 2 times as large for legs of three joints (HyQ, Solo12, ANYmal), 2 to
13 times for arms of six and seven (UR5, Panda, xArm 7), 40 to 1200 times for humanoids."""


def candidates(
    robot: Robot, by_bodies: Compute, by_matrix: Compute
) -> tuple[Compute, Compute | None]:
    """The ways to compute what comes of the factors of H; the second where it is as exact.

    Args:
        robot: The robot. Bodies give the factors if these are triangular in its order: each joint
            its own coordinate, after those before.
        by_bodies: From articulated bodies.
        by_matrix: By elimination of H.
    """
    if robot.has_mimic or not robot.parents_first:
        return by_matrix, None
    return by_bodies, by_matrix if has_short_limbs(robot) else None


def has_short_limbs(robot: Robot) -> bool:
    """Returns True if elimination of H loses no digits: its pivots are sums of few numbers.

    Rounding errors of a pivot are relative to the inertia of all that a joint carries stiffly.
    """
    return all(len(robot.support(link)) <= _SHORT for link in range(len(robot.links)))


def articulated_rows(robot: Robot, transforms: Sequence[JointTransform]) -> Matrix:
    """DL of H = L'DL, a floating base's six rows first.

    Args:
        robot: The robot, each joint its own coordinate, one way or the other, in any order.
        transforms: Transform across each joint.
    """
    base, joints, tree = 6 if robot.floating_base else 0, robot.joints, sweeps(robot)
    rows: Matrix = [[0] * (base + robot.n) for _ in range(base + robot.n)]
    of_base = ArticulatedInertia.of(robot.links[0].inertia)
    own = on_links(of_base, tree.each("{link}: articulated inertia", _own_inertia))
    title = "{joint}: articulated inertia handed to {predecessor}"
    U, whole = tree.inward(title, _removed_joint, own, transforms)
    found = tree.walk("{joint}: row of the factor", _passed, U, transforms)
    for i, j, entry in found.entries:
        row, column = joints[i].coordinate, joints[j].coordinate
        if i == j:
            rows[base + row][base + row] = entry + armature_of(robot, row)
        else:
            sign = joints[i].multiplier * joints[j].multiplier
            rows[base + row][base + column] = entry * sign
    if base:
        for joint, force in zip(joints, found.ends, strict=True):
            for k, entry in enumerate(force):
                rows[base + joint.coordinate][k] = entry * joint.multiplier
        _eliminate(whole.dense(), rows)
    return rows


def _own_inertia(body: Body) -> ArticulatedInertia:
    return ArticulatedInertia.of(body.link.inertia)


def _removed_joint(
    body: Body, whole: ArticulatedInertia, X: JointTransform
) -> tuple[ArticulatedInertia, Force]:
    """Returns the inertia handed to the predecessor, and U of the joint, in its link's frame."""
    joint, i = body.joint, body.number
    whole = whole.named(f"IA{i}")
    U: Force = named(whole.apply(joint.kind.motion(1)), f"U{i}")
    inverse_D = named(1 / (joint.kind.component(U) + body.armature), f"d{i}")
    K = U * inverse_D
    if is_zero(body.armature):
        K = joint.kind.with_component(K, 1)
    left = whole.less_outer(U, named(K, f"K{i}")).noted(f"Ia{i}")
    return left.across(X).onto(X).noted(f"Ia{i}_in{body.predecessor}"), U


def _passed(body: Body, force: Force, X: JointTransform) -> tuple[Force, Scalar]:
    return noted(X.force(force), f"U_in{body.predecessor}"), body.joint.kind.component(force)


def _eliminate(inertia: Matrix, rows: Matrix) -> None:
    """The base's own rows of DL."""
    for k in reversed(range(len(inertia))):
        inverse = named(1 / inertia[k][k], f"d{k + 1}")
        for i in range(k + 1):
            rows[k][i] = inertia[k][i]
        for i in reversed(range(k)):
            a = named(inertia[k][i] * inverse, f"L{k + 1}_{i + 1}")
            for j in range(i + 1):
                inertia[i][j] = inertia[i][j] - a * inertia[k][j]
