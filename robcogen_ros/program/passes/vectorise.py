"""Vectorisation: what limbs of equal shape compute alike becomes one operation on packs.

Sums over all limbs add up the lanes of one pack; what mixes limbs otherwise takes single lanes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from robcogen_ros.algorithms.limbs import Limbs
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import ADD, SUBTRACT, Operation
from robcogen_ros.program.graph import Graph, Node
from robcogen_ros.program.leaf import Input, Leaf, LimbConstant, PackedConstant, PackedInput
from robcogen_ros.program.passes.drop import drop
from robcogen_ros.program.passes.packs import Lanes, Packs, find_packs
from robcogen_ros.program.passes.reductions import Reduction, find_reductions
from robcogen_ros.program.program import Block, Program, Statement


def _no_derivative(x: object, y: object) -> tuple[int]:
    raise NotImplementedError("packs are made after derivatives are taken")


def _lane(k: int) -> Operation:
    def exact(values: tuple[Decimal, ...]) -> Decimal:
        return values[k]

    return Operation(f"lane<{k}>", 1, exact, lambda values: values[k], _no_derivative)


LANES = tuple(_lane(k) for k in range(8))
"""The number in a lane of a pack."""

TOTAL = Operation("total", 1, sum, sum, _no_derivative)
"""The sum over the lanes of a pack."""

_MANY = 4
"""Summands that are added up by themselves before what limbs add up to: of fewer, none waits long,
and that would be added by an instruction of its own."""


@dataclass(frozen=True, slots=True)
class Vectorised:
    """A program in which limbs are computed side by side.

    Attributes:
        program: The program.
        lanes: For each node that is a pack, how many numbers it holds.
    """

    program: Program
    lanes: Lanes


def vectorise(program: Program, robot: Robot, groups: Sequence[Limbs]) -> Vectorised:
    """A straight-line program, traced with the constants of limbs, on packs.

    Args:
        program: The program.
        robot: The robot.
        groups: Its limbs of equal shape.
    """
    packs = find_packs(program, robot, groups)
    return _Packing(program, packs).run()


class _Packing:
    """Writes a program anew, on packs."""

    def __init__(self, program: Program, packs: Packs) -> None:
        self.program = program
        self.packs = packs
        self.graph = Graph()
        self.lanes: dict[Node, int] = {}
        self.written: dict[Node | int, Node] = {}
        self.statements: list[Statement] = []
        self.source = {statement.node: statement for statement in program.statements()}
        self.reductions = find_reductions(program, packs)

    def run(self) -> Vectorised:
        for statement in self.program.statements():
            if statement.node not in self.reductions.inner:
                self._write(self._key(statement.node))
        outputs = tuple(
            replace(output, nodes=tuple(self._single(node) for node in output.nodes))
            for output in self.program.outputs
        )
        body = (Block(tuple(self.statements)),)
        program = replace(self.program, graph=self.graph, outputs=outputs, body=body)
        return Vectorised(drop(program), self.lanes)

    def _key(self, node: Node) -> Node | int:
        """Returns a node's key: the number of its pack, or itself."""
        at = self.packs.place.get(node)
        return node if at is None else at[0]

    def _write(self, key: Node | int) -> Node:
        """The new node of a scalar or pack; first what it needs, then itself."""
        written = self.written
        known = written.get(key)
        if known is not None:
            return known
        pending = [key]
        while pending:
            last = pending[-1]
            if last in written:
                pending.pop()
                continue
            needed = [k for k in self._needs(last) if k not in written]
            if needed:
                pending.extend(reversed(needed))
                continue
            pending.pop()
            written[last] = self._make(last)
        return written[key]

    def _needs(self, key: Node | int) -> list[Node | int]:
        place = self.packs.place
        if isinstance(key, Node):
            total = self.reductions.totals.get(key)
            if total is not None:
                packs: list[Node | int] = [pack for pack, _ in total.packs]
                return packs + [self._key(node) for node, _ in total.others]
            operands = key.operands
        else:
            operands = self.packs.members[key][0].operands
        return [place[o][0] if o in place else o for o in operands]

    def _make(self, key: Node | int) -> Node:
        if isinstance(key, Node):
            return self._make_single(key)
        members = self.packs.members[key]
        first = members[0]
        if first.operation is None:
            node = self.graph.leaf(_packed_leaf(members))
        else:
            operands = [self.written[self._key(operand)] for operand in first.operands]
            node = self._operate(first, first.operation, operands)
        self.lanes[node] = len(members)
        return node

    def _make_single(self, old: Node) -> Node:
        if old.leaf is not None:
            return self._single_leaf(old.leaf)
        assert old.operation is not None
        total = self.reductions.totals.get(old)
        if total is None:
            return self._operate(old, old.operation, [self._single(o) for o in old.operands])
        return self._total(old, total)

    def _total(self, old: Node, total: Reduction) -> Node:
        """A sum: packs are added up first, then their lanes, then the other summands.

        What limbs add up to is known late: where many others would wait for it, it comes last.
        """
        (first, sign), *more = total.packs
        added = self.written[first]
        for pack, other in more:
            lanes = self.lanes[added]
            operation = ADD if other == sign else SUBTRACT
            added = self._operate(old, operation, [added, self.written[pack]])
            self.lanes[added] = lanes
        result = self._operate(old, TOTAL, [added])
        others = [(self._single(node), other) for node, other in total.others]
        if sign > 0 and (len(others) < _MANY or others[0][1] < 0):
            return self._added(old, result, others)
        rest = self._added(old, others[0][0], others[1:])
        return self._operate(old, ADD if sign > 0 else SUBTRACT, [rest, result])

    def _added(self, old: Node, start: Node, others: Sequence[tuple[Node, int]]) -> Node:
        for node, sign in others:
            start = self._operate(old, ADD if sign > 0 else SUBTRACT, [start, node])
        return start

    def _single(self, node: Node) -> Node:
        """The new node of a scalar; of one that is in a pack, its lane."""
        at = self.packs.place.get(node)
        if at is None:
            return self._write(node)
        pack, limb = at
        packed = self._write(pack)
        if node.leaf is not None:
            return self._single_leaf(node.leaf)
        return self._operate(node, LANES[limb], [packed])

    def _single_leaf(self, leaf: Leaf) -> Node:
        """An input or a constant by itself; among scalars, that of a limb is plain."""
        if isinstance(leaf, LimbConstant):
            return self.graph.constant(leaf.values[leaf.limb])
        return self.graph.leaf(leaf)

    def _operate(self, old: Node, operation: Operation, operands: Sequence[Node]) -> Node:
        nodes = self.graph.nodes
        start = len(nodes)
        node = self.graph.operate(operation, operands)
        if len(nodes) > start:
            said = self.source.get(old)
            step, name = (said.step, said.name) if said else ("", "")
            self.statements.append(Statement(node, step, name if operation not in LANES else ""))
        return node


def _packed_leaf(members: tuple[Node, ...]) -> PackedConstant | PackedInput:
    leaf = members[0].leaf
    if isinstance(leaf, LimbConstant):
        return PackedConstant(leaf.values)
    leaves = [member.leaf for member in members]
    indices = tuple(leaf.index for leaf in leaves if isinstance(leaf, Input))
    assert isinstance(leaf, Input) and len(indices) == len(members)
    return PackedInput(leaf.name, indices)
