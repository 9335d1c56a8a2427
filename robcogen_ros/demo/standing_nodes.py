"""A robot on legs as ROS 2 nodes: the same motion through their topics, in simulated time.

The robot waits for the efforts that answer its states, so that a machine which is too slow for it
in real time shows the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import rclpy
from geometry_msgs.msg import Twist, Vector3, WrenchStamped
from rclpy.serialization import deserialize_message
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import MultiDOFJointTrajectory

from robcogen_ros.control.blend import blend
from robcogen_ros.control.dynamics import Array
from robcogen_ros.demo.processes import NAMESPACE, Nodes
from robcogen_ros.demo.station import Record
from robcogen_ros.demo.stepping import Steps
from robcogen_ros.demo.trunk_motion import PUSH_TIME, Trunk, TrunkMotion, fallen
from robcogen_ros.errors import RobcogenError
from robcogen_ros.ros.statistics_message import LATCHED, named
from robcogen_ros.ros.trunk_reference import reference_message

RATE = 500.0
"""Joint states a second [Hz]."""
REFERENCES = 0.01
"""Time between references [s]."""
HANDOVER = 0.5
"""Time without references after which velocities are followed [s]."""
SPOT, RECOVERY, AHEAD, REST = 1.5, 2.5, 4.0, 1.5
"""How long it trots on the spot, so after the push, trots ahead, and stands at last [s]."""
LEAD = 2.0
"""How long it takes to where the motion begins [s]."""
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
        speed: Simulated time by time.
        answered: Share of the states of the joints that efforts came for.
        controller: Numbers that the controller has counted.
        robot: Numbers that the simulated robot has counted.
        way: How far it trotted ahead [m]; None if it does not step.
    """

    time: Array
    position: Array
    error: Array
    speed: float
    answered: float
    controller: Mapping[str, float]
    robot: Mapping[str, float]
    way: float | None


def through_nodes(
    robot: Any,
    source: Mapping[str, Any],
    motion: TrunkMotion,
    out: Path,
    friction: tuple[float, float],
    steps: Steps | None,
) -> Heard:
    """Has nodes do a motion, and trot after it: on the spot, where it is pushed again, and ahead.

    Args:
        robot: The robot.
        source: Parameters by which nodes find it.
        motion: The motion.
        out: Directory of their logs.
        friction: Of the ground, and the one that the controller reckons with.
        steps: What the robot does that trots; None if it does not.

    Raises:
        RobcogenError: If a node ends, or does not answer.
    """
    rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
    try:
        with Nodes(out) as nodes:
            start = {"initial_positions": motion.start.tolist(), "rate": RATE}
            start |= {"publish_clock": True, "lockstep": True}
            world = {"floating_base": True, "plane_friction": friction[0], "wrench_timeout": 0.1}
            nodes.start(ROBOT, {**source, **start, **world, "command_timeout": 1.0})
            file = {name: value for name, value in source.items() if name != "contacts"}
            file |= {"use_sim_time": True}
            nodes.start("transform_publisher", {**file, "publish_frequency": 50.0})
            patience = dict.fromkeys(("state_timeout", "base_state_timeout"), 1.0)
            patience |= {"reference_timeout": HANDOVER}
            gait = {"gait": "stand" if steps is None else "trot"}
            stands = {"standing_positions": motion.standing.tolist(), "friction": friction[1]}
            nodes.start(CONTROLLER, {**source, **file, **patience, **gait, **stands})
            return _Station(robot).run(motion, steps, nodes.check)
    finally:
        rclpy.try_shutdown()


