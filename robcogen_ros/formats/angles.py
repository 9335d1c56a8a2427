"""Angles as files write them."""

from __future__ import annotations

from decimal import Decimal

from robcogen_ros.model import number
from robcogen_ros.model.expression import PI, Expression

_RIGHT_ANGLE_TOLERANCE = Decimal("1e-11")


def angle(written: Decimal) -> Expression:
    """An angle [rad]; one that means a multiple of pi/2, to a dozen digits, is exactly that."""
    exact = PI * round(float(written) / float(PI) * 2) / 2
    near = abs(number.subtract(written, exact.evaluate())) < _RIGHT_ANGLE_TOLERANCE
    return exact if near else Expression(value=written)
