"""Velocities, accelerations and wrenches of all links (Featherstone 2008, table 5.1).

v_i = iXl v_l + S_i qd_i
a_i = iXl a_l + S_i qdd_i + v_i x S_i qd_i
f_i = I_i a_i + v_i x* I_i v_i - fx_i,   f_l += lXi* f_i     l = lambda(i), the predecessor
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.mechanics.joints import JointTransform, axis_motion, joint_rates
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import Force, Motion


def link_velocities(
    robot: Robot,
    transforms: Sequence[JointTransform],
    qd: Sequence[Scalar],
    base_velocity: Motion,
) -> list[Motion]:
    """Spatial velocity of each link, in its own coordinates, base first.

    Args:
        robot: The robot, n coordinates.
        transforms: Transform across each joint.
        qd: (n,) velocities [rad/s or m/s].
        base_velocity: Spatial velocity of the base, base coordinates.
    """
    velocity = [base_velocity]
    for joint, X, rate in zip(robot.joints, transforms, joint_rates(robot, qd), strict=True):
        i = joint.successor
        step(f"link {i}, {robot.links[i].name}: velocity")
        v = X.pose.motion_back(velocity[joint.predecessor]) + axis_motion(joint, rate)
        velocity.append(named(v, f"v{i}"))
    return velocity


def link_accelerations(
    robot: Robot,
    transforms: Sequence[JointTransform],
    velocity: Sequence[Motion],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    base_acceleration: Motion,
) -> list[Motion]:
    """Spatial acceleration of each link, in its own coordinates, base first.

    Args:
        robot: The robot, n coordinates.
        transforms: Transform across each joint.
        velocity: Velocity of each link.
        qd: (n,) velocities [rad/s or m/s].
        qdd: (n,) accelerations [rad/s^2 or m/s^2].
        base_acceleration: Spatial acceleration of the base, base coordinates.
    """
    acceleration = [base_acceleration]
    rates, changes = joint_rates(robot, qd), joint_rates(robot, qdd)
    for joint, X, rate, change in zip(robot.joints, transforms, rates, changes, strict=True):
        i = joint.successor
        step(f"link {i}, {robot.links[i].name}: acceleration")
        a = X.pose.motion_back(acceleration[joint.predecessor]) + axis_motion(joint, change)
        bias = velocity[i].cross_motion(axis_motion(joint, rate))
        acceleration.append(named(a + bias, f"a{i}"))
    return acceleration


def joint_wrenches(
    robot: Robot,
    transforms: Sequence[JointTransform],
    velocity: Sequence[Motion],
    acceleration: Sequence[Motion],
    external_forces: Sequence[Force],
) -> list[Force]:
    """Wrench that each link gets through the joint that carries it, in the link's coordinates.

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        velocity: Velocity of each link.
        acceleration: Acceleration of each link less gravity.
        external_forces: Wrench on each link, link coordinates.

    Returns:
        One force a link; the base's is what must hold it.
    """
    force = []
    for i, (link, v, a) in enumerate(zip(robot.links, velocity, acceleration, strict=True)):
        step(f"link {i}, {link.name}: force")
        momentum = link.inertia.apply(v)
        net = link.inertia.apply(a) + v.cross_force(momentum) - external_forces[i]
        force.append(named(net, f"f{i}"))
    for joint, X in zip(reversed(robot.joints), reversed(transforms), strict=True):
        i, parent = joint.successor, joint.predecessor
        step(f"joint {joint.name}: reaction on its predecessor")
        force[parent] = named(force[parent] + X.pose.force(force[i]), f"f{parent}")
    return force
