"""Parameters of the whole-body controller's node as settings of the controller."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robcogen_ros.control.balance import Balance
from robcogen_ros.control.joint_order import numbers_of
from robcogen_ros.errors import RobcogenError
from robcogen_ros.parameters.table import table
from robcogen_ros.runtime.gait import check_gait


def balance_of(
    robot: Any, soles: Mapping[str, ArrayLike], radius: float, values: Mapping[str, Any]
) -> Balance:
    """A controller as parameters have it.

    Args:
        robot: The robot.
        soles: Corners of flat feet, by contact.
        radius: Of feet that are balls [m].
        values: Of the parameters.

    Raises:
        RobcogenError: If a value is none that the robot can have.
    """
    return Balance(
        robot,
        settings(robot, values),
        soles=soles or None,
        state_timeout=values["state_timeout"],
        velocity_timeout=values["cmd_vel_timeout"],
        imu_frame=values["imu_frame"],
        foot_radius=radius,
        gait_file=values["gait_file"],
    )


def settings(robot: Any, values: Mapping[str, Any]) -> dict[str, ArrayLike | None]:
    """Settings of the controller, by the names of its table.

    Raises:
        RobcogenError: If a value is none that the robot can have.
    """
    played = values["gait"] == "played"  # steps lead into it
    check_gait("walk" if played else values["gait"], robot.contact_records)
    for name in ("gravity", "ground_normal"):
        if not np.any(values[name]):
            raise RobcogenError(f"{name}: expected a direction, found zeros")
    rows = {row.name: row for row in table("whole_body_controller")}
    texts = {"imu_frame", "gait_file", "robot_description"}
    others = {"soles", "foot_radius", *texts}
    ours = values.keys() & rows.keys() - others
    joints = range(robot.n)
    return {name: numbers_of(rows[name], values[name], joints, robot.n) for name in ours}
