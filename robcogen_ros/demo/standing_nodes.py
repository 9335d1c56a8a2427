"""A robot on legs as ROS 2 nodes: the same motion through their topics."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import rclpy
from geometry_msgs.msg import Vector3, WrenchStamped
from rclpy.serialization import deserialize_message
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import MultiDOFJointTrajectory

from robcogen_ros.control.dynamics import Array
from robcogen_ros.demo.processes import NAMESPACE, Nodes
from robcogen_ros.demo.station import Record
from robcogen_ros.demo.trunk_motion import PUSH_TIME, TrunkMotion
from robcogen_ros.errors import RobcogenError
from robcogen_ros.ros.statistics_message import LATCHED, named
from robcogen_ros.ros.trunk_reference import reference_message

RATE = 500.0
"""Joint states a second [Hz]."""
REFERENCES = 0.01
"""Time between references [s]."""
PATIENCE = 120.0
"""How long nodes may take to start [s]."""
CONTROLLER, ROBOT = "whole_body_controller", "simulated_robot"


@dataclass(frozen=True, slots=True)
class Heard:
    """What came over the topics while the robot moved.

    Attributes:
        time: Of each state of the base, since the start of the motion [s].
        position: Of the trunk (k, 3) [m].
        error: Wanted minus actual position (k, 3) [m].
        states_rate: States of the base a second.
        commands_rate: Efforts a second.
        controller: Numbers that the controller has counted.
        robot: Numbers that the simulated robot has counted.
    """

    time: Array
    position: Array
    error: Array
    states_rate: float
    commands_rate: float
    controller: Mapping[str, float]
    robot: Mapping[str, float]


def through_nodes(
    robot: Any,
    source: Mapping[str, Any],
    motion: TrunkMotion,
    out: Path,
    friction: tuple[float, float],
) -> Heard:
    """Has nodes do a motion.

    Args:
        robot: The robot.
        source: Parameters by which nodes find it.
        motion: The motion.
        out: Directory of their logs.
        friction: Of the ground, and the one that the controller reckons with.

    Raises:
        RobcogenError: If a node ends, or does not answer.
    """
    rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
    try:
        with Nodes(out) as nodes:
            start = {"initial_positions": motion.start.tolist(), "rate": RATE}
            world = {"floating_base": True, "plane_friction": friction[0], "wrench_timeout": 0.1}
            nodes.start(ROBOT, {**source, **start, **world, "command_timeout": 1.0})
            file = {name: value for name, value in source.items() if name != "contacts"}
            nodes.start("transform_publisher", {**file, "publish_frequency": 50.0})
            patience = {"state_timeout": 1.0, "base_state_timeout": 1.0}
            nodes.start(CONTROLLER, {**source, **patience, "friction": friction[1]})
            return _Station(robot).run(motion, nodes.check)
    finally:
        rclpy.try_shutdown()


class _Station:
    """Sends references and hears where the robot is."""

    def __init__(self, robot: Any) -> None:
        from nav_msgs.msg import Odometry

        self._base, self._odometry = robot.link_names[0], Odometry
        self._node = node = rclpy.create_node("demo", namespace=NAMESPACE)
        self._executor = rclpy.executors.SingleThreadedExecutor()
        self._executor.add_node(node)
        self._recorder = rclpy.create_node("demo_recorder", namespace=NAMESPACE)
        self._states = Record(self._recorder, Odometry, "odom")
        self._commands = Record(self._recorder, JointState, "joint_commands")
        self._numbers: dict[str, dict[str, float]] = {CONTROLLER: {}, ROBOT: {}}
        for name in self._numbers:
            node.create_subscription(
                Float64MultiArray, f"{name}/statistics", self._keeper(name), LATCHED
            )
        self._references = node.create_publisher(
            MultiDOFJointTrajectory, f"{CONTROLLER}/reference", 1
        )
        self._pushes = node.create_publisher(WrenchStamped, f"{ROBOT}/wrench", 1)

    def _keeper(self, name: str) -> Callable[[Any], None]:
        def keep(message: Any) -> None:
            self._numbers[name] = named(message)

        return keep

    def _take(self) -> None:
        self._executor.spin_once(timeout_sec=0.0)
        for record in (self._states, self._commands):
            record.take()

    def run(self, motion: TrunkMotion, check: Callable[[], None]) -> Heard:
        """Waits for the nodes, and has the motion done."""
        end = time.monotonic() + PATIENCE
        while len(self._commands.messages) < 20 or not self._references.get_subscription_count():
            check()
            self._take()
            if time.monotonic() > end:
                raise RobcogenError("no efforts came from the whole-body controller")
            time.sleep(0.05)
        for record in (self._states, self._commands):
            record.messages.clear()
        began, stamp, pushed = time.monotonic(), time.time(), False
        while (now := time.monotonic() - began) < motion.duration:
            self._references.publish(reference_message({self._base: motion.at(now).motion}))
            if not pushed and motion.pushed(now):
                pushed = True
                self._push(motion.push)
            self._take()
            time.sleep(REFERENCES)
        check()
        return self._heard(motion, stamp)

    def _push(self, force: Array) -> None:
        message = WrenchStamped()
        message.header.frame_id = self._base
        message.wrench.force = Vector3(**dict(zip("xyz", force.tolist(), strict=True)))
        self._pushes.publish(message)

    def _heard(self, motion: TrunkMotion, begin: float) -> Heard:
        messages = [deserialize_message(raw, self._odometry) for _, raw in self._states.messages]
        times = np.array([m.header.stamp.sec + 1e-9 * m.header.stamp.nanosec for m in messages])
        places = [m.pose.pose.position for m in messages]
        position = np.array([[p.x, p.y, p.z] for p in places])
        wanted = np.array([motion.at(float(t)).position for t in times - begin])
        return Heard(
            times - begin,
            position,
            wanted - position,
            len(messages) / motion.duration,
            len(self._commands.messages) / motion.duration,
            self._numbers[CONTROLLER],
            self._numbers[ROBOT],
        )


def told(heard: Heard, motion: TrunkMotion) -> str:
    """What the nodes did, as text."""
    before = heard.time <= motion.push_begin
    after = heard.time > motion.push_begin + PUSH_TIME
    rms = 1e3 * float(np.sqrt(np.mean(np.sum(heard.error[before] ** 2, axis=1))))
    worst = 1e3 * float(np.linalg.norm(heard.error[after], axis=1).max(initial=0.0))
    fell = heard.robot.get("stopped", 0.0) > 0
    spent = 1e3 * heard.controller.get("mean_duration", float("nan"))
    rows = (
        ("stands to the end", "no" if fell else "yes"),
        (
            "states of the base, efforts a second",
            f"{heard.states_rate:.0f}, {heard.commands_rate:.0f}",
        ),
        ("cycles missed by the simulated robot", f"{heard.robot.get('missed', 0.0):.0f}"),
        ("error of the trunk until the push, rms [mm]", f"{rms:.2f}"),
        ("largest error after the push [mm]", f"{worst:.1f}"),
        ("in the controller, mean [ms]", f"{spent:.2f}"),
    )
    head = f"The same as ROS 2 nodes at {RATE:g} Hz"
    return "\n".join((head, *(f"  {name:<44}{value:>24}" for name, value in rows)))
