"""How a node finds its robot: by a compiled model's name, by a file, or by a description."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import robcogen_ros
from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.ros.parameters import Parameter
from robcogen_ros.runtime.load import available

TOLERANCE = 1e-9

TABLE = (
    Parameter("model", "", "Compiled robot, '<package>/<target>'.", fixed=True),
    Parameter("model_file", "", "URDF, xacro or Kinematics-DSL file.", fixed=True),
    Parameter(
        "robot_description",
        "",
        "URDF text; runs compiled where an installed model equals it, otherwise interpreted.",
    ),
)


@dataclass(frozen=True, slots=True)
class FoundRobot:
    """A robot, and how it was found.

    Attributes:
        robot: The robot.
        description: Its URDF text; empty where there is none.
        note: What a user should know about it; empty if nothing.
    """

    robot: Any
    description: str
    note: str = ""


def find_robot(values: Mapping[str, Any]) -> FoundRobot:
    """The robot that the parameters `model`, `model_file` or `robot_description` name.

    Raises:
        RobcogenError: If none of them is given, or the robot is wrong.
    """
    description = values["robot_description"]
    if values["model"]:
        return FoundRobot(robcogen_ros.load(values["model"]), description)
    if values["model_file"]:
        return _from_file(Path(values["model_file"]), description)
    if description:
        return from_description(description)
    raise RobcogenError("set one of the parameters model, model_file and robot_description")


def from_description(text: str) -> FoundRobot:
    """The robot of a URDF text: an installed model that equals it, or else interpreted.

    Raises:
        RobcogenError: If the text is wrong.
    """
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "robot_description.urdf")
        path.write_text(text, encoding="utf-8")
        try:
            robot = robcogen_ros.build(path, backend="numpy")
        except ModelError as error:
            raise RobcogenError(str(error).replace(str(path), "robot_description")) from None
    for name in available():
        if (compiled := _loaded(name)) is not None and same(robot, compiled):
            return FoundRobot(compiled, text)
    note = "robot_description runs interpreted; parameter 'model' names a compiled model"
    return FoundRobot(robot, text, note)


def same(one: Any, other: Any) -> bool:
    """Whether two robots are equal: names, limits, poses and dynamics at a few states."""
    for name in ("joint_names", "link_names", "frame_names", "mimic", "floating_base"):
        if getattr(one, name) != getattr(other, name):
            return False
    if one.parameters or other.parameters:
        return False
    for name in ("lower_limits", "upper_limits", "velocity_limits", "effort_limits"):
        if not np.array_equal(getattr(one, name), getattr(other, name)):
            return False
    q = np.random.default_rng(0).uniform(-1.0, 1.0, (4, one.n))
    return all(_close(getattr(one, f)(q), getattr(other, f)(q)) for f in _COMPARED)


_COMPARED = ("frame_poses", "inertia_matrix", "center_of_mass")


def _close(one: Any, other: Any) -> bool:
    scale = max(float(np.abs(one).max(initial=0.0)), 1e-300)
    return float(np.abs(one - other).max(initial=0.0)) <= TOLERANCE * scale


def _loaded(name: str) -> Any:
    try:
        return robcogen_ros.load(name)
    except RobcogenError:
        return None


def _from_file(path: Path, description: str) -> FoundRobot:
    if not description and path.suffix == ".urdf" and path.is_file():
        description = path.read_text(encoding="utf-8", errors="replace")
    try:
        return FoundRobot(robcogen_ros.build(path), description)
    except ModelError:
        raise
    except RobcogenError as error:
        note = f"'{path}' runs interpreted: {error}"
        return FoundRobot(robcogen_ros.build(path, backend="numpy"), description, note)


def fixed_base(robot: Any) -> Any:
    """The robot, if its base is fixed.

    Raises:
        RobcogenError: If its base moves freely.
    """
    if robot.floating_base:
        raise RobcogenError(
            f"robot '{robot.name}' has a floating base; this node needs a fixed one"
        )
    return robot
