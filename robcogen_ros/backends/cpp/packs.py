"""Lines of C++ on packs: numbers side by side, a lane for each of several limbs."""

from __future__ import annotations

from collections.abc import Iterable

from robcogen_ros.backends.layout import Assignment, Layout, Part
from robcogen_ros.backends.wrap import enclosed
from robcogen_ros.model.operation import COS, SIN
from robcogen_ros.program.graph import Node, PackedConstant, PackedInput

_LANES = (2, 4, 8)


def pack_type(count: int) -> str:
    """The type that holds so many numbers side by side."""
    return f"Pack<{next(lanes for lanes in _LANES if lanes >= count)}>"


def packed(leaf: PackedConstant | PackedInput, name: str, numbers: Iterable[str]) -> str:
    """The line that puts numbers side by side; lanes to spare repeat the first."""
    given = list(numbers)
    lanes = next(lanes for lanes in _LANES if lanes >= len(given))
    given += given[:1] * (lanes - len(given))
    return enclosed(f"const {pack_type(len(given))} {name}{{", given, "};", "  ")


def recalled(variable: str, slot: int, count: int) -> str:
    """The line that reads what an earlier part kept."""
    kind = pack_type(count)
    return f"  const {kind} {variable} = {kind}::read(work + {slot});"


def kept(variable: str, slot: int) -> str:
    """The line that keeps a pack for later parts."""
    return f"  {variable}.write(work + {slot});"


def packed_turn(assignment: Assignment, part: Part, laid: Layout, written: set[Node]) -> list[str]:
    """The lines that compute sine and cosine of a pack in one go, when the first is due.

    Args:
        assignment: What is due.
        part: The part it is in.
        laid: The layout of the program.
        written: Nodes that have been computed ahead; the partner is added.
    """
    node = assignment.node
    if node not in laid.lanes or node.operation not in (SIN, COS):
        return []
    angle = node.operands[0]
    both = {
        other.node.operation: other
        for section in part.sections
        for other in section.assignments
        if other.node.operation in (SIN, COS) and other.node.operands[0] is angle and other.variable
    }
    if len(both) < 2 or angle not in laid.names:
        return []
    sine, cosine = both[SIN], both[COS]
    names = f"{sine.variable}, {cosine.variable}"
    lines = [
        f"  {pack_type(laid.lanes[node])} {names};",
        f"  sincos_apart({laid.names[angle]}, {names});",
    ]
    for found in (sine, cosine):
        written.add(found.node)
        if found.slot is not None:
            lines.append(kept(found.variable, found.slot))
    return lines
