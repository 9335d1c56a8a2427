"""One function as C++: a template over the scalar, divided into parts where it is long."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.function import Argument
from robcogen_ros.backends.cpp.packs import kept, pack_type, packed, packed_turn, recalled
from robcogen_ros.backends.cpp.text import CPP, Language, comment
from robcogen_ros.backends.cpp.turns import turns
from robcogen_ros.backends.layout import PARAMETERS, Assignment, Layout, Part, layout
from robcogen_ros.backends.notation import operand, text
from robcogen_ros.backends.wrap import statement
from robcogen_ros.model.operation import OPERATIONS
from robcogen_ros.program.graph import (
    CONSTANTS,
    Input,
    Node,
    PackedConstant,
    PackedInput,
    ParameterValue,
)
from robcogen_ros.program.library import operation_counts
from robcogen_ros.program.passes.inline import inline
from robcogen_ros.program.program import Program
from robcogen_ros.program.trace import RULES


@dataclass(frozen=True, slots=True)
class CppSection:
    """A step of the algorithm: its title and lines."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CppPart:
    """A stretch of a function.

    Attributes:
        name: Its name.
        parameters: Its parameters, every name written.
        types: The types of its parameters for double.
        arguments: What it is called with.
        reads: Lines that read what it needs.
        sections: Its steps.
    """

    name: str
    parameters: tuple[str, ...]
    types: tuple[str, ...]
    arguments: tuple[str, ...]
    reads: tuple[str, ...]
    sections: tuple[CppSection, ...]


@dataclass(frozen=True, slots=True)
class CppFunction:
    """What the templates need of a function.

    Attributes:
        name: Its name.
        summary: What it computes.
        operations: How many operations it does.
        documentation: A line for each argument.
        parameters: Its parameters, every name written.
        types: The types of its parameters for double.
        parts: Its stretches; one of them if it is short.
        work_size: Values that parts hand on.
        unused: Arguments that it does not read.
        uses: Functions of <cmath> in it.
        packed: The same for double with limbs side by side; None where it is not worth it.
        limbs: What the lanes of packs are, a line for each group of limbs.
    """

    name: str
    summary: str
    operations: str
    documentation: tuple[str, ...]
    parameters: tuple[str, ...]
    types: tuple[str, ...]
    parts: tuple[CppPart, ...]
    work_size: int
    unused: tuple[str, ...]
    uses: tuple[str, ...]
    packed: CppFunction | None = None
    limbs: tuple[str, ...] = ()


def cpp_function(
    program: Program,
    name: str,
    parameters: tuple[str, ...] = (),
    *,
    labels: Mapping[tuple[str, int], str] | None = None,
    constants: bool = True,
    language: Language = CPP,
    lanes: Mapping[Node, int] | None = None,
) -> CppFunction:
    """A program as a function of a given name in C++ or C; other arguments as in `layout`."""
    flat = inline(program, RULES)
    laid = layout(
        flat, language.reserved, parameters, labels=labels, constants=constants, lanes=lanes
    )
    has_parameters = bool(parameters)
    order = argument_names(flat, has_parameters)
    used = {argument for part in laid.parts for argument in part.arguments}
    operations = {statement.node.operation for statement in flat.statements()}
    functions = {o.name for o in OPERATIONS.values() if o in operations and not o.symbol}
    return CppFunction(
        name=name,
        summary=comment(flat.summary),
        operations=_operations(flat),
        documentation=_documentation(flat, has_parameters),
        parameters=declared(flat, language.scalar, order, order),
        types=declared(flat, "double", order, ()),
        parts=tuple(_part(laid, i, name, order, language) for i in range(len(laid.parts))),
        work_size=laid.work_size,
        unused=tuple(argument for argument in order if argument not in used),
        uses=tuple(sorted(functions)),
    )


def argument_names(program: Program, has_parameters: bool) -> tuple[str, ...]:
    """Names of a function's arguments in order: parameters, inputs, outputs."""
    inputs = [argument.name for argument in program.inputs]
    outputs = [output.argument.name for output in program.outputs]
    return (*([PARAMETERS] if has_parameters else []), *inputs, *outputs)


def _operations(program: Program) -> str:
    counts = operation_counts(program)
    order = ("multiply", "add", "subtract", "divide", "sqrt", "sin", "cos")
    return ", ".join(f"{counts[name]} {name}" for name in order if name in counts) or "none"


def _documentation(program: Program, has_parameters: bool) -> tuple[str, ...]:
    lines = [f"@param[in] {PARAMETERS} values of the model's parameters"] if has_parameters else []
    lines += [f"@param[in] {_described(argument)}" for argument in program.inputs]
    lines += [f"@param[out] {_described(output.argument)}" for output in program.outputs]
    return tuple(
        piece for line in lines for piece in textwrap.wrap(line, 94, subsequent_indent="  ")
    )


def _described(argument: Argument) -> str:
    shape = f"({argument.rows})"
    if argument.columns is not None:
        shape = f"({argument.rows} x {argument.columns}, column-major)"
    return f"{argument.name} {shape} {comment(argument.meaning)}".rstrip()


