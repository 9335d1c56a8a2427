"""Contents of the public header of a robot."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from robcogen_ros.algorithms.functions.function import Argument, Function
from robcogen_ros.backends.cpp.chain import chain_functions
from robcogen_ros.backends.cpp.frames import chosen_pairs, frame_pairs
from robcogen_ros.backends.cpp.function import IN_LOOPS
from robcogen_ros.backends.cpp.signature import Signature, result_type, signature
from robcogen_ros.backends.cpp.text import (
    comment,
    double,
    function_identifiers,
    identifiers,
    parameter_identifiers,
    quoted,
)
from robcogen_ros.backends.wrap import enclosed, filled
from robcogen_ros.model.motors import motor_names
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library

_UPDATES = ("update", "update_positions", "update_velocities")


@dataclass(frozen=True, slots=True)
class ResultStruct:
    """A struct of several results: name, whose it is; type, name and meaning of each member."""

    name: str
    function: str
    members: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class HeaderFunction:
    """A function of the public header.

    Attributes:
        name: Its name.
        summary: What it computes.
        documentation: A line for each argument.
        declaration: Its declaration, up to the body.
        scalar: The scalar it computes with.
        result: The type it returns, of scalar T.
        call: The call of the function on plain arrays.
    """

    name: str
    summary: str
    documentation: tuple[str, ...]
    declaration: str
    scalar: str
    result: str
    call: str


def names_context(library: Library) -> dict[str, Any]:
    """Variables of the template of names and types."""
    robot = library.robot
    return {
        "robot_name": comment(robot.name),
        "floating_base": str(robot.floating_base).lower(),
        "joints": identifiers(robot.joint_names),
        "links": identifiers(robot.link_names),
        "frames": identifiers(robot.frame_names),
        "tables": [
            ("joint_names", [quoted(name) for name in robot.joint_names]),
            ("link_names", [quoted(name) for name in robot.link_names]),
            ("frame_names", [quoted(name) for name in robot.frame_names]),
            *([("contact_names", [quoted(c.name) for c in robot.contacts])] * bool(robot.contacts)),
        ],
        "contacts": _contacts(robot),
        "moving_joint_count": len(robot.joints),
        "further_rates": [f"{{{i}, {k}}}" for i, k, _ in robot.further_rates],
        **tree(robot),
        "patterns": _patterns(library),
        **joint_properties(robot),
        "parameters": _parameters(robot),
        "constant_count": library.constant_count,
        "structs": [
            struct
            for name, identifier in function_identifiers(library).items()
            for struct in _struct(library, name, identifier)
        ],
    }


def _contacts(robot: Robot) -> list[str]:
    """The initialiser of each contact: its frame, its first row, and the rows that it fixes."""
    firsts = accumulate((len(contact.rows) for contact in robot.contacts), initial=0)
    fixed = [", ".join(str(i in c.rows).lower() for i in range(6)) for c in robot.contacts]
    return [
        f"{{{contact.frame}, {first}, {{{rows}}}}}"
        for contact, first, rows in zip(robot.contacts, firsts, fixed, strict=False)
    ]


def header_context(library: Library, shares: bool) -> dict[str, Any]:
    """Variables of the template of the public header; of a robot whose functions share, or not."""
    robot = library.robot
    identifier = function_identifiers(library)
    functions = [f for name in identifier for f in _overloads(library, name, identifier[name])]
    chosen = chosen_pairs(library, identifier)
    taken = {*identifier.values(), *(function.name for function in chosen)}
    has_kinematics = "kinematics" in library.names
    return {
        "robot_name": comment(robot.name),
        "terms": robot.terms.names,
        "operations": [(identifier[name], operations(library, name)) for name in identifier],
        "functions": functions,
        "pairs": [*chosen, *(frame_pairs(robot, taken) if has_kinematics else ())],
        "shares": shares,
        "chains": chain_functions(library, identifier),
        "has_kinematics": has_kinematics,
        "kinematics": _kinematics(library) if has_kinematics else None,
        "function_names": [*identifier.values(), *_UPDATES * shares],
    }


def struct_name(identifier: str) -> str:
    """Name of the struct of a function's results."""
    if identifier == "kinematics":
        return "Kinematics"
    return f"{''.join(word.capitalize() for word in identifier.split('_'))}Result"


def header_function(
    function: Function,
    name: str,
    called: str,
    signature: Signature,
    robot: Robot,
    handed: tuple[str, ...] = (),
) -> HeaderFunction:
    """A function that calls the one on plain arrays, after which all arguments are handed on.

    Args:
        function: What is computed.
        name: Its public name.
        called: The function on plain arrays.
        signature: How it is declared.
        robot: The robot.
        handed: What is handed on, if it is not what the signature says.
    """
    outputs = function.outputs
    if len(outputs) > 1:
        public, result = (f"{struct_name(name)}Of<{s}>" for s in (signature.scalar, "T"))
        results = [f"{'&' * o.scalar}result.{o.name}{'.data()' * (not o.scalar)}" for o in outputs]
    else:
        public, result = (
            result_type(outputs[0], robot, f"typename Types<{s}>::", s)
            for s in (signature.scalar, "T")
        )
        results = ["&result" if outputs[0].scalar else "result.data()"]
    given = handed or signature.handed
    return HeaderFunction(
        name=name,
        summary=comment(function.summary),
        documentation=(*signature.documentation, *_returned(outputs)),
        declaration=signature.declaration(public, name),
        scalar=signature.scalar,
        result=result,
        call=enclosed(f"functions::{called}<T>(", [*given, *results], ");", "  "),
    )


def _returned(outputs: tuple[Argument, ...]) -> list[str]:
    """A line on what a function returns, if it is one thing that needs words."""
    return [f"@return {comment(o.meaning)}" for o in outputs if o.meaning and len(outputs) == 1]


