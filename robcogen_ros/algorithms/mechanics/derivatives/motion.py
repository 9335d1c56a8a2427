"""First derivatives of inverse dynamics by recursion, after Singh, Russell and Wensing (2022).

"Efficient analytical derivatives of rigid-body dynamics using spatial vector algebra", written here
with accelerations of points as in `newton_euler`: what a joint displaces by dr = z_j x (r - o_j) at
any time, it accelerates by d^2/dt^2 dr, so that over the subtree beyond link i, with j above i,

    dtau_i/dqd_j = F.n 2 dz_j + G z_j
    dtau_i/dq_j  = F.n ddz_j + G dz_j - F.f (z_j x a_j)
    dtau_j/dqd_i = S_j' P,  dtau_j/dq_i = S_j' Q,  dtau_i/dqdd_j = dtau_j/dqdd_i = S_j' F

z_j, dz_j, ddz_j: the axis and its derivatives; a_j: acceleration of its origin less gravity;
F, P, Q: forces, G: a row, of joint i about the origin of link j (`Sensitivity`). No linear velocity
is needed. Carpentier and Mansard (2018) take other intermediate results.
"""

from __future__ import annotations

from dataclasses import dataclass

from robcogen_ros.algorithms.annotate import named
from robcogen_ros.algorithms.mechanics.derivatives.moment_rates import MomentRates
from robcogen_ros.algorithms.mechanics.joints import JointTransform
from robcogen_ros.algorithms.mechanics.link_motion import LinkMotion
from robcogen_ros.model.joint_kinds import AXIS, PRISMATIC, REVOLUTE, JointKind
from robcogen_ros.model.robot import Joint
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import Force, SpatialInertia, Vector


@dataclass(frozen=True, slots=True)
class AxisMotion:
    """Motion of the axis of a joint, in the coordinates of its successor.

    Attributes:
        kind: Kind of the joint.
        change: dz, the rate of the axis [1/s].
        twice: 2 dz.
        acceleration: ddz [1/s^2].
        origin: Acceleration of the origin less gravity [m/s^2].
    """

    kind: JointKind
    change: Vector
    twice: Vector
    acceleration: Vector
    origin: Vector

    @classmethod
    def of(cls, joint: Joint, motion: LinkMotion, w2: Vector) -> AxisMotion:
        """Returns the motion of a joint's axis from its successor's; w2 is twice the velocity."""
        change, twice = motion.w.cross(AXIS), w2.cross(AXIS)
        return cls(joint.kind, change, twice, motion.Omega.apply(AXIS), motion.a)


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """Forces by the position and velocity of one joint, and by those of others on its own force.

    About the origin and in the coordinates of a link at or before the joint.

    Attributes:
        F: Force of a unit acceleration of the joint.
        G: The joint's force per `dz` of an axis before it, beyond what F tells.
        P: Change of the force with the joint's velocity.
        Q: Change of the force with the joint's position.
    """

    F: Force
    G: Vector
    P: Force
    Q: Force

    @classmethod
    def of_joint(
        cls,
        joint: Joint,
        axis: AxisMotion,
        inertia: SpatialInertia,
        rates: MomentRates,
        force: Force,
    ) -> Sensitivity:
        """Returns the sensitivity at the joint itself.

        Args:
            joint: The joint.
            axis: Motion of its axis.
            inertia: Composite inertia beyond it.
            rates: Rates of the moments beyond it.
            force: Force that moves what is beyond it.
        """
        return joint.kind.combined(
            turning=lambda: cls._turning(axis, inertia, rates, force),
            sliding=lambda: cls._sliding(axis, inertia, rates, force),
        )

    @classmethod
    def _sliding(
        cls, axis: AxisMotion, inertia: SpatialInertia, rates: MomentRates, force: Force
    ) -> Sensitivity:
        m, h, dz, ddz = inertia.mass, inertia.moment, axis.twice, axis.acceleration
        F = inertia.apply(PRISMATIC.motion(1))
        P = Force(h.cross(dz), dz * m)
        Q = Force(AXIS.cross(force.linear) + h.cross(ddz), ddz * m)
        return cls(F, rates.first.cross(AXIS), P, Q)

    @classmethod
    def _turning(
        cls, axis: AxisMotion, inertia: SpatialInertia, rates: MomentRates, force: Force
    ) -> Sensitivity:
        m, h, tensor = inertia.mass, inertia.moment, inertia.tensor
        F = inertia.apply(REVOLUTE.motion(1))
        dz, ddz, turning = axis.change, axis.acceleration, AXIS.cross(axis.origin)
        P = Force(
            tensor.apply(axis.twice) + rates.turned_by(AXIS),
            axis.twice.cross(h) + AXIS.cross(rates.first),
        )
        Q = Force(
            AXIS.cross(force.angular) + tensor.apply(ddz) + rates.turned_by(dz) - h.cross(turning),
            AXIS.cross(force.linear) - turning * m + ddz.cross(h) + dz.cross(rates.first),
        )
        return cls(F, rates.axis_row(), P, Q)

    def __add__(self, other: Sensitivity) -> Sensitivity:
        return Sensitivity(self.F + other.F, self.G + other.G, self.P + other.P, self.Q + other.Q)

    def __mul__(self, factor: Scalar) -> Sensitivity:
        return Sensitivity(self.F * factor, self.G * factor, self.P * factor, self.Q * factor)

    def before(self, X: JointTransform, arm_rate: Vector) -> Sensitivity:
        """Returns the sensitivity about the origin and in the coordinates of the predecessor.

        Args:
            X: The transform across the joint between.
            arm_rate: Twice the velocity of the successor's origin relative to the predecessor's.
        """
        F = X.force(self.F)
        G = X.turned(self.G) + arm_rate.cross(F.linear)
        return Sensitivity(F, G, X.force(self.P), X.force(self.Q))

    def named(self, at: str) -> Sensitivity:
        """Returns this sensitivity with names of the link at whose origin it is."""
        return Sensitivity(
            named(self.F, f"F{at}"),
            named(self.G, f"G{at}"),
            named(self.P, f"P{at}"),
            named(self.Q, f"Q{at}"),
        )

    def by_velocity(self, axis: AxisMotion) -> Scalar:
        """The joint's force, by the velocity of a joint at or before it."""
        return axis.kind.combined(
            turning=lambda: self.F.angular.dot(axis.twice) + self.G.z,
            sliding=lambda: self.F.linear.dot(axis.twice),
        )

    def by_position(self, axis: AxisMotion) -> Scalar:
        """The joint's force, by the position of a joint at or before it."""
        return axis.kind.combined(
            turning=lambda: (
                self.F.angular.dot(axis.acceleration)
                + self.G.dot(axis.change)
                - self.F.linear.dot(AXIS.cross(axis.origin))
            ),
            sliding=lambda: self.F.linear.dot(axis.acceleration),
        )
