"""Jacobians between named frames, with only the columns of the joints that are between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.backends.cpp.function import CppFunction, cpp_function
from robcogen_ros.backends.cpp.signature import signature
from robcogen_ros.backends.cpp.text import comment, identifiers
from robcogen_ros.backends.wrap import enclosed
from robcogen_ros.program.library import Library
from robcogen_ros.program.passes.drop import drop
from robcogen_ros.program.program import Output, Program

_ROWS = 6


@dataclass(frozen=True, slots=True)
class ChainFunction:
    """What the template of the header needs of such a Jacobian.

    Attributes:
        name: Its name.
        summary: What it computes.
        joints: Identifiers of its joints.
        declaration: Its declaration.
        scalar: The scalar it computes with.
        call: The call of the function on plain arrays.
    """

    name: str
    summary: str
    joints: tuple[str, ...]
    declaration: str
    scalar: str
    call: str


def chain_name(library: Library, name: str, identifier: str) -> str | None:
    """The name `A_JC_B` of what belongs to `A_J_B`; None where no joint is between the frames."""
    first, word, last = identifier.partition("_J_")
    shapes = [(o.name, o.rows, o.columns) for o in library.function(name).outputs]
    if not word or shapes != [("J", _ROWS, library.robot.n)] or not _chain(library, name):
        return None
    return f"{first}_JC_{last}"


def chain_body(library: Library, name: str, chained: str) -> CppFunction:
    """The function on plain arrays."""
    program = library.derived(name).fastest
    (output,) = program.outputs
    columns = _columns(program)
    nodes = tuple(
        node for column in columns for node in output.nodes[_ROWS * column : _ROWS * (column + 1)]
    )
    argument = Argument("J", _ROWS, len(columns), "a joint of the chain a column")
    short = drop(replace(program, outputs=(Output(argument, nodes),)))
    return cpp_function(short, chained, labels=library.constant_labels)


def chain_functions(library: Library, identifier: Mapping[str, str]) -> list[ChainFunction]:
    """What the public header declares."""
    robot = library.robot
    joints = identifiers(robot.joint_names)
    functions = []
    for name in identifier:
        chained = chain_name(library, name, identifier[name])
        if chained is None:
            continue
        function = library.function(name)
        declared = signature(function.inputs, bool(robot.parameters))
        result = f"robcogen_ros::ChainJacobian<{declared.scalar}, {chained}_chain>"
        handed = [*declared.handed, "result.data()"]
        functions.append(
            ChainFunction(
                chained,
                comment(function.summary),
                tuple(joints[column] for column in _chain(library, name)),
                declared.declaration(result, chained),
                declared.scalar,
                enclosed(f"functions::{chained}<T>(", handed, ");", "  "),
            )
        )
    return functions


def _chain(library: Library, name: str) -> list[int]:
    """The columns of a Jacobian's joints."""
    return library.fact(_columns_of, name)


def _columns_of(library: Library, name: str) -> list[int]:
    return _columns(library.entry(name).fastest)


def _columns(program: Program) -> list[int]:
    """The columns that are not zero throughout."""
    (output,) = program.outputs
    return [
        start // _ROWS
        for start in range(0, len(output.nodes), _ROWS)
        if not all(node.structurally_zero for node in output.nodes[start : start + _ROWS])
    ]
