"""The sines and cosines of a stretch of C++, computed in one go where they begin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from robcogen_ros.backends.cpp.packs import pack_lanes
from robcogen_ros.backends.layout import Assignment, Part
from robcogen_ros.model.scalars.operation import ADD, COS, MULTIPLY, NEGATE, SIN, SUBTRACT
from robcogen_ros.program.graph import Node
from robcogen_ros.program.leaf import Literal

VARIABLE = "turn"
"""The variable that holds those of numbers; those of packs have their lanes in their names."""

_FIELDS = {SIN: "sine", COS: "cosine"}

_ROUNDED = 3
"""Angles in a sum from which on its rounding shows: a sum of three is worth up to 9 rad, and then
rounded by four times as much as one of them."""


@dataclass(frozen=True, slots=True)
class Sines:
    """Angles of one kind whose sines and cosines are computed in one go.

    Attributes:
        lanes: Lanes of each of them; 0 if they are no packs.
        angles: The angles: inputs, or what is computed from inputs and constants.
        ahead: Lines that compute them.
        nodes: The sines and cosines.
    """

    lanes: int
    angles: tuple[Node, ...]
    ahead: tuple[Assignment, ...]
    nodes: tuple[Node, ...]

    @property
    def variable(self) -> str:
        """The variable that holds the sines and cosines."""
        return f"{VARIABLE}_{self.lanes}" if self.lanes else VARIABLE

    def head(self, scalar: str) -> str:
        """Returns the beginning of the line that computes them, up to the angles."""
        function = "sines_apart(" if self.lanes else f"robcogen_ros::sines<{scalar}>("
        return f"const auto {self.variable} = {function}"

    def places(self) -> Mapping[Node, str]:
        """Returns the text of each sine and cosine."""
        index = {angle: i for i, angle in enumerate(self.angles)}
        return {
            node: f"{self.variable}.{_FIELDS[node.operation]}[{index[node.operands[0]]}]"
            for node in self.nodes
            if node.operation is not None
        }


def sines(part: Part, lanes: Mapping[Node, int]) -> Iterator[Sines]:
    """The angles of a part by their kinds; a single number is not worth it.

    Args:
        part: The part.
        lanes: For each node that is a pack, how many numbers it holds.
    """
    assignments = [assignment for section in part.sections for assignment in section.assignments]
    found: dict[int, list[Node]] = {}
    for assignment in assignments:
        node = assignment.node
        if node.operation in _FIELDS and _is_known(node.operands[0], part):
            count = pack_lanes(lanes[node]) if node in lanes else 0
            found.setdefault(count, []).append(node)
    for count, nodes in sorted(found.items()):
        angles = tuple(dict.fromkeys(node.operands[0] for node in nodes))
        if count or len(angles) > 1:
            within = {node for angle in angles for node in _operations(angle)}
            ahead = tuple(each for each in assignments if each.node in within)
            yield Sines(count, angles, ahead, tuple(nodes))


def angle(node: Node, kind: str, write: Callable[[Node], str]) -> str:
    """An angle as it is handed on: with the angles that it is the sum of, if these are many.

    Args:
        node: The angle.
        kind: Its type.
        write: How a node is written.
    """
    terms = list(_terms(node, False))
    if len(terms) < _ROUNDED:
        return write(node)
    signed = ("-" * negative + write(term) for term, negative in terms)
    return f"robcogen_ros::compensated<{kind}>({', '.join((write(node), *signed))})"


def _terms(node: Node, negative: bool) -> Iterator[tuple[Node, bool]]:
    """Yields the terms of a sum, each with True if it is subtracted."""
    if node.operation not in (ADD, SUBTRACT, NEGATE):
        yield node, negative
        return
    *first, last = node.operands
    for operand in first:
        yield from _terms(operand, negative)
    yield from _terms(last, negative != (node.operation is not ADD))


def _is_known(node: Node, part: Part) -> bool:
    """Returns True if a node is known where the part begins, or is a few sums of such nodes."""
    if node.operation is None:
        return isinstance(node.leaf, Literal) or node in part.inputs
    return node.operation in (ADD, SUBTRACT, MULTIPLY, NEGATE) and all(
        _is_known(operand, part) for operand in node.operands
    )


def _operations(node: Node) -> Iterator[Node]:
    """The operations that compute a node."""
    if node.operation is not None:
        yield node
        for operand in node.operands:
            yield from _operations(operand)
