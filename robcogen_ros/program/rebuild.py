"""Rebuilding a program in a new graph: the frame of most passes.

Leaves may be replaced on the way, and other rules may hold in the new graph. Statements keep
their order, step and name.
"""

from __future__ import annotations

from collections.abc import Callable

from robcogen_ros.program.graph import Graph, Node
from robcogen_ros.program.leaf import Leaf
from robcogen_ros.program.program import Block, Output, Statement

Replacement = Callable[[Leaf], "Node | None"]
"""The node of the new graph that stands for a leaf; None leaves it as it is."""


def keep(leaf: Leaf) -> Node | None:
    """Replaces nothing."""
    return None


class Rebuild:
    """Copies nodes and blocks of one program into a graph.

    Attributes:
        graph: The new graph.
        body: The blocks written so far.
    """

    def __init__(
        self, graph: Graph, replacement: Replacement = keep, body: list[Block] | None = None
    ) -> None:
        """A copier into a graph, that continues a body if one is given."""
        self.graph = graph
        self.body: list[Block] = [] if body is None else body
        self._replacement = replacement
        self._map: dict[Node, Node] = {}
        self._unchanged: set[Node] = set()  # the same, down to the leaves, under the same rules

    def define(self, old: Node, new: Node) -> None:
        """Lets a node of the new graph stand for one of the old."""
        self._map[old] = new

    def node(self, old: Node) -> Node:
        """The new node of an old one whose operands have been copied."""
        new = self._map.get(old)
        if new is None:
            new = self._leaf(old, old.leaf) if old.leaf is not None else self._operation(old)
            self._map[old] = new
        return new

    def _leaf(self, old: Node, leaf: Leaf) -> Node:
        replacement = self._replacement(leaf)
        if replacement is not None:
            return replacement
        if old.graph.rules == self.graph.rules:
            self._unchanged.add(old)
        return self.graph.leaf(leaf)

    def _operation(self, old: Node) -> Node:
        assert old.operation is not None
        known, unchanged, same = self._map, self._unchanged, True
        operands = []
        for operand in old.operands:
            operands.append(known.get(operand) or self.node(operand))
            same = same and operand in unchanged
        if not same:
            return self.graph.operate(old.operation, operands)
        new = self.graph.repeat(old.operation, operands)
        if new.operation is old.operation and new.operands == tuple(operands):
            unchanged.add(old)
        return new

    def block(self, block: Block) -> None:
        """Copies a block; nodes that the copying makes become its statements."""
        steps: dict[Node, str] = {}
        names: dict[Node, str] = {}
        nodes = self.graph.nodes
        for statement in block.statements:
            start = len(nodes)
            node = self.node(statement.node)
            for made in nodes[start:]:
                if made.operation is not None:
                    steps[made] = statement.step
            if statement.name:
                names.setdefault(node, statement.name)
                positive = node.negated()
                if positive is not None:
                    names.setdefault(positive, _negated(statement.name))
        self.body.append(
            Block(tuple(Statement(node, step, names.get(node, "")) for node, step in steps.items()))
        )

    def outputs(self, outputs: tuple[Output, ...]) -> tuple[Output, ...]:
        """Outputs in the new graph."""
        return tuple(
            Output(o.argument, tuple(self.node(node) for node in o.nodes)) for o in outputs
        )


def _negated(name: str) -> str:
    """Returns the name of the negative of what has a name."""
    return name.removeprefix("minus_") if name.startswith("minus_") else f"minus_{name}"
