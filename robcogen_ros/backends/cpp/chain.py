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
from robcogen_ros.program.program import Output, moving_columns


@dataclass(frozen=True, slots=True)
class ChainFunction:
    """Texts of a Jacobian of a chain for the template of the header.

    Attributes:
        name: Its name.
        summary: What it computes.
        joints: Identifiers of its joints.
        declaration: Its declaration; none in space, where only its joints are told.
        rows: Its rows.
        scalar: The scalar it computes with.
        call: The call of the function on plain arrays.
    """

    name: str
    summary: str
    joints: tuple[str, ...]
    declaration: str
    rows: int
    scalar: str
    call: str


def chain_name(library: Library, name: str, identifier: str) -> str | None:
    """The name `A_JC_B` of what belongs to `A_J_B`; None where no joint is between the frames."""
    chained = _chain_name(library, name, identifier)
    return None if _base_columns(library, name) else chained


def _chain_name(library: Library, name: str, identifier: str) -> str | None:
    """Returns the name of a chain's Jacobian, also of one in space; None of other functions."""
    first, word, last = identifier.partition("_J_")
    if not word or [o.name for o in library.function(name).outputs] != ["J"]:
        return None
    return f"{first}_JC_{last}" if _chain(library, name) else None


def _base_columns(library: Library, name: str) -> int:
    """Returns the number of a Jacobian's columns that are those of the base."""
    return (library.function(name).outputs[0].columns or 0) - library.robot.n


def chain_body(library: Library, name: str, chained: str) -> CppFunction:
    """The function on plain arrays."""
    program = library.derived(name).fastest
    (output,) = program.outputs
    columns, rows = moving_columns(program), output.argument.rows
    nodes = tuple(
        node for column in columns for node in output.nodes[rows * column : rows * (column + 1)]
    )
    argument = Argument("J", rows, len(columns), "a joint of the chain a column")
    short = drop(replace(program, outputs=(Output(argument, nodes),)))
    return cpp_function(short, chained, labels=library.constant_labels)


def chain_functions(library: Library, identifier: Mapping[str, str]) -> list[ChainFunction]:
    """Returns the Jacobians of chains that the public header declares."""
    robot = library.robot
    joints = identifiers(robot.joint_names)
    functions = []
    for name in identifier:
        chained = _chain_name(library, name, identifier[name])
        if chained is None:
            continue
        function, in_space = library.function(name), _base_columns(library, name) > 0
        declared = signature(function.inputs, bool(robot.parameters))
        rows = function.outputs[0].rows
        result = f"robcogen_ros::ChainJacobian<{declared.scalar}, {chained}_chain, {rows}>"
        handed = [*declared.handed, "result.data()"]
        functions.append(
            ChainFunction(
                chained,
                comment(function.summary),
                tuple(joints[column] for column in _chain(library, name)),
                "" if in_space else declared.declaration(result, chained),
                rows,
                declared.scalar,
                enclosed(f"functions::{chained}<T>(", handed, ");", "  "),
            )
        )
    return functions


def _chain(library: Library, name: str) -> list[int]:
    """The joints whose columns of a Jacobian are not always zero."""
    return library.fact(_joints_of, name)


def _joints_of(library: Library, name: str) -> list[int]:
    base = _base_columns(library, name)
    columns = moving_columns(library.entry(name).fastest)
    return [column - base for column in columns if column >= base]
