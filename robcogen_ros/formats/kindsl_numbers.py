"""Numbers in the text of a Kinematics-DSL document, for its writer.

A number is written with the fewest decimals that read back as the same double, never with an
exponent, which the language's first version lacks; a fraction of pi only where it is exactly one.
"""

from __future__ import annotations

from decimal import Decimal

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model import number
from robcogen_ros.model.expression import PI, Expression, expression
from robcogen_ros.model.operation import DIVIDE, MULTIPLY, NEGATE, Scalar, sqrt
from robcogen_ros.model.spatial import Matrix3, Vector, rotation_x, rotation_y

_EXACT = Decimal("1e-40")
_DIVISORS = (1, 2, 3, 4, 5, 6, 8, 9, 10, 12)


def vector(entries: Vector) -> str:
    """Three values in parentheses."""
    return f"({', '.join(value(entry) for entry in entries)})"


def value(scalar: Scalar) -> str:
    """A constant, a parameter, or the product or quotient of the two.

    Raises:
        RobcogenError: If the language has no way to write it.
    """
    term = expression(scalar)
    if term.value is not None:
        return decimal(float(term.value))
    if term.parameter is not None:
        return _parameter(term)
    if term.operation is NEGATE:
        inner = value(term.operands[0])
        if not inner.startswith("-"):
            return f"-{inner}"
    if term.operation is MULTIPLY:
        for factor, other in (term.operands, term.operands[::-1]):
            if factor.value is not None and other.parameter is not None:
                return f"{decimal(float(factor.value))} {_parameter(other)}"
    if term.operation is DIVIDE and term.operands[1].value is not None:
        numerator, divisor = term.operands
        if numerator.parameter is not None:
            return f"{_parameter(numerator)}/{decimal(float(divisor.evaluate()))}"
    names = ", ".join(parameter.name for parameter in term.parameters())
    raise RobcogenError(f"an expression of {names} cannot be written in the Kinematics-DSL")


def _parameter(term: Expression) -> str:
    assert term.parameter is not None
    default = term.parameter.default
    return term.parameter.name + (f"[{decimal(float(default))}]" if default is not None else "")


def decimal(double: float) -> str:
    """The shortest decimal text of a double, without exponent."""
    text = format(Decimal(repr(double if double else 0.0)), "f")
    return text if "." in text else f"{text}.0"


def rotation(matrix: Matrix3) -> str:
    """The angles about x, the new y and the new z, in parentheses.

    The third angle makes good what the rounding of the first two spoils, so the rotation is right
    to double precision even where the first and third axis nearly coincide.

    Raises:
        RobcogenError: If the rotation depends on a parameter.
    """
    entries = matrix.map(expression)
    if not all(entry.is_constant for row in entries for entry in row):
        raise RobcogenError("a rotation by a parameter cannot be written in the Kinematics-DSL")
    about_y = _angle(entries.x.z, sqrt(entries.y.z * entries.y.z + entries.z.z * entries.z.z))
    about_x = _angle(-entries.y.z, entries.z.z)
    rest = (rotation_x(about_x[1]) @ rotation_y(about_y[1])).transposed() @ entries
    about_z = _angle(rest.y.x, rest.x.x)
    return f"({about_x[0]}, {about_y[0]}, {about_z[0]})"


def _angle(sine: Scalar, cosine: Scalar) -> tuple[str, Expression]:
    """The angle of the point (cosine, sine): its text, and what that text means exactly."""
    angle = number.atan2(expression(sine).evaluate(), expression(cosine).evaluate())
    for divisor in _DIVISORS:
        numerator = round(float(angle) / float(number.PI) * divisor)
        exact = PI * numerator / divisor
        if numerator and abs(number.subtract(angle, exact.evaluate())) < _EXACT:
            text = _part_of_pi(numerator, divisor)
            return (text, exact) if text else _rounded(angle)
    return _rounded(angle)


def _part_of_pi(numerator: int, divisor: int) -> str | None:
    """Pi times a fraction, as far as the language can say it."""
    sign = "-" if numerator < 0 else ""
    if abs(numerator) == 1:
        return f"{sign}PI/{divisor}.0" if divisor > 1 else f"{sign}PI"
    factor = Decimal(numerator) / Decimal(divisor)
    return f"{factor} PI" if factor * divisor == numerator else None


def _rounded(angle: Decimal) -> tuple[str, Expression]:
    text = decimal(float(angle))
    return text, expression(text)
