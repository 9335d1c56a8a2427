"""Forward dynamics by the articulated-body algorithm (Featherstone 2008, tables 7.1 and 9.4).

It starts from a reference motion, with the velocities of the state, a base that falls freely or is
fixed, and no accelerations of the coordinates. The inverse dynamics of that motion leaves forces to
balance, and articulated bodies answer them with accelerations d on top of it. So the velocities are
done with before the first articulated inertia.

IA_i = I_i,  pA_i = net force of link i in the reference motion, less fx_i
U_i = IA_i S_i,  D_i = S_i' U_i + r_i,  u_i = tau_i - S_i' pA_i,  r_i: the rotor's inertia
Ia = IA_i - U_i U_i' / D_i,  pa = pA_i + U_i u_i / D_i,  S_i' pa = tau_i - r_i u_i / D_i
IA_l += lXi* Ia iXl,  pA_l += lXi* pa
d' = iXl d_l,  qdd_i = (u_i - U_i' d') / D_i,  d_i = d' + S_i qdd_i
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.mechanics.articulated_inertia import ArticulatedInertia, around_removal
from robcogen_ros.algorithms.mechanics.factorization import solve
from robcogen_ros.algorithms.mechanics.joint_terms import armature_of
from robcogen_ros.algorithms.mechanics.joints import (
    JointTransform,
    axis_component,
    axis_motion,
    joint_rates,
    with_axis_component,
)
from robcogen_ros.algorithms.mechanics.link_motion import LinkMotion, link_motions
from robcogen_ros.algorithms.mechanics.newton_euler import net_forces
from robcogen_ros.model.operation import Scalar, is_zero
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.spatial import Force, Motion, Pose, Vector


@dataclass(frozen=True, slots=True)
class _RemovedJoint:
    """What the second pass leaves for the third, for one joint.

    Attributes:
        joint: The joint.
        outer: The factors of its transform outside of where it is removed.
        inner: Those within.
        K: U / D, where the joint is removed; 1 along the axis where there is no rotor.
        gain: u / D, its acceleration if its predecessor keeps to the reference motion.
    """

    joint: Joint
    outer: tuple[Pose, ...]
    inner: tuple[Pose, ...]
    K: Force
    gain: Scalar

    def acceleration(self, change: list[Motion]) -> Scalar:
        """Third pass: its acceleration.

        Args:
            change: What each link accelerates beyond its reference; that of the successor is put
                there.
        """
        i, d = self.joint.successor, change[self.joint.predecessor]
        step(f"joint {self.joint.name}: acceleration")
        for pose in self.outer:
            d = pose.motion_back(d)
        qdd: Scalar = named(self.gain - d.dot(self.K), f"qdd{i}")
        for pose in self.inner:
            d = pose.motion_back(d)
        change[i] = named(d + axis_motion(self.joint, qdd), f"d{i}")
        return qdd


def articulated_body(
    robot: Robot,
    transforms: Sequence[JointTransform],
    qd: Sequence[Scalar],
    tau: Sequence[Scalar],
    base_velocity: Motion,
    gravity: Motion,
    external_forces: Sequence[Force],
) -> tuple[list[Scalar], Motion]:
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
    inertia = [ArticulatedInertia.of(link.inertia) for link in robot.links]
    bias_force = net_forces(robot, motions, external_forces)
    removed = _removed(robot, transforms, tau, inertia, bias_force)
    change = [_base_change(robot, inertia[0], bias_force[0]), *[Motion()] * len(robot.joints)]
    qdd: list[Scalar] = [0] * robot.n
    for each in removed:
        qdd[each.joint.coordinate] = each.joint.multiplier * each.acceleration(change)
    start = base.acceleration(base_velocity.linear)
    return qdd, change[0] + start + gravity


def _reference_base(robot: Robot, base_velocity: Motion, gravity: Motion) -> LinkMotion:
    """Motion of the base less gravity; a floating one starts where its origin falls freely."""
    if robot.floating_base:
        return LinkMotion.of(base_velocity.angular, Vector(), Vector())
    return LinkMotion.of_base(base_velocity, Motion() - gravity)


def _base_change(robot: Robot, inertia: ArticulatedInertia, force: Force) -> Motion:
    """What the base accelerates beyond its reference: -inv(IA) pA if it floats."""
    if not robot.floating_base:
        return Motion()
    step("base: acceleration beyond its reference")
    change: Motion = named(Motion.of(solve(inertia.dense(), [-x for x in force])), "d0")
    return change


def _removed(
    robot: Robot,
    transforms: Sequence[JointTransform],
    tau: Sequence[Scalar],
    inertia: list[ArticulatedInertia],
    bias_force: list[Force],
) -> list[_RemovedJoint]:
    """Second pass: all joints removed; parents come first.

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        tau: Forces on the coordinates.
        inertia: Inertia of each link; articulated afterwards.
        bias_force: Net force of each link; likewise.
    """
    removed = [
        _remove_joint(robot, joint, X, tau, inertia, bias_force)
        for joint, X in zip(reversed(robot.joints), reversed(transforms), strict=True)
    ]
    return removed[::-1]


def _remove_joint(
    robot: Robot,
    joint: Joint,
    X: JointTransform,
    tau: Sequence[Scalar],
    inertia: list[ArticulatedInertia],
    bias_force: list[Force],
) -> _RemovedJoint:
    """Second pass at one joint: hand its articulated inertia and bias force to the predecessor.

    Args:
        robot: The robot.
        joint: The joint.
        X: The transform across it.
        tau: Forces on the coordinates.
        inertia: Articulated inertia of each link, from this one on; the predecessor's grows.
        bias_force: Bias force of each link likewise.
    """
    i, parent = joint.successor, joint.predecessor
    step(f"joint {joint.name}: articulated inertia handed to link {parent}")
    outer, inner = around_removal(robot, X)
    body, pA = inertia[i], bias_force[i]
    for pose in inner:
        body, pA = body.across(X), pose.force(pA)
    U = named(body.apply(axis_motion(joint, 1)), f"U{i}")
    rotor = armature_of(robot, joint.coordinate)
    inverse_D = named(1 / (axis_component(joint, U) + rotor), f"d{i}")
    force = joint.multiplier * tau[joint.coordinate]
    u = named(force - axis_component(joint, pA), f"u{i}")
    K = U * inverse_D
    if is_zero(rotor):
        K = with_axis_component(joint, K, 1)
    removed = _RemovedJoint(joint, outer, inner, named(K, f"K{i}"), u * inverse_D)
    if parent == 0 and not robot.floating_base:
        return removed
    reduced = body.less_outer(U, K)
    in_joint_frame = reduced if inner else reduced.across(X)
    inertia[parent] = (inertia[parent] + in_joint_frame.onto(X)).named(f"IA{parent}")
    pa = pA + K * u
    if is_zero(rotor):
        pa = with_axis_component(joint, pa, force)
    for pose in reversed(outer):
        pa = pose.force(pa)
    bias_force[parent] = named(bias_force[parent] + pa, f"pA{parent}")
    return removed
