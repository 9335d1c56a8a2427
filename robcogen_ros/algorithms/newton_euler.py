"""Inverse dynamics by the recursive Newton-Euler algorithm (Featherstone 2008, table 5.1).

v_i = iXl v_l + S_i qd_i
a_i = iXl a_l + S_i qdd_i + v_i x S_i qd_i          a_0 = -gravity
f_i = I_i a_i + v_i x* I_i v_i - fx_i
tau_i = S_i' f_i,   f_l += lXi* f_i                  l = lambda(i), the predecessor
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.joints import (
    JointTransform,
    axis_component,
    axis_motion,
    coordinate_forces,
    joint_rates,
)
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import Force, Motion


def newton_euler(
    robot: Robot,
    transforms: Sequence[JointTransform],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    base_velocity: Motion,
    base_acceleration: Motion,
    external_forces: Sequence[Force],
) -> tuple[list[Scalar], Force]:
    """Forces that give a motion.

    Args:
        robot: The robot, n coordinates.
        transforms: Transform across each joint.
        qd: (n,) velocities [rad/s or m/s].
        qdd: (n,) accelerations [rad/s^2 or m/s^2].
        base_velocity: Spatial velocity of the base, base coordinates.
        base_acceleration: Spatial acceleration of the base less gravity, base coordinates.
        external_forces: Wrench on each link, link coordinates.

    Returns:
        tau: (n,) forces on the coordinates [N m or N], positive along the axes, and the wrench
        that must act on the base, base coordinates.
    """
    velocity, acceleration = [base_velocity], [base_acceleration]
    rates, accelerations = joint_rates(robot, qd), joint_rates(robot, qdd)
    force = [_net_force(robot, 0, base_velocity, base_acceleration, external_forces)]
    for joint, X, rate, rate_change in zip(
        robot.joints, transforms, rates, accelerations, strict=True
    ):
        i = joint.successor
        step(f"link {i}, {robot.links[i].name}: velocity, acceleration, force")
        turn = axis_motion(joint, rate)
        v = named(X.pose.motion_back(velocity[joint.predecessor]) + turn, f"v{i}")
        a = X.pose.motion_back(acceleration[joint.predecessor])
        a = named(a + axis_motion(joint, rate_change) + v.cross_motion(turn), f"a{i}")
        velocity.append(v)
        acceleration.append(a)
        force.append(named(_net_force(robot, i, v, a, external_forces), f"f{i}"))
    tau: list[Scalar] = [0] * len(robot.joints)
    for joint, X in zip(reversed(robot.joints), reversed(transforms), strict=True):
        i = joint.successor
        step(f"joint {joint.name}: force along its axis, reaction on its predecessor")
        tau[i - 1] = axis_component(joint, force[i])
        parent = joint.predecessor
        force[parent] = named(force[parent] + X.pose.force(force[i]), f"f{parent}")
    return coordinate_forces(robot, tau), force[0]


def _net_force(
    robot: Robot, i: int, v: Motion, a: Motion, external_forces: Sequence[Force]
) -> Force:
    """I a + v x* I v - fx for link i."""
    inertia = robot.links[i].inertia
    return inertia.apply(a) + v.cross_force(inertia.apply(v)) - external_forces[i]