class _Station:
    """Sends references and hears where the robot is."""

    def __init__(self, robot: Any) -> None:
        from nav_msgs.msg import Odometry

        self._base, self._odometry = robot.link_names[0], Odometry
        self._mass = robot.total_mass()
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
        self._velocities = node.create_publisher(Twist, "cmd_vel", 1)

    def _keeper(self, name: str) -> Callable[[Any], None]:
        def keep(message: Any) -> None:
            self._numbers[name] = named(message)

        return keep

    def _take(self) -> None:
        self._executor.spin_once(timeout_sec=0.0)
        for record in (self._states, self._commands):
            record.take()

    def run(self, motion: TrunkMotion, steps: Steps | None, check: Callable[[], None]) -> Heard:
        """Waits for the nodes, and has the motion and the steps done."""
        linked, end = self._references.get_subscription_count, time.monotonic() + PATIENCE
        while min(len(r.messages) for r in (self._states, self._commands)) < 20 or not linked():
            check()
            self._take()
            if time.monotonic() > end:
                if not self._states.messages:
                    raise RobcogenError("no poses of the trunk came from the simulated robot")
                raise RobcogenError("no efforts came from the whole-body controller")
            time.sleep(0.05)
        self._lead(motion.at(0.0).position, check)
        began, wall = self._now, time.monotonic()
        for record in (self._states, self._commands):
            del record.messages[:-1]

        def move(now: float) -> None:
            self._references.publish(reference_message({self._base: motion.at(now).motion}))

        self._during(motion.duration, move, motion.push_begin, motion.push, check)
        heard = self._heard(motion, began, motion.duration / (time.monotonic() - wall))
        if steps is not None:
            push = motion.push * min(1.0, steps.pushed / motion.push_speed(self._mass))
            heard = replace(heard, way=self._trot(steps.speed, push, check))
        return replace(heard, controller=self._numbers[CONTROLLER], robot=self._numbers[ROBOT])

    def _lead(self, goal: Array, check: Callable[[], None]) -> None:
        """Leads the trunk to where the motion begins, for the robot has stood up by itself."""
        begin = self._place

        def move(now: float) -> None:
            place, velocity, acceleration = blend(now, LEAD)[:, None] * (goal - begin)
            trunk = replace(
                Trunk.at_rest(begin + place),
                linear_velocity=velocity,
                linear_acceleration=acceleration,
            )
            self._references.publish(reference_message({self._base: trunk.motion}))

        self._during(LEAD, move, np.inf, np.zeros(3), check)

    @property
    def _newest(self) -> Any:
        return deserialize_message(self._states.messages[-1][1], self._odometry)

    @property
    def _now(self) -> float:
        """Simulated time [s]."""
        return _stamp(self._newest)

    def _during(
        self,
        duration: float,
        do: Callable[[float], None],
        at: float,
        push: Array,
        check: Callable[[], None],
    ) -> None:
        """Does something over and over; once, at some time, the robot is pushed."""
        began, now, pushed = self._now, 0.0, False
        while now < duration:
            do(now)
            if not pushed and now >= at:
                pushed = True
                self._push(push)
            time.sleep(REFERENCES)
            self._take()
            now = self._now - began
            check()

    def _trot(self, speed: float, push: Array, check: Callable[[], None]) -> float:
        """How far the robot trots ahead [m], after a push on the spot."""

        def trot(now: float) -> None:
            message = Twist()
            message.linear.x = speed if now > SPOT + RECOVERY else 0.0
            self._velocities.publish(message)

        self._during(SPOT + RECOVERY, trot, SPOT, push, check)
        begin = self._place[0]
        self._during(AHEAD, lambda now: trot(now + SPOT + RECOVERY), np.inf, push, check)
        self._during(REST, lambda now: None, np.inf, push, check)
        return float(self._place[0] - begin)

    @property
    def _place(self) -> Array:
        """Where the trunk is (3,) [m]."""
        position = self._newest.pose.pose.position
        return np.array([position.x, position.y, position.z])

    def _push(self, force: Array) -> None:
        message = WrenchStamped()
        message.header.frame_id = self._base
        message.wrench.force = Vector3(**dict(zip("xyz", force.tolist(), strict=True)))
        self._pushes.publish(message)

    def _heard(self, motion: TrunkMotion, begin: float, speed: float) -> Heard:
        messages = [deserialize_message(raw, self._odometry) for _, raw in self._states.messages]
        times = np.array([_stamp(m) for m in messages])
        places = [m.pose.pose.position for m in messages]
        position = np.array([[p.x, p.y, p.z] for p in places])
        wanted = np.array([motion.at(float(t)).position for t in times - begin])
        return Heard(
            times - begin,
            position,
            wanted - position,
            speed,
            min(1.0, len(self._commands.messages) / len(messages)),
            self._numbers[CONTROLLER],
            self._numbers[ROBOT],
            None,
        )


def _stamp(message: Any) -> float:
    return float(message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec)


def told(heard: Heard, motion: TrunkMotion) -> str:
    """What the nodes did, as text."""
    before = heard.time <= motion.push_begin
    after = heard.time > motion.push_begin + PUSH_TIME
    rms = 1e3 * float(np.sqrt(np.mean(np.sum(heard.error[before] ** 2, axis=1))))
    worst = 1e3 * float(np.linalg.norm(heard.error[after], axis=1).max(initial=0.0))
    fell = heard.robot.get("stopped", 0.0) > 0 or fallen(heard.error, motion.height)
    spent = 1e3 * heard.controller.get("mean_duration", float("nan"))
    trotted = (
        []
        if heard.way is None
        else [(f"trotted ahead in {AHEAD:g} s, after a push [m]", f"{heard.way:.2f}")]
    )
    rows = (
        ("stands to the end", "no" if fell else "yes"),
        ("simulated time by time", f"{heard.speed:.2f}"),
        ("states answered by efforts", f"{heard.answered:.1%}"),
        ("error of the trunk until the push, rms [mm]", f"{rms:.2f}"),
        ("largest error after the push [mm]", f"{worst:.1f}"),
        *trotted,
        ("in the controller, mean [ms]", f"{spent:.2f}"),
    )
    head = f"The same as ROS 2 nodes, {RATE:g} states a simulated second"
    return "\n".join((head, *(f"  {name:<44}{value:>24}" for name, value in rows)))
