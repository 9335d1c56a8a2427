"""Functions of robots with many joints, by loops over tables of their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from robcogen_ros.algorithms.functions.function import Function
from robcogen_ros.backends.cpp.factor_lines import factor_lines
from robcogen_ros.backends.cpp.function import CppFunction, called_function
from robcogen_ros.backends.cpp.slope_lines import slope_lines
from robcogen_ros.backends.cpp.text import CPP
from robcogen_ros.backends.wrap import enclosed, filled
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.sparse_pattern import DynamicsPatterns
from robcogen_ros.program.library import Library

_HEADERS = {
    "inverse_dynamics_fully_actuated": "inverse_dynamics",
    "inverse_dynamics_derivatives_entries": "inverse_dynamics_derivatives",
}
"""Headers of functions that have none of their own name."""

_BY_BASE = (
    "inertia_matrix",
    "inertia_matrix_entries",
    "centroidal_momentum_matrix",
    "center_of_mass_jacobian",
)
"""Functions that have the same arguments for a fixed as for a floating base."""

_DERIVATIVES = ("inverse_dynamics_derivatives", "inverse_dynamics_derivatives_entries")
"""The derivatives as whole matrices, and what is picked from these."""

_MATRICES = ("dtau_dq", "dtau_dqd", "dtau_dqdd")

_FRAMES = {
    "kinematics": "named_frames",
    "link_velocities": "link_frames",
    "link_accelerations": "link_frames",
}
"""The table of frames that a function reads beside that of joints."""


def tree_function(
    library: Library, name: str, identifier: str, scalar: str = CPP.scalar
) -> list[CppFunction]:
    """The forms of a function in loops: the usual one, and where some are optional, all arguments.

    Args:
        library: The functions of a robot without open parameters, each joint of which is a
            coordinate of its own.
        name: The function.
        identifier: Its name in C++.
        scalar: The type of its numbers.
    """
    function, robot = library.function(name), library.robot
    steps = [library.function(step) for step in library.steps(name)]
    forms = [(identifier, False)]
    if any(argument.optional for argument in function.inputs):
        forms.append((f"{identifier}_general", True))
    loops = f"robcogen_ros/tree/{_HEADERS.get(name, name)}.hpp"
    found = []
    for called, general in forms:
        if len(steps) > 1:
            lines = [*slope_lines(function, steps, general, robot, scalar)]
        elif steps:
            lines = [*factor_lines(function, steps, robot, scalar)]
        else:
            lines = [*_lines(function, general, robot, scalar)]
        body = called_function(function, general, called, lines, scalar)
        found.append(replace(body, loops=loops, calls=library.steps(name)))
    return found


def _usual_gravity(function: Function, scalar: str) -> str:
    """The line that declares gravity where callers leave it out."""
    (values,) = (a.values_left_out for a in function.inputs if a.name == "gravity")
    row = ", ".join(str(float(v)) if scalar == "double" else f"{scalar}({v})" for v in values)
    return f"  const {scalar} gravity[] = {{{row}}};"


def _lines(function: Function, general: bool, robot: Robot, scalar: str) -> Iterator[str]:
    """The body: a call of the loops with the tables."""
    names = [argument.name for argument in (*function.inputs, *function.outputs)]
    rubbed = bool(robot.terms.damping or robot.terms.friction)
    if "gravity" in names and not (general or robot.floating_base):
        yield _usual_gravity(function, scalar)
    if "external_forces" in names:
        forces = "ForcesOnLinks(link_frames, external_forces)" if general else "NoForces()"
        names[names.index("external_forces")] = f"robcogen_ros::{forces}"
    if rubbed and function.name == "forward_dynamics":
        yield f"  {scalar} rest[{robot.n}];"
        yield "  robcogen_ros::take_friction(friction, qd, tau, rest);"
        names[names.index("tau")] = "rest"
    derivatives = function.name in _DERIVATIVES
    entries = derivatives and function.name != _DERIVATIVES[0]
    first = 6 if robot.floating_base else 0
    if entries:
        size = (first + robot.n) ** 2
        yield f"  {scalar} dtau_dq[{size}], dtau_dqd[{size}], dtau_dqdd[{size}];"
        names[-3:] = _MATRICES
    called = _DERIVATIVES[0] if entries else function.name
    constants = f"<{str(robot.floating_base).lower()}>" if function.name in _BY_BASE else ""
    call = f"robcogen_ros::{called}_of{constants}("
    tables = ["joint_table", *([_FRAMES[function.name]] if function.name in _FRAMES else [])]
    yield enclosed(call, [*tables, *names], ");", "  ")
    if rubbed and function.name in ("inverse_dynamics", "inverse_dynamics_fully_actuated"):
        yield "  robcogen_ros::add_friction(friction, qd, tau);"
    if rubbed and derivatives:
        yield f"  robcogen_ros::add_friction_slopes<{first}>(friction, qd, dtau_dqd);"
    if entries:
        yield from _picked(robot.patterns, first + robot.n)


def _picked(patterns: DynamicsPatterns, rows: int) -> Iterator[str]:
    """The lines that pick the entries of derivatives from whole matrices."""
    of_each = (patterns.by_positions, patterns.by_velocities, patterns.inertia)
    for matrix, pattern in zip(_MATRICES, of_each, strict=True):
        places = [str(column * rows + row) for row, column in pattern.places]
        yield f"  static constexpr int of_{matrix}[] = {{"
        yield f"    {filled([*places, '0'], indent='    ')},"
        yield "  };"
        yield f"  robcogen_ros::pick<{len(places)}>({matrix}, of_{matrix}, {matrix}_entries);"
