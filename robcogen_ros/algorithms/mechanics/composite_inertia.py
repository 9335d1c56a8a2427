"""Composite rigid bodies and the joint-space inertia matrix (Featherstone 2008, table 6.2).

    Ic_l += lXi* Ic_i iXl
    F = Ic_i S_i;  H_ii = S_i' F;  F = lXi* F, H_ij = H_ji = S_j' F, for j = lambda(i), ... , base

Entries between joints of different branches are never touched: they stay structural zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from robcogen_ros.algorithms.annotate import named, noted
from robcogen_ros.algorithms.mechanics.joints import (
    JointTransform,
)
from robcogen_ros.algorithms.sweeps import Body, on_links, sweeps
from robcogen_ros.model.conditioned import conditioning
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar, is_zero
from robcogen_ros.model.spatial import Force, Pose, SpatialInertia, Vector

Matrix = list[list[Scalar]]


def composite_inertias(
    robot: Robot, transforms: Sequence[JointTransform]
) -> Sequence[SpatialInertia]:
    """Inertia of the subtree of each link, in the link's coordinates, base first.

    On the links of a joint that has a reference point, tensors are added up about it, and shifted
    to the origin when they are complete.
    """
    tree, references = sweeps(robot), _references(robot)
    before = [references[joint.predecessor] for joint in robot.joints]
    base = _about(robot.links[0].inertia, references[0])
    own = on_links(base, tree.each("{link}: inertia", _own_inertia, references[1:]))
    title = "composite inertia of {predecessor}"
    composite, whole = tree.inward(title, _handed_on, own, transforms, references[1:], before)
    return on_links(_about(_with_names(whole, "0"), -references[0]), composite)


def _own_inertia(body: Body, reference: Vector) -> SpatialInertia:
    return _about(body.link.inertia, reference)


def _handed_on(
    body: Body, total: SpatialInertia, X: JointTransform, reference: Vector, before: Vector
) -> tuple[SpatialInertia, SpatialInertia]:
    total = _with_names(total, body.number)
    composite = _about(total, -reference)
    if _none(reference) and _none(before):
        return _handed(X.inertia(total), body), composite
    way = X.point(reference) - before
    return _about(X.turned_inertia(total), -way), composite


def _with_names(inertia: SpatialInertia, i: str) -> SpatialInertia:
    return SpatialInertia(
        named(inertia.mass, f"m{i}"),
        named(inertia.moment, f"h{i}"),
        named(inertia.tensor, f"I{i}"),
    )


def _handed(inertia: SpatialInertia, body: Body) -> SpatialInertia:
    i, there = body.number, f"_in{body.predecessor}"
    return SpatialInertia(
        noted(inertia.mass, f"m{i}{there}"),
        noted(inertia.moment, f"h{i}{there}"),
        noted(inertia.tensor, f"I{i}{there}"),
    )


def _references(robot: Robot) -> list[Vector]:
    """Points about which tensors are added up, by link, in its coordinates."""
    references = [Vector()] * len(robot.links)
    for joint, own in zip(robot.joints, conditioning(robot), strict=True):
        if not is_zero(own.reference):
            reference = Vector(0, 0, own.reference)
            references[joint.successor] = reference
            references[joint.predecessor] = joint.pose.point(reference)
    return references


def _none(reference: Vector) -> bool:
    return all(map(is_zero, reference))


def _about(inertia: SpatialInertia, point: Vector) -> SpatialInertia:
    """An inertia about a point, from that about the origin, axes as they are."""
    return inertia if _none(point) else Pose(translation=-point).inertia(inertia)


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
    tree, joints = sweeps(robot), robot.joints
    start = tree.each("{joint}: force of its unit acceleration", _unit_force, composite[1:])
    found = tree.walk("{joint}: column of the inertia matrix", _passed, start, transforms)
    for i, j, entry in found.entries:
        for (row, a), (column, b) in product(joints[i].rates, joints[j].rates):
            value = entry * (a * b)
            H[row][column] = H[row][column] + value
            if i != j:
                H[column][row] = H[column][row] + value
    for joint, force in zip(joints, found.ends, strict=True):
        for k, share in joint.rates:
            base[k] = base[k] + force * share
    return H, base


def _unit_force(body: Body, composite: SpatialInertia) -> Force:
    force: Force = named(composite.apply(body.joint.kind.motion(1)), f"F{body.number}")
    return force


def _passed(body: Body, force: Force, X: JointTransform) -> tuple[Force, Scalar]:
    return noted(X.force(force), f"F_in{body.predecessor}"), body.joint.kind.component(force)


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
