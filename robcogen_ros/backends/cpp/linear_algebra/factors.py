"""The factor of the inertia matrix, its inverse, and solutions, from the matrix of another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from robcogen_ros.algorithms.functions.function import Function
from robcogen_ros.backends.cpp.linear_algebra.steps import braced, step_call
from robcogen_ros.backends.wrap import enclosed, filled
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.sweeps.loop_counts import ancestors_first

_LOOPS = {
    "inertia_factor": "lower_factor",
    "inertia_matrix_inverse": "invert_by_factors",
    "solve_inertia": "solve_by_factors",
}


def factor_lines(
    function: Function, steps: Sequence[Function], robot: Robot, scalar: str
) -> Iterator[str]:
    """The body: a call of the step, into the place of a result of its size, and loops.

    Args:
        function: The function.
        steps: The rows of its factor.
        robot: The robot.
        scalar: The type of its numbers.
    """
    ((H,), (result,)) = (step.outputs for step in (*steps, function))
    into_result = H.size == result.size
    if not into_result:
        yield f"  {scalar} {H.name}[{H.size}];"
    yield step_call(steps[0], False, scalar, {H.name: result.name} if into_result else {})
    yield from _elimination_tree(robot)
    given = [result.name] if into_result else [H.name, function.inputs[-1].name, result.name]
    yield enclosed(f"robcogen_ros::{_LOOPS[function.name]}(", ["tree", *given], ");", "  ")


def _elimination_tree(robot: Robot) -> Iterator[str]:
    """The lines of the elimination tree."""
    place = ancestors_first(robot)
    known = robot.patterns.inertia.renumbered(place)
    before, beyond = known.triangle(upper=True), known.triangle(upper=False)
    count, pairs = len(place), max(1, len(before.rows))
    in_order = str(place == list(range(count))).lower()
    yield f"  static constexpr robcogen_ros::EliminationTree<{count}, {pairs}> tree = {{"
    yield f"    {in_order},"
    yield f"    {{{filled([*map(str, place)], indent='    ')}}},"
    yield f"    {braced(before)},"
    yield f"    {braced(beyond)}}};"
