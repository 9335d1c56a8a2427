"""How the moments of mass of what a joint moves change with time, about the joint's own origin.

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
from robcogen_ros.algorithms.mechanics.joints import AXIS, JointTransform
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Joint, Robot
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
        """Of one link that turns.

        Args:
            inertia: Its inertia.
            w2: Twice its angular velocity [rad/s].
        """
        turned = skew(w2) @ inertia.tensor.second_moments().matrix()
        return cls(w2.cross(inertia.moment), turned)

    def with_subtree(
        self, X: JointTransform, arm_rate: Vector, inertia: SpatialInertia, rates: MomentRates
    ) -> MomentRates:
        """Together with those of a subtree on the link.

        Args:
            X: The transform to the subtree's first link.
            arm_rate: Twice the velocity of its origin relative to this link's.
            inertia: Its composite inertia.
            rates: Its rates.
        """
        p = X.pose.translation
        first = X.turned(rates.first)
        moment = X.turned(inertia.moment) + p * inertia.mass
        second = X.turned_matrix(rates.second)
        second = second + _outer(first, p) + _outer(arm_rate, moment)
        first = first + arm_rate * inertia.mass
        return MomentRates(self.first + first, self.second + second)

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
    if not joint.prismatic:
        return velocity
    return velocity + X.fixed.rotation.apply(AXIS * (rate + rate))


def moment_rates(
    robot: Robot,
    transforms: Sequence[JointTransform],
    composite: Sequence[SpatialInertia],
    w2: Sequence[Vector],
    arm_rates: Sequence[Vector],
) -> list[MomentRates]:
    """Rates of the moments of each link's subtree, base first.

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        composite: Composite inertia of each link.
        w2: Twice the angular velocity of each link.
        arm_rates: `arm_rate` of each joint.
    """
    rates = []
    for i, (link, twice) in enumerate(zip(robot.links, w2, strict=True)):
        step(f"link {i}, {link.name}: rates of its moments")
        rates.append(MomentRates.of_link(link.inertia, twice))
    for joint, X, u in zip(
        reversed(robot.joints), reversed(transforms), reversed(arm_rates), strict=True
    ):
        i, parent = joint.successor, joint.predecessor
        step(f"rates of the moments beyond link {parent}, {robot.links[parent].name}")
        whole = rates[parent].with_subtree(X, u, composite[i], rates[i])
        rates[parent] = MomentRates(
            named(whole.first, f"k{parent}"), named(whole.second, f"K{parent}")
        )
    return rates


def _outer(a: Vector, b: Vector) -> Matrix3:
    """a b'."""
    return Matrix3(b * a.x, b * a.y, b * a.z)
