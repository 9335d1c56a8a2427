"""Positions of joints rounded before anything is computed from them.

Inertias that are handed towards the base are multiplied by positions. When a limb folds, generated
code takes most of that away again, with the same positions, rounded. Were the products made with
more digits than these, what is left would be that of no robot at all: a folded limb has a small
part of the inertia of a stretched one, and would get the rounding errors of the large one. So all
constants are those of one robot, each joint of which is where doubles can have it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from robcogen_ros.algorithms.minimal_inertia import regrouped
from robcogen_ros.model import number
from robcogen_ros.model.expression import Expression
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.spatial import Vector

_NOTHING = number.number("1e-15")
"""What is left of inertias that ought to vanish, relative to the largest ones, is less."""


@lru_cache(maxsize=4)
def with_rounded_positions(robot: Robot) -> Robot:
    """The same robot, its joints moved to the nearest doubles.

    Args:
        robot: The robot, its quantities expressions; what depends on parameters stays.

    Returns:
        The robot with joints moved by less than their last digit; the robot as it is if inertias
        that vanish would not do so there.
    """
    moved = replace(robot, joints=tuple(map(_moved, robot.joints)))
    sizes = [abs(entry.value) for entry in _entries(moved) if entry.value]
    least = _NOTHING * max(sizes, default=number.ZERO)
    return robot if any(size < least for size in sizes) else moved


def _moved(joint: Joint) -> Joint:
    at = Vector(*map(_rounded, joint.pose.translation))
    return replace(joint, pose=replace(joint.pose, translation=at))


def _rounded(length: Expression) -> Expression:
    return length if length.value is None else Expression(number.rounded(length.value))


def _entries(robot: Robot) -> Iterator[Expression]:
    """The minimal inertial parameters."""
    for link in regrouped(robot).links:
        yield from (*link.inertia.moment, *link.inertia.tensor)