def declared(
    program: Program, scalar: str, order: Sequence[str], named: Sequence[str]
) -> tuple[str, ...]:
    """The declarations of arguments; the work array is none of the program's.

    Args:
        program: The program.
        scalar: The type of its numbers.
        order: The arguments, in order.
        named: Those whose names are written.
    """
    written = {output.argument.name for output in program.outputs}
    kinds = [f"{scalar} *" if name in written else f"const {scalar} *" for name in order]
    return tuple(
        f"{kind} {name}" if name in named else kind for kind, name in zip(kinds, order, strict=True)
    )


def _part_arguments(part: Part, order: tuple[str, ...]) -> list[str]:
    arguments = [argument for argument in order if argument in part.arguments]
    return [*arguments, "work"] if part.keeps or part.recalled else arguments


def _part(
    laid: Layout, index: int, name: str, order: tuple[str, ...], language: Language
) -> CppPart:
    part, scalar = laid.parts[index], language.scalar
    arguments = _part_arguments(part, order)
    turning, places = turns(part, scalar) if language.turns else ((), {})

    def kinds(scalar: str, named: Sequence[str]) -> tuple[str, ...]:
        types = declared(laid.program, scalar, arguments, named)
        return (*types[:-1], types[-1].removeprefix("const ")) if part.keeps else types

    return CppPart(
        name=f"{name}_part_{index + 1}",
        parameters=kinds(scalar, arguments),
        types=kinds("double", ()),
        arguments=tuple(arguments),
        reads=(*_reads(laid, part, order, scalar), *turning),
        sections=tuple(_sections(laid, part, language, places)),
    )


def _sections(
    laid: Layout, part: Part, language: Language, places: Mapping[Node, str]
) -> Iterator[CppSection]:
    """The steps of a part; constants are read where they are needed, to spare the registers.

    Args:
        laid: The layout of the program.
        part: The part.
        language: How it is written.
        places: Where the values of some nodes are found.
    """
    unread = {node for node in part.inputs if _is_constant(node)}
    written: set[Node] = set()
    for section in part.sections:
        lines: list[str] = []
        for assignment in section.assignments:
            for node in _leaves(assignment.node, laid.names):
                if node in unread:
                    unread.remove(node)
                    lines.append(_constant(node, laid, language))
            if assignment.node not in written:
                lines += packed_turn(assignment, part, laid, written) or _lines(
                    assignment, laid, language, places.get(assignment.node)
                )
        yield CppSection(comment(section.title), tuple(lines))


def _is_constant(node: Node) -> bool:
    leaf = node.leaf
    return isinstance(leaf, PackedConstant) or (isinstance(leaf, Input) and leaf.name == CONSTANTS)


def _constant(node: Node, laid: Layout, language: Language) -> str:
    """The line that reads a constant."""
    name = laid.names[node]
    if isinstance(node.leaf, PackedConstant):
        return packed(node.leaf, name, map(language.dialect.literal, node.leaf.values))
    assert isinstance(node.leaf, Input)
    return statement(f"const {language.scalar} {name}", f"{CONSTANTS}[{node.leaf.index}]")


def _type(node: Node, laid: Layout, language: Language) -> str:
    """The type of a node's variable."""
    lanes = laid.lanes.get(node)
    return pack_type(lanes) if lanes else language.scalar


def _leaves(node: Node, names: Mapping[Node, str]) -> Iterator[Node]:
    """The leaves in the expression that is written for a node."""
    pending = list(node.operands) or [node]
    while pending:
        operand = pending.pop()
        if operand.operation is None:
            yield operand
        elif operand not in names:
            pending.extend(operand.operands)


def _reads(laid: Layout, part: Part, order: tuple[str, ...], scalar: str) -> tuple[str, ...]:
    entries = []
    packs = []
    for node, variable in part.inputs.items():
        leaf = node.leaf
        if isinstance(leaf, PackedInput):
            packs.append(packed(leaf, variable, [f"{leaf.name}[{i}]" for i in leaf.indices]))
        elif isinstance(leaf, Input) and leaf.name != CONSTANTS:
            entries.append((order.index(leaf.name), leaf.name, leaf.index, variable))
        elif isinstance(leaf, ParameterValue):
            entries.append((0, PARAMETERS, laid.parameters[leaf.name], variable))
    lines = [
        statement(f"const {scalar} {variable}", f"{name}[{i}]")
        for _, name, i, variable in sorted(entries)
    ]
    lines += packs
    lanes = {laid.names[node]: count for node, count in laid.lanes.items() if node in laid.names}
    for variable, slot in part.recalled.items():
        if variable in lanes:
            lines.append(recalled(variable, slot, lanes[variable]))
        else:
            lines.append(statement(f"const {scalar} {variable}", f"work[{slot}]"))
    return tuple(lines)


def _lines(
    assignment: Assignment, laid: Layout, language: Language, place: str | None
) -> list[str]:
    """The lines of an assignment, whose value may be found in a place already."""
    node, names, dialect = assignment.node, laid.names, language.dialect
    if assignment.variable:
        value = place or text(node, names, dialect)
        kind = _type(node, laid, language)
        lines = [statement(f"const {kind} {assignment.variable}", value)]
        value = assignment.variable
    else:
        write = text if node.operation else operand
        value = place or write(node, names, dialect)
        lines = []
    if assignment.slot is not None:
        lines.append(
            kept(assignment.variable, assignment.slot)
            if node in laid.lanes
            else statement(f"work[{assignment.slot}]", value)
        )
    return lines + [statement(f"{name}[{index}]", value) for name, index in assignment.outputs]
