"""Joints in rows of four, so that loops compute those of a row at once.

Predecessors are in earlier rows, the tallest subtrees come first, and a chain stays in its lane:
what a joint needs of its predecessor is then, for most, the same lane of the row before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from robcogen_ros.model.robot import Robot

LANES = 4

Lanes = tuple[int, ...]
"""Something for each lane of a row."""


@dataclass(frozen=True)
class JointRows:
    """The rows of a robot.

    Attributes:
        joints: For each row the index of the joint in each lane; -1 where there is none.
        parents: For each joint its parent joint, whose successor it is on; -1 at the base.
    """

    joints: tuple[Lanes, ...]
    parents: tuple[int, ...]

    @cached_property
    def places(self) -> dict[int, tuple[int, int]]:
        """Row and lane of each joint."""
        return {
            joint: (row, lane)
            for row, joints in enumerate(self.joints)
            for lane, joint in enumerate(joints)
            if joint >= 0
        }

    def filled(self) -> Iterator[Lanes]:
        """The joints of each row, lanes to spare filled with one of the row."""
        for joints in self.joints:
            spare = max(joints)
            yield tuple(joint if joint >= 0 else spare for joint in joints)

    def slot(self, joint: int) -> int:
        """The place of a joint among numbers that are kept row by row, the base's row first."""
        if joint < 0:
            return 0
        row, lane = self.places[joint]
        return (row + 1) * LANES + lane

    def follows(self, joint: int) -> bool:
        """Returns True if the joint before it is in its lane of the row before, or is the base."""
        row, lane = self.places[joint]
        parent = self.parents[joint]
        return row == 0 if parent < 0 else self.places[parent] == (row - 1, lane)


@dataclass(frozen=True, slots=True)
class Move:
    """Numbers of a row that are added to those of an earlier one.

    Attributes:
        onto: The earlier row; -1 for the base.
        lanes: For each lane of the earlier row, which of the row's is added.
        mask: Bits of the lanes that get something.
    """

    onto: int
    lanes: Lanes
    mask: int


@dataclass(frozen=True, slots=True)
class Passing:
    """Joints of one row that pass joints of another on their walks to the base.

    Attributes:
        row: The other row.
        lanes: For each lane the lane of the joint that is passed.
        mask: Bits of the lanes that pass one.
        pairs: For each lane the joint and the one that it passes.
    """

    row: int
    lanes: Lanes
    mask: int
    pairs: tuple[tuple[int, int] | None, ...]


def joint_rows(robot: Robot) -> JointRows:
    """The rows of a robot."""
    parents = tuple(joint.predecessor - 1 for joint in robot.joints)
    height = [1] * len(parents)
    for joint in reversed(range(len(parents))):
        if parents[joint] >= 0:
            height[parents[joint]] = max(height[parents[joint]], height[joint] + 1)
    rows: list[Lanes] = []
    left, placed = set(range(len(parents))), {-1}
    while left:
        ready = [joint for joint in left if parents[joint] in placed]
        chosen = sorted(ready, key=lambda joint: (-height[joint], joint))[:LANES]
        rows.append(_in_lanes(chosen, rows[-1] if rows else (), parents))
        placed.update(chosen)
        left.difference_update(chosen)
    return JointRows(tuple(rows), parents)


def _in_lanes(chosen: Sequence[int], before: Lanes, parents: Sequence[int]) -> Lanes:
    """Joints in lanes, each after what it is on if it can be."""
    lanes = [-1] * LANES
    late = []
    for joint in chosen:
        lane = before.index(parents[joint]) if parents[joint] in before else -1
        if lane >= 0 and lanes[lane] < 0 and parents[joint] >= 0:
            lanes[lane] = joint
        else:
            late.append(joint)
    for joint in late:
        lanes[lanes.index(-1)] = joint
    return tuple(lanes)


def moves(rows: JointRows, row: int) -> list[Move]:
    """Returns the moves of what joints of a row hand on to rows that do not follow it."""
    pending: dict[int, list[tuple[int, int]]] = {}
    for lane, joint in enumerate(rows.joints[row]):
        if joint < 0 or (row and rows.follows(joint)):
            continue
        parent = rows.parents[joint]
        onto, to = rows.places[parent] if parent >= 0 else (-1, lane)
        pending.setdefault(onto, []).append((lane, to))
    return [move for onto, pairs in pending.items() for move in _moves(onto, pairs)]


def _moves(onto: int, pairs: Sequence[tuple[int, int]]) -> Iterator[Move]:
    left = list(pairs)
    while left:
        now: dict[int, int] = {}
        for lane, to in left:
            now.setdefault(to, lane)
        left = [(lane, to) for lane, to in left if now[to] != lane]
        lanes = tuple(now.get(to, 0) for to in range(LANES))
        yield Move(onto, lanes, sum(1 << to for to in now))


def flowing(rows: JointRows, row: int) -> int:
    """Bits of the lanes of a row that hand on to the same lane of the row before."""
    joints = enumerate(rows.joints[row])
    return sum(1 << lane for lane, j in joints if j >= 0 and row and rows.follows(j))


def passings(rows: JointRows, row: int) -> list[Passing]:
    """Returns the rows over which the joints of a row walk to the base, their own first."""
    found: dict[int, dict[int, tuple[int, int, int]]] = {}
    for lane, joint in enumerate(rows.joints[row]):
        passed = joint
        while passed >= 0:
            at, there = rows.places[passed]
            found.setdefault(at, {})[lane] = (there, joint, passed)
            passed = rows.parents[passed]
    result = []
    for at in sorted(found, reverse=True):
        lanes = found[at]
        result.append(
            Passing(
                at,
                tuple(lanes[lane][0] if lane in lanes else 0 for lane in range(LANES)),
                sum(1 << lane for lane in lanes),
                tuple(lanes[k][1:] if k in lanes else None for k in range(LANES)),
            )
        )
    return result
