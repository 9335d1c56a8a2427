"""Laying out a straight-line program as text in any language.

Decides which nodes become variables and what they are called, which are written inside the one
expression that uses them, and where a long function is divided into parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from robcogen_ros.backends.rows import Rows, find_rows
from robcogen_ros.backends.variables import PARAMETERS, Named, Variables
from robcogen_ros.backends.zeros import Zeros, runs, whole_outputs
from robcogen_ros.model.record import record
from robcogen_ros.model.scalars.operation import ADD, SELECT, SUBTRACT
from robcogen_ros.program.graph import Node
from robcogen_ros.program.leaf import Input, PackedConstant, ParameterValue
from robcogen_ros.program.program import Program, Statement

LONGEST_PART = 1000
"""Statements in one part; compilers take longer than linearly for longer functions."""

_WHOLE = 3 * LONGEST_PART
"""Statements better left together: what a part hands on to the next takes a sixth more time."""

_LARGEST_EXPRESSION = 12
"""Operations written in one expression."""

LONGEST_OPERAND = 48
"""Characters, as far as can be told ahead, of an expression within another."""

_LONGEST_SUM = 18
"""Operations of a sum within a longer one, which is broken over lines between its terms."""

_SHORT_NAME = 5
"""Characters of a name without meaning."""


@record(frozen=True, slots=True)
class Assignment:
    """A line of code: a variable and where else its value goes.

    Attributes:
        node: The node that is computed.
        variable: Name of the variable; empty if the value goes to outputs only.
        outputs: Entries of outputs that get the value: name and index.
        slot: Place in the work array, if later parts need the value; else None.
        rows: Rows of outputs whose last pack it is, each with its variable.
    """

    node: Node
    variable: str
    outputs: tuple[tuple[str, int], ...]
    slot: int | None
    rows: tuple[tuple[str, Rows], ...] = ()


@dataclass(slots=True)
class Section:
    """Assignments that belong to one step of the algorithm."""

    title: str
    assignments: list[Assignment] = field(default_factory=list)


@dataclass(slots=True)
class Part:
    """A stretch of a program that is compiled as one function.

    Attributes:
        inputs: Entries of inputs and packed constants it reads, each with its variable.
        recalled: Values of earlier parts that it reads, each with its slot of the work array.
        sections: Its lines.
        arguments: Names of inputs and outputs it touches.
        keeps: Whether it writes to the work array.
        cleared: Entries of outputs that it sets to zero first.
    """

    inputs: dict[Node, str] = field(default_factory=dict)
    recalled: dict[Node, int] = field(default_factory=dict)
    sections: list[Section] = field(default_factory=list)
    arguments: set[str] = field(default_factory=set)
    keeps: bool = False
    cleared: list[Zeros] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Layout:
    """A laid-out program.

    Attributes:
        program: The program.
        parts: Its parts in order; a short program has one.
        names: For each node that has one, its variable.
        parameters: Index of each of the robot's parameters.
        work_size: Number of values that parts hand on to later ones.
        lanes: For each node that is a pack, how many numbers it holds.
    """

    program: Program
    parts: tuple[Part, ...]
    names: dict[Node, str]
    parameters: dict[str, int]
    work_size: int
    lanes: Mapping[Node, int]

    def place(self, leaf: Input | ParameterValue) -> tuple[str, int]:
        """The argument that has the value of a leaf, and its place there."""
        if isinstance(leaf, ParameterValue):
            return PARAMETERS, self.parameters[leaf.name]
        return leaf.name, leaf.index


def layout(
    program: Program,
    reserved: frozenset[str],
    parameters: tuple[str, ...],
    *,
    labels: Mapping[tuple[str, int], str] | None = None,
    constants: bool = True,
    clearing: bool = False,
    longest_part: int | None = LONGEST_PART,
    lanes: Mapping[Node, int] | None = None,
) -> Layout:
    """Lays out a straight-line program.

    Args:
        program: The program.
        reserved: Words that no variable may be.
        parameters: Names of the robot's parameters, in order.
        labels: What to call entries of arguments, by name and index; by default, by their own
            labels, and parameters by their names.
        constants: Whether outputs that are constants are written too.
        clearing: Whether zeros are set at once, not entry by entry.
        longest_part: Most statements in a part of a long program; None if it is never divided.
        lanes: For each node that is a pack, how many numbers it holds.
    """
    layouter = Layouter(program, reserved, parameters, labels or {}, constants, lanes or {})
    if clearing and constants:
        zeros = runs(program, layouter.rows) if lanes else whole_outputs(program)
        layouter.clear(list(zeros))
    return layouter.layout(longest_part)


class Layouter:
    """Lays out a program; what it decides is told by the methods that are named for it."""

    def __init__(
        self,
        program: Program,
        reserved: frozenset[str],
        parameters: tuple[str, ...],
        labels: Mapping[tuple[str, int], str],
        constants: bool,
        lanes: Mapping[Node, int],
    ) -> None:
        self.program = program
        self.lanes = lanes
        self.constants = constants
        self.parameters = {name: index for index, name in enumerate(parameters)}
        self.variables = Variables(program, reserved, self.parameters, labels)
        self.rows = list(find_rows(program, lanes)) if lanes else []
        self.destinations = self._destinations()
        self.statements = self._needed()
        self.uses = self._uses()
        self.last_of = self._last_of()
        self.names: dict[Node, str] = {}
        self.cleared: list[Zeros] = []
        self.zeros = {entry for rows in self.rows for entry in rows.zeros()}

    def clear(self, zeros: list[Zeros]) -> None:
        """Sets entries to zero where the program begins."""
        self.cleared = zeros
        self.zeros.update(entry for each in zeros for entry in each.entries())

    def layout(self, longest_part: int | None) -> Layout:
        """The program in parts."""
        self.part_of = self._divide(longest_part)
        self.inlined = self._inlined()
        part_of = self.part_of
        parts = [Part() for _ in range(max(part_of.values(), default=0) + 1)]
        slots, size = self._slots()
        for statement in self.statements:
            node = statement.node
            if node in self.inlined:
                continue
            part = parts[part_of[node]]
            if not part.sections or part.sections[-1].title != statement.step:
                part.sections.append(Section(statement.step))
            self._read(part, node, slots)
            self._assign(part, statement, slots)
        parts[0].cleared = self.cleared
        parts[0].arguments.update(each.output for each in self.cleared)
        self._plain_outputs(parts[-1])
        return Layout(self.program, tuple(parts), self.names, self.parameters, size, self.lanes)

    def _divide(self, longest: int | None) -> dict[Node, int]:
        """Part of each statement: all in one, or divided evenly, none too long."""
        count = len(self.statements)
        parts = 1
        if longest is not None and count > _WHOLE:
            parts = -(-count // longest)
        if parts == 1:
            return dict.fromkeys([s.node for s in self.statements], 0)
        return {s.node: i * parts // count for i, s in enumerate(self.statements)}

    def _slots(self) -> tuple[dict[Node, int], int]:
        """Places in the work array of the values that later parts need, and how many there are."""
        part_of = self.part_of
        handed_on = {
            operand
            for node, part in part_of.items()
            for operand in self._read_by(node)
            if operand.operation and part_of[operand] != part
        }
        slots: dict[Node, int] = {}
        size = 0
        for node in part_of:
            if node in handed_on:
                slots[node] = size
                size += self.lanes.get(node, 1)
        return slots, size

    def _destinations(self) -> dict[Node, list[tuple[str, int]]]:
        """Returns the output entries of each node's value, but for those in rows."""
        in_rows = {entry for rows in self.rows for entry in rows.entries()}
        destinations: dict[Node, list[tuple[str, int]]] = {}
        for output in self.program.outputs:
            for index, node in enumerate(output.nodes):
                if (output.argument.name, index) not in in_rows:
                    destinations.setdefault(node, []).append((output.argument.name, index))
        return destinations

    def _needed(self) -> list[Statement]:
        """All statements but numbers of packs that are written with a row only."""
        statements = list(self.program.statements())
        if not self.rows:
            return statements
        used = {operand for s in statements for operand in s.node.operands}
        return [s for s in statements if s.node in used or s.node in self.destinations]

    def _uses(self) -> Counter[Node]:
        uses = Counter(chain.from_iterable([s.node.operands for s in self.statements]))
        uses.update(chain.from_iterable(rows.packs for rows in self.rows))
        return uses

    def _last_of(self) -> dict[Node, list[Rows]]:
        """The rows that are known once a node is."""
        place = {statement.node: i for i, statement in enumerate(self.statements)}
        last_of: dict[Node, list[Rows]] = {}
        for rows in self.rows:
            last_of.setdefault(max(rows.packs, key=place.__getitem__), []).append(rows)
        return last_of

    def _inlined(self) -> set[Node]:
        """Unnamed nodes used once, in the same step, in an expression that stays small."""
        uses, part_of, destinations = self.uses, self.part_of, self.destinations
        user = {o: s for s in self.statements for o in s.node.operands if uses[o] == 1}
        in_rows = {pack for rows in self.rows for pack in rows.packs}
        size: dict[Node, int] = {}
        width: dict[Node, int] = {}
        inlined: set[Node] = set()
        for statement in self.statements:
            node, step, name = statement.node, statement.step, statement.name
            width[node] = len(name) or _SHORT_NAME
            if name or uses.get(node) != 1 or node in destinations or node in in_rows:
                continue
            used_by = user[node]
            if used_by.node.operation is SELECT:  # takes operands of one type, no expressions
                continue
            if step == used_by.step and part_of[node] == part_of[used_by.node]:
                operations = 1 + sum([size[o] for o in node.operands if o in inlined])
                characters = self._width(node, width)
                short = operations <= _LARGEST_EXPRESSION // 2 and characters <= LONGEST_OPERAND
                if short or (_begins(used_by.node, node) and operations <= _LONGEST_SUM):
                    inlined.add(node)
                    size[node], width[node] = operations, characters
        return inlined

    def _width(self, node: Node, width: dict[Node, int]) -> int:
        """Returns the approximate number of characters of an operation, brackets included."""
        assert node.operation is not None
        total = 2 + (3 if node.operation.symbol else len(node.operation.name))
        for operand in node.operands:
            known = width.get(operand)
            if known is None:
                known = width[operand] = self._leaf_width(operand)
            total += known
        return total

    def _leaf_width(self, node: Node) -> int:
        if isinstance(node.leaf, Named):
            return len(self.variables.stem(node.leaf))
        return _SHORT_NAME if node.literal is None else len(f"T({float(node.literal)!r})")

    def _read_by(self, node: Node) -> Sequence[Node]:
        """Returns the nodes that a statement reads, and the rows that are written then."""
        rows = self.last_of.get(node)
        return (
            [*node.operands, *chain.from_iterable(r.packs for r in rows)] if rows else node.operands
        )

    def _read(self, part: Part, node: Node, slots: dict[Node, int]) -> None:
        """Notes the inputs and earlier parts' values that a line needs."""
        inlined = self.inlined
        pending = list(self._read_by(node))
        while pending:
            operand = pending.pop()
            if operand in inlined:
                pending.extend(operand.operands)
            elif operand.operation is None:
                if operand.literal is None and operand not in part.inputs:
                    self._input(part, operand)
            elif operand in slots and self.part_of[operand] != self.part_of[node]:
                part.recalled[operand] = slots[operand]

    def _input(self, part: Part, node: Node) -> None:
        leaf = node.leaf
        assert isinstance(leaf, Named)
        if node not in self.names:
            self.names[node] = self.variables.of_leaf(leaf)
        part.inputs[node] = self.names[node]
        if not isinstance(leaf, PackedConstant):
            part.arguments.add(PARAMETERS if isinstance(leaf, ParameterValue) else leaf.name)

    def _assign(self, part: Part, statement: Statement, slots: dict[Node, int]) -> None:
        node = statement.node
        outputs = tuple(self.destinations.get(node, ()))
        if outputs:
            part.arguments.update([name for name, _ in outputs])
        slot = slots.get(node)
        variable = ""
        if node in self.uses or len(outputs) > 1:
            variable = self.variables.called(statement.name)
            self.names[node] = variable
        part.keeps = part.keeps or slot is not None
        rows = tuple([(self.variables.called("rows"), rows) for rows in self.last_of.get(node, ())])
        part.arguments.update([each.output for _, each in rows])
        part.sections[-1].assignments.append(Assignment(node, variable, outputs, slot, rows))

    def _plain_outputs(self, part: Part) -> None:
        """Outputs that are constants or inputs, written at the end."""
        plain = Section("constant entries")
        for node, outputs in self.destinations.items():
            if node.leaf is None or (node.literal is not None and not self.constants):
                continue
            if isinstance(node.leaf, Input | ParameterValue):
                self._input(part, node)
            if node.structurally_zero:
                outputs = [output for output in outputs if output not in self.zeros]
            part.arguments.update(name for name, _ in outputs)
            plain.assignments.append(Assignment(node, "", tuple(outputs), None))
        if plain.assignments:
            part.sections.append(plain)


def _begins(total: Node, node: Node) -> bool:
    """Returns True if a sum begins with another one, which then needs no parentheses."""
    sums = (ADD, SUBTRACT)
    return total.operation in sums and node.operation in sums and total.operands[0] is node
