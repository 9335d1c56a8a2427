"""Sums begin with what is no product: each product is added by the instruction that multiplies it.

Processors that fuse a multiplication with an addition take x + c d + a b in two instructions, but
(a b + c d) + x in three. What is known first is added first, so that nothing waits for the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain

from robcogen_ros.model.operation import ADD, MULTIPLY, NEGATE, SUBTRACT
from robcogen_ros.program.graph import Graph, Node
from robcogen_ros.program.program import Block, Program, Statement
from robcogen_ros.program.rebuild import Rebuild

Lanes = Mapping[Node, int]
"""For each node that is a pack, how many numbers it holds."""

Item = tuple[Node, bool]
"""A summand, and whether it is added: else it is taken away."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum with all sums in it that serve nothing else.

    Attributes:
        items: What it adds up.
        within: The sums and signs in it.
        fused: How many of its additions have a product for operand, as it is written.
    """

    items: tuple[Item, ...]
    within: tuple[Node, ...]
    fused: int


def fuse(program: Program, lanes: Lanes) -> tuple[Program, Lanes]:
    """A straight-line program with its sums in such an order, and the lanes of its packs.

    Sums stay as they are where that fuses no more, and what has a name keeps it.
    """
    sums = _Sums(program, lanes)
    return _Writing(program, lanes, sums).run()


class _Sums:
    """The sums of a program that take fewer instructions in another order."""

    def __init__(self, program: Program, lanes: Lanes) -> None:
        self._lanes = lanes
        self._said = {statement.node: statement for statement in program.statements()}
        operands = chain.from_iterable(node.operands for node in self._said)
        results = chain.from_iterable(output.nodes for output in program.outputs)
        self._uses = Counter(chain(operands, results))
        self.found: dict[Node, Sum] = {}
        self.within: set[Node] = set()
        for node in reversed(self._said):
            if node.operation in (ADD, SUBTRACT) and node not in self.within:
                flat = self._flat(node)
                if self._gains(flat):
                    self.found[node] = flat
                    self.within.update(flat.within)

    def is_product(self, node: Node) -> bool:
        """Whether a node is a product that serves nothing else than its sum."""
        return node.operation is MULTIPLY and self._uses[node] == 1

    def _flat(self, root: Node) -> Sum:
        items: list[Item] = []
        within: list[Node] = []
        fused = 0
        pending: list[Item] = [(root, True)]
        while pending:
            node, added = pending.pop()
            if node is not root:
                if not self._is_within(node, root):
                    items.append((node, added))
                    continue
                within.append(node)
            if node.operation is NEGATE:
                pending.append((node.operands[0], not added))
                continue
            a, b = node.operands
            fused += self.is_product(a) or self.is_product(b)
            pending += [(b, added is (node.operation is ADD)), (a, added)]
        return Sum(tuple(items), tuple(within), fused)

    def _is_within(self, node: Node, root: Node) -> bool:
        """Whether a node is a sum, or a sign, that serves a sum alone, in the same step."""
        if node.operation not in (ADD, SUBTRACT, NEGATE) or self._uses[node] != 1:
            return False
        said = self._said[node]
        same_lanes = self._lanes.get(node) == self._lanes.get(root)
        return same_lanes and not said.name and said.step == self._said[root].step

    def _gains(self, flat: Sum) -> bool:
        """Whether more is fused in the other order; one that begins with a sign is no gain."""
        products = sum(self.is_product(node) for node, _ in flat.items)
        possible = min(products, len(flat.items) - 1)
        return possible > flat.fused and any(added for _, added in flat.items)


class _Writing:
    """Writes a program anew, its sums in other orders."""

    def __init__(self, program: Program, lanes: Lanes, sums: _Sums) -> None:
        self._program = program
        self._old_lanes = lanes
        self._sums = sums
        self._graph = Graph()
        self._copy = Rebuild(self._graph)
        self._lanes: dict[Node, int] = {}
        self._height: dict[Node, int] = {}

    def run(self) -> tuple[Program, Lanes]:
        statements: list[Statement] = []
        for said in self._program.statements():
            if said.node in self._sums.within:
                continue
            start = len(self._graph.nodes)
            new = self._written(said.node)
            for made in self._graph.nodes[start:]:
                if made.operation is not None:
                    statements.append(replace(said, node=made, name=said.name * (made is new)))
        outputs = self._copy.outputs(self._program.outputs)
        body = (Block(tuple(statements)),)
        program = replace(self._program, graph=self._graph, outputs=outputs, body=body)
        return program, self._lanes

    def _written(self, old: Node) -> Node:
        """The new node of an operation whose operands have been written."""
        flat = self._sums.found.get(old)
        if flat is not None:
            new = self._ordered(old, flat)
            self._copy.define(old, new)
            return new
        for operand in old.operands:
            self._operand(operand)
        return self._noted(old, self._copy.node(old))

    def _operand(self, old: Node) -> Node:
        new = self._copy.node(old)
        return self._noted(old, new) if old.operation is None else new

    def _noted(self, old: Node, new: Node) -> Node:
        """Note the lanes of a new node, those of an old one, and how long the way to it is."""
        if old in self._old_lanes:
            self._lanes[new] = self._old_lanes[old]
        if new not in self._height:
            self._height[new] = 1 + max((self._height[o] for o in new.operands), default=-1)
        return new

    def _ordered(self, root: Node, flat: Sum) -> Node:
        """The sum, written anew."""
        items = sorted(flat.items, key=lambda item: self._way(item[0]))
        plain = [item for item in items if not self._sums.is_product(item[0])]
        first = next(item for item in chain(plain, items) if item[1])
        items.remove(first)
        if plain and first not in plain:  # all others are taken away: a b - x
            items.remove(plain[0])
            items.insert(0, plain[0])
        total = self._operand(first[0])
        for node, added in items:
            operands = (total, self._operand(node))
            total = self._noted(root, self._graph.operate(ADD if added else SUBTRACT, operands))
        return total

    def _way(self, old: Node) -> int:
        """How long the way to a summand is; of a product, that to its factors."""
        return self._height[self._operand(old)] - self._sums.is_product(old)
