"""Whether limbs side by side are worth it: what a program costs on packs, and without."""

from __future__ import annotations

from robcogen_ros.model.operation import NEGATE
from robcogen_ros.program.graph import PackedInput
from robcogen_ros.program.passes.side_by_side import LANES, TOTAL, SideBySide
from robcogen_ros.program.program import Program

_REGISTER = 2
"""Doubles in a vector register of any machine; wider ones only make packs better."""

_MOVE = 1.5
"""What it costs to put a number into a lane, or to take it out, in operations."""

_GAIN = 0.9
"""How much cheaper packs must be to be worth it."""


def worth_packing(straight: Program, packed: SideBySide) -> bool:
    """Whether a program on packs is expected to be the faster one, and the shorter."""
    return packed_cost(packed) < _GAIN * straight_cost(straight)


def straight_cost(program: Program) -> float:
    """Operations of a straight-line program; signs count as nothing."""
    return float(sum(s.node.operation is not NEGATE for s in program.statements()))


def packed_cost(packed: SideBySide) -> float:
    """What a program on packs costs, in operations."""
    cost = 0.0
    for node in packed.lanes:
        if isinstance(node.leaf, PackedInput):
            cost += _MOVE * packed.lanes[node]
    for statement in packed.program.statements():
        node = statement.node
        if node.operation in LANES:
            cost += _MOVE
        elif node.operation is TOTAL:
            cost += _MOVE * packed.lanes[node.operands[0]]
        elif node in packed.lanes:
            cost += -(-packed.lanes[node] // _REGISTER)
        elif node.operation is not NEGATE:
            cost += 1
    return cost
