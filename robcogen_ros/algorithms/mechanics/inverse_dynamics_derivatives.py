"""The matrices of the first derivatives of inverse dynamics; `motion_derivatives` says how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.mechanics.composite_inertia import Matrix, composite_inertias
from robcogen_ros.algorithms.mechanics.joints import JointTransform, axis_component, joint_rates
from robcogen_ros.algorithms.mechanics.link_motion import LinkMotion, link_motions
from robcogen_ros.algorithms.mechanics.moment_rates import MomentRates, arm_rate, moment_rates
from robcogen_ros.algorithms.mechanics.motion_derivatives import AxisMotion, Sensitivity
from robcogen_ros.algorithms.mechanics.newton_euler import net_forces
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.spatial import Force, Motion, SpatialInertia, Vector

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
    base_velocity: Motion,
    base_acceleration: Motion,
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
    start = LinkMotion.of_base(base_velocity, base_acceleration - Motion(Vector(), gravity))
    rates = joint_rates(robot, qd)
    motions = link_motions(robot, transforms, rates, joint_rates(robot, qdd), start)
    w2 = [motion.w + motion.w for motion in motions]
    arm_rates = [
        arm_rate(joint, X, w2[joint.predecessor], rate)
        for joint, X, rate in zip(robot.joints, transforms, rates, strict=True)
    ]
    composite = composite_inertias(robot, transforms)
    changes = moment_rates(robot, transforms, composite, w2, arm_rates)
    force = _subtree_forces(robot, transforms, net_forces(robot, motions, external_forces))
    axes = [
        AxisMotion.of(joint, motions[joint.successor], w2[joint.successor])
        for joint in robot.joints
    ]
    table = _Table(robot)
    for joint in robot.joints:
        i = joint.successor
        step(f"joint {joint.name}: derivatives of its force, and by its motion")
        at = Sensitivity.of_joint(joint, axes[i - 1], composite[i], changes[i], force[i])
        at = at.named(joint.successor, i)
        table.own(joint, at, axes[i - 1])
        while True:
            at = at.before(transforms[i - 1], arm_rates[i - 1])
            i = robot.joints[i - 1].predecessor
            at = at.named(joint.successor, i)
            if i == 0:
                break
            table.pair(joint, robot.joints[i - 1], at, axes[i - 1])
        if robot.floating_base:
            table.base(joint, at, base_velocity, gravity)
    if robot.floating_base:
        table.of_base(composite[0], changes[0], base_velocity, gravity)
    return table.derivatives


def _subtree_forces(
    robot: Robot, transforms: Sequence[JointTransform], force: list[Force]
) -> list[Force]:
    """The force that moves all beyond each joint, link coordinates."""
    for joint, X in zip(reversed(robot.joints), reversed(transforms), strict=True):
        i, parent = joint.successor, joint.predecessor
        step(f"force on all beyond link {parent}, {robot.links[parent].name}")
        force[parent] = named(force[parent] + X.force(force[i]), f"f{parent}")
    return force


class _Table:
    """The matrices while they are filled; joints that follow a coordinate are summed on it."""

    def __init__(self, robot: Robot) -> None:
        self._first = 6 if robot.floating_base else 0
        size = robot.n + self._first
        self.derivatives = Derivatives(*([[0] * size for _ in range(size)] for _ in range(3)))

    def own(self, joint: Joint, at: Sensitivity, axis: AxisMotion) -> None:
        """The entries of a joint with itself."""
        of = self.derivatives
        self._add(of.q, joint, joint, at.by_position(axis))
        self._add(of.qd, joint, joint, at.by_velocity(axis))
        self._add(of.qdd, joint, joint, axis_component(joint, at.F))

    def pair(self, joint: Joint, above: Joint, at: Sensitivity, axis: AxisMotion) -> None:
        """The entries of a joint with one above it, about the origin of that one's successor."""
        of = self.derivatives
        self._add(of.q, joint, above, at.by_position(axis))
        self._add(of.qd, joint, above, at.by_velocity(axis))
        self._add(of.q, above, joint, axis_component(above, at.Q))
        self._add(of.qd, above, joint, axis_component(above, at.P))
        for row, column in ((joint, above), (above, joint)):
            self._add(of.qdd, row, column, axis_component(above, at.F))

    def base(self, joint: Joint, at: Sensitivity, velocity: Motion, gravity: Vector) -> None:
        """The entries of a joint with a floating base."""
        of, k = self.derivatives, self._first + joint.coordinate
        n, f = at.F.angular, at.F.linear
        w, v = velocity.angular, velocity.linear
        rows = (
            (of.q, Force(gravity.cross(f), Vector()), at.Q),
            (of.qd, Force(at.G + n.cross(w) + v.cross(f), f.cross(w)), at.P),
            (of.qdd, at.F, at.F),
        )
        for matrix, by_base, of_base in rows:
            for c, (along, across) in enumerate(zip(by_base, of_base, strict=True)):
                matrix[k][c] = matrix[k][c] + along * joint.multiplier
                matrix[c][k] = matrix[c][k] + across * joint.multiplier

    def of_base(
        self, inertia: SpatialInertia, rates: MomentRates, velocity: Motion, gravity: Vector
    ) -> None:
        """The entries of a floating base with itself."""
        of, w, v = self.derivatives, velocity.angular, velocity.linear
        for c, e in enumerate(_UNITS):
            self._column(of.q, c, inertia.apply(Motion(Vector(), e.cross(gravity))))
            coriolis = Force(rates.turned_by(e), e.cross(rates.first))
            self._column(of.qd, c, inertia.apply(Motion(w.cross(e), e.cross(v))) + coriolis)
            self._column(of.qd, 3 + c, inertia.apply(Motion(Vector(), w.cross(e))))
            self._column(of.qdd, c, inertia.apply(Motion(e, Vector())))
            self._column(of.qdd, 3 + c, inertia.apply(Motion(Vector(), e)))

    def _add(self, matrix: Matrix, row: Joint, column: Joint, entry: Scalar) -> None:
        r, c = self._first + row.coordinate, self._first + column.coordinate
        matrix[r][c] = matrix[r][c] + entry * (row.multiplier * column.multiplier)

    @staticmethod
    def _column(matrix: Matrix, column: int, force: Force) -> None:
        for row, entry in enumerate(force):
            matrix[row][column] = entry
