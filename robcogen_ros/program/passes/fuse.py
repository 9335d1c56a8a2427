"""Sums begin with what is no product: each product is added by the instruction that multiplies it.

Processors that fuse a multiplication with an addition take x + c d + a b in two instructions, but
(a b + c d) + x in three. What is known first is added first, so that nothing waits for the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from robcogen_ros.model.operation import ADD, MULTIPLY, NEGATE, SUBTRACT
from robcogen_ros.program.graph import Graph, Node
from robcogen_ros.program.program import Block, Output, Program, Statement

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
    return _Writing(program, lanes, sums).run() if sums.found else (program, lanes)


class _Sums:
    """The sums of a program that take fewer instructions in another order."""

    def __init__(self, program: Program, lanes: Lanes) -> None:
        self._lanes = lanes
        self._said = {statement.node: statement for statement in program.statements()}
        operands = chain.from_iterable([node.operands for node in self._said])
        results = chain.from_iterable([output.nodes for output in program.outputs])
        self._uses = Counter(chain(operands, results))
        self.found: dict[Node, Sum] = {}
        self.within: set[Node] = set()
        for node in reversed(self._said):
            operation = node.operation
            if (operation is ADD or operation is SUBTRACT) and node not in self.within:
                self._find(node)

    def is_product(self, node: Node) -> bool:
        """Whether a node is a product that serves nothing else than its sum."""
        return node.operation is MULTIPLY and self._uses[node] == 1

    def _find(self, root: Node) -> None:
        a, b = root.operands
        if self._is_within(a, root) or self._is_within(b, root):
            flat = self._flat(root)
            if self._gains(flat):
                self.found[root] = flat
                self.within.update(flat.within)

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
        operation = node.operation
        if operation is not ADD and operation is not SUBTRACT and operation is not NEGATE:
            return False
        said = self._said[node]
        alone = self._uses[node] == 1 and not said.name and said.step == self._said[root].step
        return alone and self._lanes.get(node) == self._lanes.get(root)

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
        self._new: dict[Node, Node] = {}
        self._lanes: dict[Node, int] = {}
        self._height = _heights(program)

    def run(self) -> tuple[Program, Lanes]:
        statements: list[Statement] = []
        graph, new, found, within = self._graph, self._new, self._sums.found, self._sums.within
        for said in self._program.statements():
            node = said.node
            if node in within:
                continue
            if node in found:
                statements += self._ordered(said, found[node])
                continue
            assert node.operation is not None
            operands = tuple([new.get(o) or self._operand(o) for o in node.operands])
            count = len(graph.nodes)
            made = new[node] = graph.repeat(node.operation, operands)
            self._note_lanes(node, made)
            if made.number >= count:
                statements.append(Statement(made, said.step, said.name))
        outputs = tuple(
            Output(output.argument, tuple(map(self._operand, output.nodes)))
            for output in self._program.outputs
        )
        body = (Block(tuple(statements)),)
        program = replace(self._program, graph=graph, outputs=outputs, body=body)
        return program, self._lanes

    def _operand(self, old: Node) -> Node:
        """The new node of one that has been written, or of a leaf."""
        new = self._new.get(old)
        if new is None:
            assert old.leaf is not None
            new = self._new[old] = self._graph.leaf(old.leaf)
            self._note_lanes(old, new)
        return new

    def _note_lanes(self, old: Node, new: Node) -> None:
        if old in self._old_lanes:
            self._lanes[new] = self._old_lanes[old]

    def _ordered(self, said: Statement, flat: Sum) -> Iterator[Statement]:
        """The statements of a sum in another order, but for those that are known."""
        items = sorted(flat.items, key=lambda item: self._way(item[0]))
        plain = [item for item in items if not self._sums.is_product(item[0])]
        first = next(item for item in chain(plain, items) if item[1])
        items.remove(first)
        if plain and first not in plain:  # all others are taken away: a b - x
            items.remove(plain[0])
            items.insert(0, plain[0])
        total = self._operand(first[0])
        for i, (node, added) in enumerate(items, start=1):
            operands = (total, self._operand(node))
            count = len(self._graph.nodes)
            total = self._graph.repeat(ADD if added else SUBTRACT, operands)
            self._note_lanes(said.node, total)
            if total.number >= count:
                yield Statement(total, said.step, said.name if i == len(items) else "")
        self._new[said.node] = total

    def _way(self, old: Node) -> int:
        """How long the way to a summand is; of a product, that to its factors."""
        return self._height.get(old, 0) - self._sums.is_product(old)


def _heights(program: Program) -> dict[Node, int]:
    """How many operations are on the longest way to each operation."""
    height: dict[Node, int] = {}
    for statement in program.statements():
        operands = statement.node.operands
        first, last = height.get(operands[0], 0), height.get(operands[-1], 0)
        height[statement.node] = 1 + (first if first > last else last)
    return height
