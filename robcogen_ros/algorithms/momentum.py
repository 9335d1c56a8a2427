"""Centroidal momentum (Orin, Goswami and Lee, Centroidal dynamics of a humanoid robot, 2013).

The momentum of all links at unit rate of a coordinate is the force that its unit acceleration
takes from rest, so the matrix falls out of the composite rigid bodies.
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import step
from robcogen_ros.algorithms.composite_inertia import (
    Matrix,
    composite_inertias,
    dense_inertia,
    joint_space_inertia,
)
from robcogen_ros.algorithms.joints import JointTransform
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import Force, Pose


def centroidal_momentum_matrix(robot: Robot, transforms: Sequence[JointTransform]) -> Matrix:
    """The momentum of all links about their center of mass, per unit rates.

    Args:
        robot: The robot, n coordinates.
        transforms: Transform across each joint.

    Returns:
        (6, n) by which qd, or of a floating base (6, 6+n) by which [base_velocity; qd], gives the
        spatial momentum [angular; linear], in axes parallel to the base's.
    """
    composite = composite_inertias(robot, transforms)
    _, columns = joint_space_inertia(robot, transforms, composite)
    if robot.floating_base:
        columns = [
            Force.of(row) for row in zip(*dense_inertia(composite[0]), strict=True)
        ] + columns
    step("momentum about the center of mass")
    center = Pose(translation=composite[0].moment * (1 / composite[0].mass))
    rows = zip(*(center.force_back(column) for column in columns), strict=True)
    return [list(row) for row in rows] if columns else [[] for _ in range(6)]
