"""CPU time of transform_publisher for each joint state, beside what rclpy takes by itself.

All nodes run side by side as processes of their own and hear the same joint states; the kernel
counts the time on a core of all their threads. Given are medians over windows of time. A node with
"constant" answers each joint state with the same transforms: as messages, which is what no rclpy
node that handles messages the usual way goes below, or as bytes, what rclpy and the middleware take
at least. robot_state_publisher, in C++, is measured where it is installed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from robcogen_ros.runtime.build import build

_PATIENCE = 60.0


class Node:
    """A node as a process, and how many of its transforms came.

    Attributes:
        name: What it is.
        answers: How many messages it has published, as far as they came.
    """

    def __init__(self, name: str, command: Sequence[str], topic: str) -> None:
        self.name = name
        self.answers = 0
        self.topic = topic
        more = [] if "--ros-args" in command else ["--ros-args"]
        self.process = subprocess.Popen(
            [*command, *more, "-r", f"/tf:={topic}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def count(self, _: bytes) -> None:
        """Takes a message."""
        self.answers += 1

    def on_core(self) -> float:
        """Time that all its threads have been on a core [us]."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) * 1e-3


class Meter:
    """Sends joint states and hears the transforms that come back."""

    def __init__(self, names: Sequence[str], rate: float, nodes: Sequence[Node]) -> None:
        import rclpy
        from rclpy.executors import SingleThreadedExecutor
        from sensor_msgs.msg import JointState
        from tf2_msgs.msg import TFMessage

        rclpy.init(args=[])
        self.nodes = nodes
        self.rate = rate
        self._node = rclpy.create_node("meter")
        self._state = JointState(name=list(names), position=[0.3] * len(names))
        self._states = self._node.create_publisher(JointState, "joint_states", 10)
        for node in nodes:
            self._node.create_subscription(TFMessage, node.topic, node.count, 100, raw=True)
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._node)

    def send(self, count: int) -> None:
        """Sends states at the rate."""
        start = time.monotonic()
        for i in range(count):
            self._state.header.stamp = self._node.get_clock().now().to_msg()
            self._states.publish(self._state)
            while (left := start + (i + 1) / self.rate - time.monotonic()) > 0:
                self._executor.spin_once(timeout_sec=left)

    def wait(self) -> None:
        """Sends states until all nodes answer."""
        end = time.monotonic() + _PATIENCE
        while silent := [node.name for node in self.nodes if node.answers < 100]:
            if time.monotonic() > end:
                raise TimeoutError(f"no transforms from {', '.join(silent)}")
            self.send(10)

    def window(self, count: int) -> list[float]:
        """Time of each node for a state [us]."""
        before = [node.on_core() for node in self.nodes]
        self.send(count)
        spent = (n.on_core() - b for n, b in zip(self.nodes, before, strict=True))
        return [time / count for time in spent]


def _commands(frames: int, parameters: Path) -> Iterator[tuple[str, list[str]]]:
    ros = ["--ros-args", "--params-file", str(parameters)]
    constant = [sys.executable, "-m", "robcogen_ros.bench.publisher", str(frames)]
    yield "constant messages", constant
    yield "constant bytes", [*constant, "--bytes"]
    yield (
        "transform_publisher",
        [sys.executable, "-m", "robcogen_ros.ros.transform_publisher", *ros],
    )
    for prefix in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep):
        other = Path(prefix, "lib/robot_state_publisher/robot_state_publisher")
        if other.is_file():
            yield "robot_state_publisher (C++)", [str(other), *ros]
            return


def lines(robot_file: Path, rate: float, seconds: int) -> Iterator[str]:
    """Yields a line for each node with its microseconds a joint state.

    Args:
        robot_file: The robot's URDF.
        rate: Joint states a second.
        seconds: How many windows of a second are measured.
    """
    robot = build(robot_file, backend="numpy")
    moving = sum(not fixed for *_, fixed in robot.attachments)
    yield f"{robot.name}: {robot.n} joints, {moving} transforms a state"
    values = {"robot_description": robot_file.read_text(encoding="utf-8"), "publish_frequency": 1e3}
    with tempfile.TemporaryDirectory() as directory, ExitStack() as ending:
        parameters = Path(directory, "parameters.yaml")
        parameters.write_text(json.dumps({"/**": {"ros__parameters": values}}))
        nodes = []
        for i, (name, command) in enumerate(_commands(moving, parameters)):
            nodes.append(Node(name, command, f"/tf_of_{i}"))
            ending.callback(nodes[-1].process.wait)
            ending.callback(nodes[-1].process.terminate)
        meter = Meter(robot.joint_names, rate, nodes)
        meter.wait()
        before = [node.answers for node in nodes]
        count = round(rate)
        windows = [meter.window(count) for _ in range(seconds)]
        for node, times, had in zip(nodes, zip(*windows, strict=True), before, strict=True):
            share = (node.answers - had) / (count * seconds)
            yield f"{node.name:28} {median(times):7.1f} us a state ({share:.1%} answered)"


def _answer(count: int, in_bytes: bool) -> None:
    """A node that answers each joint state with the same transforms, as objects or as bytes."""
    import rclpy
    from geometry_msgs.msg import TransformStamped
    from rclpy.qos import qos_profile_sensor_data
    from rclpy.serialization import serialize_message
    from sensor_msgs.msg import JointState
    from tf2_msgs.msg import TFMessage

    rclpy.init(args=sys.argv)
    node = rclpy.create_node("constant")
    stamped = [TransformStamped(child_frame_id=f"robot_link{i}") for i in range(count)]
    for i, each in enumerate(stamped):
        each.header.frame_id = f"robot_link{i - 1}"
    message = TFMessage(transforms=stamped)
    answer = serialize_message(message) if in_bytes else message
    transforms = node.create_publisher(TFMessage, "/tf", 100)
    node.create_subscription(
        JointState,
        "joint_states",
        lambda _: transforms.publish(answer),
        qos_profile_sensor_data,
        raw=in_bytes,
    )
    rclpy.spin(node)


if __name__ == "__main__":
    _answer(int(sys.argv[1]), "--bytes" in sys.argv)
