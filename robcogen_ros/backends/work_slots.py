"""Where parts of a long function keep what later parts need: places of the work array."""

from __future__ import annotations

from collections.abc import Mapping

from robcogen_ros.program.graph import Node


def work_slots(
    part_of: Mapping[Node, int],
    lanes: Mapping[Node, int],
) -> dict[Node, int]:
    """For each value that a later part needs, its first place.

    The places of what no part needs any more are used again from the next part on.

    Args:
        part_of: The part of each statement, in order.
        lanes: For each node that is a pack, how many numbers it holds.
    """
    last = _last_parts(part_of)
    slots: dict[Node, int] = {}
    free: dict[int, list[int]] = {}
    kept_until: dict[int, list[Node]] = {}
    size = part = 0
    for node, here in part_of.items():
        for done in range(part, here):
            for ended in kept_until.pop(done, ()):
                free.setdefault(lanes.get(ended, 1), []).append(slots[ended])
        part = here
        if node not in last:
            continue
        count = lanes.get(node, 1)
        if free.get(count):
            slots[node] = free[count].pop()
        else:
            slots[node] = size
            size += count
        kept_until.setdefault(last[node], []).append(node)
    return slots


def _last_parts(part_of: Mapping[Node, int]) -> dict[Node, int]:
    """For each value that a later part needs, the last part that does."""
    last: dict[Node, int] = {}
    for node, here in part_of.items():
        for operand in node.operands:
            if operand.operation and part_of[operand] != here:
                last[operand] = here
    return last