def row(values: Any) -> str:
    """Numbers of a table, on lines within one."""
    return filled([repr(value) for value in values], indent="    ")


def _patterns(library: Library) -> list[tuple[str, list[tuple[str, str]]]]:
    """Returns the sparse matrices of functions, with the places of their entries."""
    patterns = library.robot.patterns
    of_derivatives = [
        ("the derivatives by positions", "dtau_dq", patterns.by_positions),
        ("the derivatives by velocities", "dtau_dqd", patterns.by_velocities),
    ]
    of_inertia = [("the upper triangle of the inertia matrix", "inertia", patterns.inertia)]
    derivatives = "inverse_dynamics_derivatives_entries" in library.names
    inertia = derivatives or "inertia_matrix_entries" in library.names
    return [
        (
            matrix,
            [
                (f"{name}_column_starts", row(pattern.starts)),
                (f"{name}_rows", row([*pattern.rows, 0])),
            ],
        )
        for matrix, name, pattern in of_inertia * inertia + of_derivatives * derivatives
    ]


def tree(robot: Robot) -> dict[str, str]:
    """Tables of the kinematic tree, each with one entry more where it could be empty."""
    return {
        "frame_links": row(frame.link for frame in robot.frames),
        "joint_parents": row([*(joint.predecessor for joint in robot.joints), 0]),
        "joint_coordinates": row([*(joint.coordinate for joint in robot.joints), 0]),
        "joint_multipliers": row([*(float(joint.factor) for joint in robot.joints), 0.0]),
    }


def motor_tables(robot: Robot) -> dict[str, str]:
    """Tables of the motors, each with one entry more so that none is empty."""
    numbers = {joint.name: i for i, joint in enumerate(robot.joints)}
    drives = [robot.joints[numbers[name]].drive for name in motor_names(robot)]
    gears = [float(drive.gear) for drive in drives]
    limits = {
        "motor_velocity_limits": [
            math.inf if drive.velocity is None else drive.velocity * abs(gear)
            for drive, gear in zip(drives, gears, strict=True)
        ],
        "motor_effort_limits": [
            math.inf if drive.effort is None else drive.effort / abs(gear)
            for drive, gear in zip(drives, gears, strict=True)
        ],
    }
    return {
        "motor_joints": row([*(numbers[name] for name in motor_names(robot)), 0]),
        "gears": row([*gears, 1.0]),
        **{name: _numbers(values) for name, values in limits.items()},
    }


def joint_properties(robot: Robot) -> dict[str, Any]:
    """Tables of limits and friction, each with one entry more so that none is empty."""
    limits = [c.limits for c in robot.coordinates]
    properties = {
        "lower_limits": [-math.inf if x.lower is None else x.lower for x in limits],
        "upper_limits": [math.inf if x.upper is None else x.upper for x in limits],
        "velocity_limits": [math.inf if x.velocity is None else x.velocity for x in limits],
        "effort_limits": [math.inf if x.effort is None else x.effort for x in limits],
    }
    friction = {
        "damping": [c.damping for c in robot.coordinates],
        "friction": [c.friction for c in robot.coordinates],
    }
    return {
        "limits": [(name, _numbers(values)) for name, values in properties.items()],
        "continuous": filled(
            [str(c.continuous).lower() for c in robot.coordinates] + ["false"], indent="    "
        ),
        "friction": [
            (name, _numbers(values), str(name in robot.terms.names).lower())
            for name, values in friction.items()
        ],
    }


def _numbers(values: list[float]) -> str:
    """Numbers, perhaps infinite, of a table that ends with zero."""
    infinity = "std::numeric_limits<double>::infinity()"
    words = [
        f"-{infinity}" if x == -math.inf else infinity if x == math.inf else repr(float(x))
        for x in values
    ]
    return filled([*words, "0.0"], indent="    ")


def _parameters(robot: Robot) -> list[tuple[str, str, str]]:
    """Identifier, default and group of each parameter."""
    return [
        (name, double(None if p.default is None else float(p.default)), p.group)
        for name, p in zip(
            parameter_identifiers(p.name for p in robot.parameters), robot.parameters, strict=True
        )
    ]


def operations(library: Library, name: str) -> str:
    """Returns a text on the operations of a function."""
    if library.looped(name):
        return IN_LOOPS
    counts = library.operations(name)
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"


def _kinematics(library: Library) -> HeaderFunction:
    """The function whose results are a class."""
    function, robot = library.function("kinematics"), library.robot
    declared = signature(function.inputs, bool(robot.parameters))
    return header_function(function, "kinematics", "kinematics", declared, robot)


def _struct(library: Library, name: str, identifier: str) -> list[ResultStruct]:
    """The struct that a function with several results returns."""
    outputs = library.function(name).outputs
    if len(outputs) == 1 or name == "kinematics":
        return []
    members = tuple(
        (result_type(o, library.robot, "typename Types<T>::", "T"), o.name, comment(o.meaning))
        for o in outputs
    )
    return [ResultStruct(struct_name(identifier), identifier, members)]


def _overloads(library: Library, name: str, identifier: str) -> list[HeaderFunction]:
    """The form without optional arguments and, where there are any, the form with all."""
    if name == "kinematics":
        return []
    function, robot = library.function(name), library.robot
    short: tuple[Argument, ...] = tuple(a for a in function.inputs if not a.optional)
    forms = [(short, identifier)]
    if len(short) < len(function.inputs):
        forms.append((function.inputs, f"{identifier}_general"))
    return [
        header_function(
            function, identifier, called, signature(inputs, bool(robot.parameters)), robot
        )
        for inputs, called in forms
    ]
