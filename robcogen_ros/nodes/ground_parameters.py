"""Parameters of the ground under a simulated robot, and how the robot stands on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.motor_space import Motors
from robcogen_ros.control.simulation import GroundSimulation
from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.formats import source
from robcogen_ros.formats.load import found as path_of
from robcogen_ros.formats.read import read
from robcogen_ros.formats.source import Source
from robcogen_ros.model.contacts import Contact, Foot, shaped
from robcogen_ros.model.quaternions import quaternions, turn_of, turning
from robcogen_ros.model.robot import STANDARD_GRAVITY
from robcogen_ros.nodes.model_parameter import FoundRobot, find_robot, functions_of, options_of
from robcogen_ros.parameters.assignments import assignments
from robcogen_ros.standing.build import build_standing
from robcogen_ros.standing.footing import Footing, find_footing
from robcogen_ros.standing.posture import Legs
from robcogen_ros.standing.soles import rectangle

STANDING = "standing"
SENSORS = (
    *("imu_rate", "imu_delay", "gyroscope_noise", "accelerometer_noise"),
    *("gyroscope_bias", "accelerometer_bias", "gyroscope_bias_walk", "accelerometer_bias_walk"),
    *("force_noise", "force_delay", "false_contacts", "sensor_seed"),
)
"""Parameters of what measures the robot."""


def find_on_ground(values: Mapping[str, Any]) -> tuple[FoundRobot, Footing | None]:
    """The robot that parameters name, and what it stands on; None where there is no ground for it.

    Raises:
        RobcogenError: If none is named, or the robot or a contact is wrong.
    """
    if values["model"] or not values["ground"]:
        return _with_ground(find_robot(values), values)
    (model, arguments), loops = _source(values), values["loops"] or None
    footing = find_footing(model, xacro_args=arguments, loops=loops, contacts=values["contacts"])
    if not (values["floating_base"] or footing.floats):
        return find_robot(values), None
    if not footing.contacts:
        return _without_ground(find_robot(values), footing.reason), None
    try:
        robot = build_standing(model, arguments, footing, loops, **_of_motors(model, values))
    except ModelError:
        raise
    except RobcogenError as error:
        found = find_robot(values)
        return replace(found, note=f"no ground, for nothing can be compiled: {error}"), None
    found = FoundRobot(robot, values["robot_description"], warnings=footing.warnings)
    return found, footing


def _of_motors(model: str | Source, values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns further options of a robot whose motors are measured and commanded."""
    options = options_of({name: values[name] for name in ("loops", "actuated")})
    if values["space"] == "joint":
        return {"actuated": options.get("actuated", ())}
    arguments = assignments("xacro_args", values["xacro_args"])
    robot = read(model, xacro_args=arguments, **options).robot
    return {"actuated": robot.actuated, "functions": functions_of(robot, True)}


def _with_ground(found: FoundRobot, values: Mapping[str, Any]) -> tuple[FoundRobot, Footing | None]:
    """A robot as it is, and what it stands on where it was compiled with a ground."""
    footing = _compiled(found, values) if values["ground"] else None
    if footing is not None:
        try:
            found.robot.ground()
        except RobcogenError as error:
            return _without_ground(found, str(error)), None
    return found, footing


def _without_ground(found: FoundRobot, why: str) -> FoundRobot:
    return replace(found, note=f"{found.note}; no ground: {why}".strip("; "))


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
        (model, arguments), loops = _source(values), values["loops"] or None
        footing = find_footing(
            model, xacro_args=arguments, loops=loops, contacts=values["contacts"]
        )
        if not footing.contacts:
            raise RobcogenError(f"the robot is {footing.told}. Other feet are named by contacts")
        robot = build_standing(model, arguments, footing, loops, **_of_motors(model, values))
    return robot, with_shapes(robot, footing, {"foot_radius": -1.0, **values})


def _source(values: Mapping[str, Any]) -> tuple[str | Source, dict[str, str]]:
    if values["model_file"]:
        arguments = assignments("xacro_args", values["xacro_args"])
        return path_of(values["model_file"], {}), arguments
    if values["robot_description"]:
        return source.of_text(values["robot_description"], "robot_description"), {}
    raise RobcogenError("set one of the parameters model, model_file and robot_description")


def _compiled(found: FoundRobot, values: Mapping[str, Any]) -> Footing | None:
    """Returns the footing of a compiled model; None if it stands on none."""
    robot = found.robot
    if not (robot.floating_base and robot.contacts):
        return None
    if found.description:
        described = source.of_text(found.description, "robot_description")
        return find_footing(described, contacts=robot.contacts)
    return Footing(robot.contact_records, "as it is compiled")


def ground_simulation(
    robot: Any,
    footing: Footing,
    values: Mapping[str, Any],
    start: Array,
    friction: Mapping[str, Array],
    motors: Motors | None = None,
) -> GroundSimulation:
    """A robot at its start on a plane.

    Args:
        robot: The robot.
        footing: What it stands on.
        values: The parameters.
        start: Initial positions of its joints.
        friction: Damping and dry friction of its joints, as `robot.ground()` takes them.
        motors: What is commanded, in place of its joints.

    Raises:
        RobcogenError: If a value is wrong, or the robot does not stand so.
    """
    footing = with_shapes(robot, footing, values)
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
        stops=values["stops"],
        imu_frame=values["imu_frame"],
        **{name: values[name] for name in SENSORS},
        **friction,
    )
    position = np.array(values["initial_base_position"])
    turn = turn_of(*values["initial_base_orientation"])
    if values["start"] == STANDING:
        given = dict(zip(robot.joint_names, start.tolist(), strict=True))
        asked = np.any(values["initial_positions"])
        posture = Legs(robot, footing.feet).standing(given if asked else footing.standing)
        start, place = posture.q, [*position[:2], posture.height]
        normal = np.array(values["plane_normal"]) / np.linalg.norm(values["plane_normal"])
        tilt, yaw = turning(np.eye(3)[2], normal), values["initial_base_orientation"][2]
        position = np.array(values["plane_point"]) + tilt @ place
        turn = tilt @ turn_of(0.0, 0.0, yaw)
    return GroundSimulation(
        robot,
        ground,
        start,
        position=position,
        orientation=quaternions(turn[None])[0],
        gravity=gravity,
        motors=motors,
    )


def with_shapes(robot: Any, footing: Footing, values: Mapping[str, Any]) -> Footing:
    """The feet of a robot, with shapes of parameters where these are given.

    Raises:
        RobcogenError: If a sole is not known, or none.
    """
    contacts = shaped(robot.contact_records, footing.feet)
    feet = [_shape(robot, each, values) for each in contacts]
    return replace(footing, contacts=shaped(contacts, feet))


def _shape(robot: Any, contact: Contact, values: Mapping[str, Any]) -> Foot:
    radius, sole = values["foot_radius"], values["soles"]
    if not contact.is_pose:
        return contact.shape if radius < 0 else Foot(radius)
    if not any(sole):
        if contact.shape.corners is None:
            message = f"contact '{contact.name}' has no sole: set the parameter soles"
            raise RobcogenError(message)
        return contact.shape
    if not (sole[1] > sole[0] and sole[3] > sole[2]):
        raise RobcogenError("soles: expected least values before greatest ones")
    turn = robot.frame_poses(np.zeros(robot.n))[contact.frame, :3, :3]
    return Foot(corners=rectangle(*sole, turn=turn))
