"""Parameters of the ground under a simulated robot, and how the robot stands on it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import robcogen_ros
from robcogen_ros.control.actuation import Actuation
from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.ground_simulation import GroundSimulation
from robcogen_ros.control.standing import Legs, turning
from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.formats import source
from robcogen_ros.formats.load import found as path_of
from robcogen_ros.formats.source import Source
from robcogen_ros.model.robot import STANDARD_GRAVITY
from robcogen_ros.model.soles import Foot
from robcogen_ros.ros.assignments import assignments
from robcogen_ros.ros.footing import FUNCTIONS, POSE, UP, Footing, find_footing
from robcogen_ros.ros.model_parameter import FoundRobot, find_robot

STANDING, PLACED = "standing", "placed"


def find_on_ground(values: Mapping[str, Any]) -> tuple[FoundRobot, Footing | None]:
    """The robot that parameters name, and what it stands on; None where there is no ground for it.

    Raises:
        RobcogenError: If none is named, or the robot or a contact is wrong.
    """
    if values["model"] or not values["ground"]:
        return _with_ground(find_robot(values), values)
    model, arguments = _source(values)
    footing = find_footing(model, xacro_args=arguments, contacts=values["contacts"])
    if not (values["floating_base"] or footing.floats):
        return find_robot(values), None
    if not footing.contacts:
        found = find_robot(values)
        return replace(found, note=f"{found.note}; no ground: {footing.reason}".strip("; ")), None
    try:
        robot = build_standing(model, arguments, footing)
    except ModelError:
        raise
    except RobcogenError as error:
        found = find_robot(values)
        return replace(found, note=f"no ground, for nothing can be compiled: {error}"), None
    found = FoundRobot(robot, values["robot_description"], warnings=footing.warnings)
    return found, footing


def _with_ground(found: FoundRobot, values: Mapping[str, Any]) -> tuple[FoundRobot, Footing | None]:
    """A robot as it is, and what it stands on where it was compiled with a ground."""
    footing = _compiled(found, values) if values["ground"] else None
    if footing is not None:
        try:
            found.robot.ground()
        except RobcogenError as error:
            return replace(found, note=f"{found.note}; no ground: {error}".strip("; ")), None
    return found, footing


def find_standing(values: Mapping[str, Any]) -> tuple[Any, Footing]:
    """The robot that parameters name, compiled with a whole-body controller, and its feet.

    Raises:
        RobcogenError: If none is named, it stands on no feet, or something is wrong.
    """
    if values["model"]:
        found = find_robot(values)
        robot, footing = found.robot, _compiled(found, values)
        if footing is None:
            raise RobcogenError(
                f"model '{values['model']}' does not stand on feet: generate it with FLOATING_BASE "
                "CONTACTS ... WHOLE_BODY"
            )
    else:
        model, arguments = _source(values)
        footing = find_footing(model, xacro_args=arguments, contacts=values["contacts"])
        if not footing.contacts:
            raise RobcogenError(f"the robot is {footing.told}. Other feet are named by contacts")
        robot = build_standing(model, arguments, footing)
    feet = shaped(robot.contacts, footing.feet, {"foot_radius": -1.0, **values})
    return robot, replace(footing, contacts=robot.contacts, feet=feet)


def build_standing(
    model: str | Path | Source, arguments: Mapping[str, str], footing: Footing
) -> Any:
    """A robot of whose file all that is odd is known, with ground and whole-body controller.

    That takes minutes the first time, and what is done is told in logs, too.

    Raises:
        RobcogenError: If the model is wrong, or nothing can compile.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return robcogen_ros.build(
            None if isinstance(model, Source) else model,
            text=model.text if isinstance(model, Source) else None,
            xacro_args=arguments,
            floating_base=True,
            contacts=footing.contacts,
            functions=FUNCTIONS,
            ground=True,
            whole_body=True,
            progress=True,
        )


def _source(values: Mapping[str, Any]) -> tuple[str | Source, dict[str, str]]:
    if values["model_file"]:
        arguments = assignments("xacro_args", values["xacro_args"])
        return path_of(values["model_file"], {}), arguments
    if values["robot_description"]:
        return source.of_text(values["robot_description"], "robot_description"), {}
    raise RobcogenError("set one of the parameters model, model_file and robot_description")


