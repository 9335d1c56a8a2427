"""Tracing: an algorithm, run on symbolic scalars for one robot, leaves its program behind."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from robcogen_ros.algorithms.annotate import Listener, full_names, listening
from robcogen_ros.algorithms.functions.function import Function
from robcogen_ros.algorithms.functions.guessed import GUESS
from robcogen_ros.algorithms.limbs import Limbs
from robcogen_ros.algorithms.mechanics.loops.closures import at_position
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.dual import Dual
from robcogen_ros.model.scalars.expression import Expression
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.program.graph import Graph, Node, Rule
from robcogen_ros.program.leaf import Input, ParameterValue
from robcogen_ros.program.limb_constants import with_limb_constants
from robcogen_ros.program.passes.cancel import cancel
from robcogen_ros.program.passes.fold import fold
from robcogen_ros.program.program import Block, Output, Program, Statement

RULES: tuple[Rule, ...] = (fold, cancel)
"""Rules by which nodes are simplified while they are made."""


def trace(
    function: Function,
    robot: Robot,
    rules: Sequence[Rule] = RULES,
    limbs: tuple[Limbs, ...] = (),
    most: float = math.inf,
) -> Program:
    """The program of a function for a robot, without statements that no output needs.

    Args:
        function: The function.
        robot: The robot.
        rules: What is simplified while nodes are made.
        limbs: Limbs of equal shape that are to take the same operations.
        most: How many nodes its graph may have.

    Raises:
        TooLongError: If it has more.
    """
    graph = Graph(rules, folding=fold in rules, most=most)
    record = _Record(graph)
    outputs = run(function, prepared_form(function, robot), graph, record, limbs)
    body = (Block(record.statements(outputs)),)
    return Program(function.name, function.summary, graph, function.inputs, outputs, body)


def run(
    function: Function,
    robot: Robot,
    graph: Graph,
    listener: Listener,
    limbs: tuple[Limbs, ...] = (),
) -> tuple[Output, ...]:
    """Returns a function's outputs as nodes, of a robot in the form it is computed on."""
    values = {
        argument.name: [graph.leaf(Input(argument.name, i)) for i in range(argument.size)]
        for argument in function.inputs
    }
    over_scalar = function.lift(robot) if function.lift else robot
    lifted = with_limb_constants(over_scalar.map(lifting(graph)), limbs)
    with listening(listener):
        if robot.has_loops and "q" in values:
            lifted = at_position(lifted, values["q"], values.get(GUESS, ()))
        results = function.compute(lifted, values)
    return tuple(
        Output(argument, tuple(graph.node(entry) for entry in results[argument.name]))
        for argument in function.outputs
    )


def prepared_form(function: Function, robot: Robot) -> Robot:
    """The form of a robot that a function is computed on."""
    return function.prepare(robot) if function.prepare else robot


def lifting(graph: Graph) -> Callable[[Scalar], Scalar]:
    """The function that turns a robot's constants and expressions into nodes of a graph.

    Of dual numbers it turns both parts.
    """
    known: dict[int, Node] = {}

    def lift(value: Scalar) -> Scalar:
        if isinstance(value, Dual):
            return value.map(lift)
        if not isinstance(value, Expression):
            return graph.node(value)
        if value.value is not None:
            return graph.constant(value.value)
        if value.parameter is not None:
            return graph.leaf(ParameterValue(value.parameter.name))
        assert value.operation is not None
        node = known.get(id(value))
        if node is None:
            node = graph.operate(value.operation, [lift(operand) for operand in value.operands])
            known[id(value)] = node
        return node

    return lift


def call(names: dict[int, str], value: Scalar, name: str) -> None:
    """Keeps the first name of a node, and of the one whose negative it is."""
    if isinstance(value, Node):
        names.setdefault(value.number, name)
        positive = value.negated()
        if positive is not None:
            names.setdefault(positive.number, f"minus_{name}")


class _Record:
    """Hears the algorithm's steps and names while the graph grows."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._starts: list[tuple[int, str]] = [(0, "")]
        self._names: dict[int, str] = {}

    def step(self, title: str) -> None:
        self._starts.append((len(self._graph.nodes), title))

    def named(self, value: Scalar, name: str, apart: str) -> Scalar:
        for full, scalar in full_names(value, name):
            call(self._names, scalar, full)
        return value

    def noted(self, value: Scalar, name: str) -> Scalar:
        return value

    def statements(self, outputs: Iterable[Output]) -> tuple[Statement, ...]:
        """The statements that outputs need."""
        live = {node for output in outputs for node in output.nodes}
        statements = []
        steps = reversed(self._starts)
        start, title = next(steps)
        for node in reversed(self._graph.nodes):
            if node in live and node.operation is not None:
                while node.number < start:
                    start, title = next(steps)
                statements.append(Statement(node, title, self._names.get(node.number, "")))
                live.update(node.operands)
        return tuple(reversed(statements))
