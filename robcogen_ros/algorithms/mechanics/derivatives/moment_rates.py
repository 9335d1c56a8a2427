"""Rates of the moments of mass of what a joint moves, about the joint's own origin.

With x the position of a point of mass relative to the origin of link i, and dx/dt its velocity
relative to that origin, in axes at rest:

    K_i = 2 int dx/dt x' dm        k_i = 2 int dx/dt dm = 2 dh_i/dt
    K_i = 2 [w_i]x S_i,  k_i = 2 w_i x h_i                  of link i alone
    K_l += R K_i R' + (R k_i) p' + u (R h_i + m_i p)',  k_l += R k_i + m_i u,  u = 2 dp/dt

summed over the subtree beyond link i; R, p: pose of link i in link l. The antisymmetric part of K
is the angular momentum, the symmetric one tells how the second moments change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.mechanics.joints import JointTransform
from robcogen_ros.algorithms.mechanics.link_motion import LinkMotion
from robcogen_ros.algorithms.sweeps import Body, on_links, sweeps
from robcogen_ros.model.joint_kinds import AXIS
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import Matrix3, SpatialInertia, Vector, skew


@dataclass(frozen=True, slots=True)
class MomentRates:
    """Twice the rates of the moments of a subtree, in link coordinates.

    Attributes:
        first: 2 dh/dt [kg m/s].
        second: 2 int dx/dt x' dm [kg m^2/s].
    """

    first: Vector
    second: Matrix3

    @classmethod
    def of_link(cls, inertia: SpatialInertia, w2: Vector) -> MomentRates:
        """Returns the rates of one link that turns.

        Args:
            inertia: Its inertia.
            w2: Twice its angular velocity [rad/s].
        """
        turned = skew(w2) @ inertia.tensor.second_moments().matrix()
        return cls(w2.cross(inertia.moment), turned)

    def __add__(self, other: MomentRates) -> MomentRates:
        return MomentRates(self.first + other.first, self.second + other.second)

    def onto(self, X: JointTransform, arm_rate: Vector, inertia: SpatialInertia) -> MomentRates:
        """Returns the subtree's rates about the predecessor's origin, in its coordinates.

        Args:
            X: The transform to the subtree's first link.
            arm_rate: Twice the velocity of its origin relative to the predecessor's.
            inertia: Its composite inertia.
        """
        p = X.pose.translation
        first = X.turned(self.first)
        moment = X.turned(inertia.moment) + p * inertia.mass
        second = X.turned_matrix(self.second)
        second = second + _outer(first, p) + _outer(arm_rate, moment)
        return MomentRates(first + arm_rate * inertia.mass, second)

    def named(self, i: str) -> MomentRates:
        """Returns these rates with names for their parts, those of link i."""
        return MomentRates(named(self.first, f"k{i}"), named(self.second, f"K{i}"))

    def turned_by(self, c: Vector) -> Vector:
        """int x x (c x 2 dx/dt) dm = (tr K) c - K c."""
        K = self.second
        (xx, yy, zz) = K.x.x, K.y.y, K.z.z
        return Vector(
            (yy + zz) * c.x - K.x.y * c.y - K.x.z * c.z,
            (xx + zz) * c.y - K.y.x * c.x - K.y.z * c.z,
            (xx + yy) * c.z - K.z.x * c.x - K.z.y * c.y,
        )

    def axis_row(self) -> Vector:
        """z' (tr K - K): what `turned_by` has along z, as a row."""
        K = self.second
        return Vector(-K.z.x, -K.z.y, K.x.x + K.y.y)


def arm_rate(joint: Joint, X: JointTransform, w2: Vector, rate: Scalar) -> Vector:
    """Twice the velocity of a joint's successor's origin relative to its predecessor's.

    Args:
        joint: The joint.
        X: The transform across it.
        w2: Twice the angular velocity of the predecessor.
        rate: The joint's velocity.
    """
    velocity = w2.cross(X.pose.translation)
    if not joint.kind.slides:
        return velocity
    travel = joint.kind.travel(rate)
    return velocity + X.fixed.rotation.apply(AXIS * (travel + travel))


@dataclass(frozen=True, slots=True)
class Turning:
    """Rates at which a link turns and its origin moves.

    Attributes:
        w2: Twice its angular velocity [rad/s].
        arm_rate: Twice the velocity of its origin relative to its predecessor's [m/s].
    """

    w2: Vector
    arm_rate: Vector = Vector()


def turnings(
    robot: Robot,
    transforms: Sequence[JointTransform],
    motions: Sequence[LinkMotion],
    rates: Sequence[Scalar],
) -> Sequence[Turning]:
    """Returns the rates of all links, base first.

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        motions: Motion of each link.
        rates: Velocity of each joint.
    """
    w = motions[0].w
    title = "{joint}: velocity of its frame on {predecessor}"
    base, beyond = Turning(w + w), motions[1:]
    return sweeps(robot).outward(title, _turning, base, transforms, beyond, rates)


def _turning(
    body: Body, before: Turning, X: JointTransform, motion: LinkMotion, rate: Scalar
) -> Turning:
    return Turning(
        named(motion.w + motion.w, f"twice_w{body.number}"),
        named(arm_rate(body.joint, X, before.w2, rate), f"twice_pd{body.number}"),
    )


def moment_rates(
    robot: Robot,
    transforms: Sequence[JointTransform],
    composite: Sequence[SpatialInertia],
    turning: Sequence[Turning],
) -> Sequence[MomentRates]:
    """Rates of the moments of each link's subtree, base first.

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        composite: Composite inertia of each link.
        turning: How each link turns.
    """
    tree, base = sweeps(robot), robot.links[0]
    step(f"link 0, {base.name}: rates of its moments")
    of_base = MomentRates.of_link(base.inertia, turning[0].w2)
    own = tree.each("{link}: rates of its moments", _own_rates, turning[1:])
    title = "rates of the moments beyond {predecessor}"
    beyond = transforms, composite[1:], turning[1:]
    rates, whole = tree.inward(title, _handed_on, on_links(of_base, own), *beyond)
    return on_links(whole.named("0"), rates)


def _own_rates(body: Body, turning: Turning) -> MomentRates:
    return MomentRates.of_link(body.link.inertia, turning.w2)


def _handed_on(
    body: Body,
    total: MomentRates,
    X: JointTransform,
    composite: SpatialInertia,
    turning: Turning,
) -> tuple[MomentRates, MomentRates]:
    total = total.named(body.number)
    return total.onto(X, turning.arm_rate, composite), total


def _outer(a: Vector, b: Vector) -> Matrix3:
    """a b'."""
    return Matrix3(b * a.x, b * a.y, b * a.z)
