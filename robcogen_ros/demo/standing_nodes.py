"""A robot on legs as ROS 2 nodes: the same motion through their topics, in simulated time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from geometry_msgs.msg import Twist, Vector3, WrenchStamped
from nav_msgs.msg import Odometry
from trajectory_msgs.msg import MultiDOFJointTrajectory

from robcogen_ros.control.blend import blend
from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.leg_sensors import BIASES
from robcogen_ros.demo.processes import FOLLOWS, LEADS, Nodes
from robcogen_ros.demo.standing_report import base_told
from robcogen_ros.demo.station import ROBOT, Station, stamp
from robcogen_ros.demo.stepping import Steps
from robcogen_ros.demo.trunk_motion import PUSH_TIME, Trunk, TrunkMotion, fallen
from robcogen_ros.ros.trunk_reference import reference_message

RATE = 500.0
"""Most joint states a second that nodes in Python are given [Hz]."""
HANDOVER = 0.5
"""Time without references after which velocities are followed [s]."""
SPOT, RECOVERY, AHEAD, REST = 1.5, 2.5, 4.0, 1.5
"""Times that it steps on the spot, so after the push, goes ahead, and stands at last [s]."""
LEAD = 2.0
"""Time that it takes to where the motion begins [s]."""
CONTROLLER = "whole_body_controller"


@dataclass(frozen=True, slots=True)
class Heard:
    """Messages on the topics while the robot moved.

    Attributes:
        time: Of each state of the base, since the start of the motion [s].
        position: Of the trunk (k, 3) [m].
        error: Wanted minus actual position (k, 3) [m].
        speed: Simulated time by time.
        answered: Share of the states that efforts came for.
        controller: Numbers that the controller has counted.
        robot: Numbers that the simulated robot has counted.
        way: How far it went ahead [m]; None if it does not step.
    """

    time: Array
    position: Array
    error: Array
    speed: float
    answered: float
    controller: Mapping[str, float] = field(default_factory=dict)
    robot: Mapping[str, float] = field(default_factory=dict)
    way: float | None = None


def nodes_of(
    source: Mapping[str, Any],
    rate: float,
    friction: float,
    gait: str,
    sensors: Mapping[str, Any] | None,
) -> dict[str, dict[str, Any]]:
    """The nodes and their parameters, by which simulated time waits for the controller.

    Args:
        source: Parameters by which nodes find the robot and its feet.
        rate: States a simulated second [Hz]; of more than `RATE` they have this.
        friction: That the controller reckons with.
        gait: By which the robot follows velocities on cmd_vel.
        sensors: Of the simulated robot, by which the controller estimates the base; None for the
            exact state of it.
    """
    follows = {**source, **FOLLOWS}
    estimates = {} if sensors is None else {"base_state": "estimator", **BIASES}
    return {
        ROBOT: {
            **source,
            **LEADS,
            "rate": min(rate, RATE),
            "floating_base": True,
            **(sensors or {}),
        },
        "transform_publisher": {k: v for k, v in follows.items() if k != "contacts"},
        CONTROLLER: {**follows, "gait": gait, "friction": friction, **estimates},
    }


def through_nodes(
    robot: Any,
    nodes: Mapping[str, Mapping[str, Any]],
    motion: TrunkMotion,
    out: Path,
    friction: float,
    steps: Steps | None,
) -> Heard:
    """Lets nodes do a motion, and step after it: on the spot, where it is pushed again, and ahead.

    Args:
        robot: The robot.
        nodes: Parameters of the nodes.
        motion: The motion.
        out: Directory of their logs.
        friction: Of the ground.
        steps: What the robot does that steps; None if it does not.

    Raises:
        RobcogenError: If a node ends, or does not answer.
    """
    more: dict[str, dict[str, Any]] = {
        ROBOT: {
            "initial_positions": motion.start.tolist(),
            "plane_friction": friction,
            "wrench_timeout": PUSH_TIME,
        },
        CONTROLLER: {
            "reference_timeout": HANDOVER,
            "posture": motion.standing.tolist(),
        },
    }
    with Nodes(out) as running:
        for name, parameters in nodes.items():
            running.start(name, {**parameters, **more.get(name, {})})
        with Station(CONTROLLER, (Odometry, "odom"), running.check) as station:
            return _Legs(station, robot).run(motion, steps)


class _Legs:
    """Sends references and hears where the robot is."""

    def __init__(self, station: Station, robot: Any) -> None:
        self._station, node = station, station.node
        self._base, self._mass = robot.link_names[0], robot.total_mass()
        self._references = node.create_publisher(
            MultiDOFJointTrajectory, f"{CONTROLLER}/reference", 1
        )
        self._pushes = node.create_publisher(WrenchStamped, f"{ROBOT}/wrench", 1)
        self._velocities = node.create_publisher(Twist, "cmd_vel", 1)
        station.ready(self._references)

    def run(self, motion: TrunkMotion, steps: Steps | None) -> Heard:
        """Lets the nodes do the motion and the steps."""
        station = self._station
        self._lead(motion.at(0.0).position)
        began, wall = station.now, time.monotonic()
        station.forget()

        def move(now: float) -> None:
            self._references.publish(reference_message({self._base: motion.at(now).motion}))

        self._during(motion.duration, move, motion.push_begin, motion.push)
        heard = self._heard(motion, began, motion.duration / (time.monotonic() - wall))
        if steps is not None:
            push = motion.push * min(1.0, steps.pushed / motion.push_speed(self._mass))
            heard = replace(heard, way=self._step(steps.speed, push))
        numbers = station.numbers(CONTROLLER), station.numbers(ROBOT)
        return replace(heard, controller=numbers[0], robot=numbers[1])

    def _lead(self, goal: Array) -> None:
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

        self._during(LEAD, move, np.inf, np.zeros(3))

    def _during(self, duration: float, do: Callable[[float], None], at: float, push: Array) -> None:
        """Calls `do` over and over; once, at some time, the robot is pushed."""
        began, pushed = self._station.now, False

        def go_on(now: float) -> None:
            nonlocal pushed
            do(now - began)
            if not pushed and now - began >= at:
                pushed = True
                self._push(push)

        self._station.until(began + duration, go_on)

    def _step(self, speed: float, push: Array) -> float:
        """Returns the way that the robot goes ahead [m], after a push on the spot."""

        def step(now: float) -> None:
            message = Twist()
            message.linear.x = speed if now > SPOT + RECOVERY else 0.0
            self._velocities.publish(message)

        self._during(SPOT + RECOVERY, step, SPOT, push)
        begin = self._place[0]
        self._during(AHEAD, lambda now: step(now + SPOT + RECOVERY), np.inf, push)
        self._during(REST, lambda now: None, np.inf, push)
        return float(self._place[0] - begin)

    @property
    def _place(self) -> Array:
        """The trunk's place (3,) [m]."""
        position = self._station.states.newest.pose.pose.position
        return np.array([position.x, position.y, position.z])

    def _push(self, force: Array) -> None:
        message = WrenchStamped()
        message.header.frame_id = self._base
        message.wrench.force = Vector3(**dict(zip("xyz", force.tolist(), strict=True)))
        self._pushes.publish(message)

    def _heard(self, motion: TrunkMotion, begin: float, speed: float) -> Heard:
        told = {stamp(m) - begin: m.pose.pose.position for m in self._station.states.all()}
        position = np.array([[p.x, p.y, p.z] for p in told.values()])
        wanted = np.array([motion.at(time).position for time in told])
        commands = self._station.commands.columns()["stamp"]
        return Heard(
            time=np.array(list(told)),
            position=position,
            error=wanted - position,
            speed=speed,
            answered=min(1.0, len(commands) / len(told)),
        )


