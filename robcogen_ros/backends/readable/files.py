"""Pages of a robot's functions: a file each, beside the code that is made to run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePosixPath
from textwrap import wrap

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.text import KEYWORDS
from robcogen_ros.backends.identifiers import comment, identifiers
from robcogen_ros.backends.notation import Dialect
from robcogen_ros.backends.python.private import shape_of
from robcogen_ros.backends.python.text import RESERVED
from robcogen_ros.backends.readable.glossary import conventions, glossary
from robcogen_ros.backends.readable.page import Form, Page
from robcogen_ros.backends.render import render
from robcogen_ros.backends.robot_scripts import by_default
from robcogen_ros.model.scalars import number
from robcogen_ros.program.library import Library
from robcogen_ros.program.named_constants import Quantity
from robcogen_ros.program.readable import Readable, readable

_WIDTH = 97
_SHORT = 1e6
"""Whole numbers below it are written without a point."""


def _literal(value: Decimal) -> str:
    found = number.to_float(value)
    return str(int(found)) if found.is_integer() and abs(found) < _SHORT else repr(found)


@dataclass(frozen=True, slots=True)
class _Language:
    """Rules by which pages are written in a language.

    Attributes:
        ending: Of files, and of the template.
        form: How it writes quantities.
        reserved: Words that no function may be.
    """

    ending: str
    form: Form
    reserved: frozenset[str]


_FUNCTIONS = ("sin", "cos", "sqrt", "atan2")

LANGUAGES = {
    "cpp": _Language(
        "hpp",
        Form(
            Dialect(_literal, {name: f"std::{name}" for name in _FUNCTIONS}),
            scalar="const double {name} = ",
            vector="const double {name}[{size}] = ",
            matrix="const double {name}[3][3] = ",
            brackets="{}",
            end=";",
            copied="const auto & {name} = ",
            broken="",
            whole=False,
        ),
        KEYWORDS,
    ),
    "python": _Language(
        "py",
        Form(
            Dialect(_literal),
            scalar="{name} = ",
            vector="{name} = ",
            matrix="{name} = ",
            brackets="[]",
            end="",
            copied="{name} = ",
            broken="()",
            whole=True,
        ),
        RESERVED,
    ),
}
"""Languages in which there are pages."""


def readable_files(library: Library, target: Target, language: str) -> dict[PurePosixPath, str]:
    """A page for each function of a library, which makes its programs without any optimisation."""
    chosen = LANGUAGES[language]
    names = identifiers(library.names, chosen.reserved, as_files=True)
    return {
        PurePosixPath("readable", f"{identifier}.{chosen.ending}"): _page(
            library, name, identifier, target, chosen
        )
        for name, identifier in zip(library.names, names, strict=True)
    }


def _page(library: Library, name: str, identifier: str, target: Target, to: _Language) -> str:
    function, robot = library.function(name), library.robot
    program = readable(function, robot)
    page = Page(program, to.form)
    quantities = [*program.constants, *(q for step in program.steps for q in step.quantities)]
    context = {
        "project": target.project,
        "target": target.name,
        "model": comment(target.model),
        "robot": comment(robot.name),
        "name": identifier,
        "summary": comment(function.summary),
        "head": [*map(str.rstrip, _head(page, program, quantities))],
        "inputs": [_input(a, page) for a in function.inputs],
        "outputs": [_output(a, page) for a in function.outputs],
        "parameters": len(robot.parameters),
        "page": page,
    }
    return render(f"readable/function.{to.ending}.jinja", context)


def _head(page: Page, program: Readable, quantities: Sequence[Quantity]) -> Iterator[str]:
    """Yields the head of a page: the robot's links, the glossary, the rules of names."""
    function = program.function
    yield from wrap(f"{comment(function.summary)}.", _WIDTH)
    yield ""
    yield from wrap(
        "The algorithm as it is written, each quantity under its name. It gives what the function "
        f"{function.name} gives that is generated to run, in more operations.",
        _WIDTH,
    )
    yield ""
    yield "Links of the robot:"
    yield from _item("0", program.robot.links[0].name)
    for joint in program.robot.joints:
        link = program.robot.links[joint.successor].name
        how, by = joint.kind.action, f"joint {joint.name}, q[{joint.coordinate}]"
        on = f"{how} on link {joint.predecessor} by {by}"
        yield from _item(str(joint.successor), f"{link}, {on}")
    if program.robot.parameters:
        yield ""
        yield "Parameters, by their places in the argument `parameters`:"
    for k, parameter in enumerate(program.robot.parameters):
        yield from _item(str(k), parameter.name)
    frames = {q.name[2:] for q in program.constants if q.name[1] == "N"}
    if frames:
        yield ""
        yield "Frames:"
    for index in sorted(map(int, frames)):
        frame = program.robot.frames[index]
        yield from _item(str(index), f"{frame.name}, on link {frame.link}")
    yield ""
    yield "Quantities, each with the number of its link or joint; joint i moves link i:"
    for symbol, meaning in glossary(quantities):
        yield from _item(symbol, meaning)
    if page.intermediate:
        yield from _item("t", "intermediate values, numbered as they come")
    yield ""
    names = [quantity.name for quantity in quantities]
    for paragraph in conventions(names):
        yield from wrap(paragraph, _WIDTH)


def _item(name: str, text: str) -> list[str]:
    """Lines of an item of a list."""
    head, rest = f"  {name:10} ", " " * 13
    return wrap(comment(text), _WIDTH, initial_indent=head, subsequent_indent=rest)


@dataclass(frozen=True, slots=True)
class _Described:
    """An argument: its name, meaning and dimensions."""

    name: str
    meaning: str
    shape: tuple[int, ...]


def _input(argument: Argument, page: Page) -> _Described:
    shape = shape_of(argument)
    text = by_default(argument) if argument.optional else ""
    return _Described(page.called[argument.name], comment(argument.meaning + text), shape)


def _output(argument: Argument, page: Page) -> _Described:
    shape = shape_of(argument)
    if argument.columns is not None:
        shape = argument.rows, argument.columns
    return _Described(page.called[argument.name], comment(argument.meaning), shape)
