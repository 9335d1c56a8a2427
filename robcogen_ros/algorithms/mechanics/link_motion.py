"""Motion of links as Newton and Euler write it: angular velocity, and accelerations of points.

A point r of a link whose origin accelerates by a has the acceleration a + Omega r, with
Omega = [dw/dt]x + [w]x [w]x (called U by Khalil and Dombre, Modeling, Identification and Control of
Robots, 2002, section 9.5.2). All vectors are in the link's coordinates; linear velocities are not
needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.annotate import named, noted, step
from robcogen_ros.algorithms.mechanics.joints import JointTransform
from robcogen_ros.algorithms.sweeps import Body, sweeps
from robcogen_ros.model.joint_kinds import AXIS
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.scalars.operation import Scalar, is_zero
from robcogen_ros.model.spatial import (
    Force,
    Matrix3,
    MotionVector,
    SpatialInertia,
    Symmetric3,
    Vector,
)


@dataclass(frozen=True, slots=True)
class LinkMotion:
    """Motion of a link.

    Attributes:
        w: Angular velocity [rad/s].
        Omega: Acceleration of its points relative to its origin, per distance [1/s^2].
        wd: Angular acceleration [rad/s^2].
        a: Acceleration of its origin, less gravity [m/s^2].
    """

    w: Vector
    Omega: Matrix3
    wd: Vector
    a: Vector

    @classmethod
    def of(cls, w: Vector, wd: Vector, a: Vector) -> LinkMotion:
        """Returns the motion with a velocity and accelerations."""
        return cls(w, _relative_accelerations(w, wd), wd, a)

    @classmethod
    def of_base(cls, velocity: MotionVector, acceleration: MotionVector) -> LinkMotion:
        """Returns the motion from a link's spatial velocity, and acceleration less gravity."""
        step("base: velocity, acceleration")
        v, a = velocity, acceleration
        return cls.of(v.angular, a.angular, a.linear + v.angular.cross(v.linear)).named("0")

    def acceleration(self, v: Vector) -> MotionVector:
        """Returns the spatial acceleration less gravity, at a velocity v of the origin [m/s]."""
        return MotionVector(self.wd, self.a - self.w.cross(v))

    def named(self, i: str) -> LinkMotion:
        """Returns this motion with names for its parts, those of link i."""
        x, y, z = self.w
        named(Symmetric3(x * x, x * y, x * z, y * y, y * z, z * z), f"ww{i}")
        return LinkMotion(
            named(self.w, f"w{i}"),
            named(self.Omega, f"Omega{i}"),
            named(self.wd, f"wd{i}"),
            named(self.a, f"a{i}"),
        )

    def net_force(self, inertia: SpatialInertia, i: str = "") -> Force:
        """The force that the motion takes of a body fixed on link i.

        F = m a + Omega h, N = vee(Omega S - (Omega S)') + h x a, with S the second moments about
        the origin.
        """
        h = inertia.moment
        linear = self.a * inertia.mass + self.Omega.apply(h)
        S = noted(inertia.tensor.second_moments(), f"S{i}")
        return Force(self._moment(S) + h.cross(self.a), linear)

    def _moment(self, S: Symmetric3) -> Vector:
        """vee(Omega S - (Omega S)'): the integral of r x Omega r over the mass."""
        x, y, z = self.Omega
        xx, yy, zz = (component * component for component in self.w)
        return Vector(
            (z.y * S.yy - y.z * S.zz) + (zz - yy) * S.yz + z.x * S.xy - y.x * S.xz,
            (x.z * S.zz - z.x * S.xx) + (xx - zz) * S.xz + x.y * S.yz - z.y * S.xy,
            (y.x * S.xx - x.y * S.yy) + (yy - xx) * S.xy + y.z * S.xz - x.z * S.yz,
        )


def link_motions(
    robot: Robot,
    transforms: Sequence[JointTransform],
    rates: Sequence[Scalar],
    accelerations: Sequence[Scalar],
    base: LinkMotion,
) -> Sequence[LinkMotion]:
    """The motion of each link, base first.

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        rates: Velocity of each joint [rad/s or m/s].
        accelerations: Acceleration of each joint [rad/s^2 or m/s^2].
        base: Motion of the base.
    """
    title = "{link}: velocity, acceleration"
    return sweeps(robot).outward(title, _motion_beyond, base, transforms, rates, accelerations)


