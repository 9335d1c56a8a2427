"""An arm as ROS 2 nodes: a motion with feed-forward and the same without, in simulated time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from builtin_interfaces.msg import Duration
from rcl_interfaces.srv import SetParameters
from rclpy.parameter import Parameter
from rclpy.time import Time
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from robcogen_ros.demo.motion import RestToRestMotion
from robcogen_ros.demo.processes import FOLLOWS, LEADS, Nodes
from robcogen_ros.demo.recording import Recording
from robcogen_ros.demo.station import ROBOT, Station
from robcogen_ros.errors import RobcogenError

CONTROLLER = "inverse_dynamics_controller"
GAINS = {"kp": 400.0, "kd": 40.0}
LEAD, TAIL = 1.0, 0.4
"""Time before a motion and after it [s]."""
ATTEMPTS = 5
"""Calls of a service until one is answered; the first may come before both know each other."""


def nodes_of(source: Mapping[str, Any], rate: float) -> dict[str, dict[str, Any]]:
    """The nodes and their parameters, by which simulated time waits for the controller.

    Args:
        source: Parameters by which nodes find the robot.
        rate: Joint states a simulated second [Hz].
    """
    follows = {**source, **FOLLOWS}
    return {
        ROBOT: {**source, **LEADS, "rate": rate},
        "transform_publisher": follows,
        CONTROLLER: {**follows, **GAINS, "autostart": True},
    }


def through_nodes(
    robot: Any,
    nodes: Mapping[str, Mapping[str, Any]],
    motion: RestToRestMotion,
    out: Path,
    progress: Callable[[bool, float], None],
) -> tuple[Recording, Recording]:
    """Lets nodes do a motion with feed-forward, and then without.

    Args:
        robot: The robot.
        nodes: Parameters of the nodes.
        motion: The motion.
        out: Directory of their logs.
        progress: Told whether it moves with feed-forward, and the time of the motion [s].

    Raises:
        RobcogenError: If a node ends, or does not answer.
    """
    start = {ROBOT: {"initial_positions": motion.positions[0].tolist()}}
    with Nodes(out) as running:
        for name, parameters in nodes.items():
            running.start(name, {**parameters, **start.get(name, {})})
        with Station(CONTROLLER, (JointState, "joint_states"), running.check) as station:
            arm = _Arm(station, list(robot.joint_names))
            first, second = (arm.run(motion, kind, progress) for kind in (True, False))
            return first, second


class _Arm:
    """Sends motions to the controller and records joint states and commands."""

    def __init__(self, station: Station, names: list[str]) -> None:
        self._station, self._names, node = station, names, station.node
        self._reference = node.create_publisher(JointTrajectory, f"{CONTROLLER}/reference", 1)
        self._parameters = node.create_client(SetParameters, f"{CONTROLLER}/set_parameters")
        station.ready(self._reference)

    def run(
        self, motion: RestToRestMotion, feed_forward: bool, progress: Callable[[bool, float], None]
    ) -> Recording:
        """Lets the controller do a motion and records it."""
        self._set("feed_forward", feed_forward)
        station, duration = self._station, float(motion.times[-1])
        start = station.now + LEAD
        self._reference.publish(self._message(motion, start))
        station.forget()
        station.until(
            start + duration + TAIL,
            lambda now: progress(feed_forward, min(max(now - start, 0.0), duration)),
        )
        progress(feed_forward, duration)
        return Recording(
            start=start,
            duration=duration,
            states=station.states.columns("position", "effort"),
            commands=station.commands.columns("effort"),
            controller=station.numbers(CONTROLLER),
        )

    def _set(self, name: str, value: Any) -> None:
        message, wait = Parameter(name, value=value).to_parameter_msg(), self._station.wait
        wait(self._parameters.service_is_ready, 10.0)
        why = "no answer came"
        for _ in range(ATTEMPTS):
            future = self._parameters.call_async(SetParameters.Request(parameters=[message]))
            if wait(future.done, 2.0):
                result = future.result().results[0]
                if result.successful:
                    return
                why = result.reason
        raise RobcogenError(f"the controller did not take over parameter {name}: {why}")

    def _message(self, motion: RestToRestMotion, start: float) -> Any:
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
        message.header.stamp = Time(nanoseconds=round(start * 1e9)).to_msg()
        return message
