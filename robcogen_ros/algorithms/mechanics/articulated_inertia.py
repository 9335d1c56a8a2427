"""Articulated-body inertia (Featherstone 2008, section 7.1): a symmetric 6x6 matrix in blocks.

[ J   B ]     J rotational, M mass-like (both symmetric), B coupling:
[ B'  M ]     [n; f] = [J w + B v; B' w + M v]
"""

from __future__ import annotations

from dataclasses import dataclass

from robcogen_ros.algorithms.annotate import named, noted
from robcogen_ros.algorithms.mechanics.joints import JointTransform
from robcogen_ros.algorithms.sweeps import Body
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import (
    Force,
    Matrix3,
    MotionVector,
    Pose,
    SpatialInertia,
    Symmetric3,
    Vector,
    skew,
)


@dataclass(frozen=True, slots=True)
class ArticulatedInertia:
    """The three blocks of the matrix."""

    J: Symmetric3
    B: Matrix3
    M: Symmetric3

    @classmethod
    def of(cls, inertia: SpatialInertia) -> ArticulatedInertia:
        """Returns the articulated inertia of a single rigid body."""
        m = inertia.mass
        return cls(inertia.tensor, skew(inertia.moment), Symmetric3(m, 0, 0, m, 0, m))

    def __add__(self, other: ArticulatedInertia) -> ArticulatedInertia:
        return ArticulatedInertia(self.J + other.J, self.B + other.B, self.M + other.M)

    def apply(self, motion: MotionVector) -> Force:
        """The force that an acceleration takes."""
        w, v = motion.angular, motion.linear
        return Force(
            self.J.apply(w) + self.B.apply(v), self.B.transposed().apply(w) + self.M.apply(v)
        )

    def less_outer(self, U: Force, K: Force) -> ArticulatedInertia:
        """The matrix less U K', for parallel U and K."""
        n, f = U.angular, U.linear
        kn, kf = K.angular, K.linear
        return ArticulatedInertia(
            self.J - _symmetric_outer(n, kn),
            self.B - Matrix3(*(f * k for k in kn)),
            self.M - _symmetric_outer(f, kf),
        )

    def across(self, X: JointTransform) -> ArticulatedInertia:
        """Returns it in the joint frame, from the successor's coordinates."""
        return self._moved(X.moved, X.conditioning.articulated)

    def onto(self, X: JointTransform) -> ArticulatedInertia:
        """Returns it in the predecessor's coordinates, from the joint frame."""
        return self._moved(X.fixed, X.conditioning.fixed)

    def named(self, name: str) -> ArticulatedInertia:
        """Returns this inertia with names for its blocks."""
        return ArticulatedInertia(
            named(self.J, f"{name}_J"), named(self.B, f"{name}_B"), named(self.M, f"{name}_M")
        )

    def noted(self, name: str) -> ArticulatedInertia:
        """Returns this inertia with names for its blocks where code is to be read."""
        return ArticulatedInertia(
            noted(self.J, f"{name}_J"), noted(self.B, f"{name}_B"), noted(self.M, f"{name}_M")
        )

    def dense(self) -> list[list[Scalar]]:
        """The 6x6 matrix, angular first."""
        J, B, M = self.J.matrix(), self.B, self.M.matrix()
        top = [[*J_row, *B_row] for J_row, B_row in zip(J, B, strict=True)]
        bottom = [[*B_row, *M_row] for B_row, M_row in zip(B.transposed(), M, strict=True)]
        return top + bottom

    def _moved(self, pose: Pose, starts: str) -> ArticulatedInertia:
        """Featherstone 2008, appendix A.3: with P = p x, B' = B + P M, J' = J - B P + P B''."""
        rotation, P = pose.rotation, skew(pose.translation)
        M = rotation.rotate_symmetric(self.M)
        B = rotation.rotate_matrix(self.B)
        shifted = B + P @ M.matrix()
        gained = P @ B.transposed() - shifted @ P
        return ArticulatedInertia(
            rotation.rotate_symmetric(self.J, starts) + _symmetric_part(gained), shifted, M
        )


def around_update(body: Body, X: JointTransform) -> tuple[tuple[Pose, ...], tuple[Pose, ...]]:
    """The factors of a transform outside of the rank-one update IA - U U'/D, and those within.

    A joint of a few is removed in its own frame on the predecessor, where its axis is the same: the
    turn by q need not wait for the division by what the joint moves. It costs the turn of a force,
    so that of many joints each is removed in its link's frame; so is one whose frame is askew, and
    turned into the predecessor's for less together with q.
    """
    if not body.latency_bound or len(X.factors) == 1:
        return X.factors, ()
    return (X.fixed,), (X.moved,)


def _symmetric_outer(a: Vector, b: Vector) -> Symmetric3:
    """a b' for parallel a and b."""
    return Symmetric3(a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.y, a.y * b.z, a.z * b.z)


def _symmetric_part(matrix: Matrix3) -> Symmetric3:
    """The upper triangle of a matrix known to be symmetric."""
    return Symmetric3(matrix.x.x, matrix.x.y, matrix.x.z, matrix.y.y, matrix.y.z, matrix.z.z)
