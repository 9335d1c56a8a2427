"""The shortest sequence of moves for a sequence of steps, exactly equal to it.

Moves that commute are brought together and add up: turns about one axis, shifts along it, shifts
in any order. Quarter turns only exchange axes, so they are carried to the end, as one matrix of 0,
1 and -1, and no longer part what they stood between.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import (
    IDENTITY,
    Matrix3,
    Vector,
    rotation_x,
    rotation_y,
    rotation_z,
)
from robcogen_ros.transforms.amount import Symbol
from robcogen_ros.transforms.steps import Step

ROTATIONS = (rotation_x, rotation_y, rotation_z)
_QUARTER = number.divide(number.PI, Decimal(2))
_QUARTERS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Cosine and sine after 0, 1, 2, 3 quarter turns."""


@dataclass(frozen=True, slots=True)
class Move:
    """A turn or shift by a sum.

    Attributes:
        turns: Whether it turns.
        axis: 0, 1, 2 for x, y, z.
        constant: The constant part of the sum.
        terms: Variables and parameters with their factors, none zero.
    """

    turns: bool
    axis: int
    constant: Decimal
    terms: tuple[tuple[Symbol, Decimal], ...] = ()

    @classmethod
    def of(cls, step: Step) -> Move:
        """The move that a step makes."""
        constant, symbol = step.amount.constant, step.amount.symbol
        if constant is not None:
            return cls(step.turns, step.axis, constant)
        assert symbol is not None
        factor = step.amount.coefficient
        terms = ((symbol, factor),) if factor else ()
        return cls(step.turns, step.axis, number.ZERO, terms)

    @property
    def quarters(self) -> int | None:
        """The quarter turns of its constant part; None if it is no multiple of one, or slides."""
        if not self.turns:
            return None
        count = round(self.constant / _QUARTER)
        exact = number.multiply(_QUARTER, Decimal(count))
        return count % 4 if abs(number.subtract(self.constant, exact)) < Decimal("1e-40") else None

    @property
    def vanishes(self) -> bool:
        """True if it moves nothing."""
        return not self.terms and (not self.constant or self.quarters == 0)

    def joined(self, other: Move) -> Move:
        """Both moves, about or along the same axis, in one."""
        factors = dict(self.terms)
        for symbol, factor in other.terms:
            factors[symbol] = number.add(factors.get(symbol, number.ZERO), factor)
        terms = tuple((symbol, factor) for symbol, factor in factors.items() if factor)
        constant = number.add(self.constant, other.constant)
        return replace(self, constant=constant, terms=terms)

    def negated(self) -> Move:
        """The move back."""
        terms = tuple((symbol, number.negate(factor)) for symbol, factor in self.terms)
        return replace(self, constant=number.negate(self.constant), terms=terms)

    def commutes(self, other: Move) -> bool:
        """Returns True if the order of the two does not matter."""
        return self.axis == other.axis or not (self.turns or other.turns)


def simplified(steps: Iterable[Step]) -> tuple[list[Move], Matrix3]:
    """Moves, and a last rotation made of quarter turns, that are equal to steps."""
    moves: list[Move] = []
    rest = IDENTITY
    for step in steps:
        move = Move.of(step)
        if move.quarters is not None and not move.terms:
            rest = rest @ quarter_turns(move)
        else:
            add(moves, _carried(move, rest))
    return moves, rest


def add(moves: list[Move], move: Move) -> bool:
    """Appends a move to others, or joins it with one of them; returns whether it was joined."""
    for i in reversed(range(len(moves))):
        known = moves[i]
        if (known.turns, known.axis) == (move.turns, move.axis):
            after = moves[i + 1 :]
            del moves[i:]
            for following in (known.joined(move), *after):
                if not following.vanishes:
                    add(moves, following)
            return True
        if not known.commutes(move):
            break
    if not move.vanishes:
        moves.append(move)
    return False


def quarter_turns(move: Move) -> Matrix3:
    """The exact rotation by the quarter turns of a move."""
    c, s = _QUARTERS[move.quarters or 0]
    entries = _by_axis(move.axis, c, s)
    return Matrix3(*(Vector(*row) for row in entries))


def _by_axis(axis: int, c: Scalar, s: Scalar) -> Sequence[Sequence[Scalar]]:
    """Rows of the rotation about an axis."""
    if axis == 0:
        return (1, 0, 0), (0, c, -s), (0, s, c)
    if axis == 1:
        return (c, 0, s), (0, 1, 0), (-s, 0, c)
    return (c, -s, 0), (s, c, 0), (0, 0, 1)


def _carried(move: Move, rest: Matrix3) -> Move:
    """The move that, made before quarter turns, equals the given one made after them."""
    column = list(rest.transposed())[move.axis]
    axis = next(i for i, entry in enumerate(column) if entry)
    carried = replace(move, axis=axis)
    return carried if tuple(column)[axis] == 1 else carried.negated()
