"""The matrices of the first derivatives of inverse dynamics; `motion` says how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from robcogen_ros.algorithms.annotate import named
from robcogen_ros.algorithms.mechanics.composite_inertia import Matrix, composite_inertias
from robcogen_ros.algorithms.mechanics.derivatives.moment_rates import (
    MomentRates,
    Turning,
    moment_rates,
    turnings,
)
from robcogen_ros.algorithms.mechanics.derivatives.motion import AxisMotion, Sensitivity
from robcogen_ros.algorithms.mechanics.joints import JointTransform, joint_rates
from robcogen_ros.algorithms.mechanics.link_motion import LinkMotion, link_motions
from robcogen_ros.algorithms.mechanics.newton_euler import net_forces
from robcogen_ros.algorithms.sweeps import Body, sweeps
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import Force, MotionVector, SpatialInertia, Vector

_UNITS = (Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1))


@dataclass(frozen=True, slots=True)
class Derivatives:
    """Derivatives of the forces [base wrench; tau], N = n or, of a floating base, 6 + n.

    Attributes:
        q: (N, N) by positions; those of a floating base are small turns, then shifts of it, in its
            own coordinates.
        qd: (N, N) by velocities.
        qdd: (N, N) by accelerations: the inertia matrix.
    """

    q: Matrix
    qd: Matrix
    qdd: Matrix


def inverse_dynamics_derivatives(
    robot: Robot,
    transforms: Sequence[JointTransform],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    base_velocity: MotionVector,
    base_acceleration: MotionVector,
    gravity: Vector,
    external_forces: Sequence[Force],
) -> Derivatives:
    """Derivatives of the forces that give a motion.

    Args:
        robot: The robot, n coordinates.
        transforms: Transform across each joint.
        qd: (n,) velocities [rad/s or m/s].
        qdd: (n,) accelerations [rad/s^2 or m/s^2].
        base_velocity: Spatial velocity of the base, base coordinates.
        base_acceleration: Spatial acceleration of the base, base coordinates.
        gravity: Acceleration of free fall, base coordinates; the same in space as the base turns.
        external_forces: Wrench on each link, link coordinates; it turns with the link.
    """
    start = LinkMotion.of_base(base_velocity, base_acceleration - MotionVector(Vector(), gravity))
    rates = joint_rates(robot, qd)
    motions = link_motions(robot, transforms, rates, joint_rates(robot, qdd), start)
    turning = turnings(robot, transforms, motions, rates)
    composite = composite_inertias(robot, transforms)
    changes = moment_rates(robot, transforms, composite, turning)
    force = _subtree_forces(robot, transforms, net_forces(robot, motions, external_forces))
    tree = sweeps(robot)
    axes = tree.each("{joint}: motion of its axis", _axis_motion, motions[1:], turning[1:])
    beyond = composite[1:], changes[1:], force
    own = tree.each("{joint}: derivatives of its force", _of_joint, axes, *beyond)
    title = "{joint}: derivatives of its force, and by its motion"
    found = tree.walk(title, _passed, own, transforms, turning[1:], axes)
    table = _Table(robot)
    for i, j, entry in found.entries:
        table.pair(robot.joints[i], robot.joints[j], entry)
    if robot.floating_base:
        title = "{joint}: derivatives of its force by the base, and of the base's by its motion"
        of_base = tree.each(title, partial(_with_base, base_velocity, gravity), found.ends)
        for joint, entries in zip(robot.joints, of_base, strict=True):
            table.base(joint, entries)
        table.of_base(composite[0], changes[0], base_velocity, gravity)
    return table.derivatives


def _subtree_forces(
    robot: Robot, transforms: Sequence[JointTransform], net: Sequence[Force]
) -> Sequence[Force]:
    """The force that moves all beyond each joint, link coordinates."""
    force, _ = sweeps(robot).inward("force on all beyond {predecessor}", _moved, net, transforms)
    return force


def _moved(body: Body, force: Force, X: JointTransform) -> tuple[Force, Force]:
    force = named(force, f"f{body.number}")
    return X.force(force), force


def _axis_motion(body: Body, motion: LinkMotion, turning: Turning) -> AxisMotion:
    return AxisMotion.of(body.joint, motion, turning.w2)


def _of_joint(
    body: Body, axis: AxisMotion, composite: SpatialInertia, rates: MomentRates, force: Force
) -> Sensitivity:
    at = Sensitivity.of_joint(body.joint, axis, composite, rates, force)
    return at.named(f"{body.number}_{body.number}")


class _Entries(NamedTuple):
    """Entries of a joint i and a joint j that carries it, or is it."""

    i_by_q_j: Scalar
    i_by_qd_j: Scalar
    j_by_q_i: Scalar
    j_by_qd_i: Scalar
    inertia: Scalar


def _passed(
    body: Body, at: Sensitivity, X: JointTransform, turning: Turning, axis: AxisMotion
) -> tuple[Sensitivity, _Entries]:
    entries = _Entries(
        at.by_position(axis),
        at.by_velocity(axis),
        *(body.joint.kind.component(force) for force in (at.Q, at.P, at.F)),
    )
    return at.before(X, turning.arm_rate).named(body.predecessor), entries


def _with_base(
    velocity: MotionVector, gravity: Vector, _: Body, at: Sensitivity
) -> tuple[tuple[Force, Force], ...]:
    """Derivatives of the joint's force by the base, and of the base's by the joint.

    By positions, by velocities, by accelerations.
    """
    n, f = at.F.angular, at.F.linear
    w, v = velocity.angular, velocity.linear
    return (
        (Force(gravity.cross(f), Vector()), at.Q),
        (Force(at.G + n.cross(w) + v.cross(f), f.cross(w)), at.P),
        (at.F, at.F),
    )


class _Table:
    """The matrices while they are filled; joints that follow a coordinate are summed on it."""

    def __init__(self, robot: Robot) -> None:
        self._first = 6 if robot.floating_base else 0
        size = robot.n + self._first
        self.derivatives = Derivatives(*([[0] * size for _ in range(size)] for _ in range(3)))

    def pair(self, joint: Joint, above: Joint, entries: _Entries) -> None:
        """The entries of a joint with one that carries it, or with itself."""
        of = self.derivatives
        self._add(of.q, joint, above, entries.i_by_q_j)
        self._add(of.qd, joint, above, entries.i_by_qd_j)
        self._add(of.qdd, joint, above, entries.inertia)
        if joint is not above:
            self._add(of.q, above, joint, entries.j_by_q_i)
            self._add(of.qd, above, joint, entries.j_by_qd_i)
            self._add(of.qdd, above, joint, entries.inertia)

    def base(self, joint: Joint, entries: Sequence[tuple[Force, Force]]) -> None:
        """The entries of a joint with a floating base."""
        of, k = self.derivatives, self._first + joint.coordinate
        for matrix, (by_base, of_base) in zip((of.q, of.qd, of.qdd), entries, strict=True):
            for c, (along, across) in enumerate(zip(by_base, of_base, strict=True)):
                matrix[k][c] = matrix[k][c] + along * joint.multiplier
                matrix[c][k] = matrix[c][k] + across * joint.multiplier

    def of_base(
        self, inertia: SpatialInertia, rates: MomentRates, velocity: MotionVector, gravity: Vector
    ) -> None:
        """The entries of a floating base with itself."""
        of, w, v = self.derivatives, velocity.angular, velocity.linear
        for c, e in enumerate(_UNITS):
            self._column(of.q, c, inertia.apply(MotionVector(Vector(), e.cross(gravity))))
            coriolis = Force(rates.turned_by(e), e.cross(rates.first))
            self._column(of.qd, c, inertia.apply(MotionVector(w.cross(e), e.cross(v))) + coriolis)
            self._column(of.qd, 3 + c, inertia.apply(MotionVector(Vector(), w.cross(e))))
            self._column(of.qdd, c, inertia.apply(MotionVector(e, Vector())))
            self._column(of.qdd, 3 + c, inertia.apply(MotionVector(Vector(), e)))

    def _add(self, matrix: Matrix, row: Joint, column: Joint, entry: Scalar) -> None:
        r, c = self._first + row.coordinate, self._first + column.coordinate
        matrix[r][c] = matrix[r][c] + entry * (row.multiplier * column.multiplier)

    @staticmethod
    def _column(matrix: Matrix, column: int, force: Force) -> None:
        for row, entry in enumerate(force):
            matrix[row][column] = entry
