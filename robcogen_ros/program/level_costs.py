"""Whether loops take a robot level by level: at once all joints that as many others carry."""

from __future__ import annotations

from robcogen_ros.model.robot import Robot

BY_LEVELS = ("inverse_dynamics", "inverse_dynamics_fully_actuated", "coriolis_torques")
"""Functions that there are loops over levels for."""

_WIDEST = 4
"""The most joints of a level: `lanes_of_levels` of robcogen_ros/tree/level_table.hpp."""

_LEAST_WIDTH = 9 / 8
"""How many joints a level has at least, on the average, where loops over levels are faster on any
processor; which ones are is told by `takes_levels` of robcogen_ros/tree/levels.hpp. Measured by
`python -m bench loops`."""


def worth_levels(name: str, robot: Robot) -> bool:
    """Whether loops of a function over levels are expected to be faster than those over joints.

    Args:
        name: A function that is in loops.
        robot: A robot each joint of which is a coordinate of its own.
    """
    if name not in BY_LEVELS or (robot.floating_base and name == "inverse_dynamics"):
        return False
    if any(joint.prismatic for joint in robot.joints):
        return False
    return len(robot.joints) >= _LEAST_WIDTH * level_count(robot)


def level_count(robot: Robot) -> int:
    """How many levels a tree has, as `levels_of` of robcogen_ros/tree/level_table.hpp finds them.

    Of the joints that could be in a level, those with the longest chains are.
    """
    on: dict[int, list[int]] = {}
    for joint in robot.joints:
        on.setdefault(joint.predecessor, []).append(joint.successor)
    length = dict.fromkeys(range(len(robot.links)), 0)
    for joint in reversed(robot.joints):
        before = joint.predecessor
        length[before] = max(length[before], 1 + length[joint.successor])
    count, ready = 0, on.get(0, [])
    while ready:
        ready = sorted(ready, key=length.__getitem__, reverse=True)
        beyond = [link for taken in ready[:_WIDEST] for link in on.get(taken, [])]
        ready = ready[_WIDEST:] + beyond
        count += 1
    return count
