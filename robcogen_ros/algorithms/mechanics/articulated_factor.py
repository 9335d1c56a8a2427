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

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.functions.function import Compute
from robcogen_ros.algorithms.mechanics.articulated_inertia import ArticulatedInertia
from robcogen_ros.algorithms.mechanics.factorization import Matrix
from robcogen_ros.algorithms.mechanics.joint_terms import armature_of
from robcogen_ros.algorithms.mechanics.joints import (
    JointTransform,
    axis_component,
    axis_motion,
    with_axis_component,
)
from robcogen_ros.model.operation import Scalar, is_zero
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.spatial import Force

_SHORT = 3
"""Joints in a row up to which either way keeps as many digits. The largest errors of inverses of H
that was eliminated are 1 to 2 times as large for legs of three joints (HyQ, Solo12, ANYmal), 2 to
13 times for arms of six and seven (UR5, Panda, xArm 7), 40 to 1200 times for humanoids."""


def ways(robot: Robot, by_bodies: Compute, by_matrix: Compute) -> tuple[Compute, Compute | None]:
    """How to compute what comes of the factors of H; the second way where it is as exact.

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
    """Whether eliminating H loses no digits: its pivots are differences of few numbers.

    Rounding errors of a pivot are relative to the inertia of all that a joint carries stiffly.
    """
    return all(len(robot.support(link)) <= _SHORT for link in range(len(robot.links)))


def articulated_rows(robot: Robot, transforms: Sequence[JointTransform]) -> Matrix:
    """DL of H = L'DL, a floating base's six rows first.

    Args:
        robot: The robot, each joint its own coordinate, one way or the other, in any order.
        transforms: Transform across each joint.
    """
    base = 6 if robot.floating_base else 0
    rows: Matrix = [[0] * (base + robot.n) for _ in range(base + robot.n)]
    inertia = [ArticulatedInertia.of(link.inertia) for link in robot.links]
    for joint, X in zip(reversed(robot.joints), reversed(transforms), strict=True):
        U = _remove_joint(robot, joint, X, inertia)
        _put(robot, transforms, joint, U, rows[base + joint.coordinate])
    if base:
        _eliminate(inertia[0].dense(), rows)
    return rows


def _remove_joint(
    robot: Robot, joint: Joint, X: JointTransform, inertia: list[ArticulatedInertia]
) -> Force:
    """U of a joint, in its link's frame; its predecessor's inertia grows."""
    i, parent = joint.successor, joint.predecessor
    step(f"joint {joint.name}: articulated inertia handed to link {parent}")
    body = inertia[i]
    U: Force = named(body.apply(axis_motion(joint, 1)), f"U{i}")
    if parent == 0 and not robot.floating_base:
        return U
    rotor = armature_of(robot, joint.coordinate)
    inverse_D = named(1 / (axis_component(joint, U) + rotor), f"d{i}")
    K = U * inverse_D
    if is_zero(rotor):
        K = with_axis_component(joint, K, 1)
    reduced = body.less_outer(U, named(K, f"K{i}")).across(X)
    inertia[parent] = (inertia[parent] + reduced.onto(X)).named(f"IA{parent}")
    return U


def _put(
    robot: Robot,
    transforms: Sequence[JointTransform],
    joint: Joint,
    force: Force,
    row: list[Scalar],
) -> None:
    """The row of DL of a joint, from its U."""
    base = len(row) - robot.n
    step(f"joint {joint.name}: row of the factor")
    row[base + joint.coordinate] = axis_component(joint, force) + armature_of(
        robot, joint.coordinate
    )
    i = joint.successor
    while i:
        force = transforms[i - 1].force(force)
        i = robot.joints[i - 1].predecessor
        if i:
            above = robot.joints[i - 1]
            sign = joint.multiplier * above.multiplier
            row[base + above.coordinate] = axis_component(above, force) * sign
    for k, entry in enumerate(list(force)[:base]):
        row[k] = entry * joint.multiplier


def _eliminate(inertia: Matrix, rows: Matrix) -> None:
    """The base's own rows of DL."""
    for k in reversed(range(len(inertia))):
        inverse = named(1 / inertia[k][k], f"d{k}")
        for i in range(k + 1):
            rows[k][i] = inertia[k][i]
        for i in reversed(range(k)):
            a = named(inertia[k][i] * inverse, f"L{k}_{i}")
            for j in range(i + 1):
                inertia[i][j] = inertia[i][j] - a * inertia[k][j]
