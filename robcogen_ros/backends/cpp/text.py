"""Names, literals and comments of C++."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal

from robcogen_ros.backends.cpp.macros import MACROS
from robcogen_ros.backends.identifiers import comment as comment
from robcogen_ros.backends.identifiers import identifiers as identifiers_of
from robcogen_ros.backends.layout import LONGEST_PART
from robcogen_ros.backends.notation import Dialect
from robcogen_ros.model.scalars import number
from robcogen_ros.program.library import Library

# fmt: off
KEYWORDS = frozenset(
    {
        "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool",
        "break", "case", "catch", "char", "char8_t", "char16_t", "char32_t", "class", "compl",
        "concept", "const", "consteval", "constexpr", "constinit", "const_cast", "continue",
        "co_await", "co_return", "co_yield", "decltype", "default", "delete", "do", "double",
        "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for",
        "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new",
        "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private",
        "protected", "public", "register", "reinterpret_cast", "requires", "return", "short",
        "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch",
        "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid",
        "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t",
        "while", "xor", "xor_eq",
    }
)
# fmt: on
"""Words of the language."""

_UPDATES = ("update_parameters", "update", "update_positions", "update_velocities", "open_bodies")

RESERVED = (
    KEYWORDS
    | MACROS
    | {"T", "std", "sin", "cos", "sqrt", "atan2", "select", "turn", "entry", "robcogen_ros"}
)


NAMESPACES = KEYWORDS | MACROS | {"std"}
"""Names that no namespace of ours may have: a macro would be replaced, names in `std` are not
ours."""


def literal(value: Decimal) -> str:
    """A constant of type T, rounded once."""
    rounded = number.to_float(value)
    return "robcogen_ros::epsilon<T>()" if rounded == number.EPSILON else f"T({rounded!r})"


@dataclass(frozen=True, slots=True)
class Language:
    """Rules by which C++, or a language like it, writes straight-line code.

    Attributes:
        scalar: Its type of numbers.
        dialect: How it writes expressions.
        reserved: Words that no variable may be.
        sines: Whether sines and cosines are computed in one go.
        clearing: Whether zeros of outputs are set at once; compilers may call `memset` for that.
        prefetching: Whether long functions prefetch their code.
        inputs: Its type of inputs, of the type of their numbers.
        outputs: Its type of outputs.
        longest_part: Most statements in a part of a long function.
    """

    scalar: str
    dialect: Dialect
    reserved: frozenset[str]
    sines: bool = False
    clearing: bool = False
    prefetching: bool = False
    inputs: str = "const {} *"
    outputs: str = "{} *"
    longest_part: int = LONGEST_PART


CPP = Language("T", Dialect(literal), RESERVED, sines=True, clearing=True, prefetching=True)

COLUMNS = replace(
    CPP,
    reserved=RESERVED | {"Inputs", "Outputs"},
    clearing=False,
    inputs="Inputs<{}>",
    outputs="Outputs<{}>",
)
"""C++ for several states, too, each number of which is in a column."""


DOUBLE = Language(
    "double",
    Dialect(lambda value: repr(number.to_float(value))),
    RESERVED
    | {"Pack", "clear", "lane", "total", "transposed", "turn_2", "turn_4", "turn_8"}
    | {"sines_apart", "write_three"},
    sines=True,
    clearing=True,
    prefetching=True,
)
"""C++ for double alone."""


def double(value: float | None) -> str:
    """A double; NaN where there is no value."""
    return "std::numeric_limits<double>::quiet_NaN()" if value is None else repr(value)


def quoted(text: str) -> str:
    """A string literal, ASCII only."""
    escaped = []
    for byte in text.encode():
        character = chr(byte)
        if character in '"\\?':
            escaped.append("\\" + character)
        elif 32 <= byte < 127:
            escaped.append(character)
        else:
            escaped.append(f"\\{byte:03o}")
    return f'"{"".join(escaped)}"'


def function_identifiers(library: Library) -> dict[str, str]:
    """The identifier of each of a robot's functions.

    What is the name of a frame's pose or Jacobian in the base stays that of this frame alone, also
    where it is no function: it is made of the kinematics.
    """
    names, frames = library.names, library.robot.frame_names
    pairs = (f"{frames[0]}_{infix}_{frame}" for frame in frames for infix in "XJ")
    others = [pair for pair in pairs if pair not in names]
    found = identifiers([*_UPDATES, *names, *others])
    return dict(zip(names, found[len(_UPDATES) :], strict=False))


def parameter_identifiers(names: Iterable[str]) -> list[str]:
    """Identifiers of parameters: members of classes that have some names of their own."""
    return identifiers_of(names, RESERVED | {"data", "get", "ParametersOf", "ParameterSource"})


def identifiers(names: Iterable[str]) -> list[str]:
    """Identifiers that differ, as like the names as C++ allows."""
    return identifiers_of(names, RESERVED)
