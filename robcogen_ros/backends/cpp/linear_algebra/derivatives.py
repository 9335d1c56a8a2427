"""Derivatives of the forward dynamics, also in contact, from what other functions compute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from robcogen_ros.algorithms.functions.function import Function
from robcogen_ros.algorithms.mechanics.contacts.derivatives import (
    row_pattern,
    slope_patterns,
    velocity_pattern,
)
from robcogen_ros.backends.cpp.linear_algebra.steps import braced, step_call
from robcogen_ros.backends.wrap import enclosed
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.sparse_pattern import SparsePattern

_LONGEST = 4
"""Columns of a product that the loops compute at once."""

_PATTERNS = ("by_positions", "by_velocities")


def derivative_lines(
    function: Function, steps: Sequence[Function], general: bool, robot: Robot, scalar: str
) -> Iterator[str]:
    """The body: the inverse of H, the accelerations, the derivatives of the forces, then the loops.

    dqdd/dx = -H^-1 dtau/dx (Carpentier, Mansard 2018). The matrix H that comes with the
    derivatives is put where a result will be.

    Args:
        function: The function.
        steps: The forces of a motion; the inverse of H; the derivatives of the inverse dynamics.
        general: Whether it takes optional arguments.
        robot: The robot.
        scalar: The type of its numbers.
    """
    motion, inverse, derivatives = steps
    by_positions, by_velocities, acceleration = (output.name for output in function.outputs)
    count = len(robot.patterns.inertia.columns)
    base = count - robot.n
    of_q, of_qd, of_qdd = derivatives.outputs
    yield f"  {scalar} qdd[{count}], {of_q.name}[{of_q.size}], {of_qd.name}[{of_qd.size}];"
    yield step_call(inverse, general, scalar, {"H_inverse": acceleration})
    moving = {"qdd": _after("qdd", base), "base_acceleration": "qdd"}
    yield f"  {scalar} bias[{count}];"
    yield "  robcogen_ros::sparse::clear(qdd);"
    forces = {"tau": _after("bias", base), "base_wrench": "bias"}
    yield step_call(motion, general, scalar, {**moving, **forces})
    yield f"  robcogen_ros::solve_by_inverse<{base}, {count}>({acceleration}, tau, bias, qdd);"
    yield step_call(derivatives, general, scalar, {**moving, of_qdd.name: by_positions})
    patterns = (robot.patterns.by_positions, robot.patterns.by_velocities)
    for name, pattern in zip(_PATTERNS, patterns, strict=True):
        yield from _runs(name, pattern)
    whole = str(derivatives.name == "inverse_dynamics_derivatives").lower()
    handed = [*_PATTERNS, acceleration, of_q.name, of_qd.name, by_positions, by_velocities]
    yield enclosed(f"robcogen_ros::negated_products<{count}, {whole}>(", handed, ");", "  ")


def contact_derivative_lines(
    function: Function, step: Function, general: bool, robot: Robot, scalar: str
) -> Iterator[str]:
    """The body: what the derivatives of a robot in contact are products of, then the products.

    Args:
        function: The function.
        step: What computes the factors of the products.
        general: Whether it takes optional arguments.
        robot: The robot.
        scalar: The type of its numbers.
    """
    outputs = [output.name for output in function.outputs]
    yield from _response_lines(step, slope_patterns(robot), general, robot, scalar)
    for kind, motion, forces in zip(_PATTERNS, outputs[:2], outputs[3:5], strict=True):
        yield f"  response.slopes(of_{kind}, {kind}, {motion}, {forces});"
    for matrix, name in (("P", outputs[2]), ("minus_K", outputs[5])):
        yield f"  robcogen_ros::sparse::copy_all(response.{matrix}, {name});"


def impact_derivative_lines(
    function: Function, steps: Sequence[Function], general: bool, robot: Robot, scalar: str
) -> Iterator[str]:
    """The body: the same of an impact; what restitution adds, if there is any, by a second step.

    Args:
        function: The function.
        steps: What computes the factors of the products, and those that restitution adds.
        general: Whether it takes optional arguments.
        robot: The robot.
        scalar: The type of its numbers.
    """
    outputs = [output.name for output in function.outputs]
    patterns = (slope_patterns(robot)[0], velocity_pattern(robot))
    yield from _response_lines(steps[0], patterns, general, robot, scalar)
    pairs = list(zip(outputs[:2], outputs[2:], strict=True))
    for kind, (motion, impulses) in zip(_PATTERNS, pairs, strict=True):
        yield f"  response.slopes(of_{kind}, {kind}, {motion}, {impulses});"
    size = function.outputs[0].rows
    yield f"  for (int i = 0; i < {size}; ++i)"
    yield "  {"
    place = f"{outputs[1]}[{size + 1} * i]"
    yield f"    {place} = {place} + {scalar}(1);"
    yield "  }"
    if not general:
        return
    R, G, entries = steps[1].outputs
    yield f"  if constexpr (std::is_arithmetic_v<{scalar}>)"
    yield "  {"
    yield f"    if (restitution[0] == {scalar}(0))"
    yield "    {"
    yield "      return;"
    yield "    }"
    yield "  }"
    yield _declared(steps[1], scalar)
    yield step_call(steps[1], general, scalar, {})
    for motion, impulses in pairs:
        yield f"  response.add_following({G.name}, {motion}, {impulses});"
    yield f"  response.close({R.name});"
    moved = ", ".join((entries.name, *pairs[0]))
    yield f"  response.template slopes<true>(of_{_PATTERNS[0]}, {moved});"


def _response_lines(
    step: Function, patterns: Sequence[SparsePattern], general: bool, robot: Robot, scalar: str
) -> Iterator[str]:
    """The call of a step, and the response of which the derivatives are products."""
    factors = step.outputs[:4]
    yield _declared(step, scalar)
    yield step_call(step, general, scalar, {})
    every = (robot.patterns.inertia, row_pattern(robot), *patterns)
    for name, pattern in zip(("L", "Y", *_PATTERNS), every, strict=True):
        yield from _runs(f"of_{name}", pattern)
    size, rows = factors[0].rows, factors[3].rows
    made = f"const robcogen_ros::ContactResponse<{size}, {rows}, {scalar}> response("
    handed = ["of_L", "of_Y", *(factor.name for factor in factors)]
    yield enclosed(made.removeprefix("const " * general), handed, ");", "  ")


def _declared(step: Function, scalar: str) -> str:
    """Room for what a step computes."""
    arrays = [f"{output.name}[{output.size}]" for output in step.outputs]
    return enclosed(f"{scalar} ", arrays, ";", "  ")


def _after(array: str, base: int) -> str:
    """Returns the text of the place where the entries of the joints begin."""
    return f"{array} + {base}" if base else array


def _runs(name: str, pattern: SparsePattern) -> Iterator[str]:
    """The lines that tell which neighbouring columns have entries in the same rows."""
    found = [
        (rows, number)
        for rows, columns in groupby(pattern.columns)
        for number in _shared_out(len(list(columns)))
    ]
    first = [sum(number for _, number in found[:i]) for i in range(len(found) + 1)]
    rows = SparsePattern(tuple(rows for rows, _ in found))
    runs, entries = len(found), max(1, len(rows.rows))
    yield f"  static constexpr robcogen_ros::ColumnRuns<{runs}, {entries}> {name} = {{"
    yield f"    {{{', '.join(map(str, first))}}},"
    yield f"    {braced(rows)}}};"


def _shared_out(columns: int) -> list[int]:
    """Columns by as many at once as can be, and about as many each time."""
    times = -(-columns // _LONGEST)
    return [(columns + i) // times for i in range(times)]
