"""Literals and reserved words of C, for double and for float."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal

import numpy as np

from robcogen_ros.backends.cpp.macros import MACROS
from robcogen_ros.backends.cpp.text import KEYWORDS, Language
from robcogen_ros.backends.identifiers import identifiers as identifiers_of
from robcogen_ros.backends.notation import Dialect
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.options import option_text
from robcogen_ros.model.scalars import number

# fmt: off
_AFTER_PREFIXES = KEYWORDS | {
    "restrict", "cos", "cosf", "sin", "sinf", "sqrt", "sqrtf", "atan2", "atan2f", "selected",
    "DOMAIN", "HUGE", "HUGE_VAL", "HUGE_VALF", "HUGE_VALL", "INFINITY", "MAXFLOAT", "NAN",
    "OVERFLOW", "PLOSS", "SING", "TLOSS", "UNDERFLOW",
}
# fmt: on
"""Words that are not even written after a prefix."""

RESERVED = _AFTER_PREFIXES | MACROS
"""Words that no variable may be: also of C++, which may include the header."""


def double_literal(value: Decimal) -> str:
    """A constant of type double, rounded once."""
    return repr(number.to_float(value))


def float_literal(value: Decimal) -> str:
    """A constant of type float, rounded once.

    Raises:
        RobcogenError: If it is too large.
    """
    rounded = number.to_float(value)
    if rounded == number.EPSILON:
        return f"{np.finfo(np.float32).eps!s}f"
    with np.errstate(over="ignore"):
        near = np.float32(rounded)
    if not np.isfinite(near):
        advice = option_text("scalar", "double")
        raise RobcogenError(f"the constant {value:.6g} is too large for float: use {advice}")
    below, above = (np.nextafter(near, np.float32(end)) for end in (-np.inf, np.inf))
    nearest = min(
        (near, below, above), key=lambda x: abs(number.subtract(Decimal(float(x)), value))
    )
    return f"{nearest!s}f"


_FUNCTIONS = {"select": "selected"}
_FLOAT_FUNCTIONS = _FUNCTIONS | {name: f"{name}f" for name in ("cos", "sin", "sqrt", "atan2")}

LANGUAGES = {
    "double": Language("double", Dialect(double_literal, _FUNCTIONS), RESERVED),
    "float": Language("float", Dialect(float_literal, _FLOAT_FUNCTIONS), RESERVED),
}
"""C, by the type of its numbers."""

LITERALS: dict[str, Callable[[Decimal], str]] = {
    name: language.dialect.literal for name, language in LANGUAGES.items()
}
"""Writers of each type's constants."""


def identifiers(names: Iterable[str]) -> list[str]:
    """Identifiers that differ, as like the names as C allows, to be written after a prefix."""
    return identifiers_of(names, _AFTER_PREFIXES)
