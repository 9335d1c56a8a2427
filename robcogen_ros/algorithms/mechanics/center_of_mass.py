"""Motion of the center of all masses, by the moments of mass beyond each joint."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.mechanics.joints import JointTransform
from robcogen_ros.algorithms.mechanics.kinematics import (
    MassMoment,
    link_poses,
    mass_moment,
    subtree_moments,
)
from robcogen_ros.algorithms.sweeps import Body, on_links, sweeps
from robcogen_ros.model.joint_kinds import AXIS
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import MotionVector, Pose, Vector, skew

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
    moments = subtree_moments(robot, transforms)
    poses = link_poses(robot, transforms)
    per_mass = 1 / moments[0].mass
    title = "{joint}: its column of the Jacobian of the center of mass"
    moved = sweeps(robot).each(title, partial(_column, per_mass), moments[1:], poses[1:])
    columns = [Vector()] * robot.n
    for joint, column in zip(robot.joints, moved, strict=True):
        for k, share in joint.rates:
            columns[k] = columns[k] + column * share
    if robot.floating_base:
        columns = [*_columns_of_base(moments[0].moment * per_mass), *columns]
    return [list(row) for row in zip(*columns, strict=True)] if columns else [[], [], []]


def center_of_mass_velocity(
    robot: Robot, transforms: Sequence[JointTransform], velocity: Sequence[MotionVector]
) -> Vector:
    """The velocity of the center of all masses, in the axes of the base [m/s].

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        velocity: Spatial velocity of each link, in its own coordinates.
    """
    tree, base = sweeps(robot), robot.links[0]
    step(f"link 0, {base.name}: linear momentum")
    of_base = base.inertia.apply(velocity[0]).linear
    own = on_links(of_base, tree.each("{link}: linear momentum", _own_momentum, velocity[1:]))
    _, momentum = tree.inward("linear momentum beyond {joint}", _turned, own, transforms)
    mass, _ = mass_moment(robot, transforms)
    center: Vector = named(momentum, "p0", "momentum0") * (1 / mass)
    return center


def _column(per_mass: Scalar, body: Body, beyond: MassMoment, pose: Pose) -> Vector:
    moved = body.joint.kind.combined(
        turning=lambda: AXIS.cross(beyond.moment), sliding=lambda: AXIS * beyond.mass
    )
    column: Vector = pose.rotation.apply(moved * per_mass)
    return column


def _own_momentum(body: Body, velocity: MotionVector) -> Vector:
    momentum: Vector = body.link.inertia.apply(velocity).linear
    return momentum


def _turned(body: Body, momentum: Vector, X: JointTransform) -> tuple[Vector, None]:
    return X.pose.rotation.apply(named(momentum, f"p{body.number}", f"momentum{body.number}")), None


def _columns_of_base(center: Vector) -> list[Vector]:
    """The base turns the center about its origin and takes it along."""
    turning = skew(-center).transposed()
    return [*turning, Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1)]
