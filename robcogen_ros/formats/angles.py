"""Angles as files write them."""

from __future__ import annotations

from decimal import Decimal

from robcogen_ros.model import number
from robcogen_ros.model.expression import PI, Expression

MOST_SNAPPED = 0.01
"""How near a multiple of pi/2 an angle may be taken for one [rad]."""

_CUT_SHORT = Decimal("1e-11")
_NOISE = Decimal("1e-14")
_ALL_DIGITS = 15
"""Digits from which on a number is taken to be written in full."""


def angle(written: Decimal, snap: float = 0.0) -> Expression:
    """An angle [rad]; one that means a multiple of pi/2 is exactly that.

    It means one if it is that near that only rounding can be between them: the rounding of double
    precision or, where digits were cut off, that of a dozen digits.

    Args:
        written: The angle as written.
        snap: How near it may be in any case to mean one [rad].
    """
    exact = PI * round(float(written) / float(PI) * 2) / 2
    away = abs(number.subtract(written, exact.evaluate()))
    tolerance = max(rounding(written), Decimal(snap))
    return exact if away < tolerance else Expression(value=written)


def rounding(written: Decimal) -> Decimal:
    """How far a number may be from what it means, if only rounding is between them."""
    in_full = len(written.normalize().as_tuple().digits) >= _ALL_DIGITS
    return _NOISE if in_full else _CUT_SHORT