def _motion_beyond(
    body: Body, before: LinkMotion, X: JointTransform, rate: Scalar, change: Scalar
) -> LinkMotion:
    return motion_beyond(body, before, X, rate, change).named(body.number)


def motion_beyond(
    body: Body, before: LinkMotion, X: JointTransform, rate: Scalar, change: Scalar
) -> LinkMotion:
    """The motion of a joint's successor, from that of its predecessor.

    Args:
        body: The joint and its successor.
        before: Motion of its predecessor.
        X: The transform across it.
        rate: Its velocity [rad/s or m/s].
        change: Its acceleration [rad/s^2 or m/s^2].
    """
    i = body.number
    w, wd = X.turned_back(before.w), X.turned_back(before.wd)
    w = noted(w, f"w{body.predecessor}_in{i}")
    reached = before.a + before.Omega.apply(X.fixed.translation)
    a = X.turned_back(noted(reached, f"a{i}_in{body.predecessor}"))
    kind = body.joint.kind
    if kind.slides:
        turned = (w, wd) if kind.turns else (noted(w, f"w{i}"), noted(wd, f"wd{i}"))
        speed, Omega = kind.travel(rate), _relative_accelerations(*turned)
        slide = Omega.apply(X.moved.translation) + w.cross(AXIS * (speed + speed))
        a = a + slide + AXIS * kind.travel(change)
        if not kind.turns:
            return LinkMotion(w, Omega, wd, a)
    elif X.turns_by_right_angles:
        bends = any(map(_bends, body.children))
        return _around_axis(X, before, w + AXIS * rate, wd.z + change, a, bends)
    wd = wd + w.cross(AXIS * rate) + AXIS * change
    return LinkMotion.of(noted(w + AXIS * rate, f"w{i}"), noted(wd, f"wd{i}"), a)


def _bends(joint: Joint) -> bool:
    """Returns True if a joint needs its predecessor's angular acceleration across its axis."""
    x, y, _ = joint.pose.rotation
    return joint.kind.slides or not (is_zero(x.z) and is_zero(y.z))


def _around_axis(
    X: JointTransform, before: LinkMotion, w: Vector, wd_z: Scalar, a: Vector, bends: bool
) -> LinkMotion:
    """The motion of a link that turns, where the axis is one of its predecessor's.

    Points of the axis belong to both links: Omega z is the predecessor's. It tells what wd is
    across the axis, in fewer operations than turning wd would take. Where nothing asks for that,
    Omega' z follows from Omega + Omega' = 2 (w w' - w.w).
    """
    along = X.moved.rotation.transposed().apply(
        X.fixed.rotation.transposed().apply(before.Omega.apply(X.fixed.rotation.apply(AXIS)))
    )
    xx, yy, zz = w.x * w.x, w.y * w.y, w.z * w.z
    xy, xz, yz = w.x * w.y, w.x * w.z, w.y * w.z
    wd = Vector(yz - along.y, along.x - xz, wd_z)
    twice = w.z + w.z
    zx = xz - wd.y if bends or is_zero(along.x) else twice * w.x - along.x
    zy = yz + wd.x if bends or is_zero(along.y) else twice * w.y - along.y
    Omega = Matrix3(
        Vector(-(yy + zz), xy - wd_z, along.x),
        Vector(xy + wd_z, -(xx + zz), along.y),
        Vector(zx, zy, along.z),
    )
    return LinkMotion(w, Omega, wd, a)


def _relative_accelerations(w: Vector, wd: Vector) -> Matrix3:
    """Omega = [wd]x + [w]x [w]x = [wd]x + w w' - (w.w)."""
    xx, yy, zz = w.x * w.x, w.y * w.y, w.z * w.z
    xy, xz, yz = w.x * w.y, w.x * w.z, w.y * w.z
    return Matrix3(
        Vector(-(yy + zz), xy - wd.z, xz + wd.y),
        Vector(xy + wd.z, -(xx + zz), yz - wd.x),
        Vector(xz - wd.y, yz + wd.x, -(xx + yy)),
    )
