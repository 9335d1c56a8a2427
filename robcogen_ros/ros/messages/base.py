"""Messages that say where a simulated floating base is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import (
    Point,
    PoseStamped,
    Quaternion,
    TransformStamped,
    TwistStamped,
    Vector3,
)

from robcogen_ros.control.simulation import GroundSimulation, Simulation

try:
    from tf2_msgs.msg import TFMessage
except ImportError:
    TFMessage = None
try:
    from nav_msgs.msg import Odometry
except ImportError:
    Odometry = None

TRANSFORMS = 50.0
"""Greatest rate of transforms on /tf [Hz]."""


def odometry_of(estimate: Mapping[str, Any], base: str, stamp: tuple[int, int]) -> Any:
    """Returns odometry of a base that a controller estimates.

    Args:
        estimate: `base` (13,), `pose_covariance` and `twist_covariance` (6, 6), as `Balance` has
            them.
        base: Frame of the base.
        stamp: Seconds and nanoseconds.
    """
    numbers = np.asarray(estimate["base"]).ravel().tolist()
    message = Odometry(child_frame_id=base)
    message.header.stamp = Time(sec=stamp[0], nanosec=stamp[1])
    message.header.frame_id = "odom"
    message.pose.pose.position = Point(**dict(zip("xyz", numbers[:3], strict=True)))
    message.pose.pose.orientation = Quaternion(**dict(zip("xyzw", numbers[3:7], strict=True)))
    message.twist.twist.angular = Vector3(**dict(zip("xyz", numbers[7:10], strict=True)))
    message.twist.twist.linear = Vector3(**dict(zip("xyz", numbers[10:], strict=True)))
    message.pose.covariance = np.asarray(estimate["pose_covariance"]).ravel()
    message.twist.covariance = np.asarray(estimate["twist_covariance"]).ravel()
    return message


class BaseMessages:
    """Publishes pose and twist of a base, and its transform on /tf where `tf2_msgs` is there.

    Both together are odometry, where `nav_msgs` is there.
    """

    def __init__(self, node: Any, world: str, base: str, period: float) -> None:
        """Opens the topics.

        Args:
            node: The ROS node.
            world: Frame that the base moves in.
            base: Frame of the base.
            period: Time between states [s].
        """
        self._world, self._base = world, base
        self._poses = node.create_publisher(PoseStamped, "~/base_pose", 10)
        self._twists = node.create_publisher(TwistStamped, "~/base_twist", 10)
        self._odometry: Any = None
        if Odometry is not None:
            self._odometry = node.create_publisher(Odometry, "odom", 10)
        self._transforms: Any = None
        if TFMessage is not None:
            self._transforms = node.create_publisher(TFMessage, "/tf", 10)
        self._every = max(1, round(1.0 / (TRANSFORMS * period)))
        self._count = 0

    def publish(self, simulation: Simulation | GroundSimulation, stamp: Any) -> None:
        """Tells where the base is; the twist is in its own coordinates."""
        position, turn = simulation.position.tolist(), simulation.orientation.tolist()
        speeds = simulation.base_velocity.tolist()
        pose, twist = PoseStamped(), TwistStamped()
        pose.header.stamp = twist.header.stamp = stamp
        pose.header.frame_id, twist.header.frame_id = self._world, self._base
        pose.pose.position = Point(**dict(zip("xyz", position, strict=True)))
        pose.pose.orientation = Quaternion(**dict(zip("xyzw", turn, strict=True)))
        twist.twist.angular = Vector3(**dict(zip("xyz", speeds[:3], strict=True)))
        twist.twist.linear = Vector3(**dict(zip("xyz", speeds[3:], strict=True)))
        if self._odometry is not None:
            odometry = Odometry(header=pose.header, child_frame_id=self._base)
            odometry.pose.pose, odometry.twist.twist = pose.pose, twist.twist
            self._odometry.publish(odometry)
        self._poses.publish(pose)
        self._twists.publish(twist)
        if self._transforms is not None and self._count % self._every == 0:
            moved = TransformStamped(header=pose.header, child_frame_id=self._base)
            moved.transform.translation = Vector3(**dict(zip("xyz", position, strict=True)))
            moved.transform.rotation = pose.pose.orientation
            self._transforms.publish(TFMessage(transforms=[moved]))
        self._count += 1
