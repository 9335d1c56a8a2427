"""Generalized momentum and how it changes, without the inertia matrix or accelerations.

The momentum that belongs to a coordinate is that of all links it moves, along its axis. With h_i
the spatial momentum of link i and all beyond, and dT/dq_i the slope of the kinetic energy at
constant rates, p = H v and C' v = dH/dt v - C v fall out of one recursion:

    h_i = I_i v_i,   h_l += lXi* h_i             l = lambda(i), the predecessor
    p_i = S_i' h_i,  (C' v)_i = dT/dq_i = -S_i' v_i x* h_i

Where the base floats, v = [v0; qd] holds its velocity in its own turning coordinates. There the
momentum of the whole, p_0 = h_0, changes by -v0 x* h_0 as the axes turn away under it (Hamel's
equations for v0): the same line with S_0 = 1. Where joints follow through loops, p = G' p_t, with
p_t along all joints, changes by (dG/dt)' p_t, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.mechanics.joint_terms import armature_of
from robcogen_ros.algorithms.mechanics.joints import (
    JointTransform,
    coordinate_forces,
    joint_rates,
)
from robcogen_ros.algorithms.mechanics.kinematics import MassMoment
from robcogen_ros.algorithms.mechanics.loops.embedding import with_changing_rates
from robcogen_ros.algorithms.sweeps import Body, on_links, sweeps
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import Force, MotionVector, SpatialInertia, Vector

_Moving = tuple[MotionVector, Vector]
"""Velocity of a link, acceleration of free fall, link coordinates."""

_Momentum = tuple[Force, MassMoment]
"""Spatial momentum of a subtree, and its moment of mass."""


def generalized_momentum(
    robot: Robot,
    transforms: Sequence[JointTransform],
    qd: Sequence[Scalar],
    base_velocity: MotionVector,
    gravity: Vector,
) -> tuple[list[Scalar], list[Scalar]]:
    """Momentum p = H v of the coordinates, and C' v - g: how it changes where nothing acts.

    Args:
        robot: The robot, n coordinates; N = n, or 6 + n where the base floats.
        transforms: Transform across each joint.
        qd: (n,) velocities [rad/s or m/s].
        base_velocity: Spatial velocity of the base, base coordinates.
        gravity: Acceleration of free fall, base coordinates.

    Returns:
        (N,) momentum [N m s or N s] and (N,) its rate [N m or N], rotors counted, friction not;
        of a floating base the first six, [angular; linear], are of the whole robot about its
        origin, in its coordinates, and the rate is that of these six numbers.
    """
    tree, base = sweeps(robot), robot.links[0]
    rates = joint_rates(robot, qd)
    start = base_velocity, gravity
    moving = tree.outward("{link}: velocity, gravity", _moving, start, transforms, rates)
    step(f"link 0, {base.name}: momentum")
    own = tree.each("{link}: momentum", _own_momentum, moving[1:])
    begun = on_links(_momentum_of(base.inertia, base_velocity), own)
    title = "{joint}: momentum along its axis, momentum beyond {predecessor}"
    along, (h, mass) = tree.inward(title, _handed_on, begun, transforms, moving[1:])
    own_momenta = [
        p + joint.armature * rate if joint.armature else p
        for (p, _), joint, rate in zip(along, robot.joints, rates, strict=True)
    ]
    momentum = coordinate_forces(robot, own_momenta)
    bias = coordinate_forces(robot, [b for _, b in along])
    if robot.has_loops:
        turned = coordinate_forces(with_changing_rates(robot, qd), own_momenta)
        bias = [b + x for b, x in zip(bias, turned, strict=True)]
    if robot.terms.armature:
        step("momentum of the rotors")
        momentum = [p + armature_of(robot, i) * qd[i] for i, p in enumerate(momentum)]
    if not robot.floating_base:
        return momentum, bias
    step(f"link 0, {base.name}: rate of the momentum of the whole")
    h = named(h, "h0")
    turning = _weight(mass, gravity) - base_velocity.cross_force(h)
    return [*h, *momentum], [*turning, *bias]


def _moving(body: Body, before: _Moving, X: JointTransform, rate: Scalar) -> _Moving:
    velocity, gravity = before
    v = X.motion_back(velocity) + body.joint.kind.motion(rate)
    return named(v, f"v{body.number}"), named(X.turned_back(gravity), f"g{body.number}")


def _own_momentum(body: Body, moving: _Moving) -> _Momentum:
    return _momentum_of(body.link.inertia, moving[0])


def _momentum_of(inertia: SpatialInertia, v: MotionVector) -> _Momentum:
    return inertia.apply(v), MassMoment(inertia.mass, inertia.moment)


def _handed_on(
    body: Body, whole: _Momentum, X: JointTransform, moving: _Moving
) -> tuple[_Momentum, tuple[Scalar, Scalar]]:
    momentum, mass = whole
    velocity, gravity = moving
    h = named(momentum, f"h{body.number}")
    bias = _weight(mass, gravity) - velocity.cross_force(h)
    handed = MassMoment(mass.mass, X.mass_moment(mass.mass, mass.moment))
    along = body.joint.kind.component(h), body.joint.kind.component(bias)
    return (X.force(h), handed), along


def _weight(mass: MassMoment, gravity: Vector) -> Force:
    return Force(mass.moment.cross(gravity), gravity * mass.mass)
