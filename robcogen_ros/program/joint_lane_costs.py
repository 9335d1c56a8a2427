"""Whether the joints of a serial chain are worth a lane of a register each.

They then take the same time wherever they are, and straight-line code leaves out what vanishes:
most where axes are parallel, or at right angles.
"""

from __future__ import annotations

from collections.abc import Mapping

from robcogen_ros.model.robot import Robot

FEWEST, MOST = 4, 8
"""Joints of chains that there are lanes for."""

_COSTS: Mapping[str, tuple[float, float]] = {
    "inverse_dynamics_derivatives": (1250, 60),
    "inverse_dynamics_derivatives_entries": (1300, 70),
}
"""What a function costs, whatever there are of joints and for each, in operations of straight-line
code; measured by `python -m bench loops`, as the geometric mean of times with full and with empty
caches."""

IN_JOINT_LANES = tuple(_COSTS)
"""Functions that there are lanes for."""


def has_joint_lanes(name: str, robot: Robot) -> bool:
    """Whether a function can be computed so: of a serial chain on a fixed base."""
    fits = FEWEST <= len(robot.joints) <= MOST and not robot.floating_base
    return fits and name in _COSTS and _is_serial(robot)


def worth_joint_lanes(name: str, robot: Robot, operations: int) -> bool:
    """Whether that is expected to be faster than so many operations of straight-line code."""
    start, joint = _COSTS[name]
    return start + joint * len(robot.joints) < operations


def _is_serial(robot: Robot) -> bool:
    """Whether each joint is on the link that the one before moves, numbered as in q."""
    links = [0, *(joint.successor for joint in robot.joints)]
    return all(
        joint.predecessor == link and joint.coordinate == i
        for i, (joint, link) in enumerate(zip(robot.joints, links, strict=False))
    )
