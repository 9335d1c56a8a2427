"""A rotation as three angles, exact where they are fractions of pi or depend on parameters."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.expression import Expression, expression
from robcogen_ros.model.scalars.operation import COS, SIN
from robcogen_ros.model.spatial import Matrix3, rotation_x, rotation_y
from robcogen_ros.transforms.amount import PI, Amount

_EXACT = Decimal("1e-40")
_SAME = Decimal("1e-25")
_DIVISORS = (1, 2, 3, 4, 5, 6, 8, 9, 10, 12)

Sample = dict[str, Decimal]
"""Values of parameters."""


@dataclass(frozen=True, slots=True)
class Angle:
    """The sum of a constant and, maybe, an expression of parameters."""

    constant: Amount
    open: Expression | None = None


def angles(rotation: Matrix3) -> tuple[Angle, ...]:
    """Angles about x, the new y and the new z.

    Raises:
        ValueError: If the rotation depends on parameters in a way that no three angles say.
    """
    entries = rotation.map(expression)
    if all(entry.is_constant for row in entries for entry in row):
        return tuple(map(Angle, _rounded(_evaluated(entries, {}))))
    names = sorted({p.name for row in entries for entry in row for p in entry.parameters()})
    samples = [_sample(names, trial) for trial in range(3)]
    exact = [_angles(_evaluated(entries, sample)) for sample in samples]
    candidates = list(dict.fromkeys(a for row in entries for e in row for a in _arguments(e)))
    return tuple(
        _fitting([values[axis] for values in exact], candidates, samples) for axis in range(3)
    )


def _rounded(entries: Matrix3) -> tuple[Amount, Amount, Amount]:
    """The angles of a constant rotation, to be written.

    The third makes good what the rounding of the first two spoils, so the rotation is right to
    double precision even where the first and third axis nearly coincide.
    """
    x, y, _ = map(_amount, _angles(entries))
    so_far = rotation_x(expression(x.constant)) @ rotation_y(expression(y.constant))
    return x, y, _amount(_about_z(so_far, entries))


def _angles(entries: Matrix3) -> tuple[Decimal, Decimal, Decimal]:
    """The angles of a constant rotation, the second between -pi/2 and pi/2."""
    z = [row.z.evaluate() for row in entries]
    side = number.sqrt(number.add(number.multiply(z[1], z[1]), number.multiply(z[2], z[2])))
    y, x = number.atan2(z[0], side), number.atan2(number.negate(z[1]), z[2])
    so_far = rotation_x(expression(x)) @ rotation_y(expression(y))
    return x, y, _about_z(so_far, entries)


def _about_z(so_far: Matrix3, entries: Matrix3) -> Decimal:
    rest = so_far.transposed() @ entries
    return number.atan2(expression(rest.y.x).evaluate(), expression(rest.x.x).evaluate())


def _evaluated(entries: Matrix3, sample: Sample) -> Matrix3:
    return entries.map(lambda entry: expression(entry.evaluate(sample)))


def _sample(names: list[str], trial: int) -> Sample:
    """Small positive values, so that all samples lie on the same side of any right angle."""
    return {n: number.number(random.Random(f"{n} {trial}").uniform(0.01, 0.1)) for n in names}


def _arguments(term: Expression) -> Iterator[Expression]:
    """Yields the arguments of sines and cosines in an expression."""
    if term.operation in (SIN, COS):
        yield term.operands[0]
    for operand in term.operands:
        yield from _arguments(operand)


def _fitting(values: list[Decimal], candidates: list[Expression], samples: list[Sample]) -> Angle:
    """The constant, or the constant and plus or minus a candidate, that has certain values."""
    if _equal(values):
        return Angle(_amount(values[0], _SAME))
    for candidate in candidates:
        for term in (candidate, -candidate):
            pairs = zip(values, samples, strict=True)
            rests = [_wrapped(number.subtract(v, term.evaluate(s))) for v, s in pairs]
            if _equal(rests):
                return Angle(_amount(rests[0], _SAME), term)
    raise ValueError("the angles depend on parameters in a way that the language cannot say")


def _equal(values: list[Decimal]) -> bool:
    return all(abs(_wrapped(number.subtract(v, values[0]))) < _SAME for v in values)


def _wrapped(angle: Decimal) -> Decimal:
    """The angle of the same direction between -pi and pi."""
    return number.atan2(number.sin(angle), number.cos(angle))


def _amount(angle: Decimal, tolerance: Decimal = _EXACT) -> Amount:
    if abs(angle) < tolerance:
        return Amount(number.ZERO)
    for divisor in _DIVISORS:
        numerator = round(angle / number.PI * divisor)
        exact = number.divide(number.multiply(number.PI, Decimal(numerator)), Decimal(divisor))
        if numerator and abs(number.subtract(angle, exact)) < tolerance:
            return Amount(Decimal(numerator), PI, Decimal(divisor))
    return Amount(number.number(float(angle)))
