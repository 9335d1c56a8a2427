"""The demo's own ROS node: it sends motions and records what comes back."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import rclpy
from builtin_interfaces.msg import Duration
from rcl_interfaces.srv import SetParameters
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from rclpy.signals import SignalHandlerOptions
from rclpy.time import Time
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from tf2_msgs.msg import TFMessage
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from robcogen_ros.control.dynamics import Array
from robcogen_ros.demo.motion import Motion
from robcogen_ros.demo.processes import NAMESPACE
from robcogen_ros.demo.recording import Recording
from robcogen_ros.errors import RobcogenError
from robcogen_ros.ros.running import executor
from robcogen_ros.ros.statistics_message import LATCHED, named

CONTROLLER = "inverse_dynamics_controller"
DEEP = QoSProfile(depth=2000, reliability=ReliabilityPolicy.BEST_EFFORT)
LOOK = 0.02
"""How often what came is fetched [s]."""
ATTEMPTS = 5
"""Calls of a service until one is answered; the first may come before both know each other."""
STATISTICS = ("simulated_robot", CONTROLLER)


class Record:
    """What came on a topic. It is fetched many messages at a time, for others need the processor.

    Attributes:
        messages: When each was received [s], and its bytes.
    """

    def __init__(self, node: Any, kind: Any, topic: str) -> None:
        self.messages: list[tuple[float, bytes]] = []
        self._kind = kind
        self._topic = node.create_subscription(kind, topic, lambda message: None, DEEP, raw=True)

    def take(self) -> None:
        """Fetches what has come."""
        while (taken := self._topic.handle.take_message(self._kind, True)) is not None:
            message, told = taken
            self.messages.append((told["received_timestamp"] * 1e-9, message))

    def columns(self, *fields: str) -> dict[str, Array]:
        """When each message of a joint state came, its stamp [s], and rows of its values."""
        messages = [deserialize_message(raw, self._kind) for _, raw in self.messages]
        stamps = [m.header.stamp.sec + m.header.stamp.nanosec * 1e-9 for m in messages]
        rows = {f: np.array([getattr(m, f) for m in messages], dtype=float) for f in fields}
        arrivals = np.array([time for time, _ in self.messages])
        return {"arrival": arrivals, "stamp": np.array(stamps), **rows}


class Station:
    """Sends motions to the controller and records joint states and commands."""

    def __init__(self, joint_names: Sequence[str]) -> None:
        rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
        self._names = list(joint_names)
        self._node = rclpy.create_node("demo", namespace=NAMESPACE)
        self._executor = executor()
        self._executor.add_node(self._node)
        self._statistics: dict[str, dict[str, float]] = {name: {} for name in STATISTICS}
        self._recorder = rclpy.create_node("demo_recorder", namespace=NAMESPACE)
        self._states = Record(self._recorder, JointState, "joint_states")
        self._commands = Record(self._recorder, JointState, "joint_commands")
        self._transforms = Record(self._recorder, TFMessage, "/tf")
        self._records = (self._states, self._commands, self._transforms)
        for name in STATISTICS:
            self._node.create_subscription(
                Float64MultiArray, f"{name}/statistics", self._keeper(name), LATCHED
            )
        reference = f"{CONTROLLER}/reference"
        self._reference = self._node.create_publisher(JointTrajectory, reference, 1)
        self._parameters = self._node.create_client(SetParameters, f"{CONTROLLER}/set_parameters")

    def close(self) -> None:
        """Leaves ROS."""
        self._node.destroy_node()
        self._recorder.destroy_node()
        rclpy.try_shutdown()

    def wait(self, done: Callable[[], bool], patience: float, check: Callable[[], None]) -> bool:
        """Answers callbacks until something is so; whether it came to be."""
        end, next_check = time.monotonic() + patience, 0.0
        while not done():
            now = time.monotonic()
            if now > end:
                return False
            if now > next_check:
                check()
                next_check = now + 0.2
            self._executor.spin_once(timeout_sec=LOOK)
            for record in self._records:
                record.take()
        return True

    def ready(self, check: Callable[[], None], patience: float) -> None:
        """Waits until the robot moves under control.

        Raises:
            RobcogenError: If that does not come to be.
        """
        enough = 20
        if not self.wait(lambda: len(self._states.messages) > enough, patience, check):
            raise RobcogenError("no joint states came from the simulated robot")
        if not self.wait(lambda: len(self._commands.messages) > enough, patience, check):
            raise RobcogenError("no efforts came from the controller")
        linked = self._reference.get_subscription_count
        if not self.wait(lambda: linked() > 0, patience, check):
            raise RobcogenError("the controller does not listen to references")

    def run(
        self, motion: Motion, check: Callable[[], None], progress: Callable[[float], None]
    ) -> Recording:
        """Has a motion done and records it."""
        lead, tail = 0.6, 0.4
        start = self._node.get_clock().now().nanoseconds + int(lead * 1e9)
        self._reference.publish(self._message(motion, start))
        duration = float(motion.times[-1])
        before = self._snapshot()
        for record in self._records:
            record.messages.clear()
        begin = time.monotonic() + lead

        def over() -> bool:
            progress(min(max(time.monotonic() - begin, 0.0), duration))
            return time.monotonic() > begin + duration + tail

        self.wait(over, lead + duration + tail + 1.0, check)
        after = self._snapshot()
        return Recording(
            start=start * 1e-9,
            duration=duration,
            states=self._states.columns("position", "effort"),
            commands=self._commands.columns("effort"),
            transforms=len(self._transforms.messages),
            robot={k: v - before[0].get(k, 0.0) for k, v in after[0].items()},
            controller=after[1],
        )

    def set_parameter(self, name: str, value: Any, check: Callable[[], None]) -> None:
        """Changes a parameter of the controller.

        Raises:
            RobcogenError: If the controller does not agree.
        """
        message = Parameter(name, value=value).to_parameter_msg()
        self.wait(self._parameters.service_is_ready, 10.0, check)
        why = "no answer came"
        for _ in range(ATTEMPTS):
            future = self._parameters.call_async(SetParameters.Request(parameters=[message]))
            if self.wait(future.done, 2.0, check):
                result = future.result().results[0]
                if result.successful:
                    return
                why = result.reason
        raise RobcogenError(f"the controller did not take over parameter {name}: {why}")

    def _keeper(self, name: str) -> Callable[[Any], None]:
        def keep(message: Any) -> None:
            self._statistics[name] = named(message)

        return keep

    def _snapshot(self) -> tuple[Mapping[str, float], Mapping[str, float]]:
        return self._statistics[STATISTICS[0]], self._statistics[STATISTICS[1]]

    def _message(self, motion: Motion, start: int) -> Any:
        rows = (motion.positions, motion.velocities, motion.accelerations)
        points = []
        for t, q, qd, qdd in zip(motion.times, *(row.tolist() for row in rows), strict=True):
            seconds, rest = divmod(round(t * 1e9), 1_000_000_000)
            passed = Duration(sec=seconds, nanosec=rest)
            points.append(
                JointTrajectoryPoint(
                    positions=q, velocities=qd, accelerations=qdd, time_from_start=passed
                )
            )
        message = JointTrajectory(joint_names=self._names, points=points)
        message.header.stamp = Time(nanoseconds=start).to_msg()
        return message
