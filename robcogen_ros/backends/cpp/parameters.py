"""The C++ of a robot's parameters: functions of them, and the header that checks values."""

from __future__ import annotations

from typing import Any

from robcogen_ros.backends.cpp.function import CppFunction, cpp_function
from robcogen_ros.backends.cpp.text import parameter_identifiers, quoted
from robcogen_ros.program.library import Library


def parameter_functions(library: Library) -> dict[str, list[CppFunction]]:
    """Functions of parameters alone, by name; none for a robot without parameters."""
    names = tuple(parameter.name for parameter in library.robot.parameters)
    programs = {}
    if names:
        programs["update_parameters"] = library.update_parameters
    if library.robot.bodies:
        programs["open_bodies"] = library.open_bodies
    return {name: [cpp_function(program, name, names)] for name, program in programs.items()}


def parameters_context(library: Library) -> dict[str, Any]:
    """Variables of the template of parameters."""
    names = [parameter.name for parameter in library.robot.parameters]
    return {
        "parameters": list(zip(parameter_identifiers(names), map(quoted, names), strict=True)),
        "bodies": [quoted(body.described) for body in library.robot.bodies],
    }
