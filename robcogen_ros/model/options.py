"""The options that say which robot a description stands for: each is one field of a record.

A field has its name on the command line, in CMake and in Python, what it takes and what it means.
`read()` and `build()`, the commands, `robcogen_generate()` and `robcogen new` have them from here.
"""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, ParamSpec, TypeVar, get_args

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model import given
from robcogen_ros.model.names import nearest
from robcogen_ros.model.terms import TERMS

P = ParamSpec("P")
Record = TypeVar("Record")
R = TypeVar("R")

Takes = Literal["switch", "single", "multiple"]
"""Values that an option takes: none, for it is on or off; one value; any number of values."""
Group = Literal["file", "part", "severity", "open"]
"""Subject of an option: the file, the part of the robot, what is an error, what stays open."""

FORMATS = ("urdf", "xacro", "kindsl", "mjcf")
"""The formats of descriptions."""
LOOPS_AS = ("coordinates", "multipliers")
"""Forms that loops of links may take."""

MOUNT = "mount"
"""Stands for gravity as the file's root sees it, (0, 0, -9.81), in the link that is the root."""
GivenGravity = Sequence[float] | Literal["mount"] | None

MOST_SNAPPED = 0.01
"""Largest tolerance by which an angle may be taken for a multiple of pi/2 [rad]."""


@dataclass(frozen=True, slots=True)
class Option:
    """Names and texts of a field of `ModelOptions`, as its callers write them.

    Attributes:
        group: What it is about.
        help: What it means.
        takes: What it takes on the command line and in CMake.
        metavar: What stands for its value in help.
        between: What is between a name and its value, if it takes these.
        choices: The values that it can have, if they are known.
        flag: Its name on the command line; empty for that in Python, in the singular.
        keyword: Its name in CMake; empty for that in Python.
    """

    group: Group
    help: str
    takes: Takes = "switch"
    metavar: str = ""
    between: str = ""
    choices: tuple[str, ...] = ()
    flag: str = ""
    keyword: str = ""

    def named(self, name: str) -> Option:
        """Returns this option with all its names, from that in Python."""
        flag, keyword = _names(name, self.takes == "multiple")
        return replace(self, flag=self.flag or flag, keyword=self.keyword or keyword)

    def words(self, value: Any) -> list[str]:
        """The words after its keyword in CMake that give it a value; of a switch an empty one."""
        if value is None or value is False:
            return []
        if value is True:
            return [""]
        if isinstance(value, Mapping):
            return [f"{name}{self.between}{each}" for name, each in value.items()]
        return [str(value)] if isinstance(value, (str, float)) else [str(each) for each in value]


def _names(name: str, many: bool) -> tuple[str, str]:
    """The usual names of an option on the command line and in CMake, from that in Python."""
    return "--" + (name.removesuffix("s") if many else name).replace("_", "-"), name.upper()


def _field(
    default: Any,
    check: Callable[[str, Any], Any],
    group: Group,
    help: str,
    *words: Any,
    **more: Any,
) -> Any:
    """A field with a default, a check of what Python gives, and its `Option`."""
    option = Option(group, help, *words, **more)
    return field(default=default, metadata={"option": option, "check": check})


def _as_given(_name: str, value: Any) -> Any:
    return value


def _one_of(choices: Sequence[str]) -> Callable[[str, Any], Any]:
    def check(name: str, value: Any) -> Any:
        if value is None or value in choices:
            return value
        raise RobcogenError(f"unknown {name} '{value}'; expected one of {', '.join(choices)}")

    return check


def _floating(name: str, value: Any) -> bool | None:
    return None if value is None else given.flag(name, value)


