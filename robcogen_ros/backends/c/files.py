"""The C files of a robot: a header, and a source with all functions."""

from __future__ import annotations

from dataclasses import replace
from operator import itemgetter
from pathlib import PurePosixPath

from robcogen_ros.algorithms.functions.function import Function
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.c.shell import Enumeration, Module, module_files
from robcogen_ros.backends.c.text import LANGUAGES, identifiers
from robcogen_ros.backends.cpp.function import CppFunction, cpp_function
from robcogen_ros.backends.cpp.text import Language
from robcogen_ros.backends.identifiers import comment
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library
from robcogen_ros.progress import each

_OWN = ("default_parameters", "update_parameters")


def c_files(library: Library, target: Target) -> dict[PurePosixPath, str]:
    """Texts of both files, by path."""
    return module_files(module_of(library, target, LANGUAGES[target.scalar]), target)


def module_of(library: Library, target: Target, language: Language) -> Module:
    """Returns the contents of the files of a robot.

    Args:
        library: Its functions.
        target: The names.
        language: How functions are written.
    """
    robot = library.robot
    return Module(
        title=f"Robot {comment(robot.name)}: dynamics and kinematics",
        conventions=_conventions(robot),
        enumerations=_enumerations(robot),
        defaults=tuple(parameter.default for parameter in robot.parameters),
        constants=max(library.constant_count, 1) if robot.parameters else 0,
        functions=_functions(library, target, language),
    )


def _conventions(robot: Robot) -> tuple[str, ...]:
    lines = [
        "Units are SI, angles radians. Spatial vectors are angular first. A_X_B maps coordinates",
        "in B to those in A. Matrices are column-major, external forces a column a link.",
    ]
    if robot.terms.names:
        lines.append(f"The dynamics contain {', '.join(robot.terms.names)} of the joints.")
    return tuple(lines)


def _enumerations(robot: Robot) -> tuple[Enumeration, ...]:
    parameters = [(p.name, f"{p.name}, of the {p.group}") for p in robot.parameters]
    return (
        Enumeration.of(
            "joint", "Joints, in the order of joint vectors and matrices", robot.joint_names
        ),
        Enumeration.of("link", "Links, base first, in the order of forces", robot.link_names),
        Enumeration.of("frame", "Frames, in the order of their poses", robot.frame_names),
        Enumeration.of(
            "parameter",
            "What the model leaves open, in the order of `parameters`",
            [name for name, _ in parameters],
            [meaning for _, meaning in parameters],
        ),
    )


def _functions(library: Library, target: Target, language: Language) -> tuple[CppFunction, ...]:
    """The usual form of each function and, where arguments are optional, the general one."""
    names = identifiers([*_OWN, *library.names])[len(_OWN) :]
    labels = library.constant_labels
    functions = []
    if library.robot.parameters:
        parameters = tuple(parameter.name for parameter in library.robot.parameters)
        own = f"{target.prefix}update_parameters"
        update = cpp_function(library.update_parameters, own, parameters, language=language)
        functions.append(update)
    pairs = zip(library.names, names, strict=True)
    for name, identifier in each(
        pairs, f"generating {library.robot.name}", "functions", itemgetter(0)
    ):
        entry, full_name = library.derived(name), f"{target.prefix}{identifier}"
        function = cpp_function(entry.fastest, full_name, labels=labels, language=language)
        if entry.usual is None:
            functions.append(function)
            continue
        general = f"{full_name}_general"
        notes = (*function.documentation, "", _left_out(entry.function, general))
        functions.append(replace(function, documentation=notes))
        functions.append(cpp_function(entry.general, general, labels=labels, language=language))
    return tuple(functions)


def _left_out(function: Function, general: str) -> str:
    """A line on the arguments that the usual form has not."""
    values = [
        f"{argument.name} = ({', '.join(argument.default)})"
        if argument.default
        else f"{argument.name} = 0"
        for argument in function.inputs
        if argument.optional
    ]
    return f"Here {', '.join(values)}: see {general}."
