"""Depth first: what concerns one limb is computed before another limb is begun."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import and_

from robcogen_ros.model.robot import Robot
from robcogen_ros.program.graph import Node
from robcogen_ros.program.leaf import Input, Leaf, PackedInput
from robcogen_ros.program.program import Block, Program

_OF_COORDINATES = ("q", "qd", "qdd", "tau")
_OF_LINKS = "external_forces"


def depth_first(program: Program, robot: Robot) -> Program:
    """The statements of a straight-line program in an order in which values are live for short.

    Algorithms go through all joints, outwards and back, time and again, so that what they compute
    of a link waits for all other links. Here statements follow a walk through the tree, depth
    first: each comes where the walk enters the last of the links that it depends on; where these
    lie on several branches, where it leaves the last of the branches. The last child of a link is
    entered first, since sums over limbs begin with it. Operands still come first, since what they
    depend on, their users do; statements of one place in the walk keep the algorithm's order. What
    is needed no earlier comes where most of its step is, so that a step is in one piece.

    Args:
        program: The program.
        robot: The robot; inputs are of its coordinates and links.
    """
    walk = _Walk(robot)
    times = {node: walk.time(links) for node, links in _links(program, robot).items()}
    together = _with_their_steps(program, times)
    ordered = sorted(program.statements(), key=lambda statement: together[statement.node])
    return replace(program, body=(Block(tuple(ordered)),))


def with_short_live_ranges(program: Program, robot: Robot) -> Program:
    """The program depth first, or as it is where live ranges are shorter then.

    Some matrices have rows of all limbs that take part in one elimination: what is done limb by
    limb waits for that.
    """
    return min((program, depth_first(program, robot)), key=live_ranges)


def live_ranges(program: Program) -> int:
    """The live ranges of all values of a straight-line program, in statements, added up."""
    last = {o: i for i, s in enumerate(program.statements()) for o in s.node.operands}
    return sum(last.get(s.node, i) - i for i, s in enumerate(program.statements()))


def _with_their_steps(program: Program, times: dict[Node, int]) -> dict[Node, int]:
    """Times at which as many statements of a step as possible are together."""
    of_step: dict[str, Counter[int]] = defaultdict(Counter)
    for statement in program.statements():
        of_step[statement.step][times[statement.node]] += 1
    usual = {step: counts.most_common(1)[0][0] for step, counts in of_step.items() if step}
    together: dict[Node, int] = {}
    needed: dict[Node, int] = {}
    for statement in reversed(list(program.statements())):
        node = statement.node
        latest = needed.get(node, times[node])
        together[node] = max(times[node], min(latest, usual.get(statement.step, 0)))
        for operand in node.operands:
            needed[operand] = min(needed.get(operand, together[node]), together[node])
    return together


def _links(program: Program, robot: Robot) -> dict[Node, int]:
    """Returns for each operation the links whose inputs it depends on: a bit for each."""
    of_coordinate: dict[int, int] = {}
    for joint in robot.joints:
        moved = of_coordinate.get(joint.coordinate, 0)
        of_coordinate[joint.coordinate] = moved | 1 << joint.successor
    found: dict[Node, int] = {}
    for statement in program.statements():
        links = 0
        for operand in statement.node.operands:
            leaf = _of_first_lane(operand.leaf)
            if leaf is None:
                links |= found[operand]
            elif isinstance(leaf, Input) and leaf.name in _OF_COORDINATES:
                links |= of_coordinate[leaf.index]
            elif isinstance(leaf, Input) and leaf.name == _OF_LINKS:
                links |= 1 << robot.link_order[leaf.index // 6]
        found[statement.node] = links
    return found


def _of_first_lane(leaf: Leaf | None) -> Leaf | None:
    """Returns the leaf that tells the links: limbs side by side are done with the first of them."""
    return Input(leaf.name, leaf.indices[0]) if isinstance(leaf, PackedInput) else leaf


class _Walk:
    """A walk through a robot's tree, depth first, that counts where it enters and leaves links."""

    def __init__(self, robot: Robot) -> None:
        children: list[list[int]] = [[] for _ in robot.links]
        self._path = [1] * len(robot.links)
        for joint in robot.joints:
            children[joint.predecessor].append(joint.successor)
            self._path[joint.successor] = self._path[joint.predecessor] | 1 << joint.successor
        self._entered, self._left = _times(children)
        self._known: dict[int, int] = {}

    def time(self, links: int) -> int:
        """Returns the time at which links, a bit each, have all been entered on a path, or left."""
        if links not in self._known:
            self._known[links] = self._find_time(links)
        return self._known[links]

    def _find_time(self, links: int) -> int:
        paths = {i: path for i, path in enumerate(self._path) if links >> i & 1} or {0: 1}
        last = max(paths, key=self._entered.__getitem__)
        aside = [path for path in paths.values() if path & ~paths[last]]
        if not aside:
            return self._entered[last]
        branch = paths[last] & ~reduce(and_, aside)
        return self._left[_lowest(branch)]


def _lowest(links: int) -> int:
    """The number of the first of some links, a bit for each."""
    return (links & -links).bit_length() - 1


def _times(children: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Returns for each link the times at which a walk from the base enters and leaves it."""
    entered, left = [0] * len(children), [0] * len(children)
    pending, time = [0], 0
    while pending:
        link = pending.pop()
        if link < 0:
            left[~link] = time
        else:
            entered[link] = time
            pending.append(~link)
            pending.extend(children[link])
        time += 1
    return entered, left
