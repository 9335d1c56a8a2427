"""Parameters of the controller, and the settings they make."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from robcogen_ros.control.joint_order import order, per_joint
from robcogen_ros.control.law import Mode, Settings
from robcogen_ros.control.limits import Limits
from robcogen_ros.errors import RobcogenError

PAYLOAD = (
    "payload.mass",
    *(f"payload.com.{axis}" for axis in "xyz"),
    *(f"payload.inertia.i{axes}" for axes in ("xx", "xy", "xz", "yy", "yz", "zz")),
)
"""Names of a payload's parameters in the generated code."""


def settings(robot: Any, values: Mapping[str, Any]) -> Settings:
    """How to control a robot; sets its payload.

    Raises:
        RobcogenError: If a list has a wrong length, a limit is zero, or the robot cannot carry the
            payload.
    """
    indices = order(robot.joint_names, values["joints"])

    def numbers(name: str) -> np.ndarray:
        return per_joint(name, values[name], indices, robot.n)

    limits, gravity = values["effort_limits"] or [math.inf], values["gravity"]
    asked = per_joint("effort_limits", limits, indices, robot.n, math.inf)
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
