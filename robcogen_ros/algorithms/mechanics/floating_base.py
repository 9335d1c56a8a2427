"""Hybrid dynamics of a floating base: joint motion given, base force zero (Featherstone 2008, 9.3).

a_0 = -inv(Ic_0) pc_0, with pc_0 the wrench on a base that does not accelerate (table 9.6)
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.mechanics.composite_inertia import composite_inertias, dense_inertia
from robcogen_ros.algorithms.mechanics.factorization import solve
from robcogen_ros.algorithms.mechanics.joints import (
    JointTransform,
    coordinate_forces,
)
from robcogen_ros.algorithms.mechanics.newton_euler import newton_euler
from robcogen_ros.algorithms.sweeps import Body, sweeps
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import Force, MotionVector, SpatialInertia


def hybrid_dynamics(
    robot: Robot,
    transforms: Sequence[JointTransform],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    base_velocity: MotionVector,
    gravity: MotionVector,
    external_forces: Sequence[Force],
) -> tuple[list[Scalar], MotionVector]:
    """Joint forces and base acceleration for a joint motion of a free base.

    Args:
        robot: The robot, n coordinates, floating base.
        transforms: Transform across each joint.
        qd: (n,) velocities [rad/s or m/s].
        qdd: (n,) accelerations [rad/s^2 or m/s^2].
        base_velocity: Spatial velocity of the base, base coordinates.
        gravity: Acceleration of free fall as a spatial vector, base coordinates.
        external_forces: Wrench on each link, link coordinates.

    Returns:
        tau: (n,) forces on the coordinates [N m or N], and the spatial acceleration of the base,
        gravity included, base coordinates.
    """
    tau, wrench = newton_euler(
        robot, transforms, qd, qdd, base_velocity, MotionVector(), external_forces
    )
    composite = composite_inertias(robot, transforms)
    step("base: acceleration less gravity")
    base = named(MotionVector.of(_solve_rigid(composite[0], wrench)), "a0")
    gained = _forces_of_base_acceleration(robot, transforms, composite, base)
    return [a + b for a, b in zip(tau, gained, strict=True)], base + gravity


def _solve_rigid(inertia: SpatialInertia, wrench: Force) -> list[Scalar]:
    """-inv(I) f; the constant mass block is eliminated first, being the last."""
    return solve(dense_inertia(inertia), [-x for x in wrench])


def _forces_of_base_acceleration(
    robot: Robot,
    transforms: Sequence[JointTransform],
    composite: Sequence[SpatialInertia],
    base: MotionVector,
) -> list[Scalar]:
    """S_i' Ic_i a_0 for each joint, gathered on the coordinates."""
    tree = sweeps(robot)
    title = "{joint}: force that the base acceleration takes"
    moved = tree.outward(title, _carried, base, transforms)
    return coordinate_forces(robot, tree.each(title, _force, moved[1:], composite[1:]))


def _carried(body: Body, before: MotionVector, X: JointTransform) -> MotionVector:
    motion: MotionVector = named(X.pose.motion_back(before), f"b{body.number}")
    return motion


def _force(body: Body, motion: MotionVector, composite: SpatialInertia) -> Scalar:
    return body.joint.kind.component(composite.apply(motion))
