"""Values in the text of a Kinematics-DSL document, for its writer.

A number is written with the fewest decimals that read back as the same double, never with an
exponent, which the language's first version lacks; a fraction of pi only where it is exactly one.
"""

from __future__ import annotations

from decimal import Decimal

from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.kindsl.names import written
from robcogen_ros.formats.kindsl.rotation import EulerRotation
from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.expression import PI, Expression, expression
from robcogen_ros.model.scalars.operation import ADD, MULTIPLY, NEGATE, SUBTRACT, Scalar, sqrt
from robcogen_ros.model.spatial import Matrix3, Vector, rotation_x, rotation_y

_EXACT = Decimal("1e-40")
_DIVISORS = (1, 2, 3, 4, 5, 6, 8, 9, 10, 12)
_DECIMAL_DIVISORS = (1, 2, 4, 5, 8, 10)
_COMMON_DIVISOR = 360
_NEAR = 1e-6
_MOST_TURNS = 4
_SUM, _PRODUCT, _SIGNED, _PLAIN = range(1, 5)
"""Ranks of how tightly texts bind."""


class Terms:
    """Writes values; each parameter has its default where it is mentioned first."""

    def __init__(self) -> None:
        self._introduced: set[str] = set()

    def value(self, scalar: Scalar) -> str:
        """A constant or an expression of parameters."""
        return self._text(_rounded(expression(scalar)))[0]

    def vector(self, entries: Vector) -> str:
        """Three values in parentheses."""
        return f"({', '.join(self.value(entry) for entry in entries)})"

    def rotation(self, matrix: Matrix3) -> str:
        """The angles about x, the new y and the new z, in parentheses."""
        angles = matrix.angles if isinstance(matrix, EulerRotation) else euler_angles(matrix)
        return self.vector(angles)

    def _text(self, term: Expression) -> tuple[str, int]:
        """A text, and how tightly it binds."""
        if term.value is not None:
            return constant(term.value)
        if term.parameter is not None:
            return self._parameter(term), _PLAIN
        if term.operation is NEGATE:
            text = self._inside(term.operands[0], _SIGNED)
            return text[1:] if text.startswith("-") else f"-{text}", _SIGNED
        if term.operation is not None and term.operation.symbol:
            return self._infix(term)
        assert term.operation is not None
        (argument,) = term.operands
        return f"{term.operation.name}({self.value(argument)})", _PLAIN

    def _infix(self, term: Expression) -> tuple[str, int]:
        assert term.operation is not None
        left, right = term.operands
        if term.operation is SUBTRACT and left.value is not None:
            return f"{self._inside(-right, _SUM)} + {self._inside(left, _PRODUCT)}", _SUM
        if term.operation in (ADD, SUBTRACT):
            first, second = self._inside(left, _SUM), self._inside(right, _PRODUCT)
            return f"{first} {term.operation.symbol} {second}", _SUM
        if term.operation is MULTIPLY and right.value is not None:
            left, right = right, left
        first, second = self._inside(left, _PRODUCT), self._inside(right, _PLAIN)
        if term.operation is MULTIPLY and _is_plain(left) and right.parameter is not None:
            return f"{first} {second}", _SIGNED
        return f"{first}{term.operation.symbol}{second}", _PRODUCT

    def _inside(self, term: Expression, level: int) -> str:
        text, own = self._text(term)
        return text if own >= level else f"({text})"

    def _parameter(self, term: Expression) -> str:
        assert term.parameter is not None
        name, default = term.parameter.name, term.parameter.default
        introduced = name in self._introduced
        self._introduced.add(name)
        known = "" if default is None or introduced else f"[{decimal(float(default))}]"
        return written(name) + known


def _rounded(term: Expression) -> Expression:
    """A term whose constants are what their texts say."""
    if term.value is not None:
        return term if _multiple_of_pi(term.value) else expression(float(term.value))
    if term.operation is None:
        return term
    return term.apply(term.operation, *map(_rounded, term.operands))


def _is_plain(term: Expression) -> bool:
    """Returns True if a term is written as a decimal."""
    return term.value is not None and _multiple_of_pi(term.value) is None


def decimal(double: float) -> str:
    """The shortest decimal text of a double, without exponent."""
    text = format(Decimal(repr(double if double else 0.0)), "f")
    return text if "." in text else f"{text}.0"


def constant(value: Decimal) -> tuple[str, int]:
    """The text of a constant, a fraction of pi where it is exactly one; how tightly it binds."""
    text = _fraction_of_pi(value) or decimal(float(value))
    level = _SIGNED if text.startswith("-") else _PLAIN
    return text, _PRODUCT if "PI" in text and text not in ("PI", "-PI") else level


def euler_angles(matrix: Matrix3) -> Vector:
    """The angles of a rotation about x, the new y and the new z.

    The third angle makes good what the rounding of the first two spoils, so the rotation is right
    to double precision even where the first and third axis nearly coincide.

    Raises:
        RobcogenError: If the rotation depends on a parameter.
    """
    entries = matrix.map(expression)
    if not all(entry.is_constant for row in entries for entry in row):
        raise RobcogenError(
            "a joint turned by parameters more than once has no place in the Kinematics-DSL; keep "
            "its fixed joints"
        )
    about_y = _angle(entries.x.z, sqrt(entries.y.z * entries.y.z + entries.z.z * entries.z.z))
    about_x = _angle(-entries.y.z, entries.z.z)
    rest = (rotation_x(about_x) @ rotation_y(about_y)).transposed() @ entries
    return Vector(about_x, about_y, _angle(rest.y.x, rest.x.x))


def _angle(sine: Scalar, cosine: Scalar) -> Expression:
    """The angle of the point (cosine, sine), as its text says it."""
    angle = number.atan2(expression(sine).evaluate(), expression(cosine).evaluate())
    found = _multiple_of_pi(angle)
    return PI * found[0] / found[1] if found else expression(float(angle))


def _multiple_of_pi(value: Decimal) -> tuple[int, int] | None:
    """Numerator and divisor, if a value is a small fraction of pi to 40 digits."""
    if not 0 < abs(value) <= _MOST_TURNS * number.PI:
        return None
    parts = float(value) / float(number.PI) * _COMMON_DIVISOR
    if abs(parts - round(parts)) > _NEAR:
        return None
    for divisor in _DIVISORS:
        numerator = round(float(value) / float(number.PI) * divisor)
        exact = (PI * numerator / divisor).evaluate()
        if numerator and abs(number.subtract(value, exact)) < _EXACT:
            return numerator, divisor
    return None


def _fraction_of_pi(value: Decimal) -> str | None:
    """Pi times a fraction, as the language's first version says it; else as the later one does."""
    found = _multiple_of_pi(value)
    if found is None:
        return None
    numerator, divisor = found
    sign = "-" if numerator < 0 else ""
    if abs(numerator) == 1:
        return f"{sign}PI/{divisor}.0" if divisor > 1 else f"{sign}PI"
    if divisor in _DECIMAL_DIVISORS:
        return f"{sign}{decimal(abs(numerator) / divisor)} PI"
    return f"{sign}{abs(numerator)}.0*PI/{divisor}.0"
