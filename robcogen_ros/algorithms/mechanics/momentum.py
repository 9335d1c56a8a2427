"""Centroidal momentum (Orin, Goswami and Lee, Centroidal dynamics of a humanoid robot, 2013).

The momentum of all links at unit rate of a coordinate is the force that its unit acceleration
takes from rest, so the matrix falls out of the composite rigid bodies.
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import step
from robcogen_ros.algorithms.mechanics.composite_inertia import (
    Matrix,
    composite_inertias,
    dense_inertia,
    joint_space_inertia,
)
from robcogen_ros.algorithms.mechanics.joints import JointTransform
from robcogen_ros.algorithms.mechanics.kinematics import mass_moment
from robcogen_ros.algorithms.mechanics.velocities import (
    joint_wrenches,
    link_accelerations,
    link_velocities,
)
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import Force, MotionVector, Pose, Vector


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
    step("momentum about the center of mass")
    center = Pose(translation=composite[0].moment * (1 / composite[0].mass))
    moved = [center.force_back(column) for column in columns]
    if robot.floating_base:
        of_base = [Force.of(row) for row in zip(*dense_inertia(composite[0]), strict=True)]
        turning = [center.force_back(column) for column in of_base[:3]]
        sliding = [Force(Vector(), column.linear) for column in of_base[3:]]
        moved = [*turning, *sliding, *moved]
    return [list(row) for row in zip(*moved, strict=True)] if moved else [[] for _ in range(6)]


def centroidal_momentum_bias(
    robot: Robot,
    transforms: Sequence[JointTransform],
    qd: Sequence[Scalar],
    base_velocity: MotionVector,
) -> Force:
    """The rate of change of the centroidal momentum when no coordinate accelerates: dA/dt qd.

    It is the wrench that such a motion takes, moved to the center of mass.

    Args:
        robot: The robot, n coordinates.
        transforms: Transform across each joint.
        qd: (n,) velocities [rad/s or m/s].
        base_velocity: Spatial velocity of the base, base coordinates.
    """
    velocity = link_velocities(robot, transforms, qd, base_velocity)
    rest = [0] * robot.n
    acceleration = link_accelerations(robot, transforms, velocity, qd, rest, MotionVector())
    none = [Force()] * len(robot.links)
    wrenches = joint_wrenches(robot, transforms, velocity, acceleration, none)
    mass, moment = mass_moment(robot, transforms)
    step("rate of change of the momentum about the center of mass")
    return Pose(translation=moment * (1 / mass)).force_back(wrenches[0])
