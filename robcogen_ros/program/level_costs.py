"""Whether loops take a robot level by level: at once all joints that as many others carry."""

from __future__ import annotations

from collections import Counter

from robcogen_ros.model.robot import Robot

BY_LEVELS = ("inverse_dynamics", "coriolis_torques")
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
    if name not in BY_LEVELS or robot.floating_base:
        return False
    if any(joint.prismatic for joint in robot.joints):
        return False
    levels = Counter(len(robot.support(joint.successor)) for joint in robot.joints)
    wide = len(robot.joints) >= _LEAST_WIDTH * len(levels)
    return wide and max(levels.values()) <= _WIDEST
