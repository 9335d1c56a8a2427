"""Poses, spatial vectors and inertias, over any scalar.

Spatial vectors are angular first: motion [w; v], force [n; f] (Featherstone, Rigid Body Dynamics
Algorithms, 2008, chapter 2). A pose A_X_B maps coordinates in B to coordinates in A. Vectors and
rotations, of which they are made, are imported from here as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from robcogen_ros.model.record import record
from robcogen_ros.model.scalars.operation import Scalar, is_zero
from robcogen_ros.model.vectors import (
    IDENTITY,
    Lift,
    Matrix3,
    PlainRotation,
    RotationZ,
    Symmetric3,
    Vector,
    rotation_x,
    rotation_y,
    rotation_z,
    skew,
)

__all__ = [
    "IDENTITY",
    "Force",
    "Lift",
    "Matrix3",
    "MotionVector",
    "PlainRotation",
    "Pose",
    "RotationZ",
    "SpatialInertia",
    "Symmetric3",
    "Vector",
    "rotation_x",
    "rotation_y",
    "rotation_z",
    "skew",
]


@record(frozen=True, slots=True)
class MotionVector:
    """A spatial motion vector: velocity or acceleration, [w; v]."""

    angular: Vector = Vector()
    linear: Vector = Vector()

    def __iter__(self) -> Iterator[Scalar]:
        return iter((*self.angular, *self.linear))

    def __add__(self, other: MotionVector) -> MotionVector:
        return MotionVector(self.angular + other.angular, self.linear + other.linear)

    def __sub__(self, other: MotionVector) -> MotionVector:
        return MotionVector(self.angular - other.angular, self.linear - other.linear)

    def __mul__(self, factor: Scalar) -> MotionVector:
        return MotionVector(self.angular * factor, self.linear * factor)

    def cross_motion(self, other: MotionVector) -> MotionVector:
        """v x m (Featherstone 2008, eq. 2.31)."""
        return MotionVector(
            self.angular.cross(other.angular),
            self.angular.cross(other.linear) + self.linear.cross(other.angular),
        )

    def cross_force(self, force: Force) -> Force:
        """v x* f (Featherstone 2008, eq. 2.32)."""
        return Force(
            self.angular.cross(force.angular) + self.linear.cross(force.linear),
            self.angular.cross(force.linear),
        )

    def dot(self, force: Force) -> Scalar:
        """Power of a force on a motion."""
        return self.angular.dot(force.angular) + self.linear.dot(force.linear)

    @classmethod
    def of(cls, values: Sequence[Scalar]) -> MotionVector:
        """Returns the motion of six values, angular first."""
        return cls(Vector(*values[:3]), Vector(*values[3:6]))


@record(frozen=True, slots=True)
class Force:
    """A spatial force vector, [n; f]: moment about the origin, force."""

    angular: Vector = Vector()
    linear: Vector = Vector()

    def __iter__(self) -> Iterator[Scalar]:
        return iter((*self.angular, *self.linear))

    def __add__(self, other: Force) -> Force:
        return Force(self.angular + other.angular, self.linear + other.linear)

    def __sub__(self, other: Force) -> Force:
        return Force(self.angular - other.angular, self.linear - other.linear)

    def __mul__(self, factor: Scalar) -> Force:
        return Force(self.angular * factor, self.linear * factor)

    @classmethod
    def of(cls, values: Sequence[Scalar]) -> Force:
        """Returns the force of six values, moment first."""
        return cls(Vector(*values[:3]), Vector(*values[3:6]))


@record(frozen=True, slots=True)
class Pose:
    """The pose A_X_B of frame B in frame A: rotation A_R_B, position of B's origin in A [m]."""

    rotation: Matrix3 = IDENTITY
    translation: Vector = Vector()

    def __matmul__(self, other: Pose) -> Pose:
        return Pose(self.rotation @ other.rotation, self.point(other.translation))

    def inverse(self) -> Pose:
        """B_X_A."""
        back = self.rotation.transposed()
        return Pose(back, -back.apply(self.translation))

    def point(self, point: Vector) -> Vector:
        """Coordinates in A of a point given in B."""
        return self.rotation.apply(point) + self.translation

    def motion(self, motion: MotionVector) -> MotionVector:
        """A motion vector's coordinates in A, from those in B (Featherstone 2008, eq. 2.24)."""
        angular = self.rotation.apply(motion.angular)
        linear = self.rotation.apply(motion.linear)
        return MotionVector(angular, linear + self.translation.cross(angular))

    def motion_back(self, motion: MotionVector) -> MotionVector:
        """A motion vector's coordinates in B, from those in A."""
        back = self.rotation.transposed()
        linear = motion.linear + motion.angular.cross(self.translation)
        return MotionVector(back.apply(motion.angular), back.apply(linear))

    def force(self, force: Force) -> Force:
        """A force vector's coordinates in A, from those in B (Featherstone 2008, eq. 2.25)."""
        linear = self.rotation.apply(force.linear)
        return Force(self.rotation.apply(force.angular) + self.translation.cross(linear), linear)

    def force_back(self, force: Force) -> Force:
        """A force vector's coordinates in B, from those in A."""
        back = self.rotation.transposed()
        angular = force.angular - self.translation.cross(force.linear)
        return Force(back.apply(angular), back.apply(force.linear))

    def inertia(self, inertia: SpatialInertia, starts: str = "xy") -> SpatialInertia:
        """An inertia in A's coordinates, from B's (Featherstone 2008, eq. 2.66).

        Args:
            inertia: The inertia in B's coordinates.
            starts: How its tensor is turned, see `RotationZ.rotate_symmetric`.
        """
        p = self.translation
        rotated = self.rotation.apply(inertia.moment)
        moment = rotated + p * inertia.mass
        tensor = self.rotation.rotate_symmetric(inertia.tensor, starts)
        return SpatialInertia(inertia.mass, moment, tensor + _shifted(p, rotated, moment))

    def map(self, lift: Lift) -> Pose:
        """The pose over another scalar."""
        return Pose(self.rotation.map(lift), self.translation.map(lift))


