"""Node `whole_body_controller`: states and references of a robot on legs in, efforts out."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import rclpy
from geometry_msgs.msg import Twist, WrenchStamped
from rclpy.clock import Clock, ClockType
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Imu, JointState
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory, MultiDOFJointTrajectory

from robcogen_ros.control.balance import FALLEN, Balance
from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.reference import joint_bounds
from robcogen_ros.control.whole_body_settings import balance_of, settings
from robcogen_ros.errors import RobcogenError
from robcogen_ros.nodes import model_parameter
from robcogen_ros.nodes.ground_parameters import find_standing
from robcogen_ros.nodes.throttle import Throttle
from robcogen_ros.parameters.assignments import NO_ROBOT, NodeArguments
from robcogen_ros.ros.messages.base import odometry_of
from robcogen_ros.ros.messages.contact import topic, wrench_in
from robcogen_ros.ros.messages.imu import numbers
from robcogen_ros.ros.messages.joint_state_reader import JointStateReader
from robcogen_ros.ros.messages.joint_state_writer import JointStateWriter
from robcogen_ros.ros.messages.reference import MOST_POINTS, waypoints
from robcogen_ros.ros.messages.statistics import LATCHED, statistics
from robcogen_ros.ros.parameters import Parameters
from robcogen_ros.ros.running import LEAVING, Program, run, time_stamp
from robcogen_ros.ros.trunk_reference import reference_in

try:
    from nav_msgs.msg import Odometry
except ImportError:
    Odometry = None

LOOK = 0.02
"""Interval at which it is looked whether states still come [s]."""
REPORT = 0.2
"""Interval at which numbers are published [s]."""
TOLD = 100.0
"""Greatest rate at which an estimate of the base is published [Hz]."""
START = 2.0
"""Time that a robot may take to be known, before it is told why it is not [s]."""
THROTTLE = 2.0
"""Least time between equal warnings [s]."""


class WholeBodyController(Program):
    """Keeps a robot on its feet, from the first states on at the place where it finds it.

    Attributes:
        node: The ROS node.
    """

    def __init__(self, arguments: NodeArguments = NO_ROBOT, **options: Any) -> None:
        """Finds the robot, opens topics.

        Args:
            arguments: The robot that the command line names.
            options: More arguments of `rclpy.create_node`.

        Raises:
            RobcogenError: If a parameter is wrong, or the robot does not stand on feet.
        """
        if Odometry is None:
            raise RobcogenError("nav_msgs is not installed, which tells where the base is")
        self.node = rclpy.create_node("whole_body_controller", **options)
        self._log = self.node.get_logger()
        self._refusals = Throttle(THROTTLE)
        self._balance: Balance | None = None
        self._values = Parameters(self.node, "whole_body_node", self._change, arguments)
        model_parameter.tell_source(self._log, self._values.values)
        self._robot, self._footing = find_standing(self._values.values)
        model_parameter.tell(self._log, self._footing.warnings)
        self._log.info(self._footing.told)
        radius = max(self._footing.radii.values(), default=0.0)
        self._balance = balance_of(self._robot, self._footing.soles, radius, self._values.values)
        self._commands = self._refused = self._stopped = 0
        self._busy = self._worst = 0.0
        self._last_told, self._begun = -math.inf, time.monotonic()
        self._open()

    def _open(self) -> None:
        node = self.node
        assert self._balance is not None
        self._states = JointStateReader()
        self._message = JointStateWriter(list(self._balance.measured.joint_names))
        self._efforts = node.create_publisher(JointState, "joint_commands", 10)
        self._statistics = node.create_publisher(Float64MultiArray, "~/statistics", LATCHED)
        sensed = qos_profile_sensor_data
        self._estimates = self._values["base_state"] == "estimator"
        if self._estimates:
            node.create_subscription(Imu, "imu", self._on_imu, sensed)
            self._odometry = node.create_publisher(Odometry, "~/odom", 10)
        else:
            node.create_subscription(Odometry, "odom", self._on_base, sensed)
        node.create_subscription(JointState, "joint_states", self._on_state, sensed, raw=True)
        for i, contact in enumerate(self._robot.contact_records):
            name = topic(contact.frame_name)
            node.create_subscription(WrenchStamped, name, self._force_of(i), sensed)
            name = f"~/forces/{name.rpartition('/')[2]}"
            node.create_subscription(WrenchStamped, name, self._wanted_force_of(i), 10)
        node.create_subscription(MultiDOFJointTrajectory, "~/reference", self._on_reference, 10)
        node.create_subscription(JointTrajectory, "~/posture", self._on_posture, 10)
        node.create_subscription(Twist, "cmd_vel", self._on_velocity, 10)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        node.create_timer(LOOK, self._look, clock=steady)
        node.create_timer(REPORT, self._report, clock=steady)

    def _now(self) -> float:
        """Time for timeouts: steady, or that of a simulation."""
        clock = self.node.get_clock()
        if clock.ros_time_is_active:
            return float(clock.now().nanoseconds) * 1e-9
        return time.monotonic()

    def _age(self, stamp: Any) -> float:
        """Age of a stamp [s]; zero where there is none, or it is ahead of the clock."""
        measured = stamp.sec * 1_000_000_000 + stamp.nanosec
        age = 1e-9 * (self.node.get_clock().now().nanoseconds - measured)
        return max(age, 0.0) if measured else 0.0

    def _on_base(self, message: Any) -> None:
        base = self._robot.link_names[0]
        if message.child_frame_id != base:
            self._refused += 1
            self._log.error(
                f"odom ignored: expected child_frame_id '{base}', found '{message.child_frame_id}'",
                throttle_duration_sec=THROTTLE,
            )
            return
        age = self._age(message.header.stamp)
        if age > self._values["base_state_timeout"]:
            self._refused += 1
            self._log.error(
                f"odom ignored: its stamp is {age:.3g} s old, base_state_timeout is "
                f"{self._values['base_state_timeout']:g} s",
                throttle_duration_sec=THROTTLE,
            )
            return
        pose, twist = message.pose.pose, message.twist.twist
        p, r, w, v = pose.position, pose.orientation, twist.angular, twist.linear
        assert self._balance is not None
        self._balance.take_base(
            np.array([p.x, p.y, p.z]),
            np.array([r.x, r.y, r.z, r.w]),
            np.array([w.x, w.y, w.z, v.x, v.y, v.z]),
            self._now() - age,
        )

    def _on_imu(self, message: Any) -> None:
        assert self._balance is not None
        rate, acceleration = numbers(message)
        measured = self._now() - self._age(message.header.stamp)
        self._balance.take_imu(rate, acceleration, measured)

    def _force_of(self, contact: int) -> Callable[[Any], None]:
        def take(message: Any) -> None:
            force = message.wrench.force
            assert self._balance is not None
            self._balance.take_force(contact, np.array([force.x, force.y, force.z]))

        return take

    def _wanted_force_of(self, contact: int) -> Callable[[Any], None]:
        def take(message: Any) -> None:
            assert self._balance is not None
            try:
                wrench = wrench_in(message, self._robot.frame_names)
                self._balance.want_force(contact, wrench, self._now())
            except RobcogenError as error:
                self._refused += 1
                self._log.error(f"force ignored: {error}", throttle_duration_sec=THROTTLE)

        return take

    def _on_state(self, data: bytes) -> None:
        assert self._balance is not None
        begin, state = time.perf_counter(), self._states.read_whole(data)
        efforts = self._balance.take_joints(
            state.names, state.positions, state.velocities, self._now()
        )
        if efforts is not None:
            self._publish(efforts, state.time)
            self._tell_lost()
            if self._estimates:
                self._tell_estimate(state.time)
            spent = time.perf_counter() - begin
            self._commands += 1
            self._busy, self._worst = self._busy + spent, max(self._worst, spent)

    def _on_reference(self, message: Any) -> None:
        robot = self._robot
        assert self._balance is not None
        try:
            base, feet = robot.link_names[0], robot.contact_records
            reference = reference_in(message, base, feet, self._now())
        except RobcogenError as error:
            self._refused += 1
            told = f"reference ignored: {error}"
            if self._refusals.passes(told):
                self._log.error(told)
            return
        if not self._balance.ready:
            self._log.warning("reference ignored: the robot is not known yet")
            return
        self._balance.follow(reference)

    def _on_posture(self, message: Any) -> None:
        assert self._balance is not None
        try:
            points = waypoints(message, joint_bounds(self._robot), most=MOST_POINTS)
            self._balance.prefer(points, self._now() - self._age(message.header.stamp))
        except RobcogenError as error:
            self._refused += 1
            self._log.error(f"posture ignored: {error}", throttle_duration_sec=THROTTLE)

    def _on_velocity(self, message: Any) -> None:
        assert self._balance is not None
        ahead, turn = message.linear, message.angular
        self._balance.command((ahead.x, ahead.y, turn.z), self._now())

    def _look(self) -> None:
        """Holds the robot where states have stopped, so that no message asks for efforts."""
        assert self._balance is not None
        if not self._balance.ready:
            if time.monotonic() - self._begun > START and self._balance.problem:
                self._log.warning(self._balance.problem, throttle_duration_sec=THROTTLE)
            return
        if self._balance.faults["velocity_stale"] > self._stopped:
            self._stopped = self._balance.faults["velocity_stale"]
            self._log.warning("no velocity has come on cmd_vel for a while: the robot stands")
        efforts = self._balance.look(self._now())
        if efforts is not None:
            self._tell_lost()
            self._publish(efforts, time_stamp(self.node))

    def _tell_lost(self) -> None:
        """Says why the robot is not controlled, if it is not."""
        assert self._balance is not None
        lost = self._balance.lost
        if lost:
            problem = self._balance.problem
            why = f"{lost}: {problem}" if problem else lost
            how = "the robot is held on its feet where it was last"
            if lost == FALLEN:
                how = (
                    f"its efforts are {self._values['failure_effort']} until the node starts again"
                )
            self._log.warning(f"{why}: {how}", throttle_duration_sec=THROTTLE)

    def _tell_estimate(self, stamp: tuple[int, int]) -> None:
        """Publishes where the base is and how surely, at most at TOLD."""
        assert self._balance is not None
        if self._now() - self._last_told >= 1.0 / TOLD:
            self._last_told = self._now()
            base = self._robot.link_names[0]
            self._odometry.publish(odometry_of(self._balance.estimate, base, stamp))

    def _publish(self, efforts: Array, stamp: tuple[int, int]) -> None:
        self._efforts.publish(self._message.filled(stamp, effort=efforts))

    def close(self) -> None:
        """Leaves the robot as `deactivation_effort` says, once that has arrived."""
        how = self._values["deactivation_effort"]
        efforts = None if self._balance is None or how == "keep" else self._balance.parting(how)
        if efforts is not None:
            self._publish(efforts, time_stamp(self.node))
            self._efforts.wait_for_all_acked(LEAVING)

    def _change(self, values: Mapping[str, Any]) -> str | None:
        """Takes over changed parameters while running."""
        if self._balance is None:
            return None
        if values["robot_description"] != self._values["robot_description"]:
            return "the robot can only change before the node is started"
        try:
            self._balance.use(settings(self._robot, values))
        except (RobcogenError, ValueError) as error:
            return str(error)
        return None

    def _report(self) -> None:
        assert self._balance is not None
        mean = self._busy / self._commands if self._commands else 0.0
        numbers = {"commands": self._commands, "mean_duration": mean, "refused": self._refused}
        numbers |= {"worst_duration": self._worst, "lost": float(bool(self._balance.lost))}
        numbers |= self._balance.faults
        self._statistics.publish(statistics(numbers))
        for text in self._balance.troubles():
            self._log.warning(text)


def main(args: Sequence[str] | None = None) -> int:
    """Runs the node."""
    return run(WholeBodyController, args)


if __name__ == "__main__":
    sys.exit(main())
