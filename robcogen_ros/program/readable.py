"""A function as a textbook writes it: the same algorithm, traced without any rewriting.

No form of the robot is looked for that takes fewer operations, equal operations are not computed
once for all, and what the algorithm names stays a quantity of its own, whatever its entries are.
Factors 0, 1 and -1 go, as do terms that are zero.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from robcogen_ros.algorithms.annotate import COMPONENTS, components
from robcogen_ros.algorithms.functions.function import Function
from robcogen_ros.model.names import free_name
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.dual import Dual, dual
from robcogen_ros.model.scalars.expression import Parameter
from robcogen_ros.model.scalars.operation import ADD, MULTIPLY, NEGATE, SUBTRACT, Operation, Scalar
from robcogen_ros.program.graph import Graph, Node
from robcogen_ros.program.leaf import Input, OfQuantity, ParameterValue
from robcogen_ros.program.named_constants import NamedConstants, Quantity
from robcogen_ros.program.passes.fold import fold
from robcogen_ros.program.program import Output
from robcogen_ros.program.trace import run

ENTRIES = frozenset(label for labels in COMPONENTS for label in labels)
"""Names of entries of quantities, which no quantity has."""

_MECHANICS = "robcogen_ros.algorithms.mechanics."


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the algorithm at one link or joint.

    Attributes:
        title: Its title.
        sources: What modules of algorithms say of themselves that come in with it.
        quantities: What it computes, in order.
    """

    title: str
    sources: tuple[str, ...]
    quantities: list[Quantity] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Readable:
    """A function in steps.

    Attributes:
        function: The function.
        robot: The robot.
        constants: Quantities of the robot that steps read.
        steps: Its steps.
        outputs: Its results.
        names: Of each node that expressions refer to, the quantity and which of its entries, or
            the input or parameter.
    """

    function: Function
    robot: Robot
    constants: tuple[Quantity, ...]
    steps: tuple[Step, ...]
    outputs: tuple[Output, ...]
    names: dict[Node, OfQuantity | Input | ParameterValue]


def readable(function: Function, robot: Robot) -> Readable:
    """A function of a robot in the steps of its algorithm."""
    graph = _AsWritten((fold, _signs), folding=True)
    constants = NamedConstants(robot, named=function.lift is None)
    reserved = {*_names_of(function), *constants.names}
    record = _Record(graph, reserved, robot.parameters)
    outputs = run(function, constants.robot, graph, record)
    names = {node: constants.name(node.leaf) for node in record.keep_what_is_needed(outputs)}
    read = {name.quantity for name in names.values() if isinstance(name, OfQuantity)}
    known = constants.quantities(graph, read)
    return Readable(function, robot, known, tuple(record.steps), outputs, names)


def _names_of(function: Function) -> Iterator[str]:
    """Names of arguments, of what code calls their entries, and of results."""
    yield from ENTRIES
    for argument in (*function.inputs, *function.outputs):
        yield argument.name
        yield from map(argument.label, range(argument.size))


class _AsWritten(Graph):
    """A graph that keeps each operation apart, where the algorithm wrote it."""

    def operate(self, operation: Operation, operands: Sequence[Node]) -> Node:
        """A node of its own, after the rules."""
        for rule in self.rules:
            replacement = rule(self, operation, operands)
            if replacement is not None:
                return replacement
        return self._made(object(), operation, operands)


def _signs(graph: Graph, operation: Operation, operands: Sequence[Node]) -> Node | None:
    """Removes signs without a change of the last bit: a + -b = a - b, -a b = -(a b)."""
    last = operands[-1]
    if last.operation is NEGATE and operation in (ADD, SUBTRACT):
        other = SUBTRACT if operation is ADD else ADD
        return graph.operate(other, (operands[0], last.operands[0]))
    if operation is NEGATE and last.operation is NEGATE:
        return last.operands[0]
    if operation is MULTIPLY:
        a, b = operands
        for factor, rest in ((a, b), (b, a)):
            if factor.literal == -1:
                return graph.operate(NEGATE, (rest,))
        if NEGATE in (a.operation, b.operation):
            positive = [x.operands[0] if x.operation is NEGATE else x for x in operands]
            product = graph.operate(MULTIPLY, positive)
            both = a.operation is b.operation
            return product if both else graph.operate(NEGATE, (product,))
    return None


