"""Parameters of the whole-body controller's node, and the compiled controller they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from robcogen_ros.control.balance import Balance
from robcogen_ros.errors import RobcogenError
from robcogen_ros.standing.footing import Footing

SETTINGS = (
    *("orientation_gains", "position_gains", "foot_gains", "posture_gains", "upper_body_weight"),
    *("friction", "gravity", "ground_normal", "compensate_friction"),
)
"""Parameters that are settings of the compiled controller."""


def balance_of(robot: Any, footing: Footing, values: Mapping[str, Any]) -> Balance:
    """A controller as parameters have it.

    Raises:
        RobcogenError: If a value is none that the robot can have.
    """
    balance = Balance(
        robot,
        whole_body_of(robot, footing, values),
        gravity=np.array(values["gravity"]),
        state_timeout=values["state_timeout"],
        base_timeout=values["base_state_timeout"],
        patience=values["reference_timeout"],
        threshold=values["contact_threshold"],
        velocity_timeout=values["cmd_vel_timeout"],
    )
    if given := values["standing_positions"]:
        if len(given) != robot.n:
            raise RobcogenError(
                f"standing_positions: expected {robot.n} numbers, one a joint, found {len(given)}"
            )
        balance.posture = np.array(given)
    walk_as(balance, values)
    return balance


def walk_as(balance: Balance, values: Mapping[str, Any]) -> None:
    """Takes over what parameters say about steps.

    Raises:
        RobcogenError: If the robot cannot step so.
    """
    balance.walking.choose(values["gait"])
    balance.walking.greatest = np.array([*values["greatest_velocity"], values["greatest_yaw_rate"]])


def whole_body_of(robot: Any, footing: Footing, values: Mapping[str, Any]) -> Any:
    """The compiled controller of a robot.

    Raises:
        RobcogenError: If a value is none that it can have.
    """
    for name in ("gravity", "ground_normal"):
        if not np.any(values[name]):
            raise RobcogenError(f"{name}: expected a direction, found zeros")
    given = {name: values[name] for name in SETTINGS}
    return robot.whole_body_controller(**given, soles=footing.soles or None)
