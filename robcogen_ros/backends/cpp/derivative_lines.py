"""Derivatives of the forward dynamics, also in contact, from what other functions compute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from robcogen_ros.algorithms.functions.function import Function
from robcogen_ros.algorithms.mechanics.contact_derivatives import row_pattern, slope_patterns
from robcogen_ros.backends.cpp.step_lines import braced, step_call
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
    yield f"  std::fill_n(qdd, {count}, {scalar}(0));"
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
    size, rows = function.outputs[0].rows, function.outputs[3].rows
    arrays = [(output.name, output.size) for output in step.outputs]
    yield enclosed(f"{scalar} ", [f"{name}[{count}]" for name, count in arrays], ";", "  ")
    yield step_call(step, general, scalar, {})
    names = ("of_L", "of_Y", "of_positions", "of_velocities")
    patterns = (robot.patterns.inertia, row_pattern(robot), *slope_patterns(robot))
    for name, pattern in zip(names, patterns, strict=True):
        yield from _runs(name, pattern)
    handed = [*names, *(name for name, _ in arrays), *(o.name for o in function.outputs)]
    called = f"robcogen_ros::contact_products<{size}, {rows}>("
    yield enclosed(called, handed, ");", "  ")


def _after(array: str, base: int) -> str:
    """Where the entries of the joints begin."""
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
