"""Velocities, accelerations and wrenches of all links (Featherstone 2008, table 5.1).

v_i = iXl v_l + S_i qd_i
a_i = iXl a_l + S_i qdd_i + v_i x S_i qd_i
f_i = I_i a_i + v_i x* I_i v_i - fx_i,   f_l += lXi* f_i     l = lambda(i), the predecessor
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.mechanics.frame_motion import joint_changes
from robcogen_ros.algorithms.mechanics.joints import JointTransform, joint_rates
from robcogen_ros.algorithms.sweeps import Body, on_links, sweeps
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import Force, MotionVector, SpatialInertia


def link_velocities(
    robot: Robot,
    transforms: Sequence[JointTransform],
    qd: Sequence[Scalar],
    base_velocity: MotionVector,
) -> Sequence[MotionVector]:
    """Spatial velocity of each link, in its own coordinates, base first.

    Args:
        robot: The robot, n coordinates.
        transforms: Transform across each joint.
        qd: (n,) velocities [rad/s or m/s].
        base_velocity: Spatial velocity of the base, base coordinates.
    """
    rates = joint_rates(robot, qd)
    return sweeps(robot).outward("{link}: velocity", _velocity, base_velocity, transforms, rates)


def _velocity(body: Body, before: MotionVector, X: JointTransform, rate: Scalar) -> MotionVector:
    v = X.pose.motion_back(before) + body.joint.kind.motion(rate)
    velocity: MotionVector = named(v, f"v{body.number}")
    return velocity


def link_accelerations(
    robot: Robot,
    transforms: Sequence[JointTransform],
    velocity: Sequence[MotionVector],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    base_acceleration: MotionVector,
) -> Sequence[MotionVector]:
    """Spatial acceleration of each link, in its own coordinates, base first.

    Args:
        robot: The robot, n coordinates.
        transforms: Transform across each joint.
        velocity: Velocity of each link.
        qd: (n,) velocities [rad/s or m/s].
        qdd: (n,) accelerations [rad/s^2 or m/s^2].
        base_acceleration: Spatial acceleration of the base, base coordinates.
    """
    rates, changes = joint_rates(robot, qd), joint_changes(robot, transforms, qd, qdd)
    moving = transforms, velocity[1:], rates, changes
    title = "{link}: acceleration"
    return sweeps(robot).outward(title, _acceleration, base_acceleration, *moving)


def _acceleration(
    body: Body,
    before: MotionVector,
    X: JointTransform,
    velocity: MotionVector,
    rate: Scalar,
    change: Scalar,
) -> MotionVector:
    a = X.pose.motion_back(before) + body.joint.kind.motion(change)
    bias = velocity.cross_motion(body.joint.kind.motion(rate))
    acceleration: MotionVector = named(a + bias, f"a{body.number}")
    return acceleration


def joint_wrenches(
    robot: Robot,
    transforms: Sequence[JointTransform],
    velocity: Sequence[MotionVector],
    acceleration: Sequence[MotionVector],
    external_forces: Sequence[Force],
) -> Sequence[Force]:
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
    base, tree = robot.links[0], sweeps(robot)
    step(f"link 0, {base.name}: force")
    of_base = _net_force(base.inertia, velocity[0], acceleration[0], external_forces[0])
    beyond = velocity[1:], acceleration[1:], external_forces[1:]
    net = on_links(of_base, tree.each("{link}: force", _own_force, *beyond))
    wrenches, held = tree.inward("{joint}: reaction on {predecessor}", _passed, net, transforms)
    return on_links(named(held, "f0"), wrenches)


def _net_force(inertia: SpatialInertia, v: MotionVector, a: MotionVector, external: Force) -> Force:
    return inertia.apply(a) + v.cross_force(inertia.apply(v)) - external


def _own_force(body: Body, v: MotionVector, a: MotionVector, external: Force) -> Force:
    return _net_force(body.link.inertia, v, a, external)


def _passed(body: Body, force: Force, X: JointTransform) -> tuple[Force, Force]:
    force = named(force, f"f{body.number}")
    return X.pose.force(force), force
