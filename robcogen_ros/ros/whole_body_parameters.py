"""Parameters of the whole-body controller's node, and the compiled controller they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from robcogen_ros.control.balance import Balance
from robcogen_ros.control.walking import GAITS, STAND
from robcogen_ros.errors import RobcogenError
from robcogen_ros.ros import ground_parameters, model_parameter
from robcogen_ros.ros.footing import Footing
from robcogen_ros.ros.parameters import Parameter

_GAINS = "Stiffness [1/s^2] and damping [1/s]"
_SHARED = ("contacts", "soles")

TABLE = (
    *model_parameter.TABLE,
    *(parameter for parameter in ground_parameters.TABLE if parameter.name in _SHARED),
    Parameter(
        "orientation_gains",
        [200.0, 28.0],
        f"{_GAINS} by which the trunk turns to its reference.",
        0.0,
        1e6,
    ),
    Parameter("position_gains", [200.0, 28.0], f"{_GAINS} of its position.", 0.0, 1e6),
    Parameter("foot_gains", [600.0, 50.0], f"{_GAINS} of feet that swing.", 0.0, 1e6),
    Parameter(
        "posture_gains",
        [100.0, 20.0],
        f"{_GAINS} of joints, as far as trunk and feet leave them free.",
        0.0,
        1e6,
    ),
    Parameter(
        "upper_body_weight",
        0.01,
        "Weight of the acceleration of joints that are in no leg: those of arms, torso and head.",
        0.0,
        1e6,
    ),
    Parameter(
        "friction",
        0.5,
        "Coefficient of friction of the ground; forces stay in a pyramid inside its cone.",
        0.01,
        10.0,
    ),
    Parameter(
        "compensate_friction",
        True,
        "Whether what the model's joint friction takes at the reference's velocity is added.",
    ),
    Parameter("gravity", [0.0, 0.0, -9.81], "Gravity in the world [m/s^2].", -100.0, 100.0),
    Parameter(
        "ground_normal", [0.0, 0.0, 1.0], "Normal of the ground in the world, upwards.", -1.0, 1.0
    ),
    Parameter(
        "contact_threshold",
        0.002,
        "Force at which a foot counts as touching, as a share of the robot's weight; "
        "it stays so down to half of it. A value above the controller's least force "
        "of a foot may lose feet for good.",
        0.0,
        1.0,
        fixed=True,
    ),
    Parameter(
        "state_timeout", 0.1, "Longest time without joint states [s].", 0.001, 60.0, fixed=True
    ),
    Parameter(
        "base_state_timeout", 0.1, "Longest age of the base's state [s].", 0.001, 60.0, fixed=True
    ),
    Parameter(
        "reference_timeout",
        0.1,
        "How long a reference is extrapolated with its twists before it stops and all"
        " feet stand [s].",
        0.0,
        10.0,
        fixed=True,
    ),
    Parameter(
        "gait",
        STAND,
        "What the robot does without a reference: it stands on its feet, or follows "
        "cmd_vel by a trot or a walk (four point feet).",
        choices=GAITS,
    ),
    Parameter(
        "cmd_vel_timeout",
        0.5,
        "How long a commanded velocity is followed before the robot stands [s].",
        0.0,
        60.0,
        fixed=True,
    ),
    Parameter(
        "greatest_velocity",
        [0.0, 0.0],
        "Greatest commanded speeds ahead and to the side [m/s]; 0: from the height of the robot.",
        0.0,
        10.0,
    ),
    Parameter(
        "greatest_yaw_rate",
        0.0,
        "Greatest commanded yaw rate [rad/s]; 0: from the height of the robot.",
        0.0,
        10.0,
    ),
    Parameter(
        "standing_positions",
        0.0,
        "Joint positions in which the robot stands and steps [rad, m], in its order "
        "of joints; a single number: the positions in which it is found.",
        -1e6,
        1e6,
        many=True,
        fixed=True,
    ),
)

SETTINGS = {
    "orientation_gains": "trunk_angular",
    "position_gains": "trunk_linear",
    "foot_gains": "foot",
    "posture_gains": "posture",
    "upper_body_weight": "upper_body_weight",
    "friction": "friction",
    "gravity": "gravity",
    "ground_normal": "normal",
    "compensate_friction": "compensate_friction",
}
"""What the compiled controller calls a parameter."""


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
    if isinstance(given := values["standing_positions"], list):
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
    given = {setting: values[name] for name, setting in SETTINGS.items()}
    return robot.whole_body_controller(**given, soles=footing.soles or None)
