"""Functions that call others of the robot, and end in loops over a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from robcogen_ros.algorithms.function import Function
from robcogen_ros.backends.wrap import enclosed, filled
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.sparse_pattern import SparsePattern
from robcogen_ros.program.loop_costs import parents_first

_LAST = {
    "inertia_factor": ("factor_inertia_matrix", ("carriers", "L")),
    "inertia_matrix_inverse": ("invert_inertia_matrix", ("carriers", "H_inverse")),
    "forward_dynamics_derivatives": (
        "answer_slopes<{count}>",
        (
            "by_positions",
            "by_velocities",
            "dqdd_dtau",
            "dtau_dq",
            "dtau_dqd",
            "dqdd_dq",
            "dqdd_dqd",
        ),
    ),
}
"""The loops that end a function, and what they are given: patterns, results of steps, results."""

_KEPT = {
    "inertia_factor": {"H": "L"},
    "inertia_matrix_inverse": {"H": "H_inverse"},
    "forward_dynamics_derivatives": {"dtau_dqdd": "dqdd_dtau", "H_inverse": "dqdd_dtau"},
}
"""Results of steps that are put where a result of the function will be."""

_BLOCK = 4
"""Columns of a product that the loops compute at once."""


def step_lines(
    function: Function, steps: Sequence[Function], general: bool, robot: Robot, scalar: str
) -> Iterator[str]:
    """The body of a function: calls of others, then its loops.

    Args:
        function: The function.
        steps: The functions that it calls, one after the other.
        general: Whether it takes optional arguments.
        robot: The robot.
        scalar: The type of its numbers.
    """
    kept = _KEPT[function.name]
    for step in steps:
        inputs = [a for a in step.inputs if general or not a.optional]
        for output in step.outputs:
            if output.name not in kept:
                yield f"  {scalar} {output.name}[{output.size}];"
        form = "_general" if general and any(a.optional for a in inputs) else ""
        results = [kept.get(output.name, output.name) for output in step.outputs]
        call = f"{step.name}{form}<{scalar}>("
        yield enclosed(call, [*(a.name for a in inputs), *results], ");", "  ")
    loops, handed = _LAST[function.name]
    if "carriers" in handed:
        yield from _carriers(robot)
    else:
        yield from _table("by_positions", _in_blocks(robot.patterns.by_positions))
        yield from _table("by_velocities", _in_blocks(robot.patterns.by_velocities))
    loops = loops.format(count=len(robot.patterns.inertia.columns))
    yield enclosed(f"robcogen_ros::{loops}(", handed, ");", "  ")


def _in_blocks(pattern: SparsePattern) -> SparsePattern:
    """The rows that have entries in any of four columns, for each four; the last four end it."""
    count = len(pattern.columns)
    starts = [max(0, min(start, count - _BLOCK)) for start in range(0, count, _BLOCK)]
    blocks = [pattern.columns[start : start + _BLOCK] for start in starts]
    return SparsePattern(tuple(tuple(sorted(set().union(*rows))) for rows in blocks))


def _carriers(robot: Robot) -> Iterator[str]:
    """The lines that say which coordinates carry which."""
    place = _carriers_first(robot)
    known = robot.patterns.inertia.renumbered(place)
    before, beyond = known.triangle(upper=True), known.triangle(upper=False)
    count, pairs = len(place), max(1, len(before.rows))
    in_order = str(place == list(range(count))).lower()
    yield f"  static constexpr robcogen_ros::Carriers<{count}, {pairs}> carriers = {{"
    yield f"    {in_order},"
    yield f"    {{{filled([*map(str, place)], indent='    ')}}},"
    yield f"    {_braced(before)},"
    yield f"    {_braced(beyond)}}};"


def _carriers_first(robot: Robot) -> list[int]:
    """All coordinates, those of a floating base and what carries others first."""
    base = len(robot.patterns.inertia.columns) - robot.n
    places = list(range(robot.n))
    if not parents_first(robot):
        depth = {j.coordinate: len(robot.support(j.successor)) for j in robot.joints}
        places.sort(key=lambda i: depth[i])
    return [*range(base), *(base + i for i in places)]


def _table(name: str, pattern: SparsePattern) -> Iterator[str]:
    """The lines that declare a pattern."""
    count, entries = len(pattern.columns), max(1, len(pattern.rows))
    yield f"  static constexpr robcogen_ros::Pattern<{count}, {entries}> {name} = {{"
    yield f"    {_braced(pattern)[1:]};"


def _braced(pattern: SparsePattern) -> str:
    starts, rows = map(str, pattern.starts), [str(row) for row in pattern.rows] or ["0"]
    return f"{{{{{filled([*starts], indent='    ')}}},\n    {{{filled(rows, indent='    ')}}}}}"
