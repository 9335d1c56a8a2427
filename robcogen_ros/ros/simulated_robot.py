"""Node `simulated_robot`: generated forward dynamics behind joint states and commands."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import rclpy
from geometry_msgs.msg import WrenchStamped
from rclpy.qos import qos_profile_sensor_data
from rclpy.time import Time
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from std_srvs.srv import SetBool, Trigger

from robcogen_ros.control.drives import Drives
from robcogen_ros.control.dynamics import Array, Measured
from robcogen_ros.control.finite import all_finite
from robcogen_ros.control.measurements import NameMap
from robcogen_ros.control.pacing import Pacer, Unpaced
from robcogen_ros.control.simulation import GroundSimulation, SimulationError
from robcogen_ros.control.wrenches import wrenches_at
from robcogen_ros.errors import RobcogenError
from robcogen_ros.nodes import model_parameter
from robcogen_ros.nodes.ground_parameters import find_on_ground
from robcogen_ros.nodes.simulation_parameters import motors_of, simulation
from robcogen_ros.nodes.throttle import Throttle
from robcogen_ros.parameters.assignments import NO_ROBOT, NodeArguments
from robcogen_ros.ros.messages.base import BaseMessages
from robcogen_ros.ros.messages.contact import ContactMessages
from robcogen_ros.ros.messages.imu import ImuMessages
from robcogen_ros.ros.messages.joint_state_reader import JointStateReader
from robcogen_ros.ros.messages.joint_state_writer import JointStateWriter
from robcogen_ros.ros.messages.statistics import LATCHED, statistics
from robcogen_ros.ros.parameters import Parameters
from robcogen_ros.ros.running import Program, Running, run

CATCH_UP = 0.25
"""Longest standstill of this process [s] that the simulated time makes up for."""
LONGEST_STEP = 0.005
"""Longest step [s] in which missed cycles are made up for."""
TOLERATED = 0.1
"""Share of cycles that may be missed without a word."""
HOUSEKEEPING = 0.02
"""Interval at which parameters, services and disturbances are looked at [s]."""
AGAIN, ANSWER = 0.1, 2.0
"""Time after which the states are told again in lockstep, for messages get lost; longest time that
is waited for efforts [s]."""
POLL = 1e-4
"""Interval at which it is looked then whether they have come [s]."""
THROTTLE = 1.0
"""Least time between equal warnings [s]."""


class SimulatedRobot(Program):
    """A robot that moves under the commands it is sent and tells where it is.

    Attributes:
        node: The ROS node.
        paused: Whether time stands still.
        time: Simulated time since the start [s].
    """

    def __init__(self, arguments: NodeArguments = NO_ROBOT, **options: Any) -> None:
        """Finds the robot, opens topics and services.

        Args:
            arguments: The robot that the command line names.
            options: More arguments of `rclpy.create_node`.

        Raises:
            RobcogenError: If a parameter is wrong.
        """
        self.node = rclpy.create_node("simulated_robot", **options)
        self._log = self.node.get_logger()
        self._refusals = Throttle(THROTTLE)
        self._values = Parameters(self.node, "simulated_robot", arguments=arguments)
        model_parameter.tell_source(self._log, self._values.values)
        found, self._footing = find_on_ground(self._values.values)
        model_parameter.tell(self._log, found.warnings)
        if found.note:
            self._log.warning(found.note)
        if self._footing is not None:
            self._log.info(self._footing.told)
        self._robot = robot = found.robot
        self._period = 1.0 / self._values["rate"]
        self._simulation = simulation(robot, self._values.values, self._footing)
        self._motors = motors_of(robot, self._values.values)
        self._moved_by: Measured = self._motors or robot
        self._drives = Drives(self._moved_by, self._values["position_bandwidth"])
        self._names = NameMap(self._moved_by.joint_names)
        self._applied: Array = np.zeros(self._moved_by.n)
        self._commanded: float | None = None
        self._told = self._answered = (0, 0)
        self._waits, self._repeated = False, 0
        self._disturbed = 0.0
        self.paused = self._stopped = False
        self._cycles = self._moved = self._slipped = self._missed = 0
        self._judged = (0, 0)
        self._begin = 0 if self._own_clock() else self.node.get_clock().now().nanoseconds
        self._open()
        self._log.info(f"'{robot.name}' moves at {self._values['rate']:g} Hz")

    @property
    def time(self) -> float:
        """Simulated time since the start [s]."""
        return float(self._moved * self._period)

    def _own_clock(self) -> bool:
        """Returns True if this node is the source of time."""
        factor, own = self._values["real_time_factor"], bool(self._values["publish_clock"])
        if factor != 1.0 and not own:
            raise RobcogenError(
                f"real_time_factor: {factor:g} needs publish_clock:=true, and use_sim_time:=true "
                "in the other nodes"
            )
        if self._values["lockstep"] and not own:
            raise RobcogenError(
                "lockstep: needs publish_clock:=true, and use_sim_time:=true in the other nodes"
            )
        return own

    def _open(self) -> None:
        """Opens topics and services."""
        node, names = self.node, list(self._moved_by.joint_names)
        self._reader, self._state = JointStateReader(), JointStateWriter(names)
        self._states = node.create_publisher(JointState, "joint_states", 10)
        self._statistics = node.create_publisher(Float64MultiArray, "~/statistics", LATCHED)
        self._clock: Any = None
        if self._values["publish_clock"]:
            self._clock = node.create_publisher(Clock, "/clock", 10)
        self._base: BaseMessages | None = None
        if self._robot.floating_base:
            world, base = self._values["world_frame"], self._robot.link_names[0]
            self._base = BaseMessages(node, world, base, self._period)
        self._contacts: ContactMessages | None = None
        self._imu: ImuMessages | None = None
        if self._footing is not None:
            frame = self._values["imu_frame"] or self._robot.link_names[0]
            self._imu = ImuMessages(node, frame)
            self._contacts = ContactMessages(node, self._robot, self._period)
        self._commands = node.create_subscription(
            JointState, "joint_commands", self._take, qos_profile_sensor_data, raw=True
        )
        node.create_subscription(WrenchStamped, "~/wrench", self._disturb, 10)
        node.create_service(Trigger, "~/reset", self._reset)
        node.create_service(SetBool, "~/pause", self._pause)

    def spin(self, running: Running) -> None:
        """Runs until it is told to stop; commands are read once a cycle."""
        housekeeping = rclpy.executors.SingleThreadedExecutor()
        housekeeping.add_node(self.node)
        factor = self._values["real_time_factor"]
        pacer = Pacer(self._period / factor) if factor > 0 else Unpaced()
        every = max(1, round(HOUSEKEEPING / self._period))
        while running:
            elapsed = pacer.wait()
            if self._values["lockstep"]:
                elapsed = int(self._await_answer())
            self.cycle(elapsed)
            if not elapsed or self._cycles % every < elapsed:
                housekeeping.spin_once(timeout_sec=0.0)
                self._report(pacer)

    def cycle(self, elapsed: int = 1) -> None:
        """Takes commands, moves on and tells where the robot is.

        Args:
            elapsed: Periods since the last cycle; after a long standstill not all are made up for.
                With 0, it only tells again where the robot is.
        """
        self._cycles += elapsed
        self._missed += max(0, elapsed - 1)
        self._tell_lateness()
        self._receive()
        if self.paused:
            return
        lost = max(0, elapsed - max(1, round(CATCH_UP / self._period)))
        self._slipped += lost
        self._move(elapsed - lost)
        self._moved += elapsed - lost
        self._publish()

    def _await_answer(self) -> bool:
        """Waits for efforts with the stamp of the last states; whether time may go on.

        Where none come, nothing is waited for until the next command.
        """
        end = time.monotonic() + AGAIN
        self._receive()
        while self._waits and self._answered != self._told and time.monotonic() < end:
            time.sleep(POLL)
            self._receive()
        if not self._waits or self._answered == self._told:
            self._repeated = 0
            return True
        self._repeated += 1
        if self._repeated * AGAIN < ANSWER:
            return False
        self._waits, self._repeated = False, 0
        self._log.warning(
            f"lockstep: no efforts with the stamp of the last joint states came within {ANSWER:g} "
            "s; time goes on until the next command"
        )
        return True

    def _receive(self) -> None:
        """Takes all commands that have come; the last one counts."""
        while (taken := self._commands.handle.take_message(JointState, True)) is not None:
            self._take(taken[0])

    def _take(self, data: bytes) -> None:
        command = self._reader.read_whole(data)
        source, target = self._names.positions(command.names)
        given = (command.efforts, command.positions, command.velocities)
        fits = all(len(x) in (0, len(command.names)) and all_finite(x) for x in given)
        if not fits or not (len(given[0]) or len(given[1])):
            self._log.warning(
                "command ignored: it needs finite efforts or positions, one for each name",
                throttle_duration_sec=THROTTLE,
            )
            return
        self._drives.take(target, *(x[source] if len(x) else None for x in given))
        self._commanded, self._answered, self._waits = self.time, command.time, True

    def _disturb(self, message: Any) -> None:
        """Lets a wrench act at the origin of the frame that it is given in."""
        force, torque = (
            np.array([vector.x, vector.y, vector.z])
            for vector in (message.wrench.force, message.wrench.torque)
        )
        try:
            wrenches = wrenches_at(self._robot, message.header.frame_id, force, torque)
        except RobcogenError as error:
            told = f"disturbance ignored: {error}"
            if self._refusals.passes(told):
                self._log.warning(told)
            return
        self._simulation.external_forces = wrenches
        self._disturbed = self.time

    def _move(self, periods: int) -> None:
        values, robot = self._values, self._simulation
        if self._stopped or (self._commanded is None and values["hold_until_commanded"]):
            return
        timeout = values["command_timeout"]
        if self._commanded is not None and 0 < timeout < self.time - self._commanded:
            self._drives.off()
        if 0 < values["wrench_timeout"] < self.time - self._disturbed:
            robot.external_forces = None
        steps = math.ceil(periods * self._period / LONGEST_STEP)
        for _ in range(steps):
            effort = self._drives.efforts(*self._measured(), self._inverse_dynamics)
            try:
                self._applied = robot.advance(effort, periods * self._period / steps)
            except SimulationError as error:
                if self._footing is None:
                    raise
                self._stop(str(error))
                return

    def _measured(self) -> tuple[Array, Array]:
        """Positions and velocities of what is told, joints or motors."""
        q, qd = self._simulation.q, self._simulation.qd
        if self._motors is None:
            return q, qd
        return self._motors.positions(q), self._motors.rates(q) @ qd

    def _inverse_dynamics(self, accelerations: Array) -> Array:
        """Efforts that accelerate what is commanded as it moves now."""
        if self._motors is None:
            return self._simulation.inverse_dynamics(accelerations)
        return self._motors.inverse_dynamics(self._simulation, accelerations)

    def _stop(self, why: str) -> None:
        """Leaves a robot as it is that has fallen, or whose motion cannot be computed."""
        self._stopped, self._applied = True, np.zeros(self._moved_by.n)
        self._drives.off()
        self._log.error(f"{why}: the robot stays as it is; ~/reset puts it back to its start")

    def _publish(self) -> None:
        passed = self._moved if self._clock is not None else self._cycles
        now, robot = self._begin + round(passed * self._period * 1e9), self._simulation
        if self._clock is not None:
            self._clock.publish(Clock(clock=Time(nanoseconds=now).to_msg()))
        stamp = Time(nanoseconds=now).to_msg()
        if self._base is not None:
            self._base.publish(robot, stamp)
        if self._contacts is not None and isinstance(robot, GroundSimulation):
            self._contacts.publish(robot, stamp)
        if self._imu is not None and isinstance(robot, GroundSimulation):
            self._imu.publish(robot.ground, stamp)
        self._told = divmod(now, 1_000_000_000)
        position, velocity = self._measured()
        state = self._state.filled(
            self._told, position=position, velocity=velocity, effort=self._applied
        )
        self._states.publish(state)

    def _reset(self, request: Any, response: Any) -> Any:
        """Puts the robot back to its start, at rest and without commands; time goes on."""
        self._simulation = simulation(self._robot, self._values.values, self._footing)
        self._stopped = False
        self._drives.off()
        self._applied = np.zeros(self._moved_by.n)
        self._commanded, self._waits = None, False
        response.success, response.message = True, "the robot is at its start"
        return response

    def _pause(self, request: Any, response: Any) -> Any:
        """Lets time stand still, or go on."""
        self.paused = request.data
        response.success, response.message = True, "paused" if self.paused else "running"
        return response

    def _report(self, pacer: Pacer | Unpaced) -> None:
        kept = pacer.statistics
        values = {"cycles": kept.cycles, "missed": self._missed, "worst_lateness": kept.worst}
        values |= {"not_made_up": self._slipped}
        if isinstance(self._simulation, GroundSimulation):
            values |= {**self._simulation.ground.counters, "stopped": float(self._stopped)}
        self._statistics.publish(statistics(values))

    def _tell_lateness(self) -> None:
        """Warns once a second at most, if many cycles were missed in it."""
        counted = self._cycles, self._missed
        cycles, missed = (now - then for now, then in zip(counted, self._judged, strict=True))
        if cycles * self._period < self._values["real_time_factor"] * THROTTLE:
            return
        self._judged = counted
        if missed > TOLERATED * cycles:
            self._log.warning(
                f"late: {missed} of {cycles} cycles were missed; lower the rate, or let simulated "
                "time wait for the controller: publish_clock:=true and lockstep:=true here, "
                "use_sim_time:=true in the other nodes"
            )


def main(args: Sequence[str] | None = None) -> int:
    """Runs the node."""
    return run(SimulatedRobot, args, SimulatedRobot.spin)


if __name__ == "__main__":
    sys.exit(main())
