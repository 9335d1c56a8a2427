"""Packs of operations that are alike in limbs of equal shape, side by side.

Two operations of different limbs are alike if their operands are, or are the same; this is found
from the leaves outwards, one level of operations after the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from robcogen_ros.algorithms.limbs import Limbs
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.graph import Node
from robcogen_ros.program.leaf import Input, LimbConstant
from robcogen_ros.program.program import Program

_OF_COORDINATES = ("q", "qd", "qdd", "tau")
_OF_LINKS = "external_forces"

Lanes = Mapping[Node, int]
"""Count of numbers that each node holds which is a pack."""

Key = tuple[object, ...]
"""A key that is equal for nodes that are alike; the number of their group comes first."""


@dataclass(slots=True)
class Packs:
    """Packs with the nodes that are their lanes.

    Attributes:
        members: For each pack its nodes, a limb each.
        groups: For each pack the number of its group.
        place: For each node in a pack, the pack and the limb.
    """

    members: list[tuple[Node, ...]] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    place: dict[Node, tuple[int, int]] = field(default_factory=dict)

    def add_whole(self, alike: Mapping[Key, Mapping[int, Node]], groups: Sequence[Limbs]) -> None:
        """Adds packs of nodes that are alike, where every limb has one."""
        for key, nodes in alike.items():
            group = key[0]
            assert isinstance(group, int)
            if len(nodes) == groups[group].count:
                self._add(group, tuple(nodes[limb] for limb in sorted(nodes)))

    def _add(self, group: int, nodes: tuple[Node, ...]) -> None:
        for limb, node in enumerate(nodes):
            self.place[node] = (len(self.members), limb)
        self.members.append(nodes)
        self.groups.append(group)


def find_packs(
    program: Program,
    robot: Robot,
    groups: Sequence[Limbs],
) -> Packs:
    """The packs of a straight-line program that was traced with the constants of limbs.

    Args:
        program: The program.
        robot: The robot.
        groups: Its limbs of equal shape.
    """
    packs = Packs()
    packs.add_whole(_leaves(program, robot, groups), groups)
    for level in _levels(program):
        alike: dict[Key, dict[int, Node]] = {}
        for node in level:
            found = _likeness(node, packs)
            if found is not None:
                key, limb = found
                alike.setdefault(key, {})[limb] = node
        packs.add_whole(alike, groups)
    return packs


def concerns_several(program: Program, robot: Robot, groups: Sequence[Limbs]) -> bool:
    """Returns True if a program reads inputs of several limbs of one group."""
    leaves = _leaves(program, robot, groups)
    return any(len(limbs) > 1 for limbs in leaves.values())


def _levels(program: Program) -> list[list[Node]]:
    """Operations by the longest way from a leaf."""
    height: dict[Node, int] = {}
    levels: list[list[Node]] = []
    for statement in program.statements():
        node = statement.node
        height[node] = h = max([height.get(operand, -1) for operand in node.operands]) + 1
        if h == len(levels):
            levels.append([])
        levels[h].append(node)
    return levels


def _likeness(node: Node, packs: Packs) -> tuple[Key, int] | None:
    """Returns a key of an operation that those alike in other limbs share, and its limb.

    Of operands in packs these are the numbers of the packs; other operands have negative ones.
    """
    operands: list[int] = []
    own: tuple[int, int] | None = None
    place = packs.place
    for operand in node.operands:
        at = place.get(operand)
        if at is None:
            operands.append(-1 - operand.number)
            continue
        pack, limb = at
        operands.append(pack)
        if own is None:
            own = packs.groups[pack], limb
        elif own != (packs.groups[pack], limb):
            return None
    if own is None:
        return None
    operation = node.operation
    assert operation is not None
    if operation.commutative:
        operands.sort()
    group, limb = own
    return (group, operation, *operands), limb


def _leaves(program: Program, robot: Robot, groups: Sequence[Limbs]) -> dict[Key, dict[int, Node]]:
    """Inputs and constants of limbs: for each key the leaf of each limb."""
    of_link = {
        link: (group, limb, place)
        for group, limbs in enumerate(groups)
        for limb, links in enumerate(limbs.links)
        for place, link in enumerate(links)
    }
    of_coordinate = {joint.coordinate: of_link.get(joint.successor) for joint in robot.joints}
    found: dict[Key, dict[int, Node]] = {}
    for node in program.graph.nodes:
        leaf = node.leaf
        if leaf is None:
            continue
        at: tuple[int, int, int] | None = None
        key: Key = ()
        if isinstance(leaf, LimbConstant):
            found.setdefault((leaf.group, leaf.values), {})[leaf.limb] = node
        elif isinstance(leaf, Input) and leaf.name in _OF_COORDINATES:
            at, key = of_coordinate[leaf.index], (leaf.name,)
        elif isinstance(leaf, Input) and leaf.name == _OF_LINKS:
            at = of_link.get(robot.link_order[leaf.index // 6])
            key = (leaf.name, leaf.index % 6)
        if at is not None:
            group, limb, place = at
            found.setdefault((group, place, *key), {})[limb] = node
    return found
