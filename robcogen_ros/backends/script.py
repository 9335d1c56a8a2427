"""A program as lines of a language without declarations: Python, Octave, Maxima."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from robcogen_ros.backends.identifiers import comment
from robcogen_ros.backends.layout import Assignment, Layout, layout
from robcogen_ros.backends.notation import Dialect, operand, text
from robcogen_ros.program.leaf import Input, ParameterValue
from robcogen_ros.program.program import Program


@dataclass(frozen=True, slots=True)
class Language:
    """Rules by which a language writes straight-line code.

    Attributes:
        dialect: How it writes expressions.
        reserved: Words that no variable may be.
        assigned: The line or lines that give a variable a value.
        entry: An entry of a matrix, by the matrix's name, row and column from 0.
        longest: How many characters of an identifier count; None if all.
        files: Whether each function is a file of its own.
    """

    dialect: Dialect
    reserved: frozenset[str]
    assigned: Callable[[str, str], str]
    entry: Callable[[str, int, int], str]
    longest: int | None = None
    files: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """An entry of an argument, and the variable that holds it."""

    variable: str
    argument: str
    index: int


@dataclass(frozen=True, slots=True)
class ScriptSection:
    """A step of the algorithm: its title and lines."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """The body of a function.

    Attributes:
        reads: What it takes from its arguments first.
        sections: Its lines, which give variables their values.
        variables: These variables.
        entries: For each result, the text of each entry, column-major.
        constant: For each result, whether each entry is a number.
    """

    reads: tuple[Read, ...]
    sections: tuple[ScriptSection, ...]
    variables: tuple[str, ...]
    entries: Mapping[str, tuple[str, ...]]
    constant: Mapping[str, tuple[bool, ...]]


def script(
    program: Program,
    language: Language,
    parameters: tuple[str, ...],
    labels: Mapping[tuple[str, int], str] | None = None,
    taken: frozenset[str] = frozenset(),
) -> Script:
    """A program in a language.

    Args:
        program: The program.
        language: The language.
        parameters: Names of all parameters, in the order of the argument `parameters`.
        labels: What to call entries of inputs, by name and index; by default, by these.
        taken: More words that no variable may be.
    """
    reserved = language.reserved | taken
    laid = layout(program, reserved, parameters, labels=labels, longest_part=None)
    (part,) = laid.parts
    reads = sorted(
        (_read(laid, node.leaf, variable) for node, variable in part.inputs.items()),
        key=lambda read: (read.argument, read.index),
    )
    sections, results = [], {}
    for section in part.sections:
        computed = [a for a in section.assignments if a.variable]
        results.update({a.node: a for a in section.assignments if not a.variable})
        lines = tuple(_line(a, laid, language) for a in computed)
        if lines:
            sections.append(ScriptSection(comment(section.title), lines))
    assigned = [a.variable for s in part.sections for a in s.assignments if a.variable]
    written = {
        node: text(node, laid.names, language.dialect)
        for node in results
        if node.operation is not None and node not in laid.names
    }
    outputs = {output.argument.name: output.nodes for output in program.outputs}
    return Script(
        reads=tuple(reads),
        sections=tuple(sections),
        variables=(*(read.variable for read in reads), *assigned),
        entries={
            name: tuple(written.get(n) or operand(n, laid.names, language.dialect) for n in nodes)
            for name, nodes in outputs.items()
        },
        constant={
            name: tuple(n.literal is not None for n in nodes) for name, nodes in outputs.items()
        },
    )


def rows(entries: tuple[str, ...], count: int) -> list[list[str]]:
    """Column-major entries of a matrix, by row."""
    return [list(entries[i::count]) for i in range(count)]


def _read(laid: Layout, leaf: object, variable: str) -> Read:
    assert isinstance(leaf, Input | ParameterValue)
    return Read(variable, *laid.place(leaf))


def _line(assignment: Assignment, laid: Layout, language: Language) -> str:
    node = assignment.node
    value = text(node, laid.names, language.dialect)
    return language.assigned(assignment.variable, value)
