"""A part of a function in C++: what it reads, then its steps, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from robcogen_ros.backends.cpp.packs import (
    input_pairs,
    kept,
    pack_type,
    packed,
    packed_input,
    packed_inputs,
    recalled,
    written_rows,
)
from robcogen_ros.backends.cpp.sines import angle, sines
from robcogen_ros.backends.cpp.text import CPP, Language, comment
from robcogen_ros.backends.layout import Assignment, Layout, Part
from robcogen_ros.backends.notation import operand, text
from robcogen_ros.backends.variables import PARAMETERS
from robcogen_ros.backends.wrap import enclosed, statement
from robcogen_ros.model.scalars.operation import NEGATE
from robcogen_ros.program.graph import Node
from robcogen_ros.program.leaf import CONSTANTS, Input, PackedConstant, PackedInput, ParameterValue
from robcogen_ros.program.program import Program

_OF_PACKS, _OF_ROW = 4 / 3, 4
"""Length of code of an operation on packs, and of a row that they are turned to and written, in
operations on numbers."""


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
        operations: How many operations it does, those included that write results; one on packs
            counts more, for its longer code.
    """

    name: str
    parameters: tuple[str, ...]
    types: tuple[str, ...]
    arguments: tuple[str, ...]
    reads: tuple[str, ...]
    sections: tuple[CppSection, ...]
    operations: int = 0


def declared(
    program: Program,
    scalar: str,
    order: Sequence[str],
    named: Sequence[str],
    language: Language = CPP,
) -> tuple[str, ...]:
    """The declarations of arguments; the work array is none of the program's.

    Args:
        program: The program.
        scalar: The type of its numbers.
        order: The arguments, in order.
        named: Those whose names are written.
        language: How it is written.
    """
    kind = dict.fromkeys(order, CPP.inputs)
    kind |= {a.name: language.inputs for a in program.inputs if a.name != CONSTANTS}
    kind |= {output.argument.name: language.outputs for output in program.outputs}
    kinds = [kind[name].format(scalar) for name in order]
    return tuple(
        f"{kind} {name}" if name in named else kind for kind, name in zip(kinds, order, strict=True)
    )


def _part_arguments(part: Part, order: tuple[str, ...]) -> list[str]:
    arguments = [argument for argument in order if argument in part.arguments]
    return [*arguments, "work"] if part.keeps or part.recalled else arguments


def cpp_part(
    laid: Layout, index: int, name: str, order: tuple[str, ...], language: Language
) -> CppPart:
    """A part of a program.

    Args:
        laid: The layout of the program.
        index: Which part.
        name: The name of the function.
        order: The arguments of the function, in order.
        language: How it is written.
    """
    part = laid.parts[index]
    arguments = _part_arguments(part, order)

    def kinds(scalar: str, named: Sequence[str]) -> tuple[str, ...]:
        types = declared(laid.program, scalar, arguments, named, language)
        return (*types[:-1], types[-1].removeprefix("const ")) if part.keeps else types

    writer = Writer(laid, part, language)
    begin = writer.begin()
    turned = writer.turned() if language.sines else []
    return CppPart(
        name=f"{name}_part_{index + 1}",
        parameters=kinds(language.scalar, arguments),
        types=kinds("double", ()),
        arguments=tuple(arguments),
        reads=(*read_inputs(laid, part, order, language.scalar), *begin, *turned),
        sections=(*_cleared(laid, part, language), *writer.sections()),
        operations=round(sum(_weights(laid, part))),
    )


def _weights(laid: Layout, part: Part) -> Iterator[float]:
    """Yields the weight of each operation of a part, and of each write of its results."""
    for section in part.sections:
        for assignment in section.assignments:
            yield len(assignment.outputs)
            yield _OF_ROW * sum(len(rows.places) for _, rows in assignment.rows)
            for node in _written(assignment.node, laid.names):
                if node.operation is not NEGATE:
                    yield _OF_PACKS if node in laid.lanes else 1


def _written(node: Node, names: Mapping[Node, str]) -> Iterator[Node]:
    """The operations in the expression that is written for a node."""
    pending = [node] if node.operation else []
    while pending:
        found = pending.pop()
        yield found
        pending += [each for each in found.operands if each.operation and each not in names]


def _cleared(laid: Layout, part: Part, language: Language) -> Iterator[CppSection]:
    """The lines that set entries to zero that stay so."""
    if laid.lanes:
        lines = [f"  clear<{each.count}>({each.output} + {each.first});" for each in part.cleared]
        if lines:
            yield CppSection("zeros", tuple(lines))
        return
    zero = language.dialect.literal(Decimal(0))
    for each in part.cleared:
        head = f"  for (int entry = {each.first}; entry < {each.first + each.count}; ++entry)"
        loop = (head, "  {", f"    {each.output}[entry] = {zero};", "  }")
        yield CppSection(f"{each.output}: zero where nothing else is written", loop)


