"""Robot of a node: by a compiled model's name, by a file, or by a description."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import robcogen_ros
from robcogen_ros.control.motor_space import FOR_DRIVES
from robcogen_ros.errors import ModelError, Problem, RobcogenError
from robcogen_ros.formats import source
from robcogen_ros.formats.load import found, kind_of
from robcogen_ros.formats.read import Reading, read
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.urdf.text import urdf_text
from robcogen_ros.model.motors import motor_names
from robcogen_ros.model.robot import Robot
from robcogen_ros.parameters.assignments import assignments
from robcogen_ros.program.library import Library
from robcogen_ros.program.requested import ALL, DEFAULT
from robcogen_ros.program.summary import summary_of
from robcogen_ros.runtime.evaluators.interpreted import InterpretedEvaluator
from robcogen_ros.runtime.load import available
from robcogen_ros.runtime.robots.link_transforms import Mimic
from robcogen_ros.runtime.robots.measured_joints import FUNCTIONS
from robcogen_ros.runtime.robots.robot_data import RobotData
from robcogen_ros.runtime.robots.robot_of import robot_of

TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class FoundRobot:
    """A robot, and how it was found.

    Attributes:
        robot: The robot.
        description: Its URDF text; empty where there is none.
        note: What a user should know about it; empty if nothing.
        mimics: For each joint that follows another in the file: that joint, multiplier, offset;
            None where only the robot is known.
        warnings: What is odd about the file or the description.
    """

    robot: Any
    description: str
    note: str = ""
    mimics: Mapping[str, Mimic] | None = None
    warnings: tuple[Problem, ...] = ()


def find_robot(
    values: Mapping[str, Any],
    dynamics: bool = True,
    lenient: bool = False,
    more: Sequence[str] = (),
) -> FoundRobot:
    """The robot that the parameters `model`, `model_file` or `robot_description` name.

    Args:
        values: The parameters.
        dynamics: Whether it is to compute; if not, only its links are known, and how joints follow
            others.
        lenient: Whether loops of a description that cannot be closed are cut; if not, they are
            errors.
        more: Functions that are wanted beside the usual ones.

    Raises:
        RobcogenError: If none of them is given, or the robot is wrong.
    """
    description = values["robot_description"]
    if values["model"] and values["model_file"]:
        raise RobcogenError("model and model_file are both set: set the one that names the robot")
    if values["model"]:
        return FoundRobot(robcogen_ros.load(values["model"]), description)
    if values["model_file"]:
        arguments = assignments("xacro_args", values.get("xacro_args", ()))
        options = {"xacro_args": arguments, **options_of(values)}
        path = Path(found(values["model_file"], {}))
        in_motors = values.get("space") == "motor"
        more = (*more, *["generalized_momentum"] * bool(values.get("stop_efforts")))
        return _from_file(path, description, options, dynamics, lenient, in_motors, more)
    if description:
        return from_description(description, dynamics, lenient, more, **options_of(values))
    raise RobcogenError("set one of the parameters model, model_file and robot_description")


def tell_source(log: Any, values: Mapping[str, Any]) -> None:
    """Log where a robot is read from, before it is, for that and compiling may take a while."""
    file, model = values["model_file"], values["model"]
    if file or model:
        words = [file, *values.get("xacro_args", ())] if file and not model else [model]
        log.info(f"{'loads' if model else 'reads'} {' '.join(words)}")


def tell(log: Any, problems: Iterable[Problem]) -> None:
    """Log what is odd about a robot's file or description, and what should be known of it."""
    for problem in problems:
        if problem.severity == "note":  # each line of a program has one severity in ROS
            log.info(str(problem))
        else:
            log.warning(str(problem))


def weightless(robot: Any) -> str:
    """Returns a warning that a robot has nothing that efforts could move; else nothing."""
    still = np.zeros(robot.n)
    if np.any(robot.inverse_dynamics(still, still, still + 1.0)):
        return ""
    return "no link that joints move has mass: efforts are zero; give the description <inertial>s"


def options_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options to read a file or a description with, of a node's parameters."""
    options = {
        "payload": values.get("payload_frame"),
        "floating_base": values.get("floating_base"),
        "loops": values.get("loops"),
        "actuated": values.get("actuated"),
    }
    return {name: value for name, value in options.items() if value}