class _Record:
    """Hears the algorithm: what it names becomes a quantity that later expressions refer to."""

    def __init__(
        self, graph: Graph, reserved: Iterable[str], parameters: Iterable[Parameter]
    ) -> None:
        self.steps = [Step("", ())]
        self._graph = graph
        self._taken = set(reserved)
        self._parameters: dict[Hashable, int] = {
            parameter.name: k for k, parameter in enumerate(parameters)
        }
        self._said: set[str] = set()
        self._alike: dict[object, int] = {}
        self._numbers: list[int] = []
        self._known: dict[object, str] = {}

    def step(self, title: str) -> None:
        """A step begins."""
        self.steps.append(Step(title, tuple(self._new_sources())))

    def named(self, value: Scalar, name: str, apart: str) -> Scalar:
        """A quantity, under the name that it has apart from others."""
        return self._quantity(value, apart)

    def noted(self, value: Scalar, name: str) -> Scalar:
        """Names a quantity if it was computed, and is no plain input."""
        computed = not isinstance(value, Node) or value.operation is not None
        return self._quantity(value, name) if computed else value

    def _quantity(self, value: Scalar, name: str) -> Scalar:
        """A quantity: references to its entries take the place of them.

        Where these know their derivatives, each derivative is a quantity, too.
        """
        labels, scalars = zip(*components(value), strict=True)
        if not any(isinstance(scalar, Dual) for scalar in scalars):
            return _rebuilt(value, self._references(name, labels, scalars))
        duals = [dual(scalar) for scalar in scalars]
        values = self._references(name, labels, [each.value for each in duals])
        by = {
            parameter: self._references(
                f"{name}_p{self._parameters[parameter]}",
                labels,
                [each.by.get(parameter, 0) for each in duals],
            )
            for parameter in dict.fromkeys(p for each in duals for p in each.by)
        }
        known = [
            Dual(values[i], {parameter: by[parameter][i] for parameter in each.by})
            for i, each in enumerate(duals)
        ]
        return _rebuilt(value, known)

    def _references(
        self, name: str, labels: Sequence[str], scalars: Sequence[Scalar]
    ) -> Sequence[Scalar]:
        """References to the entries of a quantity, but for numbers."""
        nodes = tuple(map(self._graph.node, scalars))
        if all(node.literal is not None for node in nodes) or self._has(name, nodes):
            return scalars
        same = name, tuple(map(self._number, nodes))
        if same not in self._known:
            self._known[same] = self._new(name, labels, nodes)
        return [
            scalar if node.literal is not None else self._reference(self._known[same], i)
            for i, (scalar, node) in enumerate(zip(scalars, nodes, strict=True))
        ]

    def _reference(self, name: str, index: int) -> Node:
        return self._graph.leaf(OfQuantity(name, index))

    def _number(self, node: Node) -> int:
        """Returns a number that is the same for all expressions that are written alike."""
        numbers = self._numbers
        for made in self._graph.nodes[len(numbers) :]:
            key = made.leaf or (made.operation, *(numbers[o.number] for o in made.operands))
            numbers.append(self._alike.setdefault(key, len(self._alike)))
        return numbers[node.number]

    def _new(self, name: str, labels: Sequence[str], nodes: tuple[Node, ...]) -> str:
        """The name of a new quantity."""
        unique = free_name(name, self._taken)
        quantity = Quantity(unique, tuple(labels), nodes)
        self.steps[-1].quantities.append(quantity)
        return unique

    def _has(self, name: str, nodes: Sequence[Node]) -> bool:
        """Returns True if a quantity has this name already: its entries refer to itself."""
        return all(
            node.literal is not None or node.leaf == OfQuantity(name, i)
            for i, node in enumerate(nodes)
        )

    def keep_what_is_needed(self, outputs: Sequence[Output]) -> list[Node]:
        """Leaves out quantities that no result needs, and steps without any.

        Returns:
            What expressions refer to.
        """
        known = {q.name: q for step in self.steps for q in step.quantities}
        read = list(_read([node for output in outputs for node in output.nodes], known))
        needed = {node.leaf.quantity for node in read if isinstance(node.leaf, OfQuantity)}
        for step in self.steps:
            step.quantities[:] = [q for q in step.quantities if q.name in needed]
        kept: list[Step] = []
        sources: list[str] = []
        for step in self.steps:
            sources += step.sources
            if step.quantities:
                kept.append(replace(step, sources=tuple(sources)))
                sources = []
        self.steps = kept
        return read

    def _new_sources(self) -> Iterator[str]:
        """Yields the texts of the algorithms under way, the calling ones first, each once."""
        frame, under_way = sys._getframe(2), []
        while frame is not None:
            name = frame.f_globals.get("__name__", "")
            if name.startswith(_MECHANICS) and name not in self._said:
                self._said.add(name)
                under_way.append(name)
            frame = frame.f_back  # type: ignore[assignment]
        for name in reversed(under_way):
            yield inspect.cleandoc(sys.modules[name].__doc__ or "")


def _rebuilt(value: Scalar, entries: Sequence[Scalar]) -> Scalar:
    """A quantity of the same kind with other entries."""
    if isinstance(value, list):
        return list(entries)
    if len(entries) == 1:
        return entries[0]
    given = iter(entries)
    if hasattr(value, "map"):
        return value.map(lambda _: next(given))
    return type(value).of(entries)


def _read(roots: Sequence[Node], known: dict[str, Quantity]) -> Iterator[Node]:
    """Yields the leaves that expressions, and the quantities in them, refer to, each once."""
    pending, seen = list(roots), set()
    while pending:
        node = pending.pop()
        if node in seen or node.literal is not None:
            continue
        seen.add(node)
        pending += node.operands
        if node.leaf is not None:
            if isinstance(node.leaf, OfQuantity):
                pending += known[node.leaf.quantity].nodes
            yield node