class Writer:
    """Writes the lines of a part.

    Constants, packs of inputs and what earlier parts kept are read where they are needed, to spare
    the registers; of inputs all before an output is written.

    Args:
        laid: The layout of the program.
        part: The part.
        language: How it is written.
    """

    def __init__(self, laid: Layout, part: Part, language: Language) -> None:
        self._laid = laid
        self._part = part
        self._language = language
        self._unread = {node for node in part.inputs if _is_late(node)} | {*part.recalled}
        self._pairs = input_pairs(self._inputs())
        self._written: set[Node] = set()
        self._places: dict[Node, str] = {}

    def _inputs(self) -> list[Node]:
        """Packs of inputs that are not read yet."""
        inputs = self._part.inputs
        return [node for node in inputs if _is_packed_input(node) and node in self._unread]

    def begin(self) -> list[str]:
        """The lines that read packs of inputs where the part writes zeros first."""
        return self._reads(self._inputs()) if self._part.cleared else []

    def turned(self) -> list[str]:
        """The lines that compute sines and cosines where the part begins."""
        lines: list[str] = []
        names, dialect = self._laid.names, self._language.dialect
        for turned in sines(self._part, self._laid.lanes):
            for assignment in turned.ahead:
                lines += self._lines(assignment)
            for node in turned.angles:
                lines += self._reads([node])
            write = partial(operand, names=names, dialect=dialect)
            angles = [
                angle(node, _type(node, self._laid, self._language), write)
                for node in turned.angles
            ]
            lines.append(enclosed(turned.head(self._language.scalar), angles, ");", "  "))
            self._places.update(turned.places())
        return lines

    def sections(self) -> Iterator[CppSection]:
        """The steps, without what has been written."""
        for section in self._part.sections:
            lines: list[str] = []
            for assignment in section.assignments:
                if assignment.outputs or assignment.rows:
                    lines += self._reads(self._inputs())
                lines += self._lines(assignment)
                lines += self._rows(assignment)
            if lines:
                yield CppSection(comment(section.title), tuple(lines))

    def _lines(self, assignment: Assignment) -> list[str]:
        """The lines of an assignment, if they are not written yet."""
        node = assignment.node
        if node in self._written:
            return []
        self._written.add(node)
        place = self._places.get(node)
        lines = self._assigned(assignment, place)
        return lines if place or not self._unread else self._reads([node]) + lines

    def _assigned(self, assignment: Assignment, place: str | None) -> list[str]:
        """The lines of an assignment, whose value may be found in a place already."""
        node, variable = assignment.node, assignment.variable
        names, dialect = self._laid.names, self._language.dialect
        if variable:
            value = place or text(node, names, dialect)
            kind = _type(node, self._laid, self._language)
            lines = [statement(f"const {kind} {variable}", value)]
            value = variable
        else:
            write = text if node.operation else operand
            value = place or write(node, names, dialect)
            lines = []
        if assignment.slot is not None:
            lines.append(self._store(node, value, assignment.slot))
        lines += [statement(self._entry(*entry), value) for entry in assignment.outputs]
        return lines

    def _store(self, node: Node, value: str, slot: int) -> str:
        """The line that keeps a value for later parts."""
        return kept(value, slot) if node in self._laid.lanes else statement(f"work[{slot}]", value)

    def _entry(self, output: str, index: int) -> str:
        """An entry of an output."""
        return f"{output}[{index}]"

    def _rows(self, assignment: Assignment) -> Iterator[str]:
        """The lines that write rows of outputs."""
        for variable, rows in assignment.rows:
            yield from self._reads(rows.packs)
            packs = [self._laid.names[pack] for pack in rows.packs]
            yield enclosed(f"const auto {variable} = transposed(", packs, ");", "  ")
            yield from written_rows(variable, rows)

    def _reads(self, nodes: Iterable[Node]) -> list[str]:
        """The lines that read what the expressions of nodes need and is not read yet."""
        unread = {
            each: None
            for node in nodes
            for each in ([node] if node in self._unread else _operands(node, self._laid.names))
            if each in self._unread
        }
        return [line for each in unread if each in self._unread for line in self._read(each)]

    def _read(self, node: Node) -> list[str]:
        """The lines that read a constant, a pack of inputs, or what an earlier part kept."""
        self._unread.discard(node)
        names = self._laid.names
        pair = self._pairs.get(node)
        if pair is not None:
            self._unread.difference_update(pair)
            return packed_inputs(*((each, names[each]) for each in pair))
        if isinstance(node.leaf, PackedInput):
            return [packed_input(node.leaf, names[node])]
        slot = self._part.recalled.get(node)
        if slot is None:
            return [_constant(node, self._laid, self._language)]
        if node in self._laid.lanes:
            return [recalled(names[node], slot, self._laid.lanes[node])]
        return [statement(f"const {self._language.scalar} {names[node]}", f"work[{slot}]")]


def _is_late(node: Node) -> bool:
    """Returns True if a leaf is read where it is needed."""
    leaf = node.leaf
    constant = isinstance(leaf, Input) and leaf.name == CONSTANTS
    return constant or isinstance(leaf, (PackedConstant, PackedInput))


def _is_packed_input(node: Node) -> bool:
    return isinstance(node.leaf, PackedInput)


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


def _operands(node: Node, names: Mapping[Node, str]) -> Iterator[Node]:
    """The leaves and variables in the expression that is written for a node."""
    pending = list(node.operands) or [node]
    while pending:
        operand = pending.pop()
        if operand.operation is None or operand in names:
            yield operand
        else:
            pending.extend(operand.operands)


def read_inputs(laid: Layout, part: Part, order: tuple[str, ...], scalar: str) -> tuple[str, ...]:
    """The lines that read the inputs of a part, and a parametric robot's parameters."""
    entries = []
    for node, variable in part.inputs.items():
        leaf = node.leaf
        if isinstance(leaf, Input) and leaf.name != CONSTANTS:
            entries.append((order.index(leaf.name), leaf.name, leaf.index, variable))
        elif isinstance(leaf, ParameterValue):
            entries.append((0, PARAMETERS, laid.parameters[leaf.name], variable))
    return tuple(
        statement(f"const {scalar} {variable}", f"{name}[{i}]")
        for _, name, i, variable in sorted(entries)
    )
