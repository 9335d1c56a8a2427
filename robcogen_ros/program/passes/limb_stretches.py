"""Stretches of a program on packs: by turns of the trunk, and of limbs of equal shape.

What is computed of limbs, and of nothing that the trunk makes of it, is one stretch: it can be
computed limb after limb. Inverse dynamics have three: the base's motion, the limbs, what they hand
to the base.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from robcogen_ros.program.graph import Node
from robcogen_ros.program.passes.packs import Lanes
from robcogen_ros.program.program import Block, Program

Place = tuple[int, int]
"""How often trunk and limbs have taken turns, and how many limbs it is of; no limb: the trunk."""


@dataclass(frozen=True, slots=True)
class Stretches:
    """A program in stretches.

    Attributes:
        program: The program, its statements stretch by stretch.
        of: The number of each statement's stretch.
        limbs: For each stretch how many limbs it is of; 0 for the trunk.
    """

    program: Program
    of: Mapping[Node, int]
    limbs: tuple[int, ...]


def stretches(program: Program, lanes: Lanes) -> Stretches:
    """A straight-line program in as few stretches as can be.

    Args:
        program: The program.
        lanes: For each node that is a pack, how many numbers it holds: a lane a limb.
    """
    places = _earliest(program, lanes)
    _delay(program, places)
    ordered = sorted(program.statements(), key=lambda statement: places[statement.node])
    number = {place: i for i, place in enumerate(sorted(set(places.values())))}
    return Stretches(
        replace(program, body=(Block(tuple(ordered)),)),
        {statement.node: number[places[statement.node]] for statement in ordered},
        tuple(limbs for _, limbs in number),
    )


def _earliest(program: Program, lanes: Lanes) -> dict[Node, Place]:
    """The first place where each statement's operands are known."""
    places: dict[Node, Place] = {}
    for statement in program.statements():
        node = statement.node
        limbs = lanes.get(node, 0)
        turn = 1 if limbs else 0
        for operand in node.operands:
            if operand in places:
                before, of = places[operand]
                turn = max(turn, before if of == limbs else before + 1)
        places[node] = (turn, limbs)
    return places


def _delay(program: Program, places: dict[Node, Place]) -> None:
    """Move what is not needed before, and takes no more to be kept until then."""
    latest: dict[Node, int] = {}
    for statement in reversed(list(program.statements())):
        node = statement.node
        turn, limbs = places[node]
        computed = [operand for operand in node.operands if operand in places]
        if node in latest and len(set(computed)) <= 1:
            turn = max(turn, latest[node])
            places[node] = (turn, limbs)
        for operand in computed:
            until = turn if places[operand][1] == limbs else turn - 1
            latest[operand] = min(latest.get(operand, until), until)
