"""Reductions: sums over all lanes of packs, which add up what limbs of equal shape contribute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from robcogen_ros.model.scalars.operation import ADD, SUBTRACT
from robcogen_ros.program.graph import Node
from robcogen_ros.program.passes.packs import Packs
from robcogen_ros.program.program import Program

FULL = (2, 4, 8)
"""Lanes of packs that have none to spare."""

Summand = TypeVar("Summand")


@dataclass(frozen=True, slots=True)
class Reduction:
    """A sum over all lanes of packs and over other summands, those that are added first.

    Attributes:
        packs: Numbers of the packs, each with its sign.
        others: The other summands, each with its sign.
    """

    packs: tuple[tuple[int, int], ...]
    others: tuple[tuple[Node, int], ...]


@dataclass(frozen=True, slots=True)
class Reductions:
    """The sums of a program that add up whole packs.

    Attributes:
        totals: The sums.
        inner: Operations inside of them, which nothing else needs.
    """

    totals: Mapping[Node, Reduction]
    inner: frozenset[Node]


def find_reductions(program: Program, packs: Packs) -> Reductions:
    """The sums of a straight-line program that add up whole packs."""
    nodes = [statement.node for statement in program.statements()]
    operands = chain.from_iterable(node.operands for node in nodes)
    results = chain.from_iterable(output.nodes for output in program.outputs)
    uses = Counter(chain(operands, results))
    totals: dict[Node, Reduction] = {}
    inner: set[Node] = set()
    for node in reversed(nodes):
        if node.operation is not ADD and node.operation is not SUBTRACT:
            continue
        if node in inner or node in packs.place:
            continue
        summands, within = _summands(node, uses, packs)
        total = _whole_packs(summands, packs)
        if total is not None:
            totals[node] = total
            inner.update(within)
    return Reductions(totals, frozenset(inner))


def _summands(
    root: Node, uses: Counter[Node], packs: Packs
) -> tuple[list[tuple[Node, int]], list[Node]]:
    """Returns the terms of a sum with their signs, and the sums that are within it alone."""
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


def _whole_packs(summands: Sequence[tuple[Node, int]], packs: Packs) -> Reduction | None:
    """The sum with lanes of whole packs put together; None if there are none."""
    lanes: dict[int, list[tuple[Node, int]]] = {}
    for node, sign in summands:
        at = packs.place.get(node)
        if at is not None:
            lanes.setdefault(at[0], []).append((node, sign))
    whole = {
        pack: found[0][1]
        for pack, found in lanes.items()
        if len(found) in FULL
        and {node for node, _ in found} == set(packs.members[pack])
        and len({sign for _, sign in found}) == 1
        and len(found) == len(packs.members[pack])
    }
    if not whole:
        return None
    group = packs.groups[next(iter(whole))]
    whole = {pack: sign for pack, sign in whole.items() if packs.groups[pack] == group}
    others = [
        (node, sign) for node, sign in summands if packs.place.get(node, (-1, 0))[0] not in whole
    ]
    if all(sign < 0 for _, sign in (*whole.items(), *others)):
        return None
    return Reduction(_added_first(whole.items()), _added_first(others))


def _added_first(summands: Iterable[tuple[Summand, int]]) -> tuple[tuple[Summand, int], ...]:
    """Returns the terms with those that are added before those that are taken away."""
    return tuple(sorted(summands, key=lambda pair: -pair[1]))
