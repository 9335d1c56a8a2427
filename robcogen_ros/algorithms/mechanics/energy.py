"""Kinetic and potential energy of all links."""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.mechanics.joints import JointTransform, joint_rates
from robcogen_ros.algorithms.mechanics.kinematics import mass_moment
from robcogen_ros.algorithms.mechanics.velocities import link_velocities
from robcogen_ros.algorithms.sweeps import Body, sweeps
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import MotionVector, Vector


def kinetic_energy(
    robot: Robot,
    transforms: Sequence[JointTransform],
    qd: Sequence[Scalar],
    base_velocity: MotionVector,
) -> Scalar:
    """The sum of v' I v / 2 over all links and rotors (Featherstone 2008, eq. 2.67) [J].

    Args:
        robot: The robot, n coordinates.
        transforms: Transform across each joint.
        qd: (n,) velocities [rad/s or m/s].
        base_velocity: Spatial velocity of the base, base coordinates.
    """
    velocity = link_velocities(robot, transforms, qd, base_velocity)
    twice = base_velocity.dot(robot.links[0].inertia.apply(base_velocity))
    for own in sweeps(robot).each("{link}: twice its energy", _twice_energy, velocity[1:]):
        twice = twice + own
    for i, armature in enumerate(robot.terms.armature):
        twice = twice + armature * qd[i] * qd[i]
    for joint, rate in zip(robot.joints, joint_rates(robot, qd), strict=True):
        if joint.armature:
            twice = twice + joint.armature * rate * rate
    return twice / 2


def _twice_energy(body: Body, v: MotionVector) -> Scalar:
    return v.dot(body.link.inertia.apply(v))


def potential_energy(robot: Robot, transforms: Sequence[JointTransform], gravity: Vector) -> Scalar:
    """The energy of all masses in a field of gravity, zero at the base's origin [J].

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        gravity: Acceleration of free fall, base coordinates.
    """
    _, moment = mass_moment(robot, transforms)
    return -gravity.dot(moment)
