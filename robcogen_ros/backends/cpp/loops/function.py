"""Functions of robots with many joints, in loops over the joints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from robcogen_ros.backends.cpp.function import CppFunction, called_function
from robcogen_ros.backends.cpp.linear_algebra.derivatives import (
    contact_derivative_lines,
    derivative_lines,
    impact_derivative_lines,
)
from robcogen_ros.backends.cpp.linear_algebra.factors import factor_lines
from robcogen_ros.backends.cpp.loops.lines import sweep_lines
from robcogen_ros.backends.cpp.text import CPP
from robcogen_ros.program.library import Library

_ROWS = "robcogen_ros/simd/rows.hpp"

_HEADERS = {
    "inertia_factor": "robcogen_ros/sparse/factor.hpp",
    "inertia_matrix_inverse": "robcogen_ros/sparse/inverse.hpp",
    "solve_inertia": "robcogen_ros/sparse/solve.hpp",
    "forward_dynamics_derivatives": "robcogen_ros/sparse/products.hpp",
    "contact_forward_dynamics_derivatives": "robcogen_ros/sparse/contact_products.hpp",
    "impact_derivatives": "robcogen_ros/sparse/contact_products.hpp",
}
"""Headers of the linear algebra of functions that call others first."""


def loop_function(
    library: Library, name: str, identifier: str, scalar: str = CPP.scalar
) -> list[CppFunction]:
    """The forms of a function in loops: the usual one, and where some are optional, all arguments.

    Args:
        library: The functions of a robot.
        name: The function.
        identifier: Its name in C++.
        scalar: The type of its numbers.
    """
    function = library.function(name)
    forms = [(identifier, False)]
    if any(argument.optional for argument in function.inputs):
        forms.append((f"{identifier}_general", True))
    found = []
    for called, general in forms:
        lines = list(_lines(library, name, general, scalar))
        body = called_function(function, general, called, lines, scalar)
        loops = _HEADERS.get(name, _ROWS)
        found.append(replace(body, loops=loops, calls=library.steps(name)))
    return found


def _lines(library: Library, name: str, general: bool, scalar: str) -> Iterator[str]:
    function, robot = library.function(name), library.robot
    steps = [library.function(step) for step in library.steps(name)]
    if name == "contact_forward_dynamics_derivatives":
        yield from contact_derivative_lines(function, steps[0], general, robot, scalar)
    elif name == "impact_derivatives":
        yield from impact_derivative_lines(function, steps, general, robot, scalar)
    elif len(steps) > 1:
        yield from derivative_lines(function, steps, general, robot, scalar)
    elif steps:
        yield from factor_lines(function, steps, robot, scalar)
    else:
        if scalar != CPP.scalar:
            yield f"  using T = {scalar};"
        yield from sweep_lines(library.swept(name, general), library.joint_rows)
