"""A readable function as lines: a statement for each quantity, under the title of its step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.backends.identifiers import comment, identifiers
from robcogen_ros.backends.notation import Dialect, text, wrapped
from robcogen_ros.backends.notation import operand as operand_text
from robcogen_ros.backends.variables import PARAMETERS
from robcogen_ros.model.names import free_name
from robcogen_ros.model.scalars.operation import ATAN2, COS, SELECT, SIN, SQRT
from robcogen_ros.program.graph import Node
from robcogen_ros.program.leaf import Input, OfQuantity, ParameterValue
from robcogen_ros.program.named_constants import Quantity
from robcogen_ros.program.program import Output
from robcogen_ros.program.readable import ENTRIES, Readable, Step

RESERVED = ENTRIES | {PARAMETERS}
"""Words that no argument and no result may be."""

_WIDTH = 96
_INDENT = "  "


@dataclass(frozen=True, slots=True)
class Form:
    """Rules by which a language writes quantities.

    Attributes:
        dialect: How it writes expressions.
        scalar: What a statement of a scalar begins with, `{name}` its name.
        vector: The same of a vector, `{size}` its size.
        matrix: The same of a 3x3 matrix.
        brackets: What encloses entries.
        end: What ends a statement.
        copied: What a statement begins with that calls a quantity by another name.
        broken: What encloses an expression that takes more than a line.
        whole: Whether a result is a statement, and not one for each of its entries.
    """

    dialect: Dialect
    scalar: str
    vector: str
    matrix: str
    brackets: str
    end: str
    copied: str
    broken: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Chapter:
    """Lines of a step, and what goes before.

    Attributes:
        title: The step's title.
        sources: Texts on the algorithms that begin here, line by line.
        lines: The statements.
    """

    title: str
    sources: tuple[tuple[str, ...], ...]
    lines: tuple[str, ...]


class Page:
    """The lines of a function.

    Attributes:
        constants: Statements of the robot's constants.
        reads: Variables of single entries of inputs: name, argument, index.
        chapters: The steps.
        results: Statements of the results.
        called: The variable of each argument and result.
    """

    def __init__(self, program: Readable, form: Form) -> None:
        self._form = form
        self._program = program
        self._quantities = {
            quantity.name: quantity
            for quantity in (*program.constants, *(q for s in program.steps for q in s.quantities))
        }
        self._arguments = {argument.name: argument for argument in program.function.inputs}
        arguments = [a.name for a in (*program.function.inputs, *program.function.outputs)]
        self.called = dict(zip(arguments, identifiers(arguments, RESERVED), strict=True))
        self._names = {node: self._name(leaf) for node, leaf in program.names.items()}
        self._uses = self._counted()
        labels = (a.label(i) for a in program.function.inputs for i in range(a.size))
        self._taken = {*RESERVED, *self.called.values(), *self._quantities, *labels}
        self._temporaries = 0
        self._begun: set[str] = set()
        self._entries: dict[Node, Quantity] = {}
        self.reads = sorted(
            (self.called[argument], index, self._arguments[argument].label(index))
            for argument, index in self._single_entries()
        )
        self.constants = [self._statement(q) for q in program.constants]
        self.chapters = [
            Chapter(
                comment(step.title),
                tuple(tuple(map(comment, source.splitlines())) for source in step.sources),
                tuple(self._lines(step)),
            )
            for step in program.steps
        ]
        self.results = [line for output in program.outputs for line in self._result(output)]

    @property
    def functions(self) -> list[str]:
        """The functions of one number or two that it calls."""
        called = {node.operation for node in self._uses} & {ATAN2, COS, SIN, SQRT}
        return sorted(operation.name for operation in called if operation)

    @property
    def selects(self) -> bool:
        """True if there is a choice, for which languages have no function of their own."""
        return any(node.operation is SELECT for node in self._uses)

    @property
    def intermediate(self) -> bool:
        """True if there are values without a name of the algorithm's."""
        return self._temporaries > 0

    def _single_entries(self) -> Iterator[tuple[str, int]]:
        for leaf in self._program.names.values():
            if isinstance(leaf, Input) and _place(self._arguments[leaf.name], leaf.index) is None:
                yield leaf.name, leaf.index

    def _name(self, leaf: OfQuantity | Input | ParameterValue) -> str:
        if isinstance(leaf, OfQuantity):
            quantity = self._quantities[leaf.quantity]
            if len(quantity.labels) == 1:
                return quantity.name
            label = quantity.labels[leaf.index]
            entry = "][".join(label) if quantity.is_matrix else label
            return f"{quantity.name}[{entry}]"
        if isinstance(leaf, ParameterValue):
            names = [parameter.name for parameter in self._program.robot.parameters]
            return f"{PARAMETERS}[{names.index(leaf.name)}]"
        argument = self._arguments[leaf.name]
        place = _place(argument, leaf.index)
        return argument.label(leaf.index) if place is None else self.called[leaf.name] + place

    def _counted(self) -> Counter[Node]:
        """Returns the number of uses of each operation, in others or as an entry."""
        program = self._program
        roots = [node for step in program.steps for q in step.quantities for node in q.nodes]
        roots += [node for output in program.outputs for node in output.nodes]
        uses = Counter(node for node in roots if node.operation is not None)
        pending, seen = list(uses), set(uses)
        while pending:
            for below in pending.pop().operands:
                if below.operation is not None:
                    uses[below] += 1
                    if below not in seen:
                        seen.add(below)
                        pending.append(below)
        return uses

    def _lines(self, step: Step) -> Iterator[str]:
        """The statements of a step."""
        self._entries = {node: q for q in step.quantities for node in q.nodes if node.operation}
        for quantity in step.quantities:
            yield from self._quantity(quantity)

    def _quantity(self, quantity: Quantity) -> Iterator[str]:
        """The statement of a quantity, after those of others of the step that it is made of."""
        if quantity.name in self._begun:
            return
        self._begun.add(quantity.name)
        for node in quantity.nodes:
            for operand in () if node in self._names else node.operands:
                yield from self._intermediate(operand)
        yield self._statement(quantity)
        for i, node in enumerate(quantity.nodes):
            if node.operation is not None:
                self._names.setdefault(node, self._name(OfQuantity(quantity.name, i)))

    def _intermediate(self, root: Node) -> Iterator[str]:
        """Statements of what is written more than once below a node, operands first."""
        pending = [(root, False)]
        while pending:
            node, ready = pending.pop()
            if node in self._entries:
                yield from self._quantity(self._entries[node])
            if node in self._names or node.operation is None:
                continue
            if not ready:
                pending.append((node, True))
                pending += [(below, False) for below in reversed(node.operands)]
            elif self._uses[node] > 1 and any(below.operation for below in node.operands):
                self._temporaries += 1
                name = free_name(f"t{self._temporaries}", self._taken)
                yield _given(self._form.scalar.format(name=name), self._text(node), self._form)
                self._names[node] = name

    def _result(self, output: Output) -> Iterator[str]:
        """Statements of a result: matrices by rows."""
        for node in output.nodes:
            yield from self._intermediate(node)
        argument, form = output.argument, self._form
        name = self.called[argument.name]
        texts = [self._text(node) for node in output.nodes]
        rows = [texts[row :: argument.rows] for row in range(argument.rows)]
        if argument.scalar:
            yield _given(f"{name} = ", texts[0], form)
        elif form.whole:
            head = f"{name} = "
            flat = argument.columns is None
            yield head + (
                _on_lines(texts, form, len(head), "") if flat else _enclosed(rows, form, len(head))
            )
        else:
            for row, line in enumerate(rows):
                for column, value in enumerate(line):
                    place = f"[{row}]" if argument.columns is None else f"[{row}][{column}]"
                    yield _given(f"{name}{place} = ", value, form)

    def _statement(self, quantity: Quantity) -> str:
        form, entries = self._form, [self._text(node) for node in quantity.nodes]
        if len(entries) == 1:
            return _given(form.scalar.format(name=quantity.name), entries[0], form)
        begin = form.matrix if quantity.is_matrix else form.vector
        head = begin.format(name=quantity.name, size=len(entries))
        original = self._original(quantity)
        if original:
            return f"{form.copied.format(name=quantity.name)}{original}{form.end}"
        if quantity.is_matrix:
            rows = [entries[k : k + 3] for k in (0, 3, 6)]
            return head + _enclosed(rows, form, len(head)) + form.end
        return head + _on_lines(entries, form, len(head), "") + form.end

    def _original(self, quantity: Quantity) -> str:
        """The quantity that one is another name for; empty if it is not."""
        leaves = [node.leaf for node in quantity.nodes]
        for other in dict.fromkeys(x.quantity for x in leaves if isinstance(x, OfQuantity)):
            first = self._quantities[other]
            if first.labels == quantity.labels and all(
                leaf == OfQuantity(other, i) or (node.literal is not None and leaf == node.leaf)
                for i, (leaf, node) in enumerate(zip(leaves, first.nodes, strict=True))
            ):
                return other
        return self._original_row(quantity)

    def _original_row(self, quantity: Quantity) -> str:
        """The vector among the inputs that a quantity is another name for; empty if it is not."""
        first = quantity.nodes[0].leaf
        if not isinstance(first, Input):
            return ""
        argument, count = self._arguments[first.name], len(quantity.nodes)
        column, row = divmod(first.index, argument.rows)
        same = [n.leaf == Input(first.name, first.index + i) for i, n in enumerate(quantity.nodes)]
        if row or count != argument.rows or not all(same) or argument.matrix:
            return ""
        name = self.called[first.name]
        return name if argument.columns is None else f"{name}[{column}]"

    def _text(self, node: Node) -> str:
        if node in self._names or node.operation is None:
            return operand_text(node, self._names, self._form.dialect)
        return text(node, self._names, self._form.dialect)


