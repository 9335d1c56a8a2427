"""Laying out a program on packs limb after limb: each stretch of it is a part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from robcogen_ros.backends.layout import Layout, Layouter, Part
from robcogen_ros.program.graph import Node
from robcogen_ros.program.passes.limb_stretches import Stretches, stretches
from robcogen_ros.program.passes.packs import Lanes
from robcogen_ros.program.passes.side_by_side import LANES
from robcogen_ros.program.program import Program, Statement

Entry = tuple[str, int]
"""An output's name, and the index of an entry."""


@dataclass(frozen=True, slots=True)
class LimbLayout:
    """A program laid out limb after limb.

    Attributes:
        layout: The layout; each part is a stretch, the last one what is constant. A pack that goes
            to outputs has for entry that of the first limb.
        limbs: For each part how many limbs it is of; 0 for the trunk.
        entries: For each entry of a first limb, the index of that of every limb.
    """

    layout: Layout
    limbs: tuple[int, ...]
    entries: Mapping[Entry, tuple[int, ...]]


def limb_layout(program: Program, lanes: Lanes, reserved: frozenset[str]) -> LimbLayout:
    """Lay out a straight-line program limb after limb.

    Args:
        program: The program.
        lanes: For each node that is a pack, how many numbers it holds: a lane a limb.
        reserved: Words that no variable may be.
    """
    divided = stretches(program, lanes)
    layouter = _LimbLayouter(divided, lanes, reserved)
    laid = layouter.layout(None)
    parts = (*laid.parts, layouter.plain)
    limbs = (*divided.limbs[: len(laid.parts)], 0)
    return LimbLayout(replace(laid, parts=parts), limbs, layouter.entries)


class _LimbLayouter(Layouter):
    """Packs that go to outputs lane by lane do so as a whole."""

    def __init__(self, divided: Stretches, lanes: Lanes, reserved: frozenset[str]) -> None:
        self.divided = divided
        self.entries: dict[Entry, tuple[int, ...]] = {}
        self.plain = Part()
        self.pack_lanes = lanes
        super().__init__(divided.program, reserved, (), {}, True, {})
        self.lanes = lanes

    def _divide(self, longest: int | None) -> dict[Node, int]:
        return {statement.node: self.divided.of[statement.node] for statement in self.statements}

    def _destinations(self) -> dict[Node, list[Entry]]:
        destinations = super()._destinations()
        for pack, singles in self._singles(destinations).items():
            entries = [destinations.pop(single) for single in singles]
            for of_limbs in zip(*entries, strict=True):
                self.entries[of_limbs[0]] = tuple(index for _, index in of_limbs)
                destinations.setdefault(pack, []).append(of_limbs[0])
        return destinations

    def _singles(self, destinations: Mapping[Node, list[Entry]]) -> dict[Node, list[Node]]:
        """For each pack all lanes of which go to the same outputs, and nowhere else, its lanes."""
        used = {o for statement in self.program.statements() for o in statement.node.operands}
        lanes: dict[Node, dict[int, Node]] = {}
        for node in destinations:
            if node.operation in LANES and node not in used:
                lanes.setdefault(node.operands[0], {})[LANES.index(node.operation)] = node
        found = {}
        for pack, single in lanes.items():
            ordered = [single[lane] for lane in sorted(single)]
            outputs = {tuple(name for name, _ in destinations[node]) for node in ordered}
            if len(ordered) == self.pack_lanes[pack] and len(outputs) == 1:
                found[pack] = ordered
        return found

    def _plain_outputs(self, part: Part) -> None:
        """Outputs that are constants or inputs are those of no limb."""
        super()._plain_outputs(self.plain)

    def _needed(self) -> list[Statement]:
        """All statements but lanes of packs that go to outputs as a whole."""
        statements = list(self.program.statements())
        used = {operand for statement in statements for operand in statement.node.operands}
        return [s for s in statements if s.node in used or s.node in self.destinations]
