"""Names, literals and lines that Octave and MATLAB have in common."""

from __future__ import annotations

from decimal import Decimal

from robcogen_ros.backends.notation import Dialect, wrapped
from robcogen_ros.backends.script import Language
from robcogen_ros.model.scalars import number

LONGEST_NAME = 63
"""Characters of a name that count in MATLAB."""

# fmt: off
RESERVED = frozenset(
    {
        "ans", "break", "case", "catch", "classdef", "continue", "cos", "do", "e", "else", "elseif",
        "end", "end_try_catch", "end_unwind_protect", "endclassdef", "endenumeration", "endevents",
        "endfor", "endfunction", "endif", "endmethods", "endparfor", "endproperties", "endswitch",
        "endwhile", "enumeration", "eps", "events", "false", "for", "function", "global", "i", "if",
        "inf", "Inf", "import", "j", "methods", "nan", "NaN", "nargin", "nargout", "otherwise",
        "package", "parfor", "persistent", "pi", "properties", "return", "sin", "spmd", "sqrt",
        "switch", "true", "try", "until", "unwind_protect", "unwind_protect_cleanup", "varargin",
        "varargout", "while", "X", "zeros", "atan2", "select",
    }
)
# fmt: on
"""Words that no name may be."""

_WIDTH = 96


def literal(value: Decimal) -> str:
    """A constant, rounded once."""
    return repr(number.to_float(value))


def quoted(text: str) -> str:
    """A character vector, ASCII only."""
    clean = "".join(c if c.isascii() and c.isprintable() else "?" for c in text)
    return f"'{clean.replace(chr(39), chr(39) * 2)}'"


def assigned(variable: str, value: str) -> str:
    """A statement, continued where it is long."""
    return wrapped(f"{variable} = {value};", "  ", _WIDTH).replace("\n", " ...\n  ")


def entry(matrix: str, row: int, column: int) -> str:
    """An entry of a matrix."""
    return f"{matrix}({row + 1}, {column + 1})"


LANGUAGE = Language(Dialect(literal), RESERVED, assigned, entry, LONGEST_NAME, files=True)
