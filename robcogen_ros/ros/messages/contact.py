"""Forces of the ground on a robot's feet, as messages."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

import numpy as np
from geometry_msgs.msg import Vector3, WrenchStamped

from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.simulation import GroundSimulation
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.quaternions import rotation

RATE = 200.0
"""Greatest rate of wrenches [Hz]."""


def topic(frame: str) -> str:
    """Returns the topic of the wrench on a foot, named as `control/foot_name.hpp` does."""
    letters = (char if char.isascii() else char.encode().hex() for char in frame)
    token = re.sub(r"[^A-Za-z0-9_]", "_", "".join(letters))
    return f"contacts/{'foot_' * token[:1].isdigit()}{token}"


def wrench_in(message: Any, frames: Collection[str]) -> Array:
    """The wanted wrench of the ground on a foot in a message, moment and force (6,).

    Args:
        message: The message, in axes of the world.
        frames: Names of the frames of the robot, in whose axes it is not.

    Raises:
        RobcogenError: If it is none.
    """
    if message.header.frame_id in frames:
        frame = message.header.frame_id
        raise RobcogenError(
            f"expected axes of the world, found those of frame '{frame}' of the robot"
        )
    n, f = message.wrench.torque, message.wrench.force
    wrench = np.array([n.x, n.y, n.z, f.x, f.y, f.z])
    if not np.isfinite(wrench).all():
        raise RobcogenError("its numbers are not finite")
    return wrench


class ContactMessages:
    """Publishes the wrench of the ground on each foot, in its frame."""

    def __init__(self, node: Any, robot: Any, period: float) -> None:
        """Opens the topics.

        Args:
            node: The ROS node.
            robot: The robot, with contacts.
            period: Time between states [s].
        """
        self._robot = robot
        self._frames = [contact.frame_name for contact in robot.contact_records]
        self._index = [contact.frame for contact in robot.contact_records]
        self._topics = [
            node.create_publisher(WrenchStamped, topic(frame), 10) for frame in self._frames
        ]
        self._every = max(1, round(1.0 / (RATE * period)))
        self._count = 0

    def publish(self, simulation: GroundSimulation, stamp: Any) -> None:
        """Tells what forces are measured, and what moments act, the mean of the last step."""
        self._count += 1
        if self._count % self._every:
            return
        poses = self._robot.frame_poses(simulation.q)[self._index, :3, :3]
        world = rotation(simulation.orientation) @ poses
        wrenches = simulation.ground.wrenches.reshape(-1, 2, 3)
        wrenches[:, 1] = simulation.ground.forces
        turned = np.einsum("kij,kai->kaj", world, wrenches).tolist()
        for publisher, frame, (torque, force) in zip(
            self._topics, self._frames, turned, strict=True
        ):
            message = WrenchStamped()
            message.header.stamp, message.header.frame_id = stamp, frame
            message.wrench.torque = Vector3(**dict(zip("xyz", torque, strict=True)))
            message.wrench.force = Vector3(**dict(zip("xyz", force, strict=True)))
            publisher.publish(message)
