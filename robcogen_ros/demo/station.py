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
ATTEMPTS = 5
"""Calls of a service until one is answered; the first may come before both know each other."""
STATISTICS = ("simulated_robot", CONTROLLER)


class Station:
    """Sends motions to the controller and records joint states and commands."""

    def __init__(self, joint_names: Sequence[str]) -> None:
        rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
        self._names = list(joint_names)
        self._node = rclpy.create_node("demo", namespace=NAMESPACE)
        self._executor = executor()
        self._executor.add_node(self._node)
        self._statistics: dict[str, dict[str, float]] = {name: {} for name in STATISTICS}
        self._states: list[tuple[float, bytes]] = []
        self._commands: list[tuple[float, bytes]] = []
        self._transforms: list[tuple[float, bytes]] = []
        self._record(JointState, "joint_states", self._states)
        self._record(JointState, "joint_commands", self._commands)
        self._record(TFMessage, "/tf", self._transforms)
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
            self._executor.spin_once(timeout_sec=0.05)
        return True

    def ready(self, check: Callable[[], None], patience: float) -> None:
        """Waits until the robot moves under control.

        Raises:
            RobcogenError: If that does not come to be.
        """
        enough = 20
        if not self.wait(lambda: len(self._states) > enough, patience, check):
            raise RobcogenError("no joint states came from the simulated robot")
        if not self.wait(lambda: len(self._commands) > enough, patience, check):
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
        for record in (self._states, self._commands, self._transforms):
            record.clear()
        begin = time.monotonic() + lead

        def over() -> bool:
            progress(min(max(time.monotonic() - begin, 0.0), duration))
            return time.monotonic() > begin + duration + tail

        self.wait(over, lead + duration + tail + 1.0, check)
        after = self._snapshot()
        return Recording(
            start=start * 1e-9,
            duration=duration,
            states=self._read(self._states, ("position", "effort")),
            commands=self._read(self._commands, ("effort",)),
            transforms=len(self._transforms),
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
        for _ in range(ATTEMPTS):
            future = self._parameters.call_async(SetParameters.Request(parameters=[message]))
            if self.wait(future.done, 2.0, check) and future.result().results[0].successful:
                return
        raise RobcogenError(f"the controller did not take over parameter {name}")

    def _record(self, kind: Any, topic: str, record: list[tuple[float, bytes]]) -> None:
        def keep(message: bytes) -> None:
            record.append((time.monotonic(), message))

        self._node.create_subscription(kind, topic, keep, DEEP, raw=True)

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

    def _read(
        self, record: Sequence[tuple[float, bytes]], fields: Sequence[str]
    ) -> dict[str, Array]:
        """Columns of a record: when it came, its stamp, and rows of values."""
        messages = [deserialize_message(raw, JointState) for _, raw in record]
        stamps = [m.header.stamp.sec + m.header.stamp.nanosec * 1e-9 for m in messages]
        rows = {f: np.array([getattr(m, f) for m in messages], dtype=float) for f in fields}
        return {"arrival": np.array([t for t, _ in record]), "stamp": np.array(stamps), **rows}