def _tolerance(name: str, value: Any) -> float | None:
    if value is None:
        return None
    tolerance = given.finite_number(name, value)
    if not 0 <= tolerance <= MOST_SNAPPED:
        raise RobcogenError(f"{name}: expected 0 to {MOST_SNAPPED} rad, found {tolerance}")
    return tolerance


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """Options that choose the robot that is made of a description."""

    format: str | None = _field(
        None,
        _one_of(FORMATS),
        "file",
        "format, if the file's name does not tell it",
        "single",
        choices=FORMATS,
    )
    xacro_args: Mapping[str, object] | None = _field(
        None,
        given.by_name,
        "file",
        "arguments of a xacro: texts, numbers, True and False, lists and dicts of these",
        "multiple",
        "NAME:=VALUE",
        ":=",
    )
    package_paths: Mapping[str, str] | None = _field(
        None,
        given.by_name,
        "file",
        "directory that $(find PACKAGE) and package:// stand for",
        "multiple",
        "PACKAGE:=DIR",
        ":=",
    )
    loops: str | None = _field(
        None,
        given.path,
        "file",
        "file that says what closes loops of links: YAML, or MJCF with equalities",
        "single",
        "FILE",
    )
    loops_as: str = _field(
        LOOPS_AS[0],
        _one_of(LOOPS_AS),
        "file",
        "joints of loops follow others, which are the coordinates (the default), or all joints of "
        "the spanning tree are coordinates, and forces, the multipliers, hold loops closed",
        "single",
        choices=LOOPS_AS,
    )
    floating_base: bool | None = _field(
        None, _floating, "part", "the base moves freely; otherwise the file decides"
    )
    root: str | None = _field(None, given.name, "part", "start from this link", "single", "LINK")
    tips: Sequence[str] = _field((), given.names, "part", "end at this link", "multiple", "LINK")
    keep_attached: bool = _field(
        False,
        given.flag,
        "part",
        "keep links outside of root and tips that can only move with the others: fixed on them, "
        "or following their joints",
    )
    keep_spinning: bool = _field(
        False,
        given.flag,
        "part",
        "let rods of loops turn about their own axes; otherwise joints of theirs are held where "
        "that moves nothing else",
    )
    lock: Mapping[str, float] | None = _field(
        None,
        _as_given,
        "part",
        "fix a joint at a position [rad or m]",
        "multiple",
        "JOINT=VALUE",
        "=",
        keyword="LOCK_JOINTS",
    )
    actuated: Sequence[str] = _field(
        (),
        given.names,
        "part",
        "joint that a motor moves, independent before others of its loops; otherwise the file "
        "decides",
        "multiple",
        "JOINT",
    )
    gravity: GivenGravity = _field(
        None,
        _as_given,
        "part",
        "gravity in the base frame if a call gives none: three numbers [m/s^2], or mount, that of "
        "the upright file seen from the root (default: 0 0 -9.81); a floating base is given it by "
        "each call",
        "multiple",
        "X",
    )
    terms: Collection[str] = _field(
        (),
        given.names,
        "open",
        "joint term that becomes part of the dynamics",
        "multiple",
        choices=TERMS,
        flag="--with",
        keyword="WITH",
    )
    parameters: Sequence[str] = _field(
        (),
        given.names,
        "open",
        "number that is set at run time: LINK.mass, LINK.com.x, LINK.inertia.ixx, "
        "JOINT.origin.z, or LINK, LINK.com, JOINT.origin for all of them",
        "multiple",
        "NAME",
    )
    payload: str | None = _field(
        None,
        given.name,
        "open",
        "frame that carries a payload, which is set at run time",
        "single",
        "FRAME",
    )
    contacts: Sequence[str] = _field(
        (),
        given.names,
        "open",
        "frame that may touch something: adds the contact functions. ROWS: position (a point, the "
        "default), pose, orientation, position_z, ...",
        "multiple",
        "FRAME[:ROWS]",
    )
    snap_angles: float | None = _field(
        None,
        _tolerance,
        "severity",
        "tolerance by which rounded right angles are restored [rad]; 0 keeps what is written "
        "(default: 1e-5 for angles of five digits and more, such as 1.5708)",
        "single",
        "TOLERANCE",
    )
    cut_loops: bool = _field(
        False,
        given.flag,
        "severity",
        "leave out what closes loops of links, and the later of two parents of a link; otherwise "
        "these are errors",
    )
    accept_inertia: bool = _field(
        False,
        given.flag,
        "severity",
        "negative masses and moments of inertia are only warnings if the inertia matrix is "
        "positive definite",
    )
    strict: bool = _field(False, given.flag, "severity", "all warnings are errors")

    def __post_init__(self) -> None:
        for each in fields(self):
            if "check" in each.metadata:
                value = each.metadata["check"](each.name, getattr(self, each.name))
                object.__setattr__(self, each.name, value)


