"""What the public header of a robot is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from robcogen_ros.algorithms.function import Argument, Function
from robcogen_ros.backends.cpp.text import (
    comment,
    double,
    function_identifiers,
    identifiers,
    quoted,
)
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library


@dataclass(frozen=True, slots=True)
class HeaderArgument:
    """An argument: its name, its type, and whether that is a number."""

    name: str
    type: str
    scalar: bool


@dataclass(frozen=True, slots=True)
class HeaderFunction:
    """A function of the public header.

    Attributes:
        name: Its name.
        called: Name of the compiled function behind it.
        result: Name of the type it returns.
        is_struct: Whether that type is a struct of several results.
        summary: What it computes.
        documentation: A line for each argument.
        inputs: Its inputs.
        outputs: Its results.
    """

    name: str
    called: str
    result: str
    is_struct: bool
    summary: str
    documentation: tuple[str, ...]
    inputs: tuple[HeaderArgument, ...]
    outputs: tuple[HeaderArgument, ...]


@dataclass(frozen=True, slots=True)
class NamedFrame:
    """A frame: identifier, and whether its pose and Jacobian in the base need a function."""

    identifier: str
    pose: bool
    jacobian: bool


def header_context(library: Library) -> dict[str, Any]:
    """Variables of the template of the public header."""
    robot = library.robot
    frames = identifiers(robot.frame_names)
    named = list(zip(library.names, function_identifiers(library.names), strict=True))
    functions = [f for name, identifier in named for f in _overloads(library, name, identifier)]
    taken = {function.name for function in functions}
    return {
        "robot_name": comment(robot.name),
        "floating_base": str(robot.floating_base).lower(),
        "joints": identifiers(robot.joint_names),
        "links": identifiers(robot.link_names),
        "frames": [
            NamedFrame(
                name, f"{frames[0]}_X_{name}" not in taken, f"{frames[0]}_J_{name}" not in taken
            )
            for name in frames
        ],
        "joint_names": [quoted(name) for name in robot.joint_names],
        "link_names": [quoted(name) for name in robot.link_names],
        "frame_names": [quoted(name) for name in robot.frame_names],
        "frame_links": [frame.link for frame in robot.frames],
        "joint_parents": [joint.predecessor for joint in robot.joints],
        "joint_coordinates": [joint.coordinate for joint in robot.joints],
        "joint_multipliers": [repr(float(joint.multiplier)) for joint in robot.joints],
        "parameters": _parameters(robot),
        "constant_count": library.constant_count,
        "terms": robot.terms.names,
        "structs": [f for f in functions if f.is_struct and f.name == f.called],
        "functions": functions,
        "has_kinematics": "kinematics" in library.names,
    }


def _parameters(robot: Robot) -> list[tuple[str, str, str]]:
    """Identifier, default and group of each parameter."""
    return [
        (name, double(None if p.default is None else float(p.default)), p.group)
        for name, p in zip(
            identifiers(p.name for p in robot.parameters), robot.parameters, strict=True
        )
    ]


def _overloads(library: Library, name: str, identifier: str) -> list[HeaderFunction]:
    """The form without optional arguments and, where there are any, the form with all."""
    if name == "kinematics":
        return []
    function = library.entry(name).function
    short = tuple(argument for argument in function.inputs if not argument.optional)
    overloads = [_header_function(function, identifier, identifier, short, library.robot)]
    if len(short) < len(function.inputs):
        overloads.append(
            _header_function(
                function, identifier, f"{identifier}_general", function.inputs, library.robot
            )
        )
    return overloads


def _header_function(
    function: Function, name: str, called: str, inputs: tuple[Argument, ...], robot: Robot
) -> HeaderFunction:
    is_struct = len(function.outputs) > 1
    camel = "".join(word.capitalize() for word in name.split("_"))
    result = f"{camel}Result" if is_struct else _type(function.outputs[0], robot)
    return HeaderFunction(
        name=name,
        called=called,
        result=result,
        is_struct=is_struct,
        summary=comment(function.summary),
        documentation=tuple(f"{a.name}: {comment(a.meaning)}" for a in inputs if a.meaning),
        inputs=tuple(HeaderArgument(a.name, _type(a, robot), a.scalar) for a in inputs),
        outputs=tuple(HeaderArgument(a.name, _type(a, robot), a.scalar) for a in function.outputs),
    )


def _type(argument: Argument, robot: Robot) -> str:
    if argument.scalar:
        return "double"
    if argument.columns is None:
        if argument.name in ("q", "qd", "qdd", "tau"):
            return "JointVector"
        vectors = {3: "Vector3", 6: "Vector6"}
        return vectors.get(argument.rows, f"Eigen::Matrix<double, {argument.rows}, 1>")
    if (argument.rows, argument.columns) == (4, 4) and argument.name == "X":
        return "Eigen::Isometry3d"
    if argument.name == "external_forces":
        return "Wrenches"
    if argument.rows == 6 and argument.columns == robot.n:
        return "Jacobian"
    return f"Eigen::Matrix<double, {argument.rows}, {argument.columns}>"
