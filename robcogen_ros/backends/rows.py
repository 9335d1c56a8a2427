"""Rows of an output that consecutive numbers of packs fill, so that they are written at once.

Entries of matrices of limbs side by side lie together for each limb: several packs, turned from
lanes to rows, are written with an instruction a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from robcogen_ros.program.graph import Node
from robcogen_ros.program.passes.vectorise import LANES
from robcogen_ros.program.program import Program

WIDEST = 4
"""Numbers of a row at most."""

Places = tuple[int, ...]
"""An entry of an output for each lane."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Packs whose numbers follow one another in an output, a row for each lane.

    Attributes:
        output: The output.
        packs: Two to four packs: the numbers of each row.
        places: For each lane, the entry that gets the first number of its row.
        whole: For each lane, whether a zero may be written behind three numbers: what belongs
            there is zero, or written with a later row.
    """

    output: str
    packs: tuple[Node, ...]
    places: Places
    whole: tuple[bool, ...]

    def entries(self) -> Iterator[tuple[str, int]]:
        """The entries that get numbers."""
        for place in self.places:
            for i in range(len(self.packs)):
                yield self.output, place + i

    def zeros(self) -> Iterator[tuple[str, int]]:
        """The entries that may get a zero."""
        if len(self.packs) == WIDEST - 1:
            for place, whole in zip(self.places, self.whole, strict=True):
                if whole:
                    yield self.output, place + len(self.packs)


def find_rows(program: Program, lanes: Mapping[Node, int]) -> Iterator[Rows]:
    """The rows of a program's outputs; what is in none is written number by number.

    Args:
        program: The program.
        lanes: For each node that is a pack, how many numbers it holds.
    """
    for output in program.outputs:
        packs = _places(output.nodes, lanes)
        for places in packs:
            if _moved(places, -1) in packs:
                continue
            chain = list(_chain(places, packs))
            for first, count in _cut(len(chain), len(places)):
                begin = _moved(places, first)
                whole = tuple(
                    _whole(begin, count, lane, output.nodes) for lane in range(len(begin))
                )
                yield Rows(output.argument.name, tuple(chain[first : first + count]), begin, whole)


def _places(nodes: Sequence[Node], lanes: Mapping[Node, int]) -> dict[Places, Node]:
    """Entries that are numbers of packs, those of all lanes of a pack together."""
    found: dict[Node, list[list[int]]] = {}
    for index, node in enumerate(nodes):
        if node.operation in LANES:
            (pack,) = node.operands
            lane = LANES.index(node.operation)
            found.setdefault(pack, [[] for _ in range(lanes[pack])])[lane].append(index)
    return {
        places: pack
        for pack, entries in found.items()
        if pack.operation is not None and len({len(each) for each in entries}) == 1
        for places in zip(*entries, strict=True)
    }


def _moved(places: Places, by: int) -> Places:
    return tuple(place + by for place in places)


def _chain(places: Places, packs: Mapping[Places, Node]) -> Iterator[Node]:
    """The packs whose numbers follow one another from some entries on."""
    while places in packs:
        yield packs[places]
        places = _moved(places, 1)


def _cut(length: int, lanes: int) -> Iterator[tuple[int, int]]:
    """First pack and number of packs of each of the rows that a chain is cut into.

    The last overlaps the one before, where that saves some: its numbers are written twice.
    """
    widest = 2 if lanes == 2 else WIDEST
    for first in range(0, length - widest + 1, widest):
        yield first, widest
    rest = length % widest
    if rest == WIDEST - 1 and length > widest:
        yield length - widest, widest
    elif rest > 1:
        yield length - rest, rest


def _whole(places: Places, count: int, lane: int, nodes: Sequence[Node]) -> bool:
    behind = places[lane] + count
    if behind >= len(nodes):
        return False
    later = places[lane + 1 :]
    return nodes[behind].structurally_zero or any(p <= behind < p + count for p in later)
