"""Plan of a function in sweeps: shared loops, numbers that are kept, results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from robcogen_ros.model.scalars.operation import NEGATE, Operation
from robcogen_ros.program.graph import Node
from robcogen_ros.program.leaf import Entry, Field, Leaf, Total
from robcogen_ros.program.sweeps.swept import EACH, OUTWARD, WALK, Swept, varies

Key = tuple[int, int]
"""A number that a sweep finds: the sweep, and the number of the node in its step."""


@dataclass(slots=True)
class Loop:
    """Sweeps that share a loop.

    Attributes:
        kind: Which way it goes; `EACH` if any way will do.
        sweeps: Their numbers.
    """

    kind: str
    sweeps: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Store:
    """Place of a number of a sweep in a result.

    Attributes:
        output: Name of the result.
        indices: For each place, a joint or pair, the index of the entry.
    """

    output: str
    indices: dict[int, int]


class Plan:
    """Plan by which a function in sweeps is computed.

    Attributes:
        swept: The function.
        needed: What its results need.
        loops: Its loops in order.
        loop_of: The loop of each sweep.
        kept: Numbers that are kept in arrays.
        stores: Where numbers of sweeps go as results.
        others: The other entries of results: result, index, node.
    """

    def __init__(self, swept: Swept) -> None:
        self.swept = swept
        self.needed = swept.needed()
        self._varying: dict[Node, bool] = {}
        self.loops = self._grouped()
        self.loop_of = {s: k for k, loop in enumerate(self.loops) for s in loop.sweeps}
        self.stores: dict[Key, list[Store]] = {}
        self.others: list[tuple[str, int, Node]] = []
        self._find_puts()
        self.kept = self._find_kept()

    def varies(self, node: Node) -> bool:
        """Returns True if a node belongs to a step."""
        return varies(node, self._varying)

    def starts(self, sweep: int) -> list[Node]:
        """Returns the first values of a sweep's state that are needed."""
        of = self.swept.sweeps[sweep]
        begins = of.kind in (OUTWARD, WALK)
        return [of.start[k] for k in sorted(self.needed.states[sweep])] if begins else []

    def ends(self, sweep: int) -> list[Node]:
        """Returns the nodes that a step has to compute."""
        of, nodes = self.swept.sweeps[sweep], self.swept.graph.nodes
        states = [of.after[k] for k in sorted(self.needed.states[sweep])]
        return states + [nodes[k] for k in sorted(self.needed.kept[sweep])]

    def given(self, loop: Loop) -> list[Node]:
        """Returns the nodes a loop needs that are the same for all joints."""
        pending = [n for s in loop.sweeps for n in self.starts(s) + self.ends(s)]
        found, seen = [], set()
        while pending:
            node = pending.pop()
            if node in seen:
                continue
            seen.add(node)
            if self.varies(node):
                pending.extend(node.operands)
            elif node.literal is None:
                found.append(node)
        return found

    def executed(self, joints: int, pairs: int) -> int:
        """Operations that are carried out, on rows and, where they do not vary, on numbers.

        Args:
            joints: How often steps at joints are run.
            pairs: How often those of walks are.
        """
        return sum(self.counted(joints, pairs).values())

    def counted(self, joints: int, pairs: int) -> Counter[Operation]:
        """Counts executed operations by kind; sums of what joints hand on inwards come besides."""
        counts = _operations(n for n in self.needed.nodes if not self.varies(n))
        for s, loop in self.loop_of.items():
            walks = self.swept.sweeps[s].kind == WALK
            for roots, times in (
                (self.ends(s), pairs if walks else joints),
                (self.starts(s), joints),
            ):
                for operation, count in _operations(self._step(roots, loop)).items():
                    counts[operation] += times * count
        return counts

    def _step(self, roots: Iterable[Node], loop: int) -> list[Node]:
        """Returns the nodes that roots need and that vary."""
        pending, found = list(roots), set()
        while pending:
            node = pending.pop()
            if node not in found and self.varies(node):
                found.add(node)
                pending.extend(node.operands)
        return [*found]

    def _grouped(self) -> list[Loop]:
        loops: list[Loop] = []
        for number, sweep in enumerate(self.swept.sweeps):
            if not (self.needed.kept[number] or self.needed.states[number]):
                continue
            if not loops or not self._joins(loops[-1], number):
                loops.append(Loop(sweep.kind))
            loops[-1].sweeps.append(number)
            if loops[-1].kind == EACH:
                loops[-1].kind = sweep.kind
        return loops

    def _joins(self, loop: Loop, number: int) -> bool:
        """Returns True if a sweep can share a loop with those before it."""
        kind = self.swept.sweeps[number].kind
        if kind == WALK or (kind != EACH and loop.kind not in (EACH, kind)):
            return False
        leaves = _leaves(self.starts(number) + self.ends(number))
        return not any(
            isinstance(leaf, (Entry, Total)) and leaf.sweep in loop.sweeps for leaf in leaves
        )

    def _find_puts(self) -> None:
        for output in self.swept.outputs:
            name = output.argument.name
            rounds: dict[Key, list[dict[int, int]]] = {}
            for index, node in enumerate(output.nodes):
                leaf = node.leaf
                if not isinstance(leaf, Entry):
                    if not node.structurally_zero:
                        self.others.append((name, index, node))
                    continue
                of_key = rounds.setdefault((leaf.sweep, leaf.number), [])
                free = next((each for each in of_key if leaf.place not in each), None)
                if free is None:
                    of_key.append(free := {})
                free[leaf.place] = index
            for key, found in rounds.items():
                self.stores.setdefault(key, []).extend(Store(name, each) for each in found)

    def _find_kept(self) -> list[Key]:
        wanted: set[Key] = set()
        for number, loop in self.loop_of.items():
            for leaf in _leaves(self.starts(number) + self.ends(number)):
                if isinstance(leaf, Entry) or (
                    isinstance(leaf, Field) and (self.loop_of[leaf.sweep] != loop or leaf.ancestor)
                ):
                    wanted.add((leaf.sweep, leaf.number))
        for leaf in _leaves(node for _, _, node in self.others):
            if isinstance(leaf, Entry):
                wanted.add((leaf.sweep, leaf.number))
        return sorted(wanted)


def _leaves(roots: Iterable[Node]) -> Iterator[Leaf]:
    """The leaves that nodes depend on."""
    pending, seen = list(roots), set()
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            pending.extend(node.operands)
            if node.leaf is not None:
                yield node.leaf


def _operations(nodes: Iterable[Node]) -> Counter[Operation]:
    """Counts the operations of nodes by kind; signs count as nothing."""
    return Counter(n.operation for n in nodes if n.operation not in (None, NEGATE))
