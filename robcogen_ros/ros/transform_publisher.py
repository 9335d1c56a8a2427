"""Node `transform_publisher`: joint states in, /tf and latched /tf_static out.

Parameters, topics and behaviour are those of robot_state_publisher.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import rclpy
from geometry_msgs.msg import TransformStamped
from rclpy.qos import DurabilityPolicy, QoSProfile, qos_profile_sensor_data
from rclpy.qos_overriding_options import QoSOverridingOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from robcogen_ros.errors import RobcogenError
from robcogen_ros.ros import model_parameter
from robcogen_ros.ros.link_transforms import LinkTransforms, Poses
from robcogen_ros.ros.parameters import Parameter, Parameters
from robcogen_ros.ros.running import Program, run

TABLE = (
    *model_parameter.TABLE,
    Parameter(
        "publish_frequency",
        20.0,
        "Greatest rate of transforms on /tf [Hz]; 0: as fast as joint states come.",
        0.0,
        1000.0,
    ),
    Parameter(
        "ignore_timestamp", False, "Whether to publish for joint states of any time and rate."
    ),
    Parameter("frame_prefix", "", "Put before the name of each frame.", fixed=True),
    Parameter(
        "description_from_topic",
        False,
        "Whether to wait for the description on the topic robot_description.",
        fixed=True,
    ),
)
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
THROTTLE = 5.0
"""Least time between equal warnings [s]."""


class TransformPublisher(Program):
    """Publishes where the links of a robot are.

    Attributes:
        node: The ROS node.
    """

    def __init__(self) -> None:
        self.node = rclpy.create_node("robot_state_publisher")
        self._log = self.node.get_logger()
        self._links: LinkTransforms | None = None
        self._messages: dict[tuple[str, ...], Any] = {}
        self._last_callback = 0
        self._last_published: dict[str, int] = {}
        self._transforms = self.node.create_publisher(TFMessage, "/tf", 100)
        self._static = self.node.create_publisher(TFMessage, "/tf_static", LATCHED)
        self._values = Parameters(self.node, TABLE, self._change)
        self._interval = _interval(self._values["publish_frequency"])
        self._description: Any = None
        if self._values["description_from_topic"]:
            self.node.create_subscription(String, "robot_description", self._hear, LATCHED)
        else:
            self._description = self.node.create_publisher(String, "robot_description", LATCHED)
            self._use(model_parameter.find_robot(self._values.values))
        self.node.create_subscription(
            JointState,
            "joint_states",
            self._on_states,
            qos_profile_sensor_data,
            qos_overriding_options=QoSOverridingOptions.with_default_policies(),
        )

    def _change(self, values: Mapping[str, Any]) -> str | None:
        """Takes over changed parameters, a new robot included."""
        if values["robot_description"] != self._values["robot_description"]:
            if self._description is None:
                return "robot_description comes from its topic"
            if values["model"] or values["model_file"]:
                return "the robot was chosen by parameter model or model_file"
            try:
                self._use(model_parameter.from_description(values["robot_description"]))
            except RobcogenError as error:
                return str(error)
        self._interval = _interval(values["publish_frequency"])
        return None

    def _hear(self, message: Any) -> None:
        try:
            self._use(model_parameter.from_description(message.data))
        except RobcogenError as error:
            self._log.error(f"robot_description ignored: {error}")

    def _use(self, found: model_parameter.FoundRobot) -> None:
        """Takes over a robot: its fixed links are published at once."""
        links = LinkTransforms(found.robot)
        self._links, self._messages = links, {}
        self._last_published.clear()
        self._log.info(f"robot '{found.robot.name}', {found.robot.n} joints")
        if found.note:
            self._log.info(found.note)
        if links.skipped:
            names = ", ".join(links.skipped)
            self._log.info(f"joints without transform, as joint states cannot place them: {names}")
        if self._description is not None and found.description:
            self._description.publish(String(data=found.description))
        static = self._message(links.fixed)
        _fill(static, links.fixed, self.node.get_clock().now().to_msg())
        self._static.publish(static)

    def _on_states(self, state: Any) -> None:
        problem = _problem(state)
        if problem is not None:
            self._log.warning(f"joint state ignored: {problem}", throttle_duration_sec=THROTTLE)
            return
        now = self.node.get_clock().now().nanoseconds
        if now < self._last_callback:
            self._log.warning("time moved backwards, publishing all transforms again")
            self._last_published.clear()
        self._last_callback = now
        if self._links is None or not self._due(state, now):
            return
        poses = self._links.poses(state.name, state.position)
        if poses.children:
            message = self._message(poses)
            _fill(message, poses, state.header.stamp)
            self._transforms.publish(message)

    def _due(self, state: Any, now: int) -> bool:
        """Whether the interval has passed for some joint of the state."""
        stamp = state.header.stamp.sec * 1_000_000_000 + state.header.stamp.nanosec
        published = self._last_published
        last = min((published.get(name, 0) for name in state.name), default=now)
        if not self._values["ignore_timestamp"] and stamp < last + self._interval:
            return False
        published.update(dict.fromkeys(state.name, stamp))
        return True

    def _message(self, poses: Poses) -> Any:
        """The message for these links, made once."""
        if poses.children not in self._messages:
            prefix = self._values["frame_prefix"]
            transforms = []
            for parent, child in zip(poses.parents, poses.children, strict=True):
                transform = TransformStamped(child_frame_id=prefix + child)
                transform.header.frame_id = prefix + parent
                transforms.append(transform)
            self._messages[poses.children] = TFMessage(transforms=transforms)
        return self._messages[poses.children]


def _fill(message: Any, poses: Poses, stamp: Any) -> None:
    rows = zip(
        message.transforms, poses.translations.tolist(), poses.quaternions.tolist(), strict=True
    )
    for stamped, (x, y, z), (qx, qy, qz, qw) in rows:
        stamped.header.stamp = stamp
        translation, rotation = stamped.transform.translation, stamped.transform.rotation
        translation.x, translation.y, translation.z = x, y, z
        rotation.x, rotation.y, rotation.z, rotation.w = qx, qy, qz, qw


def _problem(state: Any) -> str | None:
    if len(state.name) != len(state.position):
        return f"it has {len(state.name)} names and {len(state.position)} positions"
    return None if np.isfinite(state.position).all() else "it has positions that are not finite"


def _interval(frequency: float) -> int:
    """Least time between two transforms of a joint [ns]."""
    return round(1e9 / frequency) if frequency > 0 else 0


def main(args: Sequence[str] | None = None) -> int:
    """Runs the node."""
    return run(TransformPublisher, args)


if __name__ == "__main__":
    sys.exit(main())
