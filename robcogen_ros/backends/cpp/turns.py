"""The sines and cosines of a stretch of C++, computed in one go where they begin."""

from __future__ import annotations

from collections.abc import Mapping

from robcogen_ros.backends.layout import Part
from robcogen_ros.backends.wrap import enclosed
from robcogen_ros.model.operation import COS, SIN
from robcogen_ros.program.graph import CONSTANTS, Input, Node

VARIABLE = "turn"
"""The variable that holds them."""

_FIELDS = {SIN: "sine", COS: "cosine"}


def turns(part: Part, scalar: str) -> tuple[tuple[str, ...], Mapping[Node, str]]:
    """The line that computes them, if there are several angles, and where each is then found."""
    found = [
        assignment.node
        for section in part.sections
        for assignment in section.assignments
        if assignment.node.operation in _FIELDS and _is_angle(assignment.node.operands[0], part)
    ]
    angles = list(dict.fromkeys(node.operands[0] for node in found))
    if len(angles) < 2:
        return (), {}
    head = f"const auto {VARIABLE} = robcogen_ros::turns<{scalar}>("
    line = enclosed(head, [part.inputs[angle] for angle in angles], ");", "  ")
    places = {
        node: f"{VARIABLE}.{_FIELDS[node.operation]}[{angles.index(node.operands[0])}]"
        for node in found
        if node.operation is not None
    }
    return (line,), places


def _is_angle(node: Node, part: Part) -> bool:
    return node in part.inputs and isinstance(node.leaf, Input) and node.leaf.name != CONSTANTS
