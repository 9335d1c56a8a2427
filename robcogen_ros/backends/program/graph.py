"""A straight-line program as numbers: nodes, constants and results, as `interpreter.h` has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.operation import (
    ADD,
    ATAN2,
    COS,
    DIVIDE,
    MULTIPLY,
    NEGATE,
    SELECT,
    SIN,
    SQRT,
    SUBTRACT,
)
from robcogen_ros.program.graph import Node
from robcogen_ros.program.leaf import Input, Leaf, Literal, ParameterValue
from robcogen_ros.program.program import Program

Numbers: TypeAlias = NDArray[np.uint32]
Row: TypeAlias = tuple[int, int, int, int]

INPUT, CONSTANT = 0, 1
CODES = {
    operation: code
    for code, operation in enumerate(
        (ADD, SUBTRACT, MULTIPLY, DIVIDE, NEGATE, SIN, COS, SQRT, ATAN2, SELECT), start=2
    )
}
"""Numbers of the operations, those of `robcogen_operation`."""

PARAMETERS = "parameters"
"""The argument behind those of the program: the parameters of the robot."""


@dataclass(frozen=True)
class Graph:
    """A program as numbers.

    Attributes:
        nodes: (nodes, 4) operation and operands, operands before their users.
        constants: (constants,).
        arguments: Names and sizes of the arguments.
        results: Names and sizes of the results.
        entries: (entries, 3) result, place in it, and node.
    """

    nodes: Numbers
    constants: NDArray[np.float64]
    arguments: tuple[tuple[str, int], ...]
    results: tuple[tuple[str, int], ...]
    entries: Numbers


def graph_of(program: Program, parameters: tuple[str, ...] = ()) -> Graph:
    """A program as numbers.

    Args:
        program: A straight-line program, limbs not side by side.
        parameters: Names of the robot's parameters, which are its last argument.
    """
    arguments = [(argument.name, argument.size) for argument in program.inputs]
    if parameters:
        arguments.append((PARAMETERS, len(parameters)))
    rows, constants = nodes_of(program.graph.nodes, [name for name, _ in arguments], parameters)
    entries = [
        (result, place, node.number)
        for result, output in enumerate(program.outputs)
        for place, node in enumerate(output.nodes)
    ]
    return Graph(
        _numbers(rows, 4),
        np.array(constants, np.float64),
        tuple(arguments),
        tuple((output.argument.name, output.argument.size) for output in program.outputs),
        _numbers(entries, 3),
    )


def _numbers(rows: Iterable[tuple[int, ...]], width: int) -> Numbers:
    return np.fromiter(chain.from_iterable(rows), np.uint32).reshape(-1, width)


def nodes_of(
    nodes: Sequence[Node], arguments: Sequence[str], parameters: Sequence[str]
) -> tuple[list[Row], list[float]]:
    """All nodes of a graph as an operation and operands, and the constants.

    Args:
        nodes: The nodes in their order.
        arguments: Names of the arguments.
        parameters: Names of the robot's parameters.
    """
    leaves = _Leaves(arguments, parameters)
    rows: list[Row] = []
    for node in nodes:
        operation, operands = node.operation, node.operands
        if operation is None:
            assert node.leaf is not None
            rows.append(leaves.row(node.leaf))
        elif len(operands) == 2:
            first, second = operands
            rows.append((CODES[operation], first.number, second.number, 0))
        else:
            a, b, c = [*[operand.number for operand in operands], 0, 0][:3]
            rows.append((CODES[operation], a, b, c))
    return rows, leaves.constants


class _Leaves:
    """Nodes that operations start from.

    Attributes:
        constants: The constants so far.
    """

    def __init__(self, arguments: Sequence[str], parameters: Sequence[str]) -> None:
        self.constants: list[float] = []
        self._arguments = {name: place for place, name in enumerate(arguments)}
        self._parameters = {name: place for place, name in enumerate(parameters)}

    def row(self, leaf: Leaf) -> Row:
        if isinstance(leaf, Literal):
            self.constants.append(number.to_float(leaf.value))
            return CONSTANT, len(self.constants) - 1, 0, 0
        if isinstance(leaf, ParameterValue):
            return INPUT, self._arguments[PARAMETERS], self._parameters[leaf.name], 0
        assert isinstance(leaf, Input), "limbs are not side by side"
        return INPUT, self._arguments[leaf.name], leaf.index, 0
