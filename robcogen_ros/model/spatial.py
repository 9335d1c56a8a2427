"""Vectors, rotations, poses, spatial vectors and inertias, over any scalar.

Spatial vectors are angular first: motion [w; v], force [n; f] (Featherstone, Rigid Body Dynamics
Algorithms, 2008, chapter 2). A pose A_X_B maps coordinates in B to coordinates in A. The integers
0 and 1 are exact zeros and ones, which symbolic scalars fold away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from robcogen_ros.model.operation import Scalar, cos, sin

Lift = Callable[[Scalar], Scalar]


@dataclass(frozen=True, slots=True)
class Vector:
    """A 3-vector."""

    x: Scalar = 0
    y: Scalar = 0
    z: Scalar = 0

    def __iter__(self) -> Iterator[Scalar]:
        return iter((self.x, self.y, self.z))

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: Vector) -> Vector:
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def __neg__(self) -> Vector:
        return Vector(-self.x, -self.y, -self.z)

    def __mul__(self, factor: Scalar) -> Vector:
        return Vector(self.x * factor, self.y * factor, self.z * factor)

    def dot(self, other: Vector) -> Scalar:
        """Scalar product."""
        return self.x * other.x + self.y * other.y + self.z * other.z

    def cross(self, other: Vector) -> Vector:
        """Vector product self x other."""
        return Vector(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )

    def map(self, lift: Lift) -> Vector:
        """The vector over another scalar."""
        return Vector(lift(self.x), lift(self.y), lift(self.z))


@dataclass(frozen=True, slots=True)
class Matrix3:
    """A 3x3 matrix given by its rows; a rotation A_R_B maps coordinates in B to A."""

    x: Vector
    y: Vector
    z: Vector

    def __iter__(self) -> Iterator[Vector]:
        return iter((self.x, self.y, self.z))

    def __matmul__(self, other: Matrix3) -> Matrix3:
        columns = other.transposed()
        return Matrix3(*(Vector(*(row.dot(column) for column in columns)) for row in self))

    def __add__(self, other: Matrix3) -> Matrix3:
        return Matrix3(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: Matrix3) -> Matrix3:
        return Matrix3(self.x - other.x, self.y - other.y, self.z - other.z)

    def apply(self, vector: Vector) -> Vector:
        """The product with a column."""
        return Vector(self.x.dot(vector), self.y.dot(vector), self.z.dot(vector))

    def transposed(self) -> Matrix3:
        """The transpose; of a rotation, the inverse."""
        return Matrix3(*(Vector(*column) for column in zip(self.x, self.y, self.z, strict=True)))

    def rotate_symmetric(self, tensor: Symmetric3) -> Symmetric3:
        """R T R' for this rotation R."""
        half = self @ tensor.matrix()
        x, y, z = self
        return Symmetric3(
            half.x.dot(x), half.x.dot(y), half.x.dot(z), half.y.dot(y), half.y.dot(z), half.z.dot(z)
        )

    def rotate_matrix(self, matrix: Matrix3) -> Matrix3:
        """R M R' for this rotation R."""
        return self @ matrix @ self.transposed()

    def map(self, lift: Lift) -> Matrix3:
        """The matrix over another scalar."""
        return Matrix3(self.x.map(lift), self.y.map(lift), self.z.map(lift))


