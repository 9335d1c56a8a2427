"""Rotations that take given vectors where they are wanted, as cosines and sines.

Subproblems 1, 3 and 4 of Paden and Kahan (Murray, Li, Sastry, A mathematical introduction to
robotic manipulation, 1994, section 3.2; Elias and Wen, IK-Geo, 2022), by square roots and
divisions alone. What is sought where there is none is no number; a margin tells how far that is.
"""

from __future__ import annotations

from dataclasses import dataclass

from robcogen_ros.model.scalars.number import EPSILON
from robcogen_ros.model.scalars.operation import Scalar, is_zero, maximum, select, sqrt
from robcogen_ros.model.spatial import Vector


@dataclass(frozen=True, slots=True)
class Turn:
    """A rotation by an angle of which cosine and sine are known."""

    cosine: Scalar
    sine: Scalar

    def about(self, axis: Vector, vector: Vector) -> Vector:
        """A vector turned about a unit axis."""
        along = axis * axis.dot(vector)
        across = vector - along
        found: Vector = along + across * self.cosine + axis.cross(vector) * self.sine
        return found

    @property
    def back(self) -> Turn:
        """The turn by the negative angle."""
        return Turn(self.cosine, -self.sine)

    def then(self, other: Turn) -> Turn:
        """The turn by the sum of both angles."""
        return Turn(
            self.cosine * other.cosine - self.sine * other.sine,
            self.sine * other.cosine + self.cosine * other.sine,
        )


def turn_between(axis: Vector, start: Vector, end: Vector, square: Scalar) -> Turn:
    """The turn about an axis that takes a vector to another one (subproblem 1).

    Args:
        axis: Unit vector.
        start: The vector.
        end: The other one; its part along the axis does not matter.
        square: Square of the length of either, across the axis.
    """
    inverse = 1 / square
    across = start - axis * axis.dot(start)
    return Turn(across.dot(end) * inverse, axis.cross(start).dot(end) * inverse)


STILL = Turn(1, 0)


def direction_of(axis: Vector, start: Vector, end: Vector, spare: Turn = STILL) -> Turn:
    """Returns `turn_between` where both vectors may be short; `spare` where one vanishes."""
    across = start - axis * axis.dot(start)
    x, y = across.dot(end), axis.cross(start).dot(end)
    length = sqrt(x * x + y * y)
    short = length - _SHORTEST
    safe = 1 / select(short, length, 1)
    return Turn(select(short, x * safe, spare.cosine), select(short, y * safe, spare.sine))


_SHORTEST = 1e-30
"""Square of the length of what has no direction, of unit vectors."""


def settled(left: Scalar, square: Scalar, terms: Scalar) -> Scalar:
    """`left` of `turn_of_sum`; 0 at the end of reach, where only rounding makes it negative.

    If the sum w and a, b are made of terms below t, with n roundings by half of epsilon each, w is
    wrong by up to n t epsilon / 2, and so is the length of (a, b). Where both are equal, what is
    left is wrong by up to 2 n t epsilon times that length.

    Args:
        left: a^2 + b^2 - w^2.
        square: a^2 + b^2.
        terms: t.
    """
    rounded = 2 * _ROUNDINGS * sqrt(square) * terms
    return select(left / rounded + EPSILON, maximum(left, 0), left)


_ROUNDINGS = 32
"""n: four in each of the six joints from which a robot computes the place itself, the rest here."""


def turn_to_height(
    axis: Vector,
    vector: Vector,
    direction: Vector,
    height: Scalar,
    branch: Scalar,
    terms: Scalar,
) -> tuple[Turn, Scalar | None]:
    """A turn of a vector about an axis that gives it a component along a direction (subproblem 4).

    Args:
        axis: Unit vector.
        vector: The vector.
        direction: The direction, of any length.
        height: The product of both that is wanted.
        branch: Which of two turns; its sign counts.
        terms: A bound of what the height and the vector's components are sums of.

    Returns:
        The turn, and the square of the sine by which it is not at the end of what can be: 1 in the
        middle, negative beyond; None where every height is within reach.
    """
    along = axis.dot(vector)
    a = direction.dot(vector - axis * along)
    b = direction.dot(axis.cross(vector))
    wanted = height - direction.dot(axis) * along
    square = a * a + b * b
    if is_zero(wanted):
        root = 1 / sqrt(square)
        signed = select(branch, root, -root)
        return Turn(-b * signed, a * signed), None
    left = settled(square - wanted * wanted, square, terms)
    return turn_of_sum(a, b, wanted, square, left, branch)


def turn_of_sum(
    a: Scalar, b: Scalar, wanted: Scalar, square: Scalar, left: Scalar, branch: Scalar
) -> tuple[Turn, Scalar]:
    """The turn whose cosine times a and sine times b have a sum that is wanted.

    Args:
        a: See above.
        b: See above.
        wanted: The sum.
        square: a^2 + b^2.
        left: `square - wanted^2`, as it has the most digits.
        branch: Which of two turns; its sign counts.
    """
    root = sqrt(left)
    signed = select(branch, root, -root)
    inverse = 1 / square
    turn = Turn((a * wanted - b * signed) * inverse, (b * wanted + a * signed) * inverse)
    return turn, left * inverse


def turn_to_distance(
    axis: Vector,
    vector: Vector,
    offset: Vector,
    square: Scalar,
    branch: Scalar,
    terms: Scalar,
) -> tuple[Turn, Scalar | None]:
    """A turn of a vector about an axis that brings it to a distance (subproblem 3).

    Args:
        axis: Unit vector.
        vector: The vector.
        offset: What is added to it.
        square: Square of the length that the sum shall have.
        branch: Which of two turns; its sign counts.
        terms: A bound of what the square is a sum of.
    """
    height = (square - vector.dot(vector) - offset.dot(offset)) / 2
    return turn_to_height(axis, vector, offset, height, branch, terms)
