"""Estimator of the base of a robot on legs, by IMU, joints and feet; computed in C++."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.names import nearest
from robcogen_ros.runtime.arguments import check_ranges
from robcogen_ros.runtime.objects import object_of, of_contacts

Array = NDArray[np.float64]
FAULTS = (
    *("imu_missing", "joints_missing", "time_not_forwards", "not_at_rest"),
    *("imu_misplaced", "no_feet", "foot_slips"),
)
"""Names of the faults of an estimator, in the order of their bits."""


@dataclass(frozen=True, slots=True)
class BaseEstimate:
    """A base as it is estimated.

    Attributes:
        known: Whether there is an estimate.
        position: (3,) of its origin in the world [m].
        orientation: (4,) quaternion x, y, z, w from the base to the world.
        base_velocity: (6,) spatial velocity in its coordinates, angular first.
        gyroscope_bias: (3,) in the base's axes [rad/s].
        accelerometer_bias: (3,) in the base's axes [m/s^2].
        imu_angle: Between gravity, as the IMU had it at the start, and the normal of the feet, NaN
            of one or two points [rad].
        faults: What is wrong, as docs/state_estimation.md lists it.
        slips: How often a foot was not where it stood.
    """

    known: bool
    position: Array
    orientation: Array
    base_velocity: Array
    gyroscope_bias: Array
    accelerometer_bias: Array
    imu_angle: float
    faults: tuple[str, ...]
    slips: int


class BaseEstimator:
    """An invariant Kalman filter of IMU, joints and feet. Made by `robot.base_estimator()`.

    Example:
        >>> estimator = robot.base_estimator(gyroscope_noise=2.5e-4)
        >>> found = estimator.update(
        ...     q,
        ...     closed=touching,
        ...     cycle=0.001,
        ...     angular_velocity=gyroscope,
        ...     linear_acceleration=accelerometer,
        ... )
        >>> found.position, found.orientation, found.base_velocity
    """

    def __init__(
        self,
        robot: Any,
        imu: str,
        soles: Mapping[str, ArrayLike] | None,
        settings: Mapping[str, ArrayLike | None],
    ) -> None:
        """An estimator; `robot.base_estimator()` tells what the settings are."""
        corners = of_contacts("soles", soles, robot.contact_records, (4, 3))
        given = {**settings, "imu_frame": frame_number(robot, imu), "soles": corners}
        self._object = object_of(robot, "base_estimator", given)
        check_ranges("whole_body_controller", settings)
        self._object.call("check")

    def update(
        self,
        q: ArrayLike | None,
        *,
        closed: ArrayLike,
        cycle: float,
        angular_velocity: ArrayLike | None,
        linear_acceleration: ArrayLike | None,
    ) -> BaseEstimate:
        """Takes in what is measured; returns what is known of the base then.

        Args:
            q: (n,) positions of the joints; None where there are none.
            closed: Which feet touch the ground: their names, or 1 or 0 of each.
            cycle: Time since the last call [s].
            angular_velocity: (3,) of the IMU in its axes; None where there is none [rad/s].
            linear_acceleration: (3,) of its origin less that of free fall, in its axes [m/s^2].

        Raises:
            ValueError: If an argument has another shape, or `closed` has other numbers or names.
        """
        found = self._object.call(
            "update",
            angular_velocity=angular_velocity,
            linear_acceleration=linear_acceleration,
            q=q,
            closed=self._object.flags("closed", closed),
            step=cycle,
        )
        bits = int(found["faults"].item())
        vectors = ("position", "orientation", "base_velocity")
        biases = ("gyroscope_bias", "accelerometer_bias")
        return BaseEstimate(
            known=bool(found["known"].item()),
            **{name: found[name].copy() for name in (*vectors, *biases)},
            imu_angle=float(found["imu_angle"].item()),
            faults=tuple(name for i, name in enumerate(FAULTS) if bits >> i & 1),
            slips=int(found["slips"].item()),
        )

    def covariances(self) -> dict[str, Array]:
        """Returns covariances of the errors of the last estimate.

        `pose` (6, 6): position [m] and orientation [rad], in axes of the world, as
        `geometry_msgs/PoseWithCovariance` has it; `twist` (6, 6): linear and angular velocity in
        axes of the base; `filter` (15, 15): errors of the world (Hartley et al. 2020) of
        orientation, velocity and position of the IMU, and of its biases.
        """
        return {name: values.copy() for name, values in self._object.call("covariance").items()}

    def forget(self) -> None:
        """Begins anew where the robot next stands at rest."""
        self._object.call("forget")


def frame_number(robot: Any, name: str) -> float | None:
    """Returns the number of a frame of the base link, None of no name.

    Raises:
        RobcogenError: If there is none of that name.
    """
    if not name:
        return None
    frames = robot._evaluator.summary.frames
    fixed = {frame.name: float(i) for i, frame in enumerate(frames) if frame.link == 0}
    if name not in fixed:
        near = nearest(str(name), fixed)
        raise RobcogenError(f"imu_frame: '{name}' is no frame of the base link{near}")
    return fixed[name]
