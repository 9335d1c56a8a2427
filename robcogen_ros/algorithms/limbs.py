"""Limbs of equal shape: the legs of a quadruped, the arms of a humanoid.

Subtrees that hang on one link and have the same topology and the same types of joints take the
same operations on other numbers. Their links are listed in the same order, so that what belongs
together has the same place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from robcogen_ros.model.robot import Robot

MOST = 8
"""Limbs in one group at most, as many as the widest vectors have lanes."""


@dataclass(frozen=True, slots=True)
class Limbs:
    """Limbs of equal shape.

    Attributes:
        links: For each limb the numbers of its links, all in the same order, parents first.
    """

    links: tuple[tuple[int, ...], ...]

    @property
    def count(self) -> int:
        """The number of limbs."""
        return len(self.links)


def find_limbs(robot: Robot) -> tuple[Limbs, ...]:
    """The groups of limbs of a robot, from the base outwards; none lies within another."""
    if robot.has_mimic or robot.parameters:
        return ()
    children: list[list[int]] = [[] for _ in robot.links]
    for joint in robot.joints:
        children[joint.predecessor].append(joint.successor)
    shapes = _shapes(robot, children)
    return tuple(_groups(0, children, shapes))


def joints_alike(robot: Robot) -> list[tuple[int, ...]]:
    """Returns for each joint the indices of those at its place in limbs of equal shape."""
    alike: list[tuple[int, ...]] = [(k,) for k in range(len(robot.joints))]
    for group in find_limbs(robot):
        for places in zip(*group.links, strict=True):
            for i in places:
                alike[i - 1] = tuple(link - 1 for link in places)
    return alike


def _shapes(robot: Robot, children: Sequence[Sequence[int]]) -> list[Any]:
    """Returns for each link a key that is equal where subtrees have equal shapes."""
    shapes: list[Any] = [None] * len(robot.links)
    for joint in reversed(robot.joints):
        i = joint.successor
        kind, own = joint.kind, sorted(shapes[child] for child in children[i])
        shapes[i] = (kind.slides, kind.turns, *own)
    return shapes


def _groups(link: int, children: Sequence[Sequence[int]], shapes: Sequence[Any]) -> Iterator[Limbs]:
    alike: dict[Any, list[int]] = {}
    for child in children[link]:
        alike.setdefault(shapes[child], []).append(child)
    for roots in alike.values():
        if 1 < len(roots) <= MOST:
            yield Limbs(tuple(tuple(_subtree(root, children, shapes)) for root in roots))
        else:
            for root in roots:
                yield from _groups(root, children, shapes)


def _subtree(root: int, children: Sequence[Sequence[int]], shapes: Sequence[Any]) -> Iterator[int]:
    """The links of a subtree, parents first, branches in the order of their shapes."""
    yield root
    for child in sorted(children[root], key=lambda child: shapes[child]):
        yield from _subtree(child, children, shapes)