@dataclass(frozen=True, slots=True)
class RotationZ(Matrix3):
    """The rotation about z by an angle of the given cosine and sine."""

    @classmethod
    def of(cls, c: Scalar, s: Scalar) -> RotationZ:
        """From cosine and sine."""
        return cls(Vector(c, -s, 0), Vector(s, c, 0), Vector(0, 0, 1))

    def rotate_symmetric(self, tensor: Symmetric3) -> Symmetric3:
        """R T R' with four products for the upper block.

        With u = s (xx - yy) + 2 c xy: xx' = xx - s u, yy' = yy + s u, xy' = c u - xy.
        """
        c, s = self.x.x, self.y.x
        u = s * (tensor.xx - tensor.yy) + c * (tensor.xy + tensor.xy)
        su = s * u
        return Symmetric3(
            tensor.xx - su,
            c * u - tensor.xy,
            c * tensor.xz - s * tensor.yz,
            tensor.yy + su,
            s * tensor.xz + c * tensor.yz,
            tensor.zz,
        )

    def rotate_matrix(self, matrix: Matrix3) -> Matrix3:
        """R M R' with four products for the upper block, as for a symmetric one.

        With u = s (xx - yy) + c (xy + yx): xx' = xx - s u, yy' = yy + s u, xy' = c u - yx.
        """
        c, s = self.x.x, self.y.x
        x, y, z = matrix
        u = s * (x.x - y.y) + c * (x.y + y.x)
        su, cu = s * u, c * u
        return Matrix3(
            Vector(x.x - su, cu - y.x, c * x.z - s * y.z),
            Vector(cu - x.y, y.y + su, s * x.z + c * y.z),
            Vector(c * z.x - s * z.y, s * z.x + c * z.y, z.z),
        )


@dataclass(frozen=True, slots=True)
class Symmetric3:
    """A symmetric 3x3 matrix, such as a tensor of inertia (off-diagonals as in the tensor)."""

    xx: Scalar = 0
    xy: Scalar = 0
    xz: Scalar = 0
    yy: Scalar = 0
    yz: Scalar = 0
    zz: Scalar = 0

    def __iter__(self) -> Iterator[Scalar]:
        return iter((self.xx, self.xy, self.xz, self.yy, self.yz, self.zz))

    def __add__(self, other: Symmetric3) -> Symmetric3:
        return Symmetric3(*(a + b for a, b in zip(self, other, strict=True)))

    def __sub__(self, other: Symmetric3) -> Symmetric3:
        return Symmetric3(*(a - b for a, b in zip(self, other, strict=True)))

    def __mul__(self, factor: Scalar) -> Symmetric3:
        return Symmetric3(*(a * factor for a in self))

    def apply(self, vector: Vector) -> Vector:
        """The product with a column."""
        return self.matrix().apply(vector)

    def second_moments(self) -> Symmetric3:
        """Of a tensor of inertia I, the integral of r r' over the mass: tr(I) / 2 - I."""
        half = (self.xx + self.yy + self.zz) / 2
        axial = (self.xx + self.yy - self.zz) / 2  # exactly zero of symbols too where zz = xx + yy
        return Symmetric3(half - self.xx, -self.xy, -self.xz, half - self.yy, -self.yz, axial)

    def matrix(self) -> Matrix3:
        """All nine entries."""
        return Matrix3(
            Vector(self.xx, self.xy, self.xz),
            Vector(self.xy, self.yy, self.yz),
            Vector(self.xz, self.yz, self.zz),
        )

    def map(self, lift: Lift) -> Symmetric3:
        """The matrix over another scalar."""
        return Symmetric3(*(lift(a) for a in self))


IDENTITY = Matrix3(Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1))


def skew(v: Vector) -> Matrix3:
    """The matrix of v x."""
    return Matrix3(Vector(0, -v.z, v.y), Vector(v.z, 0, -v.x), Vector(-v.y, v.x, 0))


def rotation_x(angle: Scalar) -> Matrix3:
    """Rotation about x by an angle [rad]."""
    c, s = cos(angle), sin(angle)
    return Matrix3(Vector(1, 0, 0), Vector(0, c, -s), Vector(0, s, c))


def rotation_y(angle: Scalar) -> Matrix3:
    """Rotation about y by an angle [rad]."""
    c, s = cos(angle), sin(angle)
    return Matrix3(Vector(c, 0, s), Vector(0, 1, 0), Vector(-s, 0, c))


def rotation_z(angle: Scalar) -> Matrix3:
    """Rotation about z by an angle [rad]."""
    return RotationZ.of(cos(angle), sin(angle))


