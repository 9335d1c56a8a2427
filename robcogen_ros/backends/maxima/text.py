"""Names, literals and lines of Maxima."""

from __future__ import annotations

from decimal import Decimal

from robcogen_ros.backends.maxima.names import VARIABLES
from robcogen_ros.backends.notation import Dialect, wrapped
from robcogen_ros.backends.script import Language
from robcogen_ros.backends.transform_fields import Field
from robcogen_ros.model.scalars import number

# fmt: off
_WORDS = frozenset(
    {
        "and", "array", "block", "cos", "diff", "do", "else", "elseif", "expt", "for", "from", "if",
        "in", "ind", "inf", "infinity", "integrate", "lambda", "limit", "list", "mapatom", "matrix",
        "minf", "next", "not", "or", "product", "return", "sin", "sqrt", "step", "sum", "then",
        "thru", "und", "unless", "while", "X", "zeroa", "zerob", "atan2",
    }
)
# fmt: on

RESERVED = _WORDS | VARIABLES
"""Words that no name may be."""

TAKEN = ("variables", "parameters", "defaults")
"""Names that every file gives to something else than a function."""

_WIDTH = 96


def literal(value: Decimal) -> str:
    """A constant; whole numbers stay exact."""
    if value == value.to_integral_value() and abs(value) < 1000:
        return str(int(value))
    return repr(number.to_float(value))


def assigned(variable: str, value: str) -> str:
    """An assignment within a block."""
    return wrapped(f"{variable} : {value},", "  ", _WIDTH)


def entry(matrix: str, row: int, column: int) -> str:
    """An entry of a matrix."""
    return f"{matrix}[{row + 1}][{column + 1}]"


def valued(fields: list[Field]) -> list[tuple[Field, str]]:
    """Fields with the text of their defaults; `und`, undefined, where there is none."""
    return [(field, "und" if field.value is None else literal(field.value)) for field in fields]


LANGUAGE = Language(Dialect(literal), RESERVED, assigned, entry)
