"""Sensors of a robot on legs as a data sheet has them, and the estimator that knows no more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robcogen_ros.model.robot import FREE_FALL

IMU = "BMI088"
"""The inertial measurement unit, of Bosch."""
SHEET = {
    "gyroscope_noise": 2.5e-4,
    "accelerometer_noise": 1.9e-3,
    "gyroscope_bias_walk": 1e-5,
    "accelerometer_bias_walk": 1e-4,
}
"""Densities of noise of a data sheet, and of the rate at which its biases wander, as parameters
are named."""
GYROSCOPE_BIAS, ACCELEROMETER_BIAS = 0.0175, 0.05
"""Standard deviations of its biases: a zero-rate offset of 1 deg/s, and 5 mg after calibration of
its zero-g offset of 20 mg [rad/s, m/s^2]."""
BIASES = {"gyroscope_bias": GYROSCOPE_BIAS, "accelerometer_bias": ACCELEROMETER_BIAS}
"""Biases that an estimator reckons with, as its settings are named."""
FORCE = 0.005
"""Standard deviation of each number of a foot's force, as a share of the weight."""


def sensor_settings(mass: float) -> dict[str, Any]:
    """Returns settings of `robot.ground()` by which a robot is measured as by its sensors.

    Args:
        mass: Of the robot [kg].
    """
    random = np.random.default_rng(0)
    return {
        **SHEET,
        "gyroscope_bias": (GYROSCOPE_BIAS * random.normal(size=3)).tolist(),
        "accelerometer_bias": (ACCELEROMETER_BIAS * random.normal(size=3)).tolist(),
        "force_noise": FORCE * FREE_FALL * mass,
    }


def sensed_estimator(
    robot: Any,
    radii: Mapping[str, float] | None,
    soles: Mapping[str, ArrayLike] | None = None,
) -> Any:
    """Returns an estimator of the base of a robot with these sensors.

    Args:
        robot: The robot.
        radii: Of feet that are balls, by contact [m].
        soles: Corners of flat feet, by contact.
    """
    radius = max((radii or {}).values(), default=0.0)
    return robot.base_estimator(**BIASES, soles=soles, foot_radius=radius)
