"""Whether loops over the joints are worth it: what functions cost in them, and straight-line.

Both are told from the shape of the tree, before anything is traced, but for derivatives of small
trees. Straight-line code leaves out
what vanishes: most where axes are parallel, or at right angles. Where they are neither it is long,
and comes from memory slower than it is computed. Loops take every joint for one in a general place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from robcogen_ros.algorithms.limbs import joints_alike
from robcogen_ros.model.operation import is_zero
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.program.factor_costs import (
    answer_operations,
    carried_pairs,
    factor_operations,
    inverse_operations,
    solve_operations,
)

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


_DERIVATIVES = ("inverse_dynamics_derivatives", "inverse_dynamics_derivatives_entries")

_FIXED: Mapping[str, _Costs] = {
    "inertia_matrix": _Costs(10, 100, 14, 17, joint=120, entry=2.5),
    "inertia_matrix_entries": _Costs(10, 100, 14, 17, joint=120, entry=2.5),
    "inverse_dynamics": _Costs(85, 155, start=850, joint=112),
    "forward_dynamics": _Costs(200, 375, start=1000, joint=305),
    "coriolis_torques": _Costs(80, 145, start=700, joint=108),
    "kinematics": _Costs(34, 134, start=700, joint=50),
    "center_of_mass_jacobian": _Costs(32, 100, start=1500, joint=50),
    "centroidal_momentum_matrix": _Costs(60, 221, 13, 41.5, start=1100, joint=75),
    "kinetic_energy": _Costs(60, 115, start=600, joint=65),
    "link_velocities": _Costs(17, 87, start=1300, joint=50),
    "link_accelerations": _Costs(36, 136, start=1900, joint=80),
    **dict.fromkeys(_DERIVATIVES, _Costs(60, 256, 75, 147, start=1200, joint=250, entry=6)),
}
"""By function, of a robot on a fixed base. What loops cost is measured by `robcogen bench`,
as the geometric mean of times with full and with empty caches."""

WITH_STEPS = (
    "inertia_factor",
    "inertia_matrix_inverse",
    "solve_inertia",
    "forward_dynamics_derivatives",
)
"""Functions that call others of the robot before their loops."""

LOOPED = (*_FIXED, *WITH_STEPS)
"""Functions of a robot on a fixed base that there are loops for."""

_FLOATING: Mapping[str, _Costs] = {
    "inertia_matrix": _Costs(45, 135, 14, 17, joint=120, entry=2.5),
    "inertia_matrix_entries": _Costs(45, 135, 14, 17, joint=120, entry=2.5),
    "inverse_dynamics": _Costs(160, 280, start=2200, joint=235),
    "inverse_dynamics_fully_actuated": _Costs(75, 155, start=850, joint=112),
    "forward_dynamics": _Costs(210, 400, start=1000, joint=305),
    "coriolis_torques": _Costs(98, 154, start=1100, joint=112),
    "kinematics": _Costs(31, 126, start=700, joint=50),
    "center_of_mass_jacobian": _Costs(30, 96, start=1500, joint=50),
    "centroidal_momentum_matrix": _Costs(62, 215, 12, 42, start=1100, joint=75),
    "kinetic_energy": _Costs(73, 120, start=600, joint=65),
    "link_velocities": _Costs(19, 89, start=1300, joint=50),
    "link_accelerations": _Costs(40, 139, start=1900, joint=80),
    **dict.fromkeys(_DERIVATIVES, _Costs(190, 650, 110, 132, start=2500, joint=250, entry=6)),
}

_ALONE = (
    "inertia_matrix",
    "inverse_dynamics",
    "inverse_dynamics_fully_actuated",
    "forward_dynamics",
    *_DERIVATIVES,
)
"""Functions that are in loops whatever others are. All others are where the inertia matrix is, with
which they share the table, or where no axis is along or across that before."""

_PARENTS_FIRST = ("inertia_matrix_entries", "inertia_factor")
"""Functions in loops where each coordinate comes after those of the joints that carry its own."""

OF_PAIR = {
    "inertia_factor": (13, factor_operations),
    "inertia_matrix_inverse": (40, inverse_operations),
    "solve_inertia": (17, solve_operations),
    "forward_dynamics_derivatives": (100, answer_operations),
}
"""What loops after the inertia matrix, or after derivatives of the inverse dynamics, cost for each
pair of coordinates of which one carries the other, and what operations they stand for."""

_COUNTED = range(9, 17)
"""Joints on a fixed base of which derivatives are traced to tell what straight-line code costs."""

_TWO_PACKS = 3350
"""What loops of derivatives cost for so many joints, two packs of eight, in operations counted:
measured on trees whose axes are at right angles, with AVX-512 and with AVX2."""

_MOST_SIDE_BY_SIDE = 20
"""Joints on a fixed base up to which loops are compared with limbs side by side."""

_OF_LIMBS, _OF_MORE = {1: 1.0, 2: 0.6, 3: 0.6}, 0.35
"""What part of the operations of so many limbs side by side takes as long as all of them."""

_MOST_STRAIGHT = 50_000
"""Operations of straight-line code for several states: half a megabyte."""


def worth_looping(name: str, robot: Robot) -> bool:
    """Whether loops over all joints are expected to be the faster ones."""
    if len(robot.joints) < FEWEST:
        return False
    if name in _PARENTS_FIRST and not robot.parents_first:
        return False
    if name in OF_PAIR:
        cost, operations = OF_PAIR[name]
        return cost * carried_pairs(robot) < operations(robot)
    if name not in _of(robot):
        return False
    if name not in _ALONE and not (_is_general(robot) or worth_looping("inertia_matrix", robot)):
        return False
    return loop_cost(name, robot) < _left(robot) * straight_estimate(name, robot)


def is_counted(name: str, robot: Robot) -> bool:
    """Whether `worth_looping_by_count` tells more than `worth_looping`."""
    return name in _DERIVATIVES and len(robot.joints) in _COUNTED and not robot.floating_base


def worth_looping_by_count(operations: int) -> bool:
    """Whether loops are faster than so many operations, for what `is_counted` names."""
    return operations > _TWO_PACKS


def steps_of(name: str, robot: Robot) -> tuple[str, ...]:
    """The functions of the robot that one in loops calls first; none where its loops do it all.

    The derivatives of the forward dynamics call these where they are in loops. Else their code is
    long, and the inverse of H, which is needed anyway, gives the accelerations.
    """
    if name not in WITH_STEPS:
        return ()
    if name != "forward_dynamics_derivatives":
        looped = worth_looping("inertia_matrix", robot)
        return ("inertia_matrix" if looped else "articulated_inertia_matrix",)
    whole, entries = _DERIVATIVES
    slopes = entries if _is_sparse(robot) else whole
    if worth_looping("forward_dynamics", robot):
        return ("forward_dynamics", "inertia_matrix_inverse", slopes)
    forces = "inverse_dynamics_fully_actuated" if robot.floating_base else "inverse_dynamics"
    return (forces, "inertia_matrix_inverse", slopes)


def worth_looping_over_states(name: str, robot: Robot) -> bool:
    """Whether several states at once take the loops, too: straight-line code would be too long."""
    return name in OF_PAIR and OF_PAIR[name][1](robot) > _MOST_STRAIGHT


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


def _left(robot: Robot) -> float:
    """What part of the operations is left with limbs of equal shape side by side."""
    if robot.floating_base or len(robot.joints) > _MOST_SIDE_BY_SIDE:
        return 1.0
    parts = (_OF_LIMBS.get(len(alike), _OF_MORE) for alike in joints_alike(robot))
    return sum(parts) / len(robot.joints)


def _is_sparse(robot: Robot) -> bool:
    """Whether derivatives are computed entry by entry, and some entries are always zero."""
    pattern = robot.patterns.by_velocities
    has_zeros = len(pattern.rows) < len(pattern.columns) ** 2
    return has_zeros and not worth_looping(_DERIVATIVES[0], robot)


def _of(robot: Robot) -> Mapping[str, _Costs]:
    return _FLOATING if robot.floating_base else _FIXED


def _is_general(robot: Robot) -> bool:
    """Whether all joints on others are oblique."""
    return all(_is_oblique(joint) for joint in robot.joints if joint.predecessor)


def _is_oblique(joint: Joint) -> bool:
    """Whether a joint's axis is neither parallel to that before it, nor at a right angle to it."""
    x, y, z = (row.z for row in joint.pose.rotation)
    return not is_zero(z) and not (is_zero(x) and is_zero(y))
