"""Sweeps joint by joint: the straight-line program that does what loops do, in the same order."""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.program.graph import Graph, Node
from robcogen_ros.program.leaf import (
    Before,
    Entry,
    Field,
    Input,
    Leaf,
    LimbConstant,
    OfAncestor,
    PackedInput,
    Total,
)
from robcogen_ros.program.program import Block, Output, Program, Statement
from robcogen_ros.program.sweeps.swept import INWARD, OUTWARD, WALK, Swept, in_order

Place = tuple[int, int]
"""A joint, and the joint that its walk passes, which else is the joint itself."""


def unrolled(swept: Swept, parents: Sequence[int]) -> Program:
    """A function in sweeps as a straight-line program; nothing is simplified.

    Args:
        swept: The function.
        parents: For each joint its parent joint, whose successor it is on; -1 at the base.
    """
    found = _Unrolling(swept, parents)
    found.run()
    outputs = tuple(
        Output(output.argument, tuple(found.node(node, (-1, -1)) for node in output.nodes))
        for output in swept.outputs
    )
    statements = tuple(Statement(node) for node in found.graph.nodes if node.operation)
    body = (Block(statements),)
    return Program(swept.name, swept.summary, found.graph, swept.inputs, outputs, body)


class _Unrolling:
    """Nodes of steps at one joint, or one pair, after the other."""

    def __init__(self, swept: Swept, parents: Sequence[int]) -> None:
        self.graph = Graph()
        self._swept = swept
        self._parents = parents
        self._known: dict[tuple[Node, Place], Node] = {}

    def run(self) -> None:
        """All steps that are needed, in the order in which they are carried out."""
        nodes, joints = self._swept.graph.nodes, range(len(self._parents))
        needed = self._swept.needed()
        for number, sweep in enumerate(self._swept.sweeps):
            roots = [sweep.after[k] for k in needed.states[number]]
            roots += [nodes[k] for k in needed.kept[number]]
            step = list(in_order(roots, needed.nodes))
            own = ((joint, joint) for joint in joints)
            places = self._swept.pairs if sweep.kind == WALK else list(own)
            for place in reversed(places) if sweep.kind == INWARD else places:
                for node in step:
                    self.node(node, place)

    def node(self, node: Node, at: Place) -> Node:
        """A node of a step at a place; of others at any."""
        known = self._known.get((node, at))
        if known is None:
            if node.operation is None:
                assert node.leaf is not None
                known = self._leaf(node.leaf, at)
            else:
                operands = [self.node(operand, at) for operand in node.operands]
                known = self.graph.repeat(node.operation, operands)
            self._known[node, at] = known
        return known

    def _leaf(self, leaf: Leaf, at: Place) -> Node:
        i, j = at
        nodes = self._swept.graph.nodes
        if isinstance(leaf, LimbConstant):
            return self.graph.constant(leaf.values[i])
        if isinstance(leaf, PackedInput):
            return self.graph.leaf(Input(leaf.name, leaf.indices[i]))
        if isinstance(leaf, OfAncestor):
            return self._leaf(leaf.leaf, (j, j))
        if isinstance(leaf, Field):
            joint = j if leaf.ancestor else i
            return self.node(nodes[leaf.number], self._place(leaf.sweep, joint))
        if isinstance(leaf, Entry):
            walks = self._swept.sweeps[leaf.sweep].kind == WALK
            place = self._swept.pairs[leaf.place] if walks else (leaf.place, leaf.place)
            return self.node(nodes[leaf.number], place)
        if isinstance(leaf, Before):
            return self._before(leaf, at)
        if isinstance(leaf, Total):
            return self._sum(leaf.sweep, leaf.index, -1)
        return self.graph.leaf(leaf)

    def _place(self, sweep: int, joint: int) -> Place:
        """Returns the place of what a sweep leaves of a joint: a walk's is at its end."""
        if self._swept.sweeps[sweep].kind != WALK:
            return joint, joint
        last = joint
        while self._parents[last] >= 0:
            last = self._parents[last]
        return joint, last

    def _before(self, leaf: Before, at: Place) -> Node:
        """The state that reaches a joint."""
        sweep, (i, j) = self._swept.sweeps[leaf.sweep], at
        if sweep.kind == INWARD:
            return self._sum(leaf.sweep, leaf.index, i)
        if sweep.kind == OUTWARD:
            parent = self._parents[i]
            if parent < 0:
                return self.node(sweep.start[leaf.index], (-1, -1))
            return self.node(sweep.after[leaf.index], (parent, parent))
        if i == j:
            return self.node(sweep.start[leaf.index], (i, i))
        below = next(k for k in self._on(j) if k == i or i in self._beyond(k))
        return self.node(sweep.after[leaf.index], (i, below))

    def _sum(self, sweep: int, index: int, joint: int) -> Node:
        """Returns the sum of what the joints on a joint's successor, or on the base, hand on."""
        after = self._swept.sweeps[sweep].after[index]
        total = self.graph.node(0)
        for k in self._on(joint):
            total = total + self.node(after, (k, k))
        return total

    def _on(self, joint: int) -> list[int]:
        return [k for k, parent in enumerate(self._parents) if parent == joint]

    def _beyond(self, joint: int) -> set[int]:
        found = {joint}
        for k, parent in enumerate(self._parents):
            if parent in found:
                found.add(k)
        return found
