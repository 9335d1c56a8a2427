"""Links of long chains whose angular acceleration is turned, lest rounding errors add up.

Across a joint's axis, U = [wd]x + [w]x [w]x of a link tells the angular acceleration of the next
one (see `link_motion`), with the rounding errors of [w]x [w]x, which are then those of wd, link
after link. Turning wd itself takes two operations more where nothing else needs what U tells: it
is done where much is to come of a long chain.
"""

from __future__ import annotations

from robcogen_ros.model.operation import is_zero
from robcogen_ros.model.robot import Robot

_LONG, _TO_COME = 8, 2
"""Joints, one after the other, of which a long chain has more; of which so many are to come."""


def links_to_turn(robot: Robot) -> frozenset[int]:
    """Numbers of the links whose angular acceleration is turned rather than taken from U."""
    before, to_come = [0] * len(robot.links), [0] * len(robot.links)
    for joint in robot.joints:
        before[joint.successor] = before[joint.predecessor] + 1
    for joint in reversed(robot.joints):
        parent = joint.predecessor
        to_come[parent] = max(to_come[parent], to_come[joint.successor] + 1)
    return frozenset(
        i
        for i in range(1, len(robot.links))
        if to_come[i] >= _TO_COME and before[i] + to_come[i] > _LONG and not _uses_axis(robot, i)
    )


def _uses_axis(robot: Robot, link: int) -> bool:
    """Whether accelerations of points along a link's axis are of use.

    They are to its net force and to joints that lie off the axis' foot.
    """
    inertia = robot.links[link].inertia
    used = [inertia.moment.z, inertia.tensor.xz, inertia.tensor.yz]
    used += [j.pose.translation.z for j in robot.joints if j.predecessor == link]
    return not all(map(is_zero, used))