OPTIONS: dict[str, Option] = {
    each.name: each.metadata["option"].named(each.name) for each in fields(ModelOptions)
}
"""The options by their names in Python."""

_CALLER: ContextVar[str] = ContextVar("caller", default="python")


@contextmanager
def called_from(caller: str) -> Iterator[None]:
    """Lets messages write options as on the command line, "cli", or in CMake, "cmake"."""
    token = _CALLER.set(caller)
    try:
        yield
    finally:
        _CALLER.reset(token)


def option_text(name: str, *values: str | float, flag: bool = False) -> str:
    """An option as the caller writes it: --cut-loops, CUT_LOOPS or cut_loops=True.

    Args:
        name: What it is called in Python.
        values: What to give it.
        flag: Whether it takes no value, but is on or off.
    """
    known = OPTIONS.get(name)
    cli, cmake = (known.flag, known.keyword) if known else _names(name, name == "functions")
    if (caller := _CALLER.get()) != "python":
        return " ".join([cli if caller == "cli" else cmake, *map(str, values)])
    text = "".join(f'"{v}"' if isinstance(v, str) else str(v) for v in values)
    text = f"({', '.join(map(str, values))})" if len(values) > 1 else text
    return f"{name}={'True' if flag else text}"


_CMAKE = """\
# The options that name a robot, from the fields of ModelOptions (robcogen_ros/model/options.py):
#   python -c "from robcogen_ros.model import options; print(options.cmake(), end='')"
# Keywords by what they take; each has <keyword>_option, and <keyword>_choices if those are known.
macro(_robcogen_model_options)
{lines}
endmacro()
"""


def cmake() -> str:
    """The text of `cmake/robcogen_options.cmake`."""
    known = [option for option in OPTIONS.values() if option.keyword != "FORMAT"]
    sets = {takes: [o.keyword for o in known if o.takes == takes] for takes in get_args(Takes)}
    sets |= {f"{o.keyword}_option": [o.flag] for o in known}
    sets |= {f"{o.keyword}_choices": [*o.choices] for o in known if o.choices}
    lines = (f"  set({name} {' '.join(words)})" for name, words in sets.items())
    return _CMAKE.format(lines="\n".join(lines))


def by_keyword(record: Callable[P, Record]) -> Callable[[Callable[[Record], R]], Callable[P, R]]:
    """Make a function of a record one of the record's fields, which its docstring then lists."""

    def decorate(function: Callable[[Record], R]) -> Callable[P, R]:
        signature = inspect.signature(record)

        @functools.wraps(function)
        def call(*args: P.args, **keywords: P.kwargs) -> R:
            for unknown in keywords.keys() - signature.parameters.keys():
                message = f"{function.__name__}() has no option '{unknown}'"
                raise TypeError(message + nearest(unknown, signature.parameters))
            return function(record(*args, **keywords))

        returned = inspect.signature(function).return_annotation
        told = signature.replace(return_annotation=returned)
        call.__signature__ = told  # type: ignore[attr-defined]
        call.__doc__ = (function.__doc__ or "").replace("{arguments}", _arguments(record))
        return call

    return decorate


def _arguments(record: Any) -> str:
    """The fields of a record as the arguments of a docstring: its attributes, then the options."""
    own = inspect.getdoc(record).partition("Attributes:\n")[2]  # type: ignore[union-attr]
    lines = (f"{name}: {_sentence(option.help)}" for name, option in OPTIONS.items())
    wrap = textwrap.TextWrapper(100, initial_indent=" " * 4, subsequent_indent=" " * 8)
    text = "\n".join(["Args:", own, *(line for each in lines for line in wrap.wrap(each))])
    return textwrap.indent(text, " " * 4).lstrip()


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
