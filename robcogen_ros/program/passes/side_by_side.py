"""Limbs of equal shape side by side: what each of them computes becomes one operation on packs.

Two operations of different limbs are alike if their operands are, or are the same; this is found
from the leaves outwards, one level of operations after the other. Sums over all limbs add up the
lanes of one pack. What mixes limbs in another way takes single lanes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from robcogen_ros.algorithms.limbs import Limbs
from robcogen_ros.model.operation import ADD, SUBTRACT, Operation
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.graph import (
    Graph,
    Input,
    LimbConstant,
    Node,
    PackedConstant,
    PackedInput,
)
from robcogen_ros.program.passes.drop import drop
from robcogen_ros.program.program import Block, Program, Statement

OF_COORDINATES = ("q", "qd", "qdd", "tau")
OF_LINKS = "external_forces"


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

Place = tuple[int, int]
"""A limb: its group, and which of the group."""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """A program in which limbs are computed side by side.

    Attributes:
        program: The program.
        lanes: For each node that is a pack, how many numbers it holds.
    """

    program: Program
    lanes: Mapping[Node, int]


def side_by_side(program: Program, robot: Robot, groups: Sequence[Limbs]) -> SideBySide:
    """A straight-line program, traced with the constants of limbs, on packs.

    Args:
        program: The program.
        robot: The robot.
        groups: Its limbs of equal shape.
    """
    packs = _find_packs(program, _leaves(program, robot, groups), groups)
    return _Packing(program, packs).run()


def _leaves(
    program: Program, robot: Robot, groups: Sequence[Limbs]
) -> dict[tuple[object, ...], dict[int, Node]]:
    """Inputs and constants of limbs: for each key the leaf of each limb."""
    of_link = {
        link: (group, limb, place)
        for group, limbs in enumerate(groups)
        for limb, links in enumerate(limbs.links)
        for place, link in enumerate(links)
    }
    of_coordinate = {joint.coordinate: of_link.get(joint.successor) for joint in robot.joints}
    found: dict[tuple[object, ...], dict[int, Node]] = {}
    for node in program.graph.nodes:
        leaf = node.leaf
        at: tuple[int, int, int] | None = None
        key: tuple[object, ...] = ()
        if isinstance(leaf, LimbConstant):
            found.setdefault((leaf.group, leaf.values), {})[leaf.limb] = node
        elif isinstance(leaf, Input) and leaf.name in OF_COORDINATES:
            at, key = of_coordinate[leaf.index], (leaf.name,)
        elif isinstance(leaf, Input) and leaf.name == OF_LINKS:
            at = of_link.get(robot.link_order[leaf.index // 6])
            key = (leaf.name, leaf.index % 6)
        if at is not None:
            group, limb, place = at
            found.setdefault((group, place, *key), {})[limb] = node
    return found


@dataclass(slots=True)
class _Packs:
    """Which nodes are lanes of which pack.

    Attributes:
        members: For each pack its nodes, a limb each.
        groups: For each pack the number of its group.
        place: For each node in a pack, the pack and the limb.
    """

    members: list[tuple[Node, ...]] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    place: dict[Node, tuple[int, int]] = field(default_factory=dict)

    def add(self, group: int, nodes: tuple[Node, ...]) -> None:
        for limb, node in enumerate(nodes):
            self.place[node] = (len(self.members), limb)
        self.members.append(nodes)
        self.groups.append(group)


def _find_packs(
    program: Program,
    leaves: Mapping[tuple[object, ...], dict[int, Node]],
    groups: Sequence[Limbs],
) -> _Packs:
    packs = _Packs()
    for key, nodes in leaves.items():
        group = key[0]
        assert isinstance(group, int)
        if len(nodes) == groups[group].count:
            packs.add(group, tuple(nodes[limb] for limb in sorted(nodes)))
    for level in _levels(program):
        alike: dict[tuple[object, ...], dict[int, Node]] = {}
        for node in level:
            found = _likeness(node, packs)
            if found is not None:
                key, limb = found
                alike.setdefault(key, {})[limb] = node
        for key, nodes in alike.items():
            group = key[0]
            assert isinstance(group, int)
            if len(nodes) == groups[group].count:
                packs.add(group, tuple(nodes[limb] for limb in sorted(nodes)))
    return packs


def _levels(program: Program) -> list[list[Node]]:
    """Operations by the longest way from a leaf."""
    height: dict[Node, int] = {}
    levels: list[list[Node]] = []
    for statement in program.statements():
        node = statement.node
        height[node] = h = max(height.get(operand, -1) for operand in node.operands) + 1
        if h == len(levels):
            levels.append([])
        levels[h].append(node)
    return levels


def _likeness(node: Node, packs: _Packs) -> tuple[tuple[object, ...], int] | None:
    """What an operation of one limb has in common with those alike, and which limb it is of."""
    operands: list[tuple[str, int]] = []
    places: set[Place] = set()
    for operand in node.operands:
        at = packs.place.get(operand)
        if at is None:
            operands.append(("node", operand.number))
        else:
            pack, limb = at
            operands.append(("pack", pack))
            places.add((packs.groups[pack], limb))
    if len(places) != 1:
        return None
    operation = node.operation
    assert operation is not None
    if operation.commutative:
        operands.sort()
    ((group, limb),) = places
    return (group, operation, *operands), limb


class _Packing:
    """Writes a program anew, on packs."""

    def __init__(self, program: Program, packs: _Packs) -> None:
        self.program = program
        self.packs = packs
        self.graph = Graph()
        self.lanes: dict[Node, int] = {}
        self.written: dict[Node | int, Node] = {}
        self.statements: list[Statement] = []
        self.source = {statement.node: statement for statement in program.statements()}
        self.sums = _sums(program, packs)

    def run(self) -> SideBySide:
        for statement in self.program.statements():
            if statement.node not in self.sums.inner:
                self._write(self._key(statement.node))
        outputs = tuple(
            replace(output, nodes=tuple(self._single(node) for node in output.nodes))
            for output in self.program.outputs
        )
        body = (Block(tuple(self.statements)),)
        program = replace(self.program, graph=self.graph, outputs=outputs, body=body)
        return SideBySide(drop(program), self.lanes)

    def _key(self, node: Node) -> Node | int:
        """What a node is written as: itself, or the number of its pack."""
        at = self.packs.place.get(node)
        return node if at is None else at[0]

    def _write(self, key: Node | int) -> Node:
        """The new node of a scalar or pack; first what it needs, then itself."""
        pending = [key]
        while pending:
            key = pending[-1]
            needed = [k for k in self._needs(key) if k not in self.written]
            if key in self.written or not needed:
                pending.pop()
                if key not in self.written:
                    self.written[key] = self._make(key)
            else:
                pending.extend(reversed(needed))
        return self.written[key]

    def _needs(self, key: Node | int) -> Iterator[Node | int]:
        if isinstance(key, Node):
            total = self.sums.totals.get(key)
            if total is not None:
                yield from (pack for pack, _ in total.packs)
                yield from (self._key(node) for node, _ in total.others)
            else:
                yield from map(self._key, key.operands)
        else:
            yield from map(self._key, self.packs.members[key][0].operands)

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
            return self.graph.leaf(old.leaf)
        assert old.operation is not None
        total = self.sums.totals.get(old)
        if total is None:
            return self._operate(old, old.operation, [self._single(o) for o in old.operands])
        return self._total(old, total)

    def _total(self, old: Node, total: _Total) -> Node:
        packs = [(self.written[pack], sign) for pack, sign in total.packs]
        added, sign = packs[0]
        for pack, other in packs[1:]:
            operation = ADD if other == sign else SUBTRACT
            lanes = self.lanes[added]
            added = self._operate(old, operation, [added, pack])
            self.lanes[added] = lanes
        result = self._operate(old, TOTAL, [added])
        others = [(self._single(node), sign) for node, sign in total.others]
        if sign > 0:
            for node, other in others:
                result = self._operate(old, ADD if other > 0 else SUBTRACT, [result, node])
            return result
        others.sort(key=lambda pair: -pair[1])
        if not others or others[0][1] < 0:
            raise AssertionError("a sum has a summand that is added")
        rest, _ = others[0]
        for node, other in others[1:]:
            rest = self._operate(old, ADD if other > 0 else SUBTRACT, [rest, node])
        return self._operate(old, SUBTRACT, [rest, result])

    def _single(self, node: Node) -> Node:
        """The new node of a scalar; of one that is in a pack, its lane."""
        at = self.packs.place.get(node)
        if at is None:
            return self._write(node)
        pack, limb = at
        packed = self._write(pack)
        if node.leaf is not None and isinstance(node.leaf, Input):
            return self.graph.leaf(node.leaf)
        return self._operate(node, LANES[limb], [packed])

    def _operate(self, old: Node, operation: Operation, operands: list[Node]) -> Node:
        start = len(self.graph.nodes)
        node = self.graph.operate(operation, operands)
        if len(self.graph.nodes) > start:
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


@dataclass(frozen=True, slots=True)
class _Total:
    """A sum over whole packs and other summands, each with its sign."""

    packs: tuple[tuple[int, int], ...]
    others: tuple[tuple[Node, int], ...]


@dataclass(frozen=True, slots=True)
class _Sums:
    """Sums that add up all lanes of packs, and the operations inside them."""

    totals: Mapping[Node, _Total]
    inner: frozenset[Node]


def _sums(program: Program, packs: _Packs) -> _Sums:
    uses: Counter[Node] = Counter()
    for statement in program.statements():
        uses.update(statement.node.operands)
    for output in program.outputs:
        uses.update(output.nodes)
    totals: dict[Node, _Total] = {}
    inner: set[Node] = set()
    for statement in reversed(list(program.statements())):
        node = statement.node
        if node in inner or node in packs.place or node.operation not in (ADD, SUBTRACT):
            continue
        summands, within = _summands(node, uses, packs)
        total = _whole_packs(summands, packs)
        if total is not None:
            totals[node] = total
            inner.update(within)
    return _Sums(totals, frozenset(inner))


def _summands(
    root: Node, uses: Counter[Node], packs: _Packs
) -> tuple[list[tuple[Node, int]], list[Node]]:
    """What a sum adds up, each with its sign, and the sums within it that serve nothing else."""
    found: list[tuple[Node, int]] = []
    within: list[Node] = []
    pending = [(root, 1)]
    while pending:
        node, sign = pending.pop()
        within_it = node is root or (uses[node] == 1 and node not in packs.place)
        if node.operation in (ADD, SUBTRACT) and within_it:
            if node is not root:
                within.append(node)
            a, b = node.operands
            pending += [(b, sign if node.operation is ADD else -sign), (a, sign)]
        else:
            found.append((node, sign))
    return found, within


def _whole_packs(summands: Sequence[tuple[Node, int]], packs: _Packs) -> _Total | None:
    """The sum with lanes of whole packs put together; None if there are none."""
    lanes: dict[tuple[int, int], list[Node]] = {}
    for node, sign in summands:
        at = packs.place.get(node)
        if at is not None:
            lanes.setdefault((at[0], sign), []).append(node)
    whole = {}
    for (pack, sign), nodes in lanes.items():
        members = packs.members[pack]
        if len(members) in (2, 4, 8) and set(nodes) == set(members) and len(nodes) == len(members):
            whole[pack] = sign
    if not whole:
        return None
    group = packs.groups[next(iter(whole))]
    whole = {pack: sign for pack, sign in whole.items() if packs.groups[pack] == group}
    others = [
        (node, sign) for node, sign in summands if packs.place.get(node, (-1, 0))[0] not in whole
    ]
    if not any(sign > 0 for sign in whole.values()) and not any(sign > 0 for _, sign in others):
        return None
    ordered = sorted(whole.items(), key=lambda pair: -pair[1])
    return _Total(tuple(ordered), tuple(others))
