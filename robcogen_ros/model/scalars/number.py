"""Exact constants: decimal numbers of 50 digits, rounded to a double once, when written out.

A constant that must vanish does vanish: results which lose 40 digits to cancellation are zero, so
that no 6e-17 stands where a right angle makes a 0. No result depends on a machine's libm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Context, Decimal, DivisionByZero, InvalidOperation, Overflow
from functools import lru_cache

_TRAPS = [InvalidOperation, DivisionByZero, Overflow]
_EXACT = Context(prec=50, traps=_TRAPS)
_GUARD = Context(prec=80, traps=_TRAPS)
_DIGITS_TO_LOSE = 40
_NEGLIGIBLE = Decimal(f"1e-{_DIGITS_TO_LOSE}")

ZERO = Decimal(0)
ONE = Decimal(1)

EPSILON = 2.0**-52
"""Distance from 1 to the next double; code for numbers of another type has that of the type
instead."""


def number(value: str | float | Decimal) -> Decimal:
    """The number that a text, an int or the shortest decimal text of a float stands for.

    Raises:
        ValueError: If the value is not a finite number.
    """
    try:
        result = Decimal(repr(float(value)) if isinstance(value, float) else value)
    except InvalidOperation as error:
        raise ValueError(f"{value!r} is not a number") from error
    if not result.is_finite():
        raise ValueError(f"{value!r} is not a finite number")
    return result


def add(a: Decimal, b: Decimal) -> Decimal:
    """Sum; exactly zero where 40 digits cancel."""
    total = _EXACT.add(a, b)
    if not total:
        return total
    limit = total.adjusted() + _DIGITS_TO_LOSE
    if a.adjusted() < limit and b.adjusted() < limit:
        return total
    return ZERO if abs(total) < _EXACT.multiply(_NEGLIGIBLE, max(abs(a), abs(b))) else total


def negate(a: Decimal) -> Decimal:
    """Minus a."""
    return a.copy_negate() if a else ZERO


def subtract(a: Decimal, b: Decimal) -> Decimal:
    """Difference; exactly zero where 40 digits cancel."""
    return add(a, negate(b))


def multiply(a: Decimal, b: Decimal) -> Decimal:
    """Product."""
    return _EXACT.multiply(a, b)


def divide(a: Decimal, b: Decimal) -> Decimal:
    """Quotient.

    Raises:
        ZeroDivisionError: If b is zero.
    """
    if not b:
        raise ZeroDivisionError("division by zero")
    return _EXACT.divide(a, b)


def sqrt(a: Decimal) -> Decimal:
    """Square root.

    Raises:
        ValueError: If a is negative.
    """
    if a < 0:
        raise ValueError("square root of a negative number")
    return _EXACT.sqrt(a)


def sin(a: Decimal) -> Decimal:
    """Sine of an angle in radians; exactly 0 and +-1 at the multiples of pi/2."""
    return _sine_and_cosine(a)[0]


def cos(a: Decimal) -> Decimal:
    """Cosine of an angle in radians; exactly 0 and +-1 at the multiples of pi/2."""
    return _sine_and_cosine(a)[1]


def atan2(y: Decimal, x: Decimal) -> Decimal:
    """Angle of the point (x, y) in (-pi, pi], by two Newton steps from the double result."""
    if not y and x < 0:
        return PI
    radius = sqrt(add(multiply(x, x), multiply(y, y)))
    if not radius:
        return ZERO
    angle = number(math.atan2(float(divide(y, radius)), float(divide(x, radius))))
    for _ in range(2):
        s, c = _sine_and_cosine(angle)
        residual = divide(subtract(multiply(y, c), multiply(x, s)), radius)
        angle = add(angle, residual)
    return angle


def select(condition: Decimal, first: Decimal, second: Decimal) -> Decimal:
    """The first number where the condition is 0 or positive, else the second."""
    return first if condition >= 0 else second


def to_float(a: Decimal) -> float:
    """The double nearest to a."""
    return float(a)


def rounded(a: Decimal) -> Decimal:
    """The double nearest to a, as a constant."""
    return _EXACT.create_decimal_from_float(float(a))


@lru_cache(maxsize=4096)
def _sine_and_cosine(a: Decimal) -> tuple[Decimal, Decimal]:
    turn = _GUARD.multiply(_GUARD_PI, Decimal(2))
    angle = _GUARD.remainder_near(a, turn)
    square = _GUARD.multiply(angle, angle)
    s, c = _GUARD.multiply(angle, _polynomial(_SINE, square)), _polynomial(_COSINE, square)
    return _settle(s, c), _settle(c, s)


def _settle(value: Decimal, other: Decimal) -> Decimal:
    if abs(value) < _NEGLIGIBLE:
        return ZERO
    if abs(other) < _NEGLIGIBLE:
        return ONE.copy_sign(value)
    return _EXACT.plus(value)


def _polynomial(coefficients: Sequence[Decimal], x: Decimal) -> Decimal:
    """A polynomial, its highest coefficient first."""
    total = ZERO
    for coefficient in coefficients:
        total = _GUARD.fma(total, x, coefficient)
    return total


def _taylor(lowest: int) -> tuple[Decimal, ...]:
    """Taylor coefficients of sin(x) / x (lowest 1) or cos(x) (0) by x^2, for |x| up to pi."""
    found = [ONE]
    while abs(found[-1]) * Decimal(10) ** len(found) > Decimal("1e-79"):
        order = 2 * len(found) + lowest
        found.append(_GUARD.divide(found[-1].copy_negate(), Decimal(order * (order - 1))))
    return tuple(reversed(found))


_SINE, _COSINE = _taylor(1), _taylor(0)


def _machin_pi() -> Decimal:
    """Pi = 16 atan(1/5) - 4 atan(1/239)."""

    def arctangent_of_inverse(n: int) -> Decimal:
        power = _GUARD.divide(ONE, Decimal(n))
        total, k = power, 1
        while abs(power) > Decimal("1e-79"):
            power = _GUARD.divide(power.copy_negate(), Decimal(n * n))
            k += 2
            total = _GUARD.add(total, _GUARD.divide(power, Decimal(k)))
        return total

    return _GUARD.subtract(
        _GUARD.multiply(Decimal(16), arctangent_of_inverse(5)),
        _GUARD.multiply(Decimal(4), arctangent_of_inverse(239)),
    )


_GUARD_PI = _machin_pi()
PI = _EXACT.plus(_GUARD_PI)
