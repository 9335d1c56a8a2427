"""Functions of serial chains whose joints are computed side by side, a lane of a register each."""

from __future__ import annotations

from collections.abc import Iterator

from robcogen_ros.algorithms.function import Function
from robcogen_ros.backends.cpp.function import JointLanes
from robcogen_ros.backends.cpp.tree_function import usual_gravity
from robcogen_ros.backends.wrap import enclosed
from robcogen_ros.program.library import Library

_SCALAR = "double"

_FETCHED = 1100
"""Operations of their code that are worth asking for ahead: it is as long for all chains."""


def joint_lanes(library: Library, name: str) -> JointLanes:
    """The usual form of a function.

    Args:
        library: The functions of a serial chain on a fixed base without open parameters.
        name: The function.
    """
    function = library.function(name)
    inputs = tuple(argument.name for argument in function.inputs if not argument.optional)
    outputs = tuple(output.name for output in function.outputs)
    return JointLanes(tuple(_lines(function, library)), (*inputs, *outputs))


def _lines(function: Function, library: Library) -> Iterator[str]:
    robot = library.robot
    if library.fetching:
        yield f"    robcogen_ros::fetch_ahead<T, {_FETCHED}>({function.name}<T>);"
    names = [a.name for a in (*function.inputs, *function.outputs) if a.name != "external_forces"]
    yield f"  {usual_gravity(function, _SCALAR)}"
    call = f"robcogen_ros::serial::{function.name}<joint_table, {robot.n}>("
    yield enclosed(call, names, ");", "    ")
    if robot.terms.damping or robot.terms.friction:
        by_velocities = function.outputs[1].name
        yield f"    robcogen_ros::add_friction_slopes<0>(friction, qd, {by_velocities});"
