"""A program: regions of statements that turn inputs into outputs.

A region is a block of statements, a call of a subprogram with several instances, or a bounded
loop. Values are nodes of one graph; what a call or loop returns are leaves of that graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from robcogen_ros.algorithms.function import Argument
from robcogen_ros.model.record import record
from robcogen_ros.program.graph import Graph, Node, Stage


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
class Call:
    """A subprogram evaluated once for each of several instances.

    Attributes:
        number: Number of the region, that its `Result` leaves carry.
        subprogram: What is evaluated; it has a graph of its own.
        instances: For each instance, the nodes of each input.
        tables: For each table, the constants of each instance.
    """

    number: int
    subprogram: Program
    instances: tuple[Mapping[str, tuple[Node, ...]], ...]
    tables: Mapping[str, tuple[tuple[Decimal, ...], ...]] = field(default_factory=dict)

    def nodes(self) -> Iterator[Node]:
        """The nodes it depends on."""
        for instance in self.instances:
            for nodes in instance.values():
                yield from nodes


@dataclass(frozen=True, slots=True)
class Loop:
    """A subprogram evaluated again and again: outputs become the inputs of the same name.

    Attributes:
        number: Number of the region, that its `Result` leaves carry.
        subprogram: What is evaluated; it has a graph of its own.
        count: How many times.
        inputs: The nodes of each input at the start; those which are no outputs stay.
        tables: For each table, the constants of each turn.
    """

    number: int
    subprogram: Program
    count: int
    inputs: Mapping[str, tuple[Node, ...]]
    tables: Mapping[str, tuple[tuple[Decimal, ...], ...]] = field(default_factory=dict)

    def nodes(self) -> Iterator[Node]:
        """The nodes it depends on."""
        for nodes in self.inputs.values():
            yield from nodes


Region = Block | Call | Loop


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
    """A function as regions of statements.

    Attributes:
        name: Its name.
        summary: What it computes, in one line.
        graph: The graph of its nodes.
        inputs: Its arguments.
        outputs: Its results.
        body: Its regions in order.
    """

    name: str
    summary: str
    graph: Graph
    inputs: tuple[Argument, ...]
    outputs: tuple[Output, ...]
    body: tuple[Region, ...]

    def statements(self) -> Iterator[Statement]:
        """The statements of its own blocks, in order."""
        for region in self.body:
            if isinstance(region, Block):
                yield from region.statements

    @property
    def is_straight_line(self) -> bool:
        """Whether it is made of blocks only."""
        return all(isinstance(region, Block) for region in self.body)

    def stage(self) -> Stage:
        """The stage at which all its outputs are known."""
        return max((n.stage for output in self.outputs for n in output.nodes), default=Stage.BUILD)
