"""Messages of an IMU's measurements."""

from __future__ import annotations

from typing import Any

import numpy as np
from geometry_msgs.msg import Vector3
from numpy.typing import NDArray
from sensor_msgs.msg import Imu

from robcogen_ros.runtime.ground import Ground

UNKNOWN = -1.0
"""First number of the covariance of what an IMU does not tell: its orientation."""


class ImuMessages:
    """Publishes what the IMU of a simulated robot measures."""

    def __init__(self, node: Any, frame: str) -> None:
        """Opens the topic, of an IMU that measures in a frame."""
        self._topic = node.create_publisher(Imu, "imu", 10)
        self._message = Imu()
        self._message.header.frame_id = frame
        self._message.orientation_covariance[0] = UNKNOWN

    def publish(self, ground: Ground, stamp: Any) -> None:
        """Tells what it measures now."""
        message = self._message
        message.header.stamp = stamp
        message.angular_velocity = _vector(ground.angular_velocity)
        message.linear_acceleration = _vector(ground.linear_acceleration)
        self._topic.publish(message)


def numbers(message: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns the angular velocity and the linear acceleration of a message, (3,) each."""
    w, a = message.angular_velocity, message.linear_acceleration
    return np.array([w.x, w.y, w.z]), np.array([a.x, a.y, a.z])


def _vector(values: NDArray[np.float64]) -> Vector3:
    return Vector3(**dict(zip("xyz", values.tolist(), strict=True)))
