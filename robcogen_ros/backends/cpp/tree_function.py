"""Functions of robots with many joints, by loops over tables of their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from robcogen_ros.algorithms.function import Function
from robcogen_ros.backends.cpp.function import CppFunction, called_function
from robcogen_ros.backends.wrap import enclosed
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library

_HEADERS = {"inverse_dynamics_fully_actuated": "inverse_dynamics"}
"""Headers of functions that have none of their own name."""


def tree_function(library: Library, name: str, identifier: str) -> list[CppFunction]:
    """The forms of a function in loops: the usual one, and where some are optional, all arguments.

    Args:
        library: The functions of a robot without open parameters, each joint of which is a
            coordinate of its own.
        name: The function.
        identifier: Its name in C++.
    """
    function, robot = library.function(name), library.robot
    forms = [(identifier, False)]
    if any(argument.optional for argument in function.inputs):
        forms.append((f"{identifier}_general", True))
    return [
        replace(
            called_function(function, general, called, list(_lines(function, general, robot))),
            loops=f"robcogen_ros/tree/{_HEADERS.get(name, name)}.hpp",
        )
        for called, general in forms
    ]


def _lines(function: Function, general: bool, robot: Robot) -> Iterator[str]:
    """The body: a call of the loops with the tables."""
    names = [argument.name for argument in (*function.inputs, *function.outputs)]
    rubbed = bool(robot.terms.damping or robot.terms.friction)
    if "gravity" in names and not (general or robot.floating_base):
        yield "  const T gravity[] = {T(0), T(0), T(-9.81)};"
    if "external_forces" in names:
        forces = "ForcesOnLinks(link_frames, external_forces)" if general else "NoForces()"
        names[names.index("external_forces")] = f"robcogen_ros::{forces}"
    if rubbed and function.name == "forward_dynamics":
        yield f"  T rest[{robot.n}];"
        yield "  robcogen_ros::take_friction(friction, qd, tau, rest);"
        names[names.index("tau")] = "rest"
    of_base = f"<{str(robot.floating_base).lower()}>" if function.name == "inertia_matrix" else ""
    call = f"robcogen_ros::{function.name}_of{of_base}("
    yield enclosed(call, ["joint_table", *names], ");", "  ")
    if rubbed and function.name in ("inverse_dynamics", "inverse_dynamics_fully_actuated"):
        yield "  robcogen_ros::add_friction(friction, qd, tau);"
