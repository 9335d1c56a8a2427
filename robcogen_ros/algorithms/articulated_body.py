"""Forward dynamics by the articulated-body algorithm (Featherstone 2008, tables 7.1 and 9.4).

IA_i = I_i,  pA_i = v_i x* I_i v_i - fx_i,  c_i = v_i x S_i qd_i
U_i = IA_i S_i,  D_i = S_i' U_i (+ the rotor's inertia),  u_i = tau_i - S_i' pA_i
Ia = IA_i - U_i U_i' / D_i,  pa = pA_i + Ia c_i + U_i u_i / D_i
IA_l += lXi* Ia iXl,  pA_l += lXi* pa
a' = iXl a_l + c_i,  qdd_i = (u_i - U_i' a') / D_i,  a_i = a' + S_i qdd_i
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.articulated_inertia import ArticulatedInertia
from robcogen_ros.algorithms.factorization import solve
from robcogen_ros.algorithms.joint_terms import armature_of
from robcogen_ros.algorithms.joints import (
    JointTransform,
    axis_component,
    axis_motion,
    joint_rates,
)
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.spatial import Force, Motion


@dataclass(frozen=True, slots=True)
class _Handle:
    """What the second pass leaves for the third, for one joint."""

    U: Force
    inverse_D: Scalar
    u: Scalar


def articulated_body(
    robot: Robot,
    transforms: Sequence[JointTransform],
    qd: Sequence[Scalar],
    tau: Sequence[Scalar],
    base_velocity: Motion,
    gravity: Motion,
    external_forces: Sequence[Force],
) -> tuple[list[Scalar], Motion]:
    """The motion that forces give; each joint must be its own coordinate.

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
    rates = joint_rates(robot, qd)
    velocity, bias_motion = _velocities(robot, transforms, rates, base_velocity)
    inertia = [ArticulatedInertia.of(link.inertia) for link in robot.links]
    bias_force = [
        v.cross_force(link.inertia.apply(v)) - fx
        for v, link, fx in zip(velocity, robot.links, external_forces, strict=True)
    ]
    handles: list[_Handle] = []
    for joint, X in zip(reversed(robot.joints), reversed(transforms), strict=True):
        handles.append(_remove_joint(robot, joint, X, tau, inertia, bias_force, bias_motion))
    handles.reverse()
    if robot.floating_base:
        step("base: acceleration less gravity")
        negative = [-x for x in bias_force[0]]
        acceleration = [named(Motion.of(solve(inertia[0].dense(), negative)), "a0")]
    else:
        acceleration = [Motion() - gravity]
    qdd: list[Scalar] = [0] * robot.n
    for joint, X, handle in zip(robot.joints, transforms, handles, strict=True):
        i = joint.successor
        step(f"joint {joint.name}: acceleration")
        a = X.pose.motion_back(acceleration[joint.predecessor]) + bias_motion[i]
        rate_change = named((handle.u - a.dot(handle.U)) * handle.inverse_D, f"qdd{i}")
        acceleration.append(named(a + axis_motion(joint, rate_change), f"a{i}"))
        qdd[joint.coordinate] = rate_change
    return qdd, acceleration[0] + gravity


def _velocities(
    robot: Robot,
    transforms: Sequence[JointTransform],
    rates: Sequence[Scalar],
    base_velocity: Motion,
) -> tuple[list[Motion], list[Motion]]:
    """v_i and c_i of each link."""
    velocity, bias = [base_velocity], [Motion()]
    for joint, X, rate in zip(robot.joints, transforms, rates, strict=True):
        i = joint.successor
        step(f"link {i}, {robot.links[i].name}: velocity")
        turn = axis_motion(joint, rate)
        velocity.append(named(X.pose.motion_back(velocity[joint.predecessor]) + turn, f"v{i}"))
        bias.append(named(velocity[i].cross_motion(turn), f"c{i}"))
    return velocity, bias


def _remove_joint(
    robot: Robot,
    joint: Joint,
    X: JointTransform,
    tau: Sequence[Scalar],
    inertia: list[ArticulatedInertia],
    bias_force: list[Force],
    bias_motion: Sequence[Motion],
) -> _Handle:
    """Second pass at one joint: hand its articulated inertia and bias force to the predecessor."""
    i, parent = joint.successor, joint.predecessor
    step(f"joint {joint.name}: articulated inertia handed to link {parent}")
    U = named(inertia[i].apply(axis_motion(joint, 1)), f"U{i}")
    D = axis_component(joint, U) + armature_of(robot, joint.coordinate)
    inverse_D = named(1 / D, f"d{i}")
    u = tau[joint.coordinate] - axis_component(joint, bias_force[i])
    handle = _Handle(U, inverse_D, named(u, f"u{i}"))
    if parent == 0 and not robot.floating_base:
        return handle
    reduced = inertia[i].less_outer(U, inverse_D)
    pa = bias_force[i] + reduced.apply(bias_motion[i]) + U * (handle.u * inverse_D)
    inertia[parent] = (inertia[parent] + reduced.transformed(X)).named(f"IA{parent}")
    bias_force[parent] = named(bias_force[parent] + X.pose.force(pa), f"pA{parent}")
    return handle