def told(heard: Heard, motion: TrunkMotion, rate: float, estimates: bool) -> str:
    """Returns the nodes' motion as text.

    Args:
        heard: What was heard of them.
        motion: The motion.
        rate: States a simulated second [Hz].
        estimates: Whether the controller estimated the base.
    """
    before = heard.time <= motion.push_begin
    after = heard.time > motion.push_begin + PUSH_TIME
    rms = 1e3 * float(np.sqrt(np.mean(np.sum(heard.error[before] ** 2, axis=1))))
    worst = 1e3 * float(np.linalg.norm(heard.error[after], axis=1).max(initial=0.0))
    fell = heard.robot.get("stopped", 0.0) > 0 or fallen(heard.error, motion.height)
    spent = 1e3 * heard.controller.get("mean_duration", float("nan"))
    rows = [
        ("stands to the end", "no" if fell else "yes"),
        ("states answered by efforts", f"{heard.answered:.1%}"),
        ("error of the trunk until the push, rms [mm]", f"{rms:.2f}"),
        ("largest error after the push [mm]", f"{worst:.1f}"),
    ]
    if heard.way is not None:
        rows.append((f"went ahead in {AHEAD:g} s, after a push [m]", f"{heard.way:.2f}"))
    rows += [
        ("in real time: simulated by passed time", f"{heard.speed:.2f}"),
        ("in real time: the controller, mean [ms]", f"{spent:.2f}"),
    ]
    head = f"The same as ROS 2 nodes, {rate:g} states a simulated second{base_told(estimates)}"
    return "\n".join((head, *(f"  {name:<44}{value:>24}" for name, value in rows)))
