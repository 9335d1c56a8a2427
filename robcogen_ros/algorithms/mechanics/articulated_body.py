"""Forward dynamics by the articulated-body algorithm (Featherstone 2008, tables 7.1 and 9.4).

It starts from a reference motion, with the velocities of the state, a base that falls freely or is
fixed, and no accelerations of the coordinates. The inverse dynamics of that motion leaves forces to
balance, and articulated bodies answer them with accelerations da on top of it. So the velocities
are done with before the first articulated inertia.

IA_i = I_i,  pA_i = net force of link i in the reference motion, less fx_i
U_i = IA_i S_i,  D_i = S_i' U_i + r_i,  u_i = tau_i - S_i' pA_i,  r_i: the rotor's inertia
Ia = IA_i - U_i U_i' / D_i,  pa = pA_i + U_i u_i / D_i,  S_i' pa = tau_i - r_i u_i / D_i
IA_l += lXi* Ia iXl,  pA_l += lXi* pa
da' = iXl da_l,  qdd_i = (u_i - U_i' da') / D_i,  da_i = da' + S_i qdd_i
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.annotate import named, noted, step
from robcogen_ros.algorithms.mechanics.articulated_inertia import (
    ArticulatedInertia,
    around_update,
)
from robcogen_ros.algorithms.mechanics.factorization import solve
from robcogen_ros.algorithms.mechanics.joints import (
    JointTransform,
    joint_rates,
)
from robcogen_ros.algorithms.mechanics.link_motion import LinkMotion, link_motions
from robcogen_ros.algorithms.mechanics.newton_euler import net_forces
from robcogen_ros.algorithms.sweeps import Body, on_links, sweeps
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar, is_zero
from robcogen_ros.model.spatial import Force, MotionVector, Vector


@dataclass(frozen=True, slots=True)
class Load:
    """Articulated inertia and bias force of a link."""

    inertia: ArticulatedInertia
    force: Force

    def __add__(self, other: Load) -> Load:
        return Load(self.inertia + other.inertia, self.force + other.force)


@dataclass(frozen=True, slots=True)
class Removed:
    """Terms that the second pass leaves of a joint for the third.

    Attributes:
        K: U / D, where the joint is removed; 1 along the axis where there is no rotor.
        gain: u / D, its acceleration if its predecessor keeps to the reference motion.
    """

    K: Force
    gain: Scalar


def articulated_body(
    robot: Robot,
    transforms: Sequence[JointTransform],
    qd: Sequence[Scalar],
    tau: Sequence[Scalar],
    base_velocity: MotionVector,
    gravity: MotionVector,
    external_forces: Sequence[Force],
) -> tuple[list[Scalar], MotionVector]:
    """The motion that forces give; each joint must be its own coordinate, one way or the other.

    Args:
        robot: The robot, n coordinates.
        transforms: Transform across each joint.
        qd: (n,) velocities [rad/s or m/s].
        tau: (n,) forces on the coordinates [N m or N].
        base_velocity: Spatial velocity of the base, base coordinates.
        gravity: Acceleration of free fall as a spatial vector, base coordinates.
        external_forces: Wrench on each link, link coordinates.

    Returns:
        qdd: (n,) accelerations, and the spatial acceleration of the base, gravity included: zero
        for a fixed base.
    """
    base = _reference_base(robot, base_velocity, gravity)
    still = [0] * len(robot.joints)
    motions = link_motions(robot, transforms, joint_rates(robot, qd), still, base)
    net = net_forces(robot, motions, external_forces)
    tree, forces = sweeps(robot), joint_rates(robot, tau)
    of_base = Load(ArticulatedInertia.of(robot.links[0].inertia), net[0])
    loads = on_links(of_base, tree.each("{link}: articulated inertia", _own_load, net[1:]))
    title = "{joint}: articulated inertia handed to {predecessor}"
    removed, whole = tree.inward(title, _removed_joint, loads, transforms, forces)
    change = _base_change(robot, whole)
    moved = tree.outward("{joint}: acceleration", _accelerated, (change, 0), transforms, removed)
    qdd: list[Scalar] = [0] * robot.n
    for joint, (_, acceleration) in zip(robot.joints, moved[1:], strict=True):
        qdd[joint.coordinate] = joint.multiplier * acceleration
    start = base.acceleration(base_velocity.linear)
    return qdd, change + start + gravity


def _reference_base(robot: Robot, base_velocity: MotionVector, gravity: MotionVector) -> LinkMotion:
    """Motion of the base less gravity; a floating one starts where its origin falls freely."""
    if robot.floating_base:
        return LinkMotion.of(base_velocity.angular, Vector(), Vector())
    return LinkMotion.of_base(base_velocity, MotionVector() - gravity)


def _base_change(robot: Robot, whole: Load) -> MotionVector:
    """Returns the base's acceleration beyond its reference: -inv(IA) pA if it floats."""
    if not robot.floating_base:
        return MotionVector()
    step("base: acceleration beyond its reference")
    force = [-x for x in whole.force]
    change: MotionVector = named(MotionVector.of(solve(whole.inertia.dense(), force)), "da0")
    return change


def _own_load(body: Body, net: Force) -> Load:
    return Load(ArticulatedInertia.of(body.link.inertia), net)


def _removed_joint(
    body: Body, total: Load, X: JointTransform, force: Scalar
) -> tuple[Load, Removed]:
    """Second pass at one joint: hand its articulated inertia and bias force to the predecessor.

    Args:
        body: The joint and its successor.
        total: What the successor bears.
        X: The transform across it.
        force: The force along it [N m or N].
    """
    joint, i = body.joint, body.number
    outer, inner = around_update(body, X)
    inertia, pA = total.inertia.named(f"IA{i}"), named(total.force, f"pA{i}")
    for pose in inner:
        inertia, pA = inertia.across(X), pose.force(pA)
    U = named(inertia.apply(joint.kind.motion(1)), f"U{i}")
    inverse_D = named(1 / (joint.kind.component(U) + body.armature), f"d{i}")
    u = named(force - joint.kind.component(pA), f"u{i}")
    K, pa = U * inverse_D, pA
    if is_zero(body.armature):
        K = joint.kind.with_component(K, 1)
    K = named(K, f"K{i}")
    reduced = inertia.less_outer(U, K).noted(f"Ia{i}")
    pa = pA + K * u
    if is_zero(body.armature):
        pa = joint.kind.with_component(pa, force)
    pa = noted(pa, f"pa{i}")
    for pose in reversed(outer):
        pa = pose.force(pa)
    in_joint_frame = reduced if inner else reduced.across(X)
    there = f"_in{body.predecessor}"
    handed = Load(in_joint_frame.onto(X).noted(f"Ia{i}{there}"), noted(pa, f"pa{i}{there}"))
    return handed, Removed(K, noted(u * inverse_D, f"g{i}"))


def _accelerated(
    body: Body, before: tuple[MotionVector, Scalar], X: JointTransform, removed: Removed
) -> tuple[MotionVector, Scalar]:
    """Third pass: what the successor accelerates beyond its reference, and the joint."""
    i, (d, _) = body.number, before
    outer, inner = around_update(body, X)
    for pose in outer:
        d = pose.motion_back(d)
    d = noted(d, f"da{body.predecessor}_in{i}")
    qdd: Scalar = named(removed.gain - d.dot(removed.K), f"qdd{i}")
    for pose in inner:
        d = pose.motion_back(d)
    return named(d + body.joint.kind.motion(qdd), f"da{i}"), qdd
