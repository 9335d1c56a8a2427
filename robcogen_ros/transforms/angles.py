"""A constant rotation as three angles, exact where they are fractions of pi."""

from __future__ import annotations

from decimal import Decimal

from robcogen_ros.model import number
from robcogen_ros.model.expression import expression
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.spatial import Matrix3, rotation_x, rotation_y
from robcogen_ros.transforms.amount import PI, Amount

_EXACT = Decimal("1e-40")
_DIVISORS = (1, 2, 3, 4, 5, 6, 8, 9, 10, 12)


def angles(rotation: Matrix3) -> tuple[Amount, Amount, Amount]:
    """Angles about x, the new y and the new z.

    The third makes good what the rounding of the first two spoils, so the rotation is right to
    double precision even where the first and third axis nearly coincide.

    Raises:
        ValueError: If the rotation depends on a parameter.
    """
    entries = rotation.map(lambda entry: _constant(entry))
    y, z = entries.y.z, entries.z.z
    side = number.sqrt(number.add(number.multiply(y, y), number.multiply(z, z)))
    about_y = _amount(number.atan2(entries.x.z, side))
    about_x = _amount(number.atan2(number.negate(y), z))
    so_far = rotation_x(_scalar(about_x)) @ rotation_y(_scalar(about_y))
    rest = so_far.transposed() @ entries.map(expression)
    about_z = _amount(number.atan2(_constant(rest.y.x), _constant(rest.x.x)))
    return about_x, about_y, about_z


def _constant(entry: Scalar) -> Decimal:
    value: Decimal | None = expression(entry).value
    if value is None:
        raise ValueError("the rotation depends on a parameter")
    return value


def _scalar(amount: Amount) -> Scalar:
    return expression(amount.constant)


def _amount(angle: Decimal) -> Amount:
    for divisor in _DIVISORS:
        numerator = round(angle / number.PI * divisor)
        exact = number.divide(number.multiply(number.PI, Decimal(numerator)), Decimal(divisor))
        if numerator and abs(number.subtract(angle, exact)) < _EXACT:
            return Amount(Decimal(numerator), PI, Decimal(divisor))
    return Amount(number.number(float(angle)))
