"""Operations that a function in loops carries out in a call: each on one number counts once.

Steps count at each joint, or pair of joints, where they are run. Of the linear algebra of
`include/robcogen_ros/sparse`, lanes that only fill a register are not counted; entries that are
always zero are, where the loops run over them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from robcogen_ros.algorithms.mechanics.contacts.derivatives import (
    row_pattern,
    slope_patterns,
    velocity_pattern,
)
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import OPERATIONS
from robcogen_ros.program.leaf import Before, Total
from robcogen_ros.program.sweeps.plan import Plan
from robcogen_ros.program.sweeps.swept import INWARD, Swept


def sweep_operations(swept: Swept, parents: Sequence[int]) -> dict[str, int]:
    """Operations of each kind of a function in sweeps; parents of joints, -1 at the base."""
    return _by_kind(_swept(Plan(swept), parents))


def algebra_operations(
    name: str, robot: Robot, steps: Sequence[Mapping[str, int]]
) -> dict[str, int]:
    """Returns the operations of linear algebra after steps, of which the counts are given."""
    counts = Counter(_ALGEBRA[name](robot))
    usual = steps[:1] if name == "impact_derivatives" else steps  # the rest is for restitution
    for step in usual:
        counts.update(step)
    return _by_kind(counts)


def _by_kind(counts: Counter[str]) -> dict[str, int]:
    return {kind: counts[kind] for kind in OPERATIONS if counts[kind]}


def _swept(plan: Plan, parents: Sequence[int]) -> Counter[str]:
    """Counts operations of steps, as often as they run, and of the sums that go inwards."""
    swept = plan.swept
    found = plan.counted(len(parents), len(swept.pairs))
    counts = Counter({operation.name: count for operation, count in found.items()})
    onto = Counter(parents)
    to_base, to_joints = (max(0, onto.pop(-1, 0) - 1), sum(count - 1 for count in onto.values()))
    for leaf in {node.leaf for node in plan.needed.nodes}:
        if isinstance(leaf, Total):
            counts["add"] += to_base
        elif isinstance(leaf, Before) and swept.sweeps[leaf.sweep].kind == INWARD:
            counts["add"] += to_joints
    return counts


def _size(robot: Robot) -> int:
    return len(robot.patterns.inertia.columns)


def _depths(robot: Robot) -> list[int]:
    """Returns for each coordinate the number of others that carry it: its entries in H."""
    places = robot.patterns.inertia.renumbered(ancestors_first(robot))
    return [len(rows) for rows in places.triangle(upper=True).columns]


def ancestors_first(robot: Robot) -> list[int]:
    """All coordinates, those of a floating base first, and ancestors before descendants."""
    base = _size(robot) - robot.n
    places = list(range(robot.n))
    if not robot.parents_first:
        depth = {j.coordinate: len(robot.support(j.successor)) for j in robot.joints}
        places.sort(key=lambda i: depth[i])
    return [*range(base), *(base + i for i in places)]


def _factor(robot: Robot) -> dict[str, int]:
    """Counts the operations of sparse/factor.hpp."""
    n = _size(robot)
    return {"multiply": n + sum(_depths(robot)), "divide": n, "sqrt": n}


def _inverse(robot: Robot) -> dict[str, int]:
    """Counts those of sparse/inverse.hpp: the inverse of L row by row, then sums of its columns."""
    n, depths = _size(robot), _depths(robot)
    sums = sum(d * (d + 1) // 2 + n * d for d in depths) + n * (n + 1) // 2
    return {"multiply": sums + sum(depths), "add": sums, "divide": n, "sqrt": n}


def _solution(robot: Robot) -> dict[str, int]:
    """Counts those of sparse/solve.hpp: two substitutions."""
    n = _size(robot)
    half = n * (n - 1) // 2
    return {"multiply": 2 * (n + half), "add": half, "subtract": half + n, "divide": n}


def _products(robot: Robot) -> dict[str, int]:
    """Counts those of sparse/products.hpp: H^-1 times forces, and times their derivatives."""
    n, patterns = _size(robot), robot.patterns
    entries = len(patterns.by_positions.rows) + len(patterns.by_velocities.rows)
    products = n * n + n * entries
    return {"multiply": products, "subtract": products + robot.n}


def _contact_products(robot: Robot) -> dict[str, int]:
    """Counts those of sparse/contact_products.hpp: contacts' response, its products with slopes."""
    return _response(robot, [len(pattern.rows) for pattern in slope_patterns(robot)])


def _impact_products(robot: Robot) -> dict[str, int]:
    """Counts the products of an impact, which adds the identity to a derivative."""
    by_velocities = len(velocity_pattern(robot).rows)
    found = _response(robot, [len(slope_patterns(robot)[0].rows), by_velocities])
    return {**found, "add": _size(robot)}


def _response(robot: Robot, slopes: list[int]) -> dict[str, int]:
    n, rows = _size(robot), sum(len(contact.rows) for contact in robot.contacts)
    of_factors = len(robot.patterns.inertia.rows) + len(row_pattern(robot).rows)
    products = n * of_factors + n * rows * rows + n * rows * n + (n + rows) * sum(slopes)
    return {"multiply": products, "subtract": products + n * (n + 1) // 2}


_ALGEBRA: dict[str, Callable[[Robot], dict[str, int]]] = {
    "inertia_factor": _factor,
    "inertia_matrix_inverse": _inverse,
    "solve_inertia": _solution,
    "forward_dynamics_derivatives": _products,
    "contact_forward_dynamics_derivatives": _contact_products,
    "impact_derivatives": _impact_products,
}
"""Operations that functions add to their steps."""
