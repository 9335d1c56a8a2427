"""A node that answers each joint state with the same transforms: what rclpy takes by itself.

python -m bench.constant_transforms TRANSFORMS [--bytes]
"""

from __future__ import annotations

import sys
from typing import Any

import rclpy
from geometry_msgs.msg import TransformStamped
from rclpy.qos import qos_profile_sensor_data
from rclpy.serialization import serialize_message
from rclpy.utilities import remove_ros_args
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

from robcogen_ros.ros.running import Program, run


class Constant(Program):
    """Answers each joint state, as objects or as bytes."""

    def __init__(self, count: int, in_bytes: bool) -> None:
        self.node = rclpy.create_node("constant")
        message: Any = TFMessage(
            transforms=[TransformStamped(child_frame_id=f"robot_link{i}") for i in range(count)]
        )
        for i, stamped in enumerate(message.transforms):
            stamped.header.frame_id = f"robot_link{i - 1}"
        if in_bytes:
            message = serialize_message(message)
        transforms = self.node.create_publisher(TFMessage, "/tf", 100)
        self.node.create_subscription(
            JointState,
            "joint_states",
            lambda _: transforms.publish(message),
            qos_profile_sensor_data,
            raw=in_bytes,
        )


if __name__ == "__main__":
    words = remove_ros_args(sys.argv)[1:]
    sys.exit(run(lambda: Constant(int(words[0]), "--bytes" in words)))
