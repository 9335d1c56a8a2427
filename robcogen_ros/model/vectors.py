"""Vectors, 3x3 matrices and rotations, over any scalar.

The integers 0 and 1 are exact zeros and ones, which symbolic scalars fold away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from robcogen_ros.model.record import record
from robcogen_ros.model.scalars.operation import Scalar, cos, is_zero, sin

Lift = Callable[[Scalar], Scalar]


@record(frozen=True, slots=True)
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

    def renamed(self, turns: int) -> Vector:
        """The vector on axes that are called x, y, z where they were y, z, x; once or twice."""
        x, y, z = self.x, self.y, self.z
        return Vector(y, z, x) if turns == 1 else Vector(z, x, y)

    def map(self, lift: Lift) -> Vector:
        """The vector over another scalar."""
        return Vector(lift(self.x), lift(self.y), lift(self.z))


@record(frozen=True, slots=True)
class Matrix3:
    """A 3x3 matrix given by its rows; a rotation A_R_B maps coordinates in B to A."""

    x: Vector
    y: Vector
    z: Vector

    def __iter__(self) -> Iterator[Vector]:
        return iter((self.x, self.y, self.z))

    def __matmul__(self, other: Matrix3) -> Matrix3:
        a, b, c = other.transposed()
        return Matrix3(*[Vector(row.dot(a), row.dot(b), row.dot(c)) for row in self])

    def __add__(self, other: Matrix3) -> Matrix3:
        return Matrix3(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: Matrix3) -> Matrix3:
        return Matrix3(self.x - other.x, self.y - other.y, self.z - other.z)

    def apply(self, vector: Vector) -> Vector:
        """The product with a column."""
        return Vector(self.x.dot(vector), self.y.dot(vector), self.z.dot(vector))

    def transposed(self) -> Matrix3:
        """The transpose; of a rotation, the inverse."""
        x, y, z = self.x, self.y, self.z
        return Matrix3(Vector(x.x, y.x, z.x), Vector(x.y, y.y, z.y), Vector(x.z, y.z, z.z))

    def rotate_symmetric(self, tensor: Symmetric3, starts: str = "xy") -> Symmetric3:
        """R T R' for this rotation R; one about an axis as `RotationZ` does, z being that axis."""
        for turns in (1, 2):
            about_z = self.renamed(turns).oblique_about_z()
            if about_z is not None:
                return about_z.rotate_symmetric(tensor.renamed(turns), starts).renamed(3 - turns)
        return _both_sides(self, tensor)

    def rotate_matrix(self, matrix: Matrix3) -> Matrix3:
        """R M R' for this rotation R."""
        for turns in (1, 2):
            about_z = self.renamed(turns).oblique_about_z()
            if about_z is not None:
                return about_z.rotate_matrix(matrix.renamed(turns)).renamed(3 - turns)
        return self @ matrix @ self.transposed()

    def renamed(self, turns: int) -> Matrix3:
        """The matrix on axes that are called x, y, z where they were y, z, x; once or twice."""
        rows = [row.renamed(turns) for row in self]
        return Matrix3(*rows[turns:], *rows[:turns])

    def oblique_about_z(self) -> RotationZ | None:
        """Returns it as a rotation about z, if it is one and not by a right angle; else None."""
        x, y, z = self
        if not (is_zero(x.z) and is_zero(y.z) and is_zero(z.x) and is_zero(z.y)):
            return None
        oblique = not is_zero(x.x) and not is_zero(y.x)
        return RotationZ.of(x.x, y.x) if oblique and is_zero(z.z - 1) else None

    def map(self, lift: Lift) -> Matrix3:
        """The matrix over another scalar."""
        return Matrix3(self.x.map(lift), self.y.map(lift), self.z.map(lift))


@record(frozen=True, slots=True)
class RotationZ(Matrix3):
    """The rotation about z by an angle of the given cosine and sine."""

    @classmethod
    def of(cls, c: Scalar, s: Scalar) -> RotationZ:
        """Returns the rotation with a cosine and a sine."""
        return cls(Vector(c, -s, 0), Vector(s, c, 0), Vector(0, 0, 1))

    def rotate_symmetric(self, tensor: Symmetric3, starts: str = "xy") -> Symmetric3:
        """R T R' with four products for the upper block, or seven.

        With u = s (xx - yy) + 2 c xy and w = c (yy - xx) + 2 s xy:
        xx' = xx - s u = yy - c w, yy' = yy + s u = xx + c w, xy' = c u - xy = xy - s w.
        An entry loses no digits if it starts from the smaller one of xx and yy.

        Args:
            tensor: T.
            starts: What xx' and yy' start from: "xy" stands for xx and yy, "yx" for the reverse;
                "xx" and "yy", for two times the same, take three products more.
        """
        c, s = self.x.x, self.y.x
        twice = tensor.xy + tensor.xy
        su = cw = xy = 0
        if starts != "yx":
            u = s * (tensor.xx - tensor.yy) + c * twice
            su, xy = s * u, c * u - tensor.xy
        if starts != "xy":
            w = c * (tensor.yy - tensor.xx) + s * twice
            cw, xy = c * w, tensor.xy - s * w
        return Symmetric3(
            tensor.xx - su if starts[0] == "x" else tensor.yy - cw,
            xy,
            c * tensor.xz - s * tensor.yz,
            tensor.yy + su if starts[1] == "y" else tensor.xx + cw,
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


@record(frozen=True, slots=True)
class PlainRotation(Matrix3):
    """A rotation that takes tensors the way that is written, R T R', also about an axis."""

    def rotate_symmetric(self, tensor: Symmetric3, starts: str = "xy") -> Symmetric3:
        """R T R' for this rotation R."""
        return _both_sides(self, tensor)

    def rotate_matrix(self, matrix: Matrix3) -> Matrix3:
        """R M R' for this rotation R."""
        return self @ matrix @ self.transposed()


def _both_sides(R: Matrix3, tensor: Symmetric3) -> Symmetric3:
    """R T R', entry by entry."""
    half = R @ tensor.matrix()
    x, y, z = R
    return Symmetric3(
        half.x.dot(x), half.x.dot(y), half.x.dot(z), half.y.dot(y), half.y.dot(z), half.z.dot(z)
    )


@record(frozen=True, slots=True)
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
        return Symmetric3(*[a + b for a, b in zip(self, other, strict=True)])

    def __sub__(self, other: Symmetric3) -> Symmetric3:
        return Symmetric3(*[a - b for a, b in zip(self, other, strict=True)])

    def __mul__(self, factor: Scalar) -> Symmetric3:
        return Symmetric3(*(a * factor for a in self))

    def apply(self, vector: Vector) -> Vector:
        """The product with a column."""
        return self.matrix().apply(vector)

    def second_moments(self) -> Symmetric3:
        """Returns the integral of r r' over the mass, of a tensor of inertia I: tr(I) / 2 - I."""
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

    def renamed(self, turns: int) -> Symmetric3:
        """The matrix on axes that are called x, y, z where they were y, z, x; once or twice."""
        x, y, z = self.matrix().renamed(turns)
        return Symmetric3(x.x, x.y, x.z, y.y, y.z, z.z)

    def map(self, lift: Lift) -> Symmetric3:
        """The matrix over another scalar."""
        return Symmetric3(*map(lift, self))


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
