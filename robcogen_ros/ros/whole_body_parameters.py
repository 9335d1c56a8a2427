"""Parameters of the whole-body controller's node, and the compiled controller they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

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
        "friction",
        0.5,
        "Coefficient of friction of the ground; forces stay in a pyramid inside its cone.",
        0.01,
        10.0,
    ),
    Parameter("gravity", [0.0, 0.0, -9.81], "Gravity in the world [m/s^2].", -100.0, 100.0),
    Parameter(
        "ground_normal", [0.0, 0.0, 1.0], "Normal of the ground in the world, upwards.", -1.0, 1.0
    ),
    Parameter(
        "contact_threshold",
        0.002,
        "Force from which a foot touches, as a share of the robot's weight; half of it leaves it "
        "touching. More than the controller asks of a foot at least, and it may not find it again.",
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
        "How long a reference is carried on with its twists before it stops and all feet stand "
        "[s].",
        0.0,
        10.0,
        fixed=True,
    ),
)

SETTINGS = {
    "orientation_gains": "trunk_angular",
    "position_gains": "trunk_linear",
    "foot_gains": "foot",
    "posture_gains": "posture",
    "friction": "friction",
    "gravity": "gravity",
    "ground_normal": "normal",
}
"""What the compiled controller calls a parameter."""


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
