"""The joint-space inertia matrix with all forces and axes in the base's coordinates.

    F_i = 0Xi* Ic_i S_i
    H_ij = H_ji = S_j' F_i for the joints j between link i and the base, S_j in the base

A force is carried to the base once instead of from link to link: fewer operations where limbs are
long. The composite inertias are those of table 6.2 (Featherstone 2008), in the links' coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.composite_inertia import (
    Matrix,
    composite_inertias,
    with_base,
)
from robcogen_ros.algorithms.joints import JointTransform, axis_component, axis_force
from robcogen_ros.algorithms.kinematics import joint_axes, link_poses
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import Force

_DEEP = 6
"""Joints between a link and the base, on an average, from which on this may be the shorter way."""


def is_deep(robot: Robot) -> bool:
    """Whether a robot's limbs are long enough to try it."""
    links = range(1, len(robot.links))
    return sum(len(robot.support(i)) for i in links) > _DEEP * len(robot.joints) > 0


def inertia_matrix_by_base(robot: Robot, transforms: Sequence[JointTransform]) -> Matrix:
    """H of a fixed base, (n, n); of a floating base (6+n, 6+n), base first."""
    composite = composite_inertias(robot, transforms)
    poses = link_poses(robot, transforms)
    axes = joint_axes(robot, poses)
    H: Matrix = [[0] * robot.n for _ in range(robot.n)]
    columns: list[Force] = [Force()] * robot.n
    for joint in robot.joints:
        i, row = joint.successor, joint.coordinate
        step(f"joint {joint.name}: column of the inertia matrix")
        force = axis_force(joint, composite[i]) * joint.multiplier
        _add(H, row, row, axis_component(joint, force) * joint.multiplier)
        force = named(poses[i].force(force), f"F{i}")
        columns[row] = columns[row] + force
        for k in reversed(robot.support(joint.predecessor)):
            above = robot.joints[k]
            entry = axes[k].dot(force) * above.multiplier
            _add(H, row, above.coordinate, entry)
            _add(H, above.coordinate, row, entry)
    return with_base(H, columns, composite[0]) if robot.floating_base else H


def _add(H: Matrix, row: int, column: int, entry: Scalar) -> None:
    H[row][column] = H[row][column] + entry
