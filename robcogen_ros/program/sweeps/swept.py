"""Programs in loops: sweeps over the joints of a robot, each of one step that stands for all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.program.graph import Graph, Node
from robcogen_ros.program.leaf import (
    Before,
    Entry,
    Field,
    LimbConstant,
    OfAncestor,
    PackedInput,
    Total,
)
from robcogen_ros.program.program import Output

JOINTS = -1
"""The group of constants of which there is one for each joint."""

EACH, OUTWARD, INWARD, WALK = "each", "outward", "inward", "walk"


@dataclass(slots=True)
class Sweep:
    """One way through the tree, and what is computed at each joint.

    Attributes:
        kind: `EACH`, `OUTWARD`, `INWARD` or `WALK`.
        title: What it computes.
        first: Number of the first node that was made in it.
        before: The state that reaches a joint, leaves `Before`; of `INWARD` the sum of what the
            links on it hand on.
        start: The state where it begins: outward the base's; of a walk the joint's own, computed
            at it.
        after: The state that is handed on.
        total: Of `INWARD`, the sum with what the joint begins with; it has the state's names.
    """

    kind: str
    title: str
    first: int = 0
    before: list[Node] = field(default_factory=list)
    start: list[Node] = field(default_factory=list)
    after: list[Node] = field(default_factory=list)
    total: list[Node] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Swept:
    """A function in sweeps.

    Attributes:
        name: Its name.
        summary: What it computes, in one line.
        graph: The graph of its nodes.
        inputs: Its arguments.
        outputs: Its results, of nodes outside of all steps.
        sweeps: Its sweeps in order.
        pairs: Joints i, j of which j carries i or is it: in the order of places of walks.
        names: What the algorithm calls a node.
    """

    name: str
    summary: str
    graph: Graph
    inputs: tuple[Argument, ...]
    outputs: tuple[Output, ...]
    sweeps: tuple[Sweep, ...]
    pairs: tuple[tuple[int, int], ...]
    names: dict[int, str]

    def needed(self) -> Needed:
        """Returns the nodes that the outputs need."""
        return Needed(self)


class Needed:
    """Nodes that the outputs of a function in sweeps need.

    Attributes:
        nodes: All nodes.
        states: For each sweep the indices of the numbers of its state.
        kept: For each sweep the numbers of nodes that are read outside of it, or by later steps.
    """

    def __init__(self, swept: Swept) -> None:
        self._swept = swept
        self.nodes: set[Node] = set()
        self.states: list[set[int]] = [set() for _ in swept.sweeps]
        self.kept: list[set[int]] = [set() for _ in swept.sweeps]
        pending = [node for output in swept.outputs for node in output.nodes]
        while pending:
            node = pending.pop()
            if node not in self.nodes:
                self.nodes.add(node)
                pending.extend(node.operands)
                pending.extend(self._behind(node))

    def _behind(self, node: Node) -> Iterable[Node]:
        """Yields the nodes that a leaf stands for."""
        leaf, sweeps = node.leaf, self._swept.sweeps
        if isinstance(leaf, (Field, Entry)):
            self.kept[leaf.sweep].add(leaf.number)
            yield self._swept.graph.nodes[leaf.number]
        elif isinstance(leaf, (Before, Total)):
            sweep = sweeps[leaf.sweep]
            self.states[leaf.sweep].add(leaf.index)
            yield sweep.after[leaf.index]
            if sweep.kind != INWARD:
                yield sweep.start[leaf.index]


def varies(node: Node, known: dict[Node, bool]) -> bool:
    """Returns True if a node differs from joint to joint: it belongs to a step."""
    pending = [node]
    while pending:
        last = pending[-1]
        if last in known:
            pending.pop()
        elif last.operation is None:
            leaf = last.leaf
            known[last] = isinstance(leaf, (Before, Field, OfAncestor, PackedInput, LimbConstant))
        else:
            unknown = [operand for operand in last.operands if operand not in known]
            pending.extend(unknown)
            if not unknown:
                known[last] = any(known[operand] for operand in last.operands)
    return known[node]


def in_order(roots: Iterable[Node], nodes: set[Node]) -> Iterator[Node]:
    """The operations that nodes need, operands first, as they were made."""
    found: set[Node] = set()
    pending = list(roots)
    while pending:
        node = pending.pop()
        if node in nodes and node not in found and node.operation is not None:
            found.add(node)
            pending.extend(node.operands)
    return iter(sorted(found, key=lambda node: node.number))