def _shifted(p: Vector, before: Vector, after: Vector) -> Symmetric3:
    """Returns the change of a tensor when the origin moves by -p: p.(a+b) 1 - (p b' + a p')."""
    xx, yy, zz = (u * (v + w) for u, v, w in zip(p, before, after, strict=True))
    return Symmetric3(
        yy + zz,
        -(p.x * before.y + after.x * p.y),
        -(p.x * before.z + after.x * p.z),
        xx + zz,
        -(p.y * before.z + after.y * p.z),
        xx + yy,
    )


@record(frozen=True, slots=True)
class SpatialInertia:
    """Inertia of a rigid body about a frame's origin, in its coordinates.

    Attributes:
        mass: Mass [kg].
        moment: First moment of mass m c [kg m].
        tensor: Rotational inertia about the origin [kg m^2], tensor entries.
    """

    mass: Scalar = 0
    moment: Vector = Vector()
    tensor: Symmetric3 = Symmetric3()

    @classmethod
    def about_center(cls, mass: Scalar, center: Vector, tensor: Symmetric3) -> SpatialInertia:
        """Returns the inertia by center of mass and tensor about it, in the frame's orientation."""
        if all(map(is_zero, center)):
            return cls(mass, center, tensor)
        return Pose(translation=center).inertia(cls(mass, Vector(), tensor))

    def __add__(self, other: SpatialInertia) -> SpatialInertia:
        return SpatialInertia(
            self.mass + other.mass, self.moment + other.moment, self.tensor + other.tensor
        )

    def __sub__(self, other: SpatialInertia) -> SpatialInertia:
        return SpatialInertia(
            self.mass - other.mass, self.moment - other.moment, self.tensor - other.tensor
        )

    def apply(self, motion: MotionVector) -> Force:
        """Momentum of a velocity, or force of an acceleration: I v."""
        w, v = motion.angular, motion.linear
        return Force(
            self.tensor.apply(w) + self.moment.cross(v), v * self.mass - self.moment.cross(w)
        )

    def map(self, lift: Lift) -> SpatialInertia:
        """The inertia over another scalar."""
        return SpatialInertia(lift(self.mass), self.moment.map(lift), self.tensor.map(lift))
