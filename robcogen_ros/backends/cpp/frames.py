"""Transforms and Jacobians of the public header that are named after two frames."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from robcogen_ros.algorithms.functions.function import state
from robcogen_ros.backends.cpp.signature import signature
from robcogen_ros.backends.cpp.text import identifiers
from robcogen_ros.backends.wrap import enclosed
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library

_FORMS = (
    ("XM", "MotionTransform", "motion", "motion vectors"),
    ("XF", "ForceTransform", "force", "force vectors"),
)


@dataclass(frozen=True, slots=True)
class PairFunction:
    """A function that is made of another: name, what it computes, declaration, body."""

    name: str
    summary: str
    declaration: str
    body: str


def chosen_pairs(library: Library, identifier: Mapping[str, str]) -> list[PairFunction]:
    """Returns the forms for motions and for forces of each transform that was asked for."""
    robot, taken = library.robot, set(identifier.values())
    functions = []
    for name in identifier:
        outputs = library.function(name).outputs
        if [output.name for output in outputs] == ["X"]:
            first, _, last = identifier[name].partition("_X_")
            functions += _spatial_forms(robot, first, last, taken)
    return functions


def frame_pairs(robot: Robot, taken: Collection[str]) -> list[PairFunction]:
    """Pose and Jacobian of each frame in the base, where they are not asked for by name."""
    base, *_ = frames = identifiers(robot.frame_names)
    functions = []
    for frame in frames:
        pose, jacobian = f"{base}_X_{frame}", f"{base}_J_{frame}"
        if pose not in taken:
            summary = f"Pose of frame {frame} in the base"
            body = _of_kinematics(robot, "pose", frame)
            functions.append(_function(robot, pose, "Transform", summary, body))
            functions += _spatial_forms(robot, base, frame, taken)
        if jacobian not in taken:
            summary = f"Geometric Jacobian of {frame} relative to the base, rows angular first"
            body = _of_kinematics(robot, "jacobian", base, frame)
            functions.append(_function(robot, jacobian, "Jacobian", summary, body))
    return functions


def _of_kinematics(robot: Robot, method: str, *frames: str) -> str:
    head = f"return kinematics({_arguments(robot)}).{method}("
    return enclosed(head, [f"Frame::{frame}" for frame in frames], ");", "  ")


def _arguments(robot: Robot) -> str:
    return "q, constants" if robot.parameters else "q"


def _spatial_forms(
    robot: Robot, first: str, last: str, taken: Collection[str]
) -> list[PairFunction]:
    return [
        _function(
            robot,
            f"{first}_{infix}_{last}",
            kind,
            f"{first}_X_{last} of spatial {vectors}",
            f"  return {first}_X_{last}({_arguments(robot)}).{method}();",
        )
        for infix, kind, method, vectors in _FORMS
        if f"{first}_{infix}_{last}" not in taken
    ]


def _function(robot: Robot, name: str, kind: str, summary: str, body: str) -> PairFunction:
    declared = signature(state(robot, "q"), bool(robot.parameters))
    result = f"typename Types<{declared.scalar}>::{kind}"
    return PairFunction(name, summary, declared.declaration(result, name), body)