def _compiled(found: FoundRobot, values: Mapping[str, Any]) -> Footing | None:
    """What a compiled model stands on."""
    robot = found.robot
    if not (robot.floating_base and robot.contacts):
        return None
    if found.description:
        described = source.of_text(found.description, "robot_description")
        return find_footing(described, contacts=robot.contacts)
    return Footing(robot.contacts, (Foot(),) * len(robot.contacts), None, "as it is compiled", ())


def ground_simulation(
    robot: Any, footing: Footing, values: Mapping[str, Any], start: Array, actuation: Actuation
) -> GroundSimulation:
    """A robot at its start on a plane.

    Args:
        robot: The robot.
        footing: What it stands on.
        values: The parameters.
        start: Initial positions of its joints.
        actuation: Motors, friction and stops.

    Raises:
        RobcogenError: If a value is wrong, or the robot does not stand so.
    """
    feet = shaped(robot.contacts, footing.feet, values)
    footing = replace(footing, feet=feet)
    if not np.any(values["plane_normal"]):
        raise RobcogenError("plane_normal: expected a direction, found zeros")
    gravity = np.array(values["gravity"] or STANDARD_GRAVITY)
    ground = robot.ground(
        plane_point=values["plane_point"],
        plane_normal=values["plane_normal"],
        friction=values["plane_friction"],
        restitution=values["plane_restitution"],
        gravity=gravity,
        radii=footing.radii,
        soles=footing.soles,
        damping=actuation.dissipation.damping,
        joint_friction=actuation.dissipation.friction,
        stops=values["stops"],
    )
    position, turn = np.array(values["initial_base_position"]), values["initial_base_orientation"]
    quaternion = quaternion_of(*turn)
    if values["start"] == STANDING:
        given = dict(zip(robot.joint_names, start.tolist(), strict=True))
        asked = np.any(values["initial_positions"])
        posture = Legs(robot, feet).standing(given if asked else footing.standing)
        start, place = posture.q, [*position[:2], posture.height]
        normal = np.array(values["plane_normal"]) / np.linalg.norm(values["plane_normal"])
        position = np.array(values["plane_point"]) + turning(UP, normal) @ place
        quaternion = _product(_quaternion_to(normal), quaternion_of(0.0, 0.0, turn[2]))
    return GroundSimulation(
        robot,
        ground,
        start,
        position=position,
        quaternion=quaternion,
        actuation=actuation,
        gravity=gravity,
    )


def shaped(
    contacts: Sequence[str], feet: Sequence[Foot], values: Mapping[str, Any]
) -> tuple[Foot, ...]:
    """Shapes of feet, those of parameters where these are given.

    Raises:
        RobcogenError: If a sole is not known, or none.
    """
    x0, x1, y0, y1, z = values["soles"]
    corners, radius = (
        np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]]),
        values["foot_radius"],
    )
    result = []
    for contact, foot in zip(contacts, feet, strict=True):
        if not contact.endswith(POSE):
            result.append(Foot(foot.radius if radius < 0 else radius))
        elif any(values["soles"]):
            if not (x1 > x0 and y1 > y0):
                raise RobcogenError("soles: expected least values before greatest ones")
            result.append(Foot(corners=corners))
        elif foot.corners is None:
            raise RobcogenError(f"contact '{contact}' has no sole: set the parameter soles")
        else:
            result.append(foot)
    return tuple(result)


def quaternion_of(roll: float, pitch: float, yaw: float) -> Array:
    """Of turns about fixed axes, in this order: x, y, z, w."""
    (sr, sp, sy), (cr, cp, cy) = (f(np.array([roll, pitch, yaw]) / 2) for f in (np.sin, np.cos))
    return np.array(
        [
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        ]
    )


def _quaternion_to(normal: Array) -> Array:
    """The least turn that takes z to a unit vector."""
    half = np.append(np.cross(UP, normal), 1.0 + normal[2])
    if half @ half < 1e-12:
        return np.array([1.0, 0.0, 0.0, 0.0])
    return np.asarray(half / np.sqrt(half @ half))


def _product(a: Array, b: Array) -> Array:
    """Of quaternions x, y, z, w."""
    vector = a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3])
    return np.append(vector, a[3] * b[3] - a[:3] @ b[:3])
