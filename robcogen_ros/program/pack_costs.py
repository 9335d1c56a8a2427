"""Whether limbs side by side, or one after the other, are worth it: what programs cost."""

from __future__ import annotations

from robcogen_ros.model.operation import NEGATE
from robcogen_ros.program.graph import PackedInput
from robcogen_ros.program.passes.side_by_side import LANES, TOTAL, SideBySide
from robcogen_ros.program.program import Program

_REGISTER = 2
"""Doubles in a vector register of any machine; wider ones only make packs better."""

_MOVE = 1.5
"""What it costs to put a number into a lane, or to take it out, in operations."""

_GAIN = 0.97
"""How much cheaper packs must be to be worth it: in wider registers they are better than here."""


_LONG = 3000
"""Operations on vectors whose code fits the cache of instructions."""

_SHORTER = 0.55
"""How much shorter code in loops over limbs must be to be worth it for several states."""


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


def is_long_code(straight: Program) -> bool:
    """Whether straight-line code for several states does not fit the cache of instructions."""
    return straight_cost(straight) > _LONG


def worth_limb_loops(straight: Program, packed: SideBySide) -> bool:
    """Whether several states are expected to be faster with limbs one after the other."""
    in_loops = sum(
        statement.node.operation not in LANES for statement in packed.program.statements()
    )
    return is_long_code(straight) and in_loops <= _SHORTER * straight_cost(straight)