@dataclass(frozen=True, slots=True)
class Motion:
    """A spatial motion vector: velocity or acceleration, [w; v]."""

    angular: Vector = Vector()
    linear: Vector = Vector()

    def __iter__(self) -> Iterator[Scalar]:
        return iter((*self.angular, *self.linear))

    def __add__(self, other: Motion) -> Motion:
        return Motion(self.angular + other.angular, self.linear + other.linear)

    def __sub__(self, other: Motion) -> Motion:
        return Motion(self.angular - other.angular, self.linear - other.linear)

    def __mul__(self, factor: Scalar) -> Motion:
        return Motion(self.angular * factor, self.linear * factor)

    def cross_motion(self, other: Motion) -> Motion:
        """v x m (Featherstone 2008, eq. 2.31)."""
        return Motion(
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
    def of(cls, values: Sequence[Scalar]) -> Motion:
        """From six values, angular first."""
        return cls(Vector(*values[:3]), Vector(*values[3:6]))


@dataclass(frozen=True, slots=True)
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
        """From six values, moment first."""
        return cls(Vector(*values[:3]), Vector(*values[3:6]))


@dataclass(frozen=True, slots=True)
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

    def motion(self, motion: Motion) -> Motion:
        """A motion vector's coordinates in A, from those in B (Featherstone 2008, eq. 2.24)."""
        angular = self.rotation.apply(motion.angular)
        linear = self.rotation.apply(motion.linear)
        return Motion(angular, linear + self.translation.cross(angular))

    def motion_back(self, motion: Motion) -> Motion:
        """A motion vector's coordinates in B, from those in A."""
        back = self.rotation.transposed()
        linear = motion.linear + motion.angular.cross(self.translation)
        return Motion(back.apply(motion.angular), back.apply(linear))

    def force(self, force: Force) -> Force:
        """A force vector's coordinates in A, from those in B (Featherstone 2008, eq. 2.25)."""
        linear = self.rotation.apply(force.linear)
        return Force(self.rotation.apply(force.angular) + self.translation.cross(linear), linear)

    def force_back(self, force: Force) -> Force:
        """A force vector's coordinates in B, from those in A."""
        back = self.rotation.transposed()
        angular = force.angular - self.translation.cross(force.linear)
        return Force(back.apply(angular), back.apply(force.linear))

    def inertia(self, inertia: SpatialInertia) -> SpatialInertia:
        """An inertia in A's coordinates, from B's (Featherstone 2008, eq. 2.66)."""
        p = self.translation
        rotated = self.rotation.apply(inertia.moment)
        moment = rotated + p * inertia.mass
        tensor = self.rotation.rotate_symmetric(inertia.tensor)
        return SpatialInertia(inertia.mass, moment, tensor + _shifted(p, rotated, moment))

    def map(self, lift: Lift) -> Pose:
        """The pose over another scalar."""
        return Pose(self.rotation.map(lift), self.translation.map(lift))


def _shifted(p: Vector, before: Vector, after: Vector) -> Symmetric3:
    """What the tensor gains when the origin moves by -p: p.(a+b) 1 - (p b' + a p')."""
    xx, yy, zz = (u * (v + w) for u, v, w in zip(p, before, after, strict=True))
    return Symmetric3(
        yy + zz,
        -(p.x * before.y + after.x * p.y),
        -(p.x * before.z + after.x * p.z),
        xx + zz,
        -(p.y * before.z + after.y * p.z),
        xx + yy,
    )


@dataclass(frozen=True, slots=True)
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
        """From the center of mass and the tensor about it, in the frame's orientation."""
        return Pose(translation=center).inertia(cls(mass, Vector(), tensor))

    def __add__(self, other: SpatialInertia) -> SpatialInertia:
        return SpatialInertia(
            self.mass + other.mass, self.moment + other.moment, self.tensor + other.tensor
        )

    def __sub__(self, other: SpatialInertia) -> SpatialInertia:
        return SpatialInertia(
            self.mass - other.mass, self.moment - other.moment, self.tensor - other.tensor
        )

    def apply(self, motion: Motion) -> Force:
        """Momentum of a velocity, or force of an acceleration: I v."""
        w, v = motion.angular, motion.linear
        return Force(
            self.tensor.apply(w) + self.moment.cross(v), v * self.mass - self.moment.cross(w)
        )

    def map(self, lift: Lift) -> SpatialInertia:
        """The inertia over another scalar."""
        return SpatialInertia(lift(self.mass), self.moment.map(lift), self.tensor.map(lift))
