"""Node `simulated_robot`: generated forward dynamics behind joint states and effort commands."""

from __future__ import annotations

import array
import math
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import rclpy
from rclpy.qos import qos_profile_sensor_data
from rclpy.time import Time
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

from robcogen_ros.control.actuation import Actuation
from robcogen_ros.control.limits import Limits
from robcogen_ros.control.measurements import NameMap
from robcogen_ros.control.pacing import Pacer
from robcogen_ros.control.simulation import Simulation
from robcogen_ros.errors import RobcogenError
from robcogen_ros.ros import model_parameter
from robcogen_ros.ros.joint_order import order, per_joint
from robcogen_ros.ros.parameters import Parameter, Parameters
from robcogen_ros.ros.running import Program, Running, run
from robcogen_ros.ros.statistics_message import LATCHED, statistics

TABLE = (
    *model_parameter.TABLE,
    Parameter("rate", 1000.0, "Joint states a second [Hz].", 1.0, 10000.0, fixed=True),
    Parameter("joints", [""], "Order of initial_positions; empty: the robot's.", fixed=True),
    Parameter("initial_positions", 0.0, "Positions at the start [rad, m].", many=True, fixed=True),
    Parameter("stops", True, "Whether joints stop at their position limits.", fixed=True),
    Parameter(
        "hold_until_commanded", True, "Whether brakes hold the robot until the first command."
    ),
    Parameter(
        "command_timeout", 0.2, "Motors go off after so long without commands [s]; 0: never.", 0, 60
    ),
)
CATCH_UP = 0.25
"""Longest standstill of this process [s] that the simulated time makes up for."""
LONGEST_STEP = 0.005
"""Longest step [s] in which missed cycles are made up for."""
HOUSEKEEPING = 0.02
"""How often parameters and other services are answered [s]."""


class SimulatedRobot(Program):
    """A robot that moves under the efforts it is sent and tells where it is.

    Attributes:
        node: The ROS node.
    """

    def __init__(self) -> None:
        self.node = rclpy.create_node("simulated_robot")
        self._values = Parameters(self.node, TABLE)
        found = model_parameter.find_robot(self._values.values)
        robot = model_parameter.fixed_base(found.robot)
        if found.note:
            self.node.get_logger().warning(found.note)
        self._period = 1.0 / self._values["rate"]
        actuation = Actuation(robot, stops=self._values["stops"])
        self._simulation = Simulation(robot, self._start(robot), actuation=actuation)
        self._names = NameMap(robot.joint_names)
        self._effort = np.zeros(robot.n)
        self._limits = Limits.of(robot).effort
        self._commanded: float | None = None
        self._state = JointState(name=list(robot.joint_names))
        self._states = self.node.create_publisher(JointState, "joint_states", 10)
        self._statistics = self.node.create_publisher(Float64MultiArray, "~/statistics", LATCHED)
        self._commands = self.node.create_subscription(
            JointState, "joint_commands", self._take, qos_profile_sensor_data
        )
        self.node.get_logger().info(f"'{found.robot.name}' moves at {self._values['rate']:g} Hz")

    def spin(self, running: Running) -> None:
        """Runs in real time until it is told to stop; commands are read once a cycle."""
        housekeeping = rclpy.executors.SingleThreadedExecutor()
        housekeeping.add_node(self.node)
        pacer, every = Pacer(self._period), max(1, round(HOUSEKEEPING / self._period))
        start = self.node.get_clock().now().nanoseconds
        cycles = slipped = 0
        while running:
            elapsed = pacer.wait()
            lost = max(0, elapsed - max(1, round(CATCH_UP / self._period)))
            slipped += lost
            cycles += elapsed
            self._receive()
            self._move(elapsed - lost)
            self._publish(start + round(cycles * self._period * 1e9))
            if cycles % every < elapsed:
                housekeeping.spin_once(timeout_sec=0.0)
                self._report(pacer, slipped)

    def _start(self, robot: Any) -> np.ndarray:
        """Initial positions, within limits."""
        indices = order(robot.joint_names, self._values["joints"])
        given = self._values["initial_positions"]
        q = per_joint("initial_positions", given, indices, robot.n)
        limits = Limits.of(robot)
        within = np.clip(q, limits.lower, limits.upper)
        if not np.array_equal(q, within) and given != 0.0:
            joint = robot.joint_names[int(np.flatnonzero(q != within)[0])]
            raise RobcogenError(f"initial_positions: joint '{joint}' starts beyond its limits")
        return np.asarray(within)

    def _receive(self) -> None:
        """Takes all commands that have come; the last one counts."""
        while (taken := self._commands.handle.take_message(JointState, False)) is not None:
            self._take(taken[0])

    def _take(self, message: Any) -> None:
        source, target = self._names.positions(message.name)
        effort = np.asarray(message.effort)
        if len(effort) != len(message.name) or not np.isfinite(effort).all():
            self.node.get_logger().warning(
                "command ignored: efforts are missing or not finite", throttle_duration_sec=1.0
            )
            return
        self._effort[target] = effort[source]
        self._commanded = time.monotonic()

    def _move(self, periods: int) -> None:
        if self._commanded is None and self._values["hold_until_commanded"]:
            return
        timeout = self._values["command_timeout"]
        if self._commanded is not None and 0 < timeout < time.monotonic() - self._commanded:
            self._effort[:] = 0.0
        steps = math.ceil(periods * self._period / LONGEST_STEP)
        for _ in range(steps):
            self._simulation.advance(self._effort, periods * self._period / steps)

    def _publish(self, nanoseconds: int) -> None:
        state, simulation = self._state, self._simulation
        applied = np.clip(self._effort, -self._limits, self._limits)
        state.header.stamp = Time(nanoseconds=nanoseconds).to_msg()
        state.position = array.array("d", simulation.q.tobytes())
        state.velocity = array.array("d", simulation.qd.tobytes())
        state.effort = array.array("d", applied.tobytes())
        self._states.publish(state)

    def _report(self, pacer: Pacer, slipped: int) -> None:
        kept = pacer.statistics
        values = {"cycles": kept.cycles, "missed": kept.missed, "worst_lateness": kept.worst}
        self._statistics.publish(statistics({**values, "not_made_up": slipped}))


def main(args: Sequence[str] | None = None) -> int:
    """Runs the node."""
    return run(SimulatedRobot, args, SimulatedRobot.spin)


if __name__ == "__main__":
    sys.exit(main())
