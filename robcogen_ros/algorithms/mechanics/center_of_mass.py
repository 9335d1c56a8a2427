"""How the center of all masses moves: the moment of mass beyond each joint tells it."""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.mechanics.joints import AXIS, JointTransform
from robcogen_ros.algorithms.mechanics.kinematics import link_poses, mass_moment, subtree_moments
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import Motion, Vector, skew

Matrix = list[list[Scalar]]


def center_of_mass_jacobian(robot: Robot, transforms: Sequence[JointTransform]) -> Matrix:
    """The Jacobian of the center of all masses, from qd or [base_velocity; qd], base axes.

    Unit rate of joint i moves the mass m and the moment of mass h beyond it at z x h, or m z.

    Args:
        robot: The robot, n coordinates.
        transforms: Transform across each joint.

    Returns:
        (3, n) of a fixed base, (3, 6+n) of a floating one.
    """
    mass, moment = subtree_moments(robot, transforms)
    poses = link_poses(robot, transforms)
    step("Jacobian of the center of mass")
    per_mass = 1 / mass[0]
    columns = [Vector()] * robot.n
    for joint in robot.joints:
        i = joint.successor
        moved = AXIS * mass[i] if joint.prismatic else AXIS.cross(moment[i])
        column = poses[i].rotation.apply(moved * (joint.multiplier * per_mass))
        columns[joint.coordinate] = columns[joint.coordinate] + column
    if robot.floating_base:
        columns = [*_columns_of_base(moment[0] * per_mass), *columns]
    return [list(row) for row in zip(*columns, strict=True)] if columns else [[], [], []]


def center_of_mass_velocity(
    robot: Robot, transforms: Sequence[JointTransform], velocity: Sequence[Motion]
) -> Vector:
    """The velocity of the center of all masses, in the axes of the base [m/s].

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        velocity: Spatial velocity of each link, in its own coordinates.
    """
    momentum = []
    for i, (link, v) in enumerate(zip(robot.links, velocity, strict=True)):
        step(f"link {i}, {link.name}: linear momentum")
        momentum.append(link.inertia.apply(v).linear)
    for joint, X in zip(reversed(robot.joints), reversed(transforms), strict=True):
        i, parent = joint.successor, joint.predecessor
        step(f"linear momentum beyond joint {joint.name}")
        gained = X.pose.rotation.apply(momentum[i])
        momentum[parent] = named(momentum[parent] + gained, f"p{parent}")
    mass, _ = mass_moment(robot, transforms)
    center: Vector = momentum[0] * (1 / mass)
    return center


def _columns_of_base(center: Vector) -> list[Vector]:
    """The base turns the center about its origin and takes it along."""
    turning = skew(-center).transposed()
    return [*turning, Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1)]