def functions_of(robot: Robot, in_motors: bool) -> tuple[str, ...]:
    """Functions that a node asks for of a robot whose motors move joints that follow others."""
    follow = in_motors and not set(motor_names(robot)) <= set(robot.joint_names)
    return (*FUNCTIONS, FOR_DRIVES) if follow else ()


def from_description(
    text: str,
    dynamics: bool = True,
    lenient: bool = False,
    more: Sequence[str] = (),
    **options: Any,
) -> FoundRobot:
    """The robot of a URDF text: an installed model that equals it, or else interpreted.

    Args:
        text: The URDF.
        dynamics: As in `find_robot`.
        lenient: As in `find_robot`.
        more: As in `find_robot`.
        options: More arguments of `robcogen_ros.formats.read.read`.

    Raises:
        RobcogenError: If the text is wrong.
    """
    described = source.of_text(text, "robot_description")
    kind = kind_of(described)
    options = {"format": "urdf" if kind == "kindsl" else kind, **options}
    reading = _read(described, lenient, options)
    text = urdf_text(described, {})
    mimics = _mimics(reading)
    if not dynamics:
        return FoundRobot(_linked(reading), text, mimics=mimics, warnings=reading.warnings)
    robot = _interpreted(reading, (ALL, *more))
    for name in available():
        model = _loaded(name)
        if model is not None and set(more) <= set(model.operation_counts) and same(robot, model):
            return FoundRobot(model, text, mimics=mimics, warnings=reading.warnings)
    note = "robot_description runs interpreted; parameter 'model' names a compiled model"
    return FoundRobot(robot, text, note, mimics, reading.warnings)


def same(one: Any, other: Any) -> bool:
    """Returns True if two robots have equal names, limits, gravity, poses and dynamics."""
    for name in ("joint_names", "link_names", "frame_names", "mimic", "floating_base"):
        if getattr(one, name) != getattr(other, name):
            return False
    if one.parameters or other.parameters:
        return False
    arrays = ("lower_limits", "upper_limits", "velocity_limits", "effort_limits")
    for name in arrays if one.floating_base else (*arrays, "gravity"):
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


def _from_file(
    path: Path,
    description: str,
    options: Mapping[str, Any],
    dynamics: bool,
    lenient: bool,
    in_motors: bool = False,
    more: tuple[str, ...] = (),
) -> FoundRobot:
    reading = _read(path, lenient, options)
    mimics, note = _mimics(reading), ""
    if not description:
        try:
            description = urdf_text(path, options["xacro_args"])
        except RobcogenError as error:
            note = f"robot_description is not published: {error}"
    if description and not dynamics and path.suffix == ".kindsl":
        return from_description(description, dynamics)
    if not dynamics:
        return FoundRobot(_linked(reading), description, note, mimics, reading.warnings)
    try:
        functions = (*functions_of(reading.robot, in_motors), *more)
        wanted = {"functions": (DEFAULT, *functions)} if functions else {}
        robot = _built(path, {**options, **wanted})
    except ModelError:
        raise
    except RobcogenError as error:
        robot, note = _interpreted(reading, (ALL, *more)), f"'{path}' runs interpreted: {error}"
    return FoundRobot(robot, description, note, mimics, reading.warnings)


def _built(path: Path, options: Mapping[str, Any]) -> Any:
    """The compiled robot of a file of which all that is odd is known."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return robcogen_ros.build(path, **options)


def _linked(reading: Reading) -> Any:
    """The robot without functions, but for those that tell how joints follow through loops."""
    if reading.robot.has_loops:
        return _interpreted(reading, FUNCTIONS)
    return RobotData(summary_of(reading.robot))


def _read(described: Path | Source, lenient: bool, options: Mapping[str, Any]) -> Reading:
    try:
        return read(described, **options)
    except RobcogenError as error:
        if not lenient or options.get("loops"):
            raise
        reading = read(described, cut_loops=True, **options)
        told = Problem(f"loops are cut, for they cannot be closed: {error}", None, "warning")
        return replace(reading, warnings=(*reading.warnings, told))


def _interpreted(reading: Reading, functions: Sequence[str] = (ALL,)) -> Any:
    """The robot for the interpreter, or for NumPy where that is not there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return robot_of(InterpretedEvaluator(Library(reading.robot, functions)))


def _mimics(reading: Reading) -> dict[str, Mimic]:
    followers = ((joint.name, joint.mimic) for joint in reading.description.joints)
    return {
        name: (mimic.leader, float(mimic.multiplier), float(mimic.offset))
        for name, mimic in followers
        if mimic is not None
    }


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
