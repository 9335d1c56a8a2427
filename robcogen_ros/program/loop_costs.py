"""Whether loops over the joints are worth it: what functions cost in them, and straight-line.

Both are told from the shape of the tree, before anything is traced. Straight-line code leaves out
what vanishes: most where axes are parallel, or at right angles. Where they are neither it is long,
and comes from memory slower than it is computed. Loops take every joint for one in a general place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from robcogen_ros.model.operation import is_zero
from robcogen_ros.model.robot import Joint, Robot

FEWEST = 8
"""Joints from which on loops can be asked for: as many as lanes of the widest packs."""


@dataclass(frozen=True, slots=True)
class _Costs:
    """What a function costs, in operations of straight-line code.

    Attributes:
        aligned: Of straight-line code, for a joint along or across the one before.
        oblique: The same for any other joint.
        aligned_pair: For each joint that a joint along or across the one before is carried by.
        oblique_pair: The same for any other joint.
        start: In loops, whatever there are of joints.
        joint: For each joint.
        entry: For each pair of any two joints.
    """

    aligned: float
    oblique: float
    aligned_pair: float = 0.0
    oblique_pair: float = 0.0
    start: float = 0.0
    joint: float = 0.0
    entry: float = 0.0


_FIXED: Mapping[str, _Costs] = {
    "inertia_matrix": _Costs(10, 100, 14, 17, joint=120, entry=2.5),
    "inverse_dynamics": _Costs(85, 155, start=1700, joint=95),
    "forward_dynamics": _Costs(200, 375, start=2500, joint=200),
}
"""By function, of a robot on a fixed base. What loops cost is measured by `python -m bench loops`,
as the geometric mean of times with full and with empty caches."""

_FLOATING: Mapping[str, _Costs] = {
    "inertia_matrix": _Costs(45, 135, 14, 17, joint=120, entry=2.5),
    "inverse_dynamics": _Costs(160, 280, start=2200, joint=150),
    "inverse_dynamics_fully_actuated": _Costs(90, 155, start=1700, joint=95),
    "forward_dynamics": _Costs(210, 400, start=2500, joint=200),
}


def worth_looping(name: str, robot: Robot) -> bool:
    """Whether loops over all joints are expected to be the faster ones."""
    if len(robot.joints) < FEWEST or name not in _of(robot):
        return False
    return loop_cost(name, robot) < straight_estimate(name, robot)


def loop_cost(name: str, robot: Robot) -> float:
    """What a function costs in loops, in operations of straight-line code."""
    costs, n = _of(robot)[name], len(robot.joints)
    return costs.start + costs.joint * n + costs.entry * n * n


def straight_estimate(name: str, robot: Robot) -> float:
    """How many operations straight-line code of a function takes, roughly."""
    costs = _of(robot)[name]
    cost = 0.0
    for joint in robot.joints:
        carried_by = len(robot.support(joint.successor)) - 1
        if joint.predecessor or robot.floating_base:
            oblique = _is_oblique(joint)
            cost += costs.oblique if oblique else costs.aligned
            cost += carried_by * (costs.oblique_pair if oblique else costs.aligned_pair)
    return cost


def _of(robot: Robot) -> Mapping[str, _Costs]:
    return _FLOATING if robot.floating_base else _FIXED


def _is_oblique(joint: Joint) -> bool:
    """Whether a joint's axis is neither parallel to that before it, nor at a right angle to it."""
    x, y, z = (row.z for row in joint.pose.rotation)
    return not is_zero(z) and not (is_zero(x) and is_zero(y))
