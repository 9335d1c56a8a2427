"""Parameters of the controller, and the settings they make."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from robcogen_ros.control.law import Mode, Settings
from robcogen_ros.control.limits import Limits
from robcogen_ros.errors import RobcogenError
from robcogen_ros.ros import model_parameter
from robcogen_ros.ros.joint_order import order, per_joint
from robcogen_ros.ros.parameters import Parameter

PAYLOAD = (
    "payload.mass",
    *(f"payload.com.{axis}" for axis in "xyz"),
    *(f"payload.inertia.i{axes}" for axes in ("xx", "xy", "xz", "yy", "yz", "zz")),
)
"""Names of a payload's parameters in the generated code."""
ON_DEACTIVATE = ("hold_gravity", "zero", "silent")

TABLE = (
    *model_parameter.TABLE,
    Parameter(
        "payload_frame",
        "",
        "Frame of the robot of model_file or robot_description that carries a payload; a compiled "
        "model has it from robcogen_generate(PAYLOAD).",
        fixed=True,
    ),
    Parameter("autostart", False, "Whether the node configures and activates itself.", fixed=True),
    Parameter(
        "mode",
        Mode.COMPUTED_TORQUE.value,
        "Control law; may change while the node is not active.",
        choices=tuple(mode.value for mode in Mode),
    ),
    Parameter(
        "joints",
        [""],
        "Order of lists in parameters and on ~/commands; empty: the robot's.",
        fixed=True,
    ),
    Parameter(
        "kp",
        100.0,
        "Gain on position errors, one or one a joint: [1/s^2] in computed_torque, "
        "[N m/rad, N/m] in pd_gravity.",
        0.0,
        1e6,
        many=True,
    ),
    Parameter(
        "kd",
        20.0,
        "Gain on velocity errors, one or one a joint: [1/s] in computed_torque, "
        "[N m s/rad, N s/m] in pd_gravity.",
        0.0,
        1e5,
        many=True,
    ),
    Parameter(
        "effort_limits",
        math.inf,
        "Largest efforts [N m, N], more than 0, one for all joints or one for each joint. They "
        "only lower the model's limits; .inf: the model's.",
        0.0,
        many=True,
    ),
    Parameter(
        "feed_forward",
        True,
        "Whether computed_torque adds the efforts of the reference's motion; "
        "otherwise it is feedback and gravity.",
    ),
    Parameter(
        "compensate_friction", True, "Whether feed-forward includes the model's joint friction."
    ),
    Parameter(
        "add_gravity",
        True,
        "Whether to compensate the robot's weight; false if the robot does so itself.",
    ),
    Parameter(
        "gravity",
        [],
        "Gravity in the base frame [m/s^2]. Empty: the model's gravity.",
        -100.0,
        100.0,
        length=3,
    ),
    Parameter("payload_mass", 0.0, "Mass of the payload [kg].", 0.0, 1e4),
    Parameter(
        "payload_com", [0.0] * 3, "Center of its mass in the payload's frame [m].", -100.0, 100.0
    ),
    Parameter(
        "payload_inertia",
        [0.0] * 6,
        "Its inertia tensor about that center: ixx, ixy, ixz, iyy, iyz, izz [kg m^2].",
        -1e4,
        1e4,
    ),
    Parameter(
        "activation_time",
        0.5,
        "Time in which efforts rise from gravity compensation to the full law after "
        "activation [s].",
        0.0,
        60.0,
        fixed=True,
    ),
    Parameter(
        "allow_partial",
        False,
        "Whether a reference may leave out joints, which then stay where they are.",
    ),
    Parameter(
        "state_timeout",
        0.1,
        "Longest time without joint states [s]; 0: for ever.",
        0.0,
        60.0,
        fixed=True,
    ),
    Parameter(
        "on_state_timeout",
        "hold_gravity",
        "What to command when joint states stop: gravity compensation at the last "
        "position, or zero effort.",
        choices=("hold_gravity", "zero"),
        fixed=True,
    ),
    Parameter(
        "reference_timeout",
        0.1,
        "How long a single-point reference is extrapolated with its own velocity [s].",
        0.0,
        10.0,
        fixed=True,
    ),
    Parameter(
        "on_deactivate",
        "hold_gravity",
        "Last command on deactivation: gravity compensation at the last position, "
        "zero effort, or no command.",
        choices=ON_DEACTIVATE,
    ),
    Parameter(
        "publish_array",
        False,
        "Whether efforts also go to ~/commands as an array in the order of joints.",
        fixed=True,
    ),
)


def settings(robot: Any, values: Mapping[str, Any]) -> Settings:
    """How to control a robot; sets its payload.

    Raises:
        RobcogenError: If a list has a wrong length, a limit is zero, or the robot cannot carry the
            payload.
    """
    indices = order(robot.joint_names, values["joints"])

    def numbers(name: str, default: float = 0.0) -> np.ndarray:
        return per_joint(name, values[name], indices, robot.n, default)

    asked, gravity = numbers("effort_limits", math.inf), values["gravity"]
    if not asked.all():
        raise RobcogenError("effort_limits: expected more than 0; .inf stands for the model's")
    found = Settings(
        mode=Mode(values["mode"]),
        kp=numbers("kp"),
        kd=numbers("kd"),
        effort_limits=np.minimum(Limits.of(robot).effort, asked),
        feed_forward=values["feed_forward"],
        compensate_friction=values["compensate_friction"],
        gravity=(np.array(gravity) if gravity else None) if values["add_gravity"] else np.zeros(3),
    )
    load(robot, values)
    return found


def load(robot: Any, values: Mapping[str, Any]) -> None:
    """Gives a robot its payload.

    Raises:
        RobcogenError: If the payload is none that a body can have, or the robot carries none.
    """
    numbers = (values["payload_mass"], *values["payload_com"], *values["payload_inertia"])
    payload = dict(zip(PAYLOAD, numbers, strict=True))
    if "payload.mass" not in robot.parameters:
        if any(numbers):
            raise RobcogenError(
                "payload_mass: the robot carries no payload; set payload_frame, or generate the "
                "model with PAYLOAD <frame>"
            )
        return
    if problems := robot.parameters.check(payload):
        raise RobcogenError(f"payload_mass: {problems[0]}")
    robot.parameters.update(payload)
