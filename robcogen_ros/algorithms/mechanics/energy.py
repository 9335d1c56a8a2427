"""Kinetic and potential energy of all links."""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.mechanics.joints import JointTransform, axis_motion, joint_rates
from robcogen_ros.algorithms.mechanics.kinematics import mass_moment
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import Motion, Vector


def kinetic_energy(
    robot: Robot,
    transforms: Sequence[JointTransform],
    qd: Sequence[Scalar],
    base_velocity: Motion,
) -> Scalar:
    """The sum of v' I v / 2 over all links and rotors (Featherstone 2008, eq. 2.67) [J].

    Args:
        robot: The robot, n coordinates.
        transforms: Transform across each joint.
        qd: (n,) velocities [rad/s or m/s].
        base_velocity: Spatial velocity of the base, base coordinates.
    """
    velocity = [base_velocity]
    twice = base_velocity.dot(robot.links[0].inertia.apply(base_velocity))
    for joint, X, rate in zip(robot.joints, transforms, joint_rates(robot, qd), strict=True):
        i = joint.successor
        step(f"link {i}, {robot.links[i].name}: velocity, twice its energy")
        v = X.pose.motion_back(velocity[joint.predecessor]) + axis_motion(joint, rate)
        velocity.append(named(v, f"v{i}"))
        twice = twice + v.dot(robot.links[i].inertia.apply(v))
    for i, armature in enumerate(robot.terms.armature):
        twice = twice + armature * qd[i] * qd[i]
    return twice / 2


def potential_energy(robot: Robot, transforms: Sequence[JointTransform], gravity: Vector) -> Scalar:
    """The energy of all masses in a field of gravity, zero at the base's origin [J].

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        gravity: Acceleration of free fall, base coordinates.
    """
    _, moment = mass_moment(robot, transforms)
    return -gravity.dot(moment)
