"""The demo's own ROS node: it hears what nodes tell, and waits for them in simulated time.

The simulated robot waits for the efforts that answer its states, so a machine that is too slow for
it in real time shows the same motion.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

import numpy as np
import rclpy
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

from robcogen_ros.control.dynamics import Array
from robcogen_ros.demo.processes import NAMESPACE
from robcogen_ros.errors import RobcogenError
from robcogen_ros.ros.messages.statistics import LATCHED, numbers_by_name
from robcogen_ros.ros.running import executor

ROBOT = "simulated_robot"
DEEP = QoSProfile(depth=2000, reliability=ReliabilityPolicy.BEST_EFFORT)
LOOK = 0.01
"""Interval at which messages are fetched [s]."""
PATIENCE = 300.0
"""Time that nodes may take to start, and time may stand still [s]."""
ENOUGH = 20
"""Messages from which on a node is seen to run."""


class Record:
    """Messages of a topic. They are fetched many at a time, for others need the processor.

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

    @property
    def newest(self) -> Any:
        """The last message."""
        return deserialize_message(self.messages[-1][1], self._kind)

    def all(self) -> list[Any]:
        """All messages."""
        return [deserialize_message(raw, self._kind) for _, raw in self.messages]

    def columns(self, *fields: str) -> dict[str, Array]:
        """Returns arrival and stamp of each joint state [s], and rows of its values."""
        told: dict[float, tuple[float, Any]] = {}
        for message, (arrival, _) in zip(self.all(), self.messages, strict=True):
            told.setdefault(stamp(message), (arrival, message))
        arrivals = np.array([time for time, _ in told.values()])
        rows = {f: np.array([getattr(m, f) for _, m in told.values()], dtype=float) for f in fields}
        return {"arrival": arrivals, "stamp": np.array(list(told)), **rows}


class Station:
    """A node that hears a robot and its controller.

    Attributes:
        node: The ROS node, for what is to be sent.
        states: What tells where the robot is.
        commands: The efforts of the controller.
    """

    def __init__(self, controller: str, states: tuple[Any, str], check: Callable[[], None]) -> None:
        """Opens topics.

        Args:
            controller: Name of the controller's node.
            states: Kind and topic of the messages that tell where the robot is.
            check: Looks whether all nodes still run.
        """
        rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
        self.node = rclpy.create_node("demo", namespace=NAMESPACE)
        self._executor = executor()
        self._executor.add_node(self.node)
        self._recorder = rclpy.create_node("demo_recorder", namespace=NAMESPACE)
        self.states = Record(self._recorder, *states)
        self.commands = Record(self._recorder, JointState, "joint_commands")
        self._check = check
        self._numbers: dict[str, Mapping[str, float]] = {controller: {}, ROBOT: {}}
        for name in self._numbers:
            topic = f"{name}/statistics"
            self.node.create_subscription(Float64MultiArray, topic, self._keeper(name), LATCHED)

    def __enter__(self) -> Station:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.node.destroy_node()
        self._recorder.destroy_node()
        rclpy.try_shutdown()

    def numbers(self, name: str) -> Mapping[str, float]:
        """Returns the last counters of a node."""
        return self._numbers[name]

    @property
    def now(self) -> float:
        """Simulated time [s]."""
        return stamp(self.states.newest)

    def forget(self) -> None:
        """Keeps of what came only the last."""
        for record in (self.states, self.commands):
            del record.messages[:-1]

    def wait(self, done: Callable[[], bool], patience: float = PATIENCE) -> bool:
        """Hears what comes until something is so; whether it came to be."""
        end, next_check = time.monotonic() + patience, 0.0
        while not done():
            now = time.monotonic()
            if now > end:
                return False
            if now > next_check:
                self._check()
                next_check = now + 0.2
            self._executor.spin_once(timeout_sec=LOOK)
            for record in (self.states, self.commands):
                record.take()
        return True

    def ready(self, reference: Any) -> None:
        """Waits until the robot is under control.

        Args:
            reference: Publisher of what it is to do.

        Raises:
            RobcogenError: If that does not come to be.
        """
        waited = f"within {PATIENCE:g} s"
        if not self.wait(lambda: len(self.states.messages) > ENOUGH):
            raise RobcogenError(f"nothing came from the simulated robot {waited}")
        if not self.wait(lambda: len(self.commands.messages) > ENOUGH):
            raise RobcogenError(f"no efforts came from the controller {waited}")
        if not self.wait(lambda: bool(reference.get_subscription_count())):
            raise RobcogenError(f"the controller does not listen to references {waited}")

    def until(self, moment: float, meanwhile: Callable[[float], None]) -> None:
        """Waits for a simulated time, and does something meanwhile, over and over.

        Args:
            moment: The time [s].
            meanwhile: Called with the simulated time.

        Raises:
            RobcogenError: If time stands still.
        """
        while (now := self.now) < moment:
            meanwhile(now)
            if not self.wait(lambda: self.now > now):
                raise RobcogenError(f"simulated time has stood still for {PATIENCE:g} s")

    def _keeper(self, name: str) -> Callable[[Any], None]:
        def keep(message: Any) -> None:
            self._numbers[name] = numbers_by_name(message)

        return keep


def stamp(message: Any) -> float:
    """The stamp of a message [s]."""
    return float(message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec)
