"""Names, literals and lines of Python."""

from __future__ import annotations

import keyword
from decimal import Decimal

from robcogen_ros.backends.notation import Dialect, wrapped
from robcogen_ros.backends.script import Language
from robcogen_ros.model.scalars import number

RESERVED = frozenset(keyword.kwlist) | {
    *("np", "sin", "cos", "sqrt", "atan2", "select", "float", "map", "X"),
    *("match", "case", "type"),
}
"""Words that no name may be; the last ones are keywords in some places only."""

_WIDTH = 96


def literal(value: Decimal) -> str:
    """A constant, rounded once."""
    return repr(number.to_float(value))


def quoted(names: tuple[str, ...]) -> list[str]:
    """Names as literals, ASCII only."""
    texts = map(ascii, names)
    return [t if '"' in t else f'"{t[1:-1]}"' for t in texts]


def assigned(variable: str, value: str) -> str:
    """A line, or several between parentheses."""
    line = f"{variable} = {value}"
    if len(line) <= _WIDTH:
        return line
    return f"{variable} = (\n        {wrapped(value, '        ', _WIDTH - 4)}\n    )"


def entry(matrix: str, row: int, column: int) -> str:
    """An entry of each matrix of a batch."""
    return f"{matrix}[..., {row}, {column}]"


def listed(items: list[str], indent: str, width: int) -> str:
    """Items between commas: on one line, or each on its own where they are wider together."""
    line = ", ".join(items)
    if len(line) <= width and "\n" not in line:
        return line
    lines = "".join(f"\n{indent}    {item}," for item in items)
    return f"{lines}\n{indent}"


LANGUAGE = Language(Dialect(literal), RESERVED, assigned, entry)