def _given(head: str, value: str, form: Form) -> str:
    """The statement of a number, on as many lines as it needs."""
    line = f"{head}{value}{form.end}"
    if len(line) <= _WIDTH:
        return line
    left, right = form.broken[:1], form.broken[1:]
    return wrapped(f"{head}{left}{value}{right}{form.end}", _INDENT * 2, _WIDTH)


def _enclosed(rows: Sequence[Sequence[str]], form: Form, before: int) -> str:
    """Entries in brackets, rows of a matrix too: on a line, a row each, or an entry each."""
    left, right = form.brackets[0], form.brackets[1]
    short = [f"{left}{', '.join(row)}{right}" for row in rows]
    line = f"{left}{', '.join(short)}{right}"
    if before + len(line) < _WIDTH:
        return line
    inner = [_on_lines(row, form, len(_INDENT), _INDENT) for row in rows]
    return f"{left}\n" + "".join(f"{_INDENT}{row},\n" for row in inner) + right


def _on_lines(entries: Sequence[str], form: Form, before: int, indent: str) -> str:
    """Entries in brackets on a line, or on a line each."""
    left, right = form.brackets[0], form.brackets[1]
    line = f"{left}{', '.join(entries)}{right}"
    if before + len(line) < _WIDTH:
        return line
    inner = indent + _INDENT
    lines = [wrapped(f"{inner}{entry},", inner + _INDENT, _WIDTH) for entry in entries]
    return "\n".join([left, *lines, indent + right])


def _place(argument: Argument, index: int) -> str | None:
    """Returns the text of an entry's place in an input; None if it gets a variable of its own."""
    if argument.scalar:
        return ""
    if argument.columns is not None:
        column, row = divmod(index, argument.rows)
        return (
            f"[{row}][{column}]"
            if argument.matrix
            else f"[{column}][{_component(argument, index)}]"
        )
    component = _component(argument, index)
    return None if argument.labels and component.isdigit() else f"[{component}]"


def _component(argument: Argument, index: int) -> str:
    """Returns the text of a component of a vector."""
    label = argument.label(index).rpartition("_")[2]
    return label if argument.labels and label in ENTRIES else str(index % argument.rows)
