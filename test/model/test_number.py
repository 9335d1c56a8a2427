"""Exact constants."""

import math
from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robcogen_ros.model.scalars import number

floats = st.floats(-1e6, 1e6, allow_nan=False).filter(lambda x: x == 0 or abs(x) > 1e-12)


def test_pi_has_fifty_digits():
    with mpmath.workdps(60):
        assert abs(mpmath.mpf(str(number.PI)) - mpmath.pi) < mpmath.mpf("1e-48")


@pytest.mark.parametrize("quarter", range(-9, 10))
def test_right_angles_are_exact(quarter):
    angle = number.multiply(number.PI, Decimal(quarter) / 2)
    assert number.sin(angle) == round(math.sin(quarter * math.pi / 2))
    assert number.cos(angle) == round(math.cos(quarter * math.pi / 2))


@given(floats)
def test_sine_and_cosine_round_as_the_true_values_do(x):
    with mpmath.workdps(60):
        assert number.to_float(number.sin(number.number(x))) == float(
            mpmath.sin(mpmath.mpf(repr(x)))
        )
        assert number.to_float(number.cos(number.number(x))) == float(
            mpmath.cos(mpmath.mpf(repr(x)))
        )


@given(floats, floats)
def test_atan2_is_the_angle_of_the_point(y, x):
    expected = math.atan2(y, x) if (x, y) != (0, 0) else 0.0
    angle = number.to_float(number.atan2(number.number(y), number.number(x)))
    assert math.isclose(angle, expected, rel_tol=1e-15) or (y == 0 and abs(angle) == math.pi)


@given(floats, floats)
def test_sums_and_products_are_exact(a, b):
    x, y = number.number(a), number.number(b)
    assert Fraction(number.add(x, y)) == Fraction(x) + Fraction(y)
    assert Fraction(number.multiply(x, y)) == Fraction(x) * Fraction(y)


def test_what_must_cancel_vanishes():
    third = number.divide(number.ONE, Decimal(3))
    whole = number.multiply(third, Decimal(3))
    assert number.subtract(whole, number.ONE) == 0


@pytest.mark.parametrize("text", ["", "1,5", "nan", "inf", "one", "0x1", "1e400e"])
def test_what_is_no_finite_number_is_refused(text):
    with pytest.raises(ValueError, match="number"):
        number.number(text)
