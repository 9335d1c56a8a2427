"""Whether loops are worth it: what the inertia matrix costs in them, and as straight-line code."""

from __future__ import annotations

from robcogen_ros.model.robot import Robot
from robcogen_ros.program.pack_costs import straight_cost
from robcogen_ros.program.program import Program

_JOINT = 120
"""What a joint costs: its pose, inertia, motion and force; in operations of straight-line code."""

_ENTRY = 2.5
"""What an entry of the matrix costs, zeros as well."""

FEWEST = 8
"""Joints from which on loops can be asked for: as many as lanes of the widest packs."""


def worth_looping(straight: Program, robot: Robot) -> bool:
    """Whether loops over all joints are expected to be the faster ones.

    They take every joint for one in a general place. Straight-line code leaves out what vanishes,
    but where little does it is long: it comes from memory slower than it is computed.
    """
    return len(robot.joints) >= FEWEST and loop_cost(robot) < straight_cost(straight)


def loop_cost(robot: Robot) -> float:
    """What the inertia matrix costs in loops, in operations of straight-line code."""
    return float(_JOINT * len(robot.joints) + _ENTRY * len(robot.joints) ** 2)
