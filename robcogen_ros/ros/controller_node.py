"""Base of nodes that control an arm: joint states in, efforts out."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.lifecycle import LifecycleNode, TransitionCallbackReturn
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

from robcogen_ros.control.cycles import LOOKS, Command, Cycles
from robcogen_ros.errors import RobcogenError
from robcogen_ros.nodes import model_parameter
from robcogen_ros.nodes.throttle import Throttle
from robcogen_ros.nodes.work import Work
from robcogen_ros.parameters.assignments import NodeArguments
from robcogen_ros.ros.messages.diagnostics import DiagnosticsPublisher
from robcogen_ros.ros.messages.joint_state_reader import JointPositions, JointStateReader
from robcogen_ros.ros.messages.joint_state_writer import JointStateWriter
from robcogen_ros.ros.messages.statistics import LATCHED, statistics
from robcogen_ros.ros.parameters import Parameters
from robcogen_ros.ros.running import LEAVING, time_stamp

THROTTLE = 2.0
"""Least time between equal warnings [s]."""
REPORT = 0.2
"""Interval at which numbers are published [s]."""
WAITING = 0.5
"""Time after activation from which on missing joint states are told [s]."""
WINDOW = 1.0
"""Time over which a rate is taken and a diagnosis made [s]."""


class ControllerNode(LifecycleNode):  # type: ignore[misc]
    """A managed node around `robcogen_ros.control.cycles.Cycles`.

    Attributes:
        node: Itself, as the runner wants it.
    """

    def __init__(self, name: str, table: str, arguments: NodeArguments, **options: Any) -> None:
        """Declares the parameters.

        Args:
            name: Of the node.
            table: Of its parameters.
            arguments: The robot that the command line names.
            options: More arguments of `rclpy.lifecycle.LifecycleNode`.
        """
        super().__init__(name, **options)
        self.node = self
        self._log = self.get_logger()
        self._control: Cycles | None = None
        self._robot: Any = None
        self._active = False
        self._steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._work = Work()
        self._window = self._activated = time.monotonic()
        self._told: set[str] = set()
        self._refusals = Throttle(THROTTLE)
        self._values = Parameters(self, table, self._change, arguments, self._stage)

    @abstractmethod
    def _made(self, values: Mapping[str, Any]) -> Cycles:
        """Returns the controller of the robot, for values of the parameters."""

    @abstractmethod
    def _settings(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Returns what of these the controller takes while it runs."""

    @abstractmethod
    def _begins(self) -> str:
        """Returns what the log says when the node is activated."""

    @abstractmethod
    def _listen(self) -> tuple[Any, ...]:
        """Returns subscriptions to references."""

    def _answer(self, command: Command, stamp: tuple[int, int]) -> Any:
        """Returns a message of a command."""
        return self._message.filled(stamp, effort=command.effort)

    def start(self) -> None:
        """Configures and activates the node if it is to do so by itself."""
        success = TransitionCallbackReturn.SUCCESS
        if not self._values["autostart"]:
            name = self.get_fully_qualified_name()
            self._log.info(
                f"waits for transitions: 'ros2 lifecycle set {name} configure', then 'activate'; "
                "with the parameter autostart:=true it makes them itself"
            )
            return
        if self.trigger_configure() != success or self.trigger_activate() != success:
            raise RobcogenError("autostart has failed")

    def close(self) -> None:
        """Leaves the robot as `deactivation_effort` says, once that has arrived."""
        if self._active:
            self._part()
            self._commands.wait_for_all_acked(LEAVING)

    def on_configure(self, state: Any) -> Any:
        """Finds the robot, opens topics."""
        try:
            self._configure()
        except RobcogenError as error:
            self._log.error(str(error))
            return TransitionCallbackReturn.FAILURE
        return super().on_configure(state)

    def on_activate(self, state: Any) -> Any:
        """Holds the position it finds, from the next joint state on."""
        assert self._control is not None
        self._control.restart()
        self._work = Work()
        self._window = self._activated = time.monotonic()
        self._told.clear()
        self._active = True
        self._log.info(self._begins())
        return super().on_activate(state)

    def on_deactivate(self, state: Any) -> Any:
        """Leaves the robot as the parameter says."""
        self._part()
        self._active = False
        return super().on_deactivate(state)

    def on_cleanup(self, state: Any) -> Any:
        """Closes topics."""
        self._close_topics()
        return super().on_cleanup(state)

    def on_shutdown(self, state: Any) -> Any:
        """Leaves the robot as on deactivation and closes topics."""
        self.close()
        self._active = False
        self._close_topics()
        return super().on_shutdown(state)

    def on_error(self, state: Any) -> Any:
        """Stops."""
        self._active = False
        self._log.error("a transition has failed")
        return super().on_error(state)

    def _configure(self) -> None:
        model_parameter.tell_source(self._log, self._values.values)
        found = model_parameter.find_robot(self._values.values)
        self._robot = model_parameter.fixed_base(found.robot)
        model_parameter.tell(self._log, found.warnings)
        for odd in (found.note, model_parameter.weightless(self._robot)):
            if odd:
                self._log.warning(odd)
        self._control = self._made(self._values.values)
        self._open_topics()
        self._log.info(f"robot '{found.robot.name}', {self._values['mode']}")

    def _open_topics(self) -> None:
        assert self._control is not None
        names = list(self._control.measured.joint_names)
        self._states = JointStateReader()
        self._message = JointStateWriter(names)
        self._commands = self.create_publisher(JointState, "joint_commands", 10)
        self._statistics = self.create_publisher(Float64MultiArray, "~/statistics", LATCHED)
        self._diagnostics = DiagnosticsPublisher(self, self._robot.name)
        self._subscriptions_open = (
            self.create_subscription(
                JointState, "joint_states", self._on_state, qos_profile_sensor_data, raw=True
            ),
            *self._listen(),
        )
        period = (self._values["state_timeout"] or 1.0) / LOOKS
        self._timers_open = (
            self.create_timer(period, self._look, clock=self._steady),
            self.create_timer(REPORT, self._report, clock=self._steady),
        )

    def _close_topics(self) -> None:
        if self._control is None:
            return
        for subscription in self._subscriptions_open:
            self.destroy_subscription(subscription)
        for timer in self._timers_open:
            self.destroy_timer(timer)
        for publisher in (self._commands, self._statistics):
            self.destroy_publisher(publisher)
        self._diagnostics.close()
        self._control = None

    def _stage(self) -> str:
        """The state in which parameters change."""
        return "active" if self._active else "inactive" if self._control else "unconfigured"

    def _change(self, values: Mapping[str, Any]) -> str | None:
        """Takes over changed parameters while running."""
        if self._control is None:
            return None
        try:
            self._control.use(self._settings(values))
        except RobcogenError as error:
            return str(error)
        return None

    def _times(self) -> tuple[float, float]:
        """Time for timeouts, steady, and that of stamps; both that of a simulation if there is."""
        clock = self.get_clock()
        if not clock.ros_time_is_active:
            return time.monotonic(), time.time()
        simulated = float(clock.now().nanoseconds) * 1e-9
        return simulated, simulated

    def _time_of(self, state: JointPositions, now: float) -> float:
        """Returns the time at which a state was measured; its stamp, if that is about now."""
        measured = state.stamp * 1e-9
        return measured if abs(now - measured) < (self._values["state_timeout"] or 1.0) else now

    def _on_state(self, data: bytes) -> None:
        control = self._control
        if not self._active or control is None:
            return
        begin = time.perf_counter()
        lost, leaps, stop = control.lost, control.leaps, control.stop
        state = self._states.read_whole(data)
        steady, now = self._times()
        command = control.receive(
            state.names, state.positions, state.velocities, steady, self._time_of(state, now)
        )
        if control.problem is not None:
            self._work.refuse(control.problem)
            self._log.warning(control.problem, throttle_duration_sec=THROTTLE)
        if command is None:
            return
        if control.leaps > leaps:
            self._work.refuse("time leapt between joint states")
            self._log.warning(
                "time leapt by more than state_timeout between joint states: the motion has ended, "
                "the position found is held",
                throttle_duration_sec=THROTTLE,
            )
        if control.stop and not stop:
            self._log.error(
                f"stopped: {control.stop}; it stands until the node is deactivated and activated"
            )
        if lost:
            self._log.info("joint states are back; holding the position found")
        self._publish(command, state.time)
        self._work.add(time.perf_counter() - begin, command)

    def _may_follow(self) -> bool:
        """Returns True if a reference can be followed now; if not, the log says why."""
        control = self._control
        if not self._active or control is None or not control.ready:
            why = "the controller does not control yet"
        elif control.lost:
            why = "joint states have stopped"
        elif control.stop:
            why = f"the arm is stopped, {control.stop}"
        else:
            return True
        if self._refusals.passes(why):
            self._log.warning(f"reference ignored: {why}")
        return False

    def _refuse(self, error: object) -> None:
        """Tells and counts a reference that is not followed."""
        told = f"reference ignored: {error}"
        self._work.refuse(told)
        if self._refusals.passes(told):
            self._log.error(told)

    def _look(self) -> None:
        control = self._control
        if not self._active or control is None:
            return
        command = control.look(self._times()[0])
        if command is not None:
            zero = self._values["failure_effort"] == "zero"
            what = "no effort" if zero else "gravity support of the last position"
            self._log.warning(f"joint states have stopped: {what}", throttle_duration_sec=THROTTLE)
            self._publish(command, time_stamp(self))

    def _part(self) -> None:
        how = self._values["deactivation_effort"]
        if self._control is None or how == "keep":
            return
        command = self._control.parting(how)
        if command is not None and self.context.ok():
            self._publish(command, time_stamp(self))

    def _publish(self, command: Command, stamp: tuple[int, int]) -> None:
        if not command.sound:
            self._log.error(
                f"efforts were not finite: {self._values['failure_effort']} instead",
                throttle_duration_sec=THROTTLE,
            )
        self._commands.publish(self._answer(command, stamp))

    def _report(self) -> None:
        if not self._active or self._control is None:
            return
        now = time.monotonic()
        if now - self._window >= WINDOW:
            self._diagnostics.publish(
                self._work.close_window(now - self._window, self._control.lost, self._control.stop)
            )
            self._window = now
            self._tell_pace()
        self._tell_waiting(now)
        numbers = {**self._work.numbers(), "state_losses": self._control.losses}
        numbers["time_leaps"] = self._control.leaps
        self._statistics.publish(statistics(numbers))

    def _tell_pace(self) -> None:
        """Warns, once an activation, where soft real time is not enough."""
        problem = self._work.pace_problem()
        if problem is not None and "pace" not in self._told:
            self._told.add("pace")
            self._log.warning(problem)

    def _tell_waiting(self, now: float) -> None:
        """Tells, once an activation, that no joint state has come that makes the robot known."""
        waiting = self._control is not None and not self._control.ready
        if waiting and now - self._activated >= WAITING and "waiting" not in self._told:
            self._told.add("waiting")
            topic = self.resolve_topic_name("joint_states")
            assert self._control is not None
            joints = ", ".join(self._control.measured.joint_names)
            self._log.warning(f"waits for joint states on {topic} with positions of {joints}")
