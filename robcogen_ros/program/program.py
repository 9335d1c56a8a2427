"""A program: blocks of statements that turn inputs into outputs. Values are nodes of one graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.model.record import record
from robcogen_ros.program.graph import Graph, Node
from robcogen_ros.program.leaf import Stage


@record(frozen=True, slots=True)
class Statement:
    """The computation of one node, and where it comes from.

    Attributes:
        node: The operation.
        step: Title of the algorithm's step.
        name: What the algorithm calls the value; empty for an intermediate one.
    """

    node: Node
    step: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """Statements in order."""

    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Output:
    """A result: what it is, and a node for each entry, column-major."""

    argument: Argument
    nodes: tuple[Node, ...]

    def structural_zeros(self) -> frozenset[int]:
        """Indices of the entries that are zero whatever the inputs are."""
        return frozenset(i for i, node in enumerate(self.nodes) if node.structurally_zero)


@dataclass(frozen=True, slots=True)
class Program:
    """A function as blocks of statements.

    Attributes:
        name: Its name.
        summary: What it computes, in one line.
        graph: The graph of its nodes.
        inputs: Its arguments.
        outputs: Its results.
        body: Its blocks in order.
    """

    name: str
    summary: str
    graph: Graph
    inputs: tuple[Argument, ...]
    outputs: tuple[Output, ...]
    body: tuple[Block, ...]

    def statements(self) -> Iterator[Statement]:
        """Yields the statements, in order."""
        for block in self.body:
            yield from block.statements

    def stage(self) -> Stage:
        """The stage at which all its outputs are known."""
        return max((n.stage for output in self.outputs for n in output.nodes), default=Stage.BUILD)


def moving_columns(program: Program) -> list[int]:
    """The columns of its only result that are not zero whatever the inputs are."""
    (output,) = program.outputs
    rows = output.argument.rows
    return [
        start // rows
        for start in range(0, len(output.nodes), rows)
        if not all(node.structurally_zero for node in output.nodes[start : start + rows])
    ]
