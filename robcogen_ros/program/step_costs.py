"""Operations of a function by steps of its algorithm and by links of its robot."""

from __future__ import annotations

import re
from collections import Counter

from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import ADD, MULTIPLY, NEGATE, SUBTRACT
from robcogen_ros.program.program import Program

Costs = dict[str, Counter[str]]
"""Counts of operations of each kind, for each step of an algorithm in its order."""

_STEP = re.compile(r"(link|joint) \d+, (.*): [^:]*")


def costs(program: Program) -> Costs:
    """The operations of a straight-line program by step; signs count as nothing."""
    result: Costs = {}
    for statement in program.statements():
        operation = statement.node.operation
        if operation is not None and operation is not NEGATE:
            kind = {MULTIPLY: "mul", ADD: "add", SUBTRACT: "add"}.get(operation, "other")
            result.setdefault(statement.step or "general", Counter())[kind] += 1
    return result


def by_link(program: Program, robot: Robot) -> tuple[list[int], int]:
    """Operations of the steps of each link and of the joint that moves it, and of the others."""
    links = {link.name: i for i, link in enumerate(robot.links)}
    joints = {joint.name: joint.successor for joint in robot.joints}
    counts, others = [0] * len(robot.links), 0
    for step, count in costs(program).items():
        told = _STEP.fullmatch(step)
        link = None if told is None else {"link": links, "joint": joints}[told[1]].get(told[2])
        if step.startswith("base: "):
            link = 0
        if link is None:
            others += sum(count.values())
        else:
            counts[link] += sum(count.values())
    return counts, others
