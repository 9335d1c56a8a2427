"""Composite rigid bodies and the joint-space inertia matrix (Featherstone 2008, table 6.2).

    Ic_l += lXi* Ic_i iXl
    F = Ic_i S_i;  H_ii = S_i' F;  F = lXi* F, H_ij = H_ji = S_j' F, for j = lambda(i), ... , base

Entries between joints of different branches are never touched: they stay structural zeros.
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.mechanics.joints import (
    JointTransform,
    axis_component,
    axis_force,
)
from robcogen_ros.model.operation import Scalar, is_zero
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import Force, Pose, SpatialInertia, Vector

Matrix = list[list[Scalar]]


def composite_inertias(robot: Robot, transforms: Sequence[JointTransform]) -> list[SpatialInertia]:
    """Inertia of the subtree of each link, in the link's coordinates, base first.

    On the links of a joint that has a pole, tensors are added up about it, and shifted to the
    origin when they are complete.
    """
    poles = _poles(robot, transforms)
    composite = [
        _with_origin_moved(link.inertia, -poles[i]) if i in poles else link.inertia
        for i, link in enumerate(robot.links)
    ]
    for joint, X in zip(reversed(robot.joints), reversed(transforms), strict=True):
        i, parent = joint.successor, joint.predecessor
        step(f"composite inertia of link {parent}, {robot.links[parent].name}")
        if i in poles or parent in poles:
            way = X.point(poles.get(i, Vector())) - poles.get(parent, Vector())
            handed_on = _with_origin_moved(X.turned_inertia(composite[i]), way)
        else:
            handed_on = X.inertia(composite[i])
        whole = composite[parent] + handed_on
        composite[parent] = SpatialInertia(
            named(whole.mass, f"m{parent}"),
            named(whole.moment, f"h{parent}"),
            named(whole.tensor, f"I{parent}"),
        )
    step("composite inertias about the origins of the links' frames")
    return [
        _with_origin_moved(inertia, poles[i]) if i in poles else inertia
        for i, inertia in enumerate(composite)
    ]


def _poles(robot: Robot, transforms: Sequence[JointTransform]) -> dict[int, Vector]:
    """Points about which tensors are added up, by link, in its coordinates."""
    poles: dict[int, Vector] = {}
    for joint, X in zip(robot.joints, transforms, strict=True):
        if not is_zero(X.conditioning.pole):
            pole = Vector(0, 0, X.conditioning.pole)
            poles[joint.successor] = pole
            poles[joint.predecessor] = X.fixed.point(pole)
    return poles


def _with_origin_moved(inertia: SpatialInertia, pole: Vector) -> SpatialInertia:
    """An inertia about the origin, from that about a pole, axes as they are."""
    return Pose(translation=pole).inertia(inertia)


def joint_space_inertia(
    robot: Robot, transforms: Sequence[JointTransform], composite: Sequence[SpatialInertia]
) -> tuple[Matrix, list[Force]]:
    """The joint-space inertia matrix of the coordinates.

    Args:
        robot: The robot, n coordinates.
        transforms: Transform across each joint.
        composite: Composite inertia of each link.

    Returns:
        H: (n, n), G' H G where joints follow others; and for each coordinate the force on the
        base, in base coordinates, that its unit acceleration takes.
    """
    H: Matrix = [[0] * robot.n for _ in range(robot.n)]
    base: list[Force] = [Force()] * robot.n
    for joint in robot.joints:
        i = joint.successor
        step(f"joint {joint.name}: column of the inertia matrix")
        force = named(axis_force(joint, composite[i]), f"F{i}") * joint.multiplier
        _accumulate(
            H, joint.coordinate, joint.coordinate, axis_component(joint, force) * joint.multiplier
        )
        while True:
            across = robot.joints[i - 1]
            force = transforms[i - 1].force(force)
            i = across.predecessor
            if i == 0:
                break
            above = robot.joints[i - 1]
            entry = axis_component(above, force) * above.multiplier
            _accumulate(H, joint.coordinate, above.coordinate, entry)
            _accumulate(H, above.coordinate, joint.coordinate, entry)
        base[joint.coordinate] = base[joint.coordinate] + force
    return H, base


def inertia_matrix(robot: Robot, transforms: Sequence[JointTransform]) -> Matrix:
    """H of a fixed base, (n, n); of a floating base (6+n, 6+n), base first (table 9.5)."""
    composite = composite_inertias(robot, transforms)
    H, base = joint_space_inertia(robot, transforms, composite)
    return _with_base(H, base, composite[0]) if robot.floating_base else H


def _with_base(H: Matrix, columns: Sequence[Force], whole: SpatialInertia) -> Matrix:
    """The inertia matrix of a floating base, (6+n, 6+n), base first.

    Args:
        H: That of the joints, (n, n).
        columns: For each coordinate the force on the base that its unit acceleration takes.
        whole: Inertia of the whole robot; all in base coordinates.
    """
    base = dense_inertia(whole)
    top = [base[k] + [list(force)[k] for force in columns] for k in range(6)]
    return top + [list(force) + row for force, row in zip(columns, H, strict=True)]


def dense_inertia(inertia: SpatialInertia) -> Matrix:
    """The 6x6 matrix of a rigid body's inertia, angular first."""
    m, h = inertia.mass, inertia.moment
    tensor = [list(row) for row in inertia.tensor.matrix()]
    cross = [list(row) for row in _skew_rows(h)]
    top = [tensor[k] + cross[k] for k in range(3)]
    bottom = [[-x for x in cross[k]] + [m if k == j else 0 for j in range(3)] for k in range(3)]
    return top + bottom


def _skew_rows(h: Vector) -> Matrix:
    return [[0, -h.z, h.y], [h.z, 0, -h.x], [-h.y, h.x, 0]]


def _accumulate(H: Matrix, row: int, column: int, entry: Scalar) -> None:
    H[row][column] = H[row][column] + entry
