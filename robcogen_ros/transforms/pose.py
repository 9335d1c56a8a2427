"""The pose that steps lead to, over any scalar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

from robcogen_ros.model.scalars.number import ONE, ZERO
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import IDENTITY, Matrix3, Pose, Vector, skew
from robcogen_ros.transforms.amount import Symbol
from robcogen_ros.transforms.simplify import ROTATIONS, Move, add, quarter_turns, simplified
from robcogen_ros.transforms.steps import Step

_MOST_TURNS = 6
"""Most turns of which every partition is tried; longer sequences gain 1 % and take long."""

Lift = Callable[[Symbol | Decimal], Scalar]
"""The scalar that a variable, a parameter or a number becomes."""


def pose(steps: Iterable[Step], lift: Lift) -> Pose:
    """The pose left_X_right of the frame that steps lead to, in the frame where they start.

    Turns that only shifts part are joined too: the rotation needs no product for them.
    """
    moves, rest = simplified(steps)
    turns: list[Move] = []
    rotation, translation = IDENTITY, Vector()
    for move in moves:
        if not move.turns:
            column = list(rotation.transposed())[move.axis]
            translation = translation + column * _total(move, lift)
        elif add(turns, move):
            rotation = _product(turns, lift)
        else:
            rotation = rotation @ _rotation(move, lift)
    return Pose(rotation @ rest, translation)


def rotation(steps: Iterable[Step], lift: Lift) -> Matrix3:
    """The rotation left_R_right alone, where shifts part no turns."""
    return pose((step for step in steps if step.turns), lift).rotation


def cuts(steps: Iterable[Step]) -> range:
    """Returns the places at which `crossed` can part the turns of steps."""
    turns = sum(move.turns for move in simplified(steps)[0])
    return range(turns + 1 if turns <= _MOST_TURNS else 1)


def crossed(steps: Iterable[Step], lift: Lift, cut: int) -> Matrix3:
    """The matrix p x R of the pose (R, p) that steps lead to.

    For any two parts of the rotation, R = R1 R2, it is R1 (r x) R2, with the translation r in the
    coordinates between them. Which is shortest depends on what cancels there.

    Args:
        steps: The steps.
        lift: See `pose`.
        cut: How many turns the first part has; one of `cuts(steps)`.
    """
    moves, rest = simplified(steps)
    ends = [0, *(i + 1 for i, move in enumerate(moves) if move.turns)]
    before, after = moves[: ends[cut]], moves[ends[cut] :]
    r = pose(steps, lift).translation if cut == 0 else _between(before, after, lift)
    return _turned(before, lift) @ (skew(r) @ (_turned(after, lift) @ rest))


def _between(before: Sequence[Move], after: Sequence[Move], lift: Lift) -> Vector:
    """The translation of all moves, in the coordinates between them."""
    back = [move.negated() for move in reversed(before)]
    total = Vector()
    for moves, sign in ((back, -1), (after, 1)):
        for i, move in enumerate(moves):
            if not move.turns:
                column = list(_turned(moves[:i], lift).transposed())[move.axis]
                total = total + column * (sign * _total(move, lift))
    return total


def _turned(moves: Sequence[Move], lift: Lift) -> Matrix3:
    """The rotation by moves, where shifts part no turns."""
    turns: list[Move] = []
    for move in moves:
        if move.turns:
            add(turns, move)
    return _product(turns, lift)


def _product(turns: Iterable[Move], lift: Lift) -> Matrix3:
    product = IDENTITY
    for move in turns:
        product = product @ _rotation(move, lift)
    return product


def _rotation(move: Move, lift: Lift) -> Matrix3:
    """The rotation of a turn.

    Its constant turns by itself: added to a variable it would be rounded with it, to fewer digits
    than a product of rotations has. Quarter turns stay exact.
    """
    if not move.terms or not move.constant:
        return ROTATIONS[move.axis](_total(move, lift))
    if move.quarters is None:
        fixed = ROTATIONS[move.axis](lift(move.constant))
    else:
        fixed = quarter_turns(move)
    return fixed @ ROTATIONS[move.axis](_total(replace(move, constant=ZERO), lift))


def _total(move: Move, lift: Lift) -> Scalar:
    total: Scalar = lift(move.constant) if move.constant or not move.terms else None
    for symbol, factor in move.terms:
        term = lift(symbol) if abs(factor) == ONE else lift(symbol) * lift(abs(factor))
        if total is None:
            total = term if factor > 0 else -term
        else:
            total = total + term if factor > 0 else total - term
    return total
