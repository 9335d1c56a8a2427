"""Inverse dynamics by the recursive Newton-Euler algorithm (Khalil and Dombre 2002, section 9.5).

w_i = R' w_l + z qd_i,   wd_i = R' wd_l + z qdd_i + R' w_l x z qd_i
Omega_i = [wd_i]x + [w_i]x [w_i]x                     called U_i there
a_i = R' (a_l + Omega_l p_i)                          a_0 = -gravity
F_i = m_i a_i + Omega_i h_i,   N_i = vee(Omega_i S_i - (Omega_i S_i)') + h_i x a_i
f_i = [N_i; F_i] - fx_i,   f_l += lXi* f_i            l = lambda(i), the predecessor
tau_i = z' n_i                                        n_i: the moment of f_i

for turning joints; R, p: pose of link i in link l. Where a joint slides, link_motion says more.
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import named, noted, step
from robcogen_ros.algorithms.mechanics.frame_motion import joint_changes
from robcogen_ros.algorithms.mechanics.joint_terms import with_rotors
from robcogen_ros.algorithms.mechanics.joints import (
    JointTransform,
    coordinate_forces,
    joint_rates,
)
from robcogen_ros.algorithms.mechanics.link_motion import LinkMotion, link_motions
from robcogen_ros.algorithms.sweeps import Body, on_links, sweeps
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import Force, MotionVector


def newton_euler(
    robot: Robot,
    transforms: Sequence[JointTransform],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    base_velocity: MotionVector,
    base_acceleration: MotionVector,
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
    base = LinkMotion.of_base(base_velocity, base_acceleration)
    rates, changes = joint_rates(robot, qd), joint_changes(robot, transforms, qd, qdd)
    motions = link_motions(robot, transforms, rates, changes, base)
    force = net_forces(robot, motions, external_forces)
    tau, wrench = forces_on_coordinates(robot, transforms, force)
    return with_rotors(robot, tau, changes), wrench


def forces_on_coordinates(
    robot: Robot, transforms: Sequence[JointTransform], net: Sequence[Force]
) -> tuple[list[Scalar], Force]:
    """Returns the forces that move the links: on the coordinates, (n,), and the wrench on the base.

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        net: The net force of each link, link coordinates.
    """
    title = "{joint}: force along its axis, reaction on its predecessor"
    tau, wrench = sweeps(robot).inward(title, _handed_on, net, transforms)
    return coordinate_forces(robot, tau), named(wrench, "f0")


def _handed_on(body: Body, force: Force, X: JointTransform) -> tuple[Force, Scalar]:
    force = named(force, f"f{body.number}")
    handed = noted(X.force(force), f"f{body.number}_in{body.predecessor}")
    return handed, body.joint.kind.component(force)


def net_forces(
    robot: Robot, motions: Sequence[LinkMotion], external_forces: Sequence[Force]
) -> Sequence[Force]:
    """The force that moves each link, less the external one, link coordinates."""
    base = robot.links[0]
    step(f"link 0, {base.name}: net force")
    of_base = named(motions[0].net_force(base.inertia, "0") - external_forces[0], "f0", "net0")
    beyond = sweeps(robot).each("{link}: net force", _net_force, motions[1:], external_forces[1:])
    return on_links(of_base, beyond)


def _net_force(body: Body, motion: LinkMotion, external: Force) -> Force:
    i = body.number
    moving = motion.net_force(body.link.inertia, i)
    net: Force = named(moving - external, f"f{i}", f"net{i}")
    return net
