"""Node `payload_identification`: joint states in, the payload out and into a controller."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import rclpy
from geometry_msgs.msg import InertiaStamped
from numpy.typing import NDArray
from rclpy.clock import Clock, ClockType
from rclpy.parameter import Parameter as RosParameter
from rclpy.parameter import parameter_value_to_python
from rclpy.parameter_client import AsyncParameterClient
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState

from robcogen_ros.errors import RobcogenError
from robcogen_ros.identification.live_payload import Body, Bounds, LivePayload, ToldPayload
from robcogen_ros.identification.payload_parameters import payload_parameters
from robcogen_ros.model.scalars.quantities import MOMENTS, POSITION
from robcogen_ros.nodes import model_parameter
from robcogen_ros.parameters.assignments import NO_ROBOT, NodeArguments
from robcogen_ros.ros.messages.joint_state_reader import JointStateReader, WholeState
from robcogen_ros.ros.parameters import Parameters
from robcogen_ros.ros.running import Program, run

STEP = 0.1
"""Time between two settings of the controller's parameters [s]."""
THROTTLE = 5.0
"""Least time between equal warnings [s]."""
_NONE: Body = (0.0, np.zeros(3), np.zeros(6))


class PayloadIdentificationNode(Program):
    """Finds what a robot carries as it moves, and tells its controller.

    Attributes:
        node: The ROS node.
    """

    def __init__(self, arguments: NodeArguments = NO_ROBOT, **options: Any) -> None:
        """Starts the node.

        Args:
            arguments: The robot that the command line names.
            options: More arguments of `rclpy.create_node`.

        Raises:
            RobcogenError: If no robot is named, it is wrong, or has no such frame that moves.
        """
        self.node = rclpy.create_node("payload_identification", **options)
        self._log = self.node.get_logger()
        self._values = values = Parameters(self.node, "payload_node", arguments=arguments)
        if not values["frame"]:
            raise RobcogenError("set the parameter frame to the one that carries the payload")
        model_parameter.tell_source(self._log, values.values)
        found = model_parameter.find_robot(values.values, more=("inverse_dynamics_regressor",))
        model_parameter.tell(self._log, found.warnings)
        self._robot = model_parameter.fixed_base(found.robot)
        self._live = LivePayload(self._robot, values["frame"], values["find"], values["window"])
        self._reader, self._order = JointStateReader(), _Order(self._robot.joint_names)
        self._told, self._controller = ToldPayload(_bounds(values), _NONE), ""
        self._client: Any = None
        self._asked: Any = None
        self._publisher = self.node.create_publisher(InertiaStamped, "~/payload", 10)
        self.node.create_subscription(
            JointState, "joint_states", self._on_state, qos_profile_sensor_data, raw=True
        )
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self.node.create_timer(values["period"], self._estimate, clock=steady)
        if values["controller"]:
            self._client = AsyncParameterClient(self.node, values["controller"])
            self.node.create_timer(STEP, self._tell, clock=steady)
        where = values["controller"] or "~/payload alone"
        self._log.info(f"payload of '{found.robot.name}' at '{values['frame']}', told to {where}")

    def _on_state(self, data: bytes) -> None:
        state = self._reader.read_whole(data)
        row = self._order.row(state)
        if row is None:
            self._warn(f"joint state ignored: {self._order.problem}")
            return
        time = state.stamp or self.node.get_clock().now().nanoseconds
        self._live.add(time * 1e-9, *row)

    def _estimate(self) -> None:
        """Finds the payload anew, publishes it where it is known, and takes it for what is told."""
        if not self._live.full:
            return
        try:
            found = self._live.estimate()
        except (RobcogenError, ValueError) as error:
            self._warn(f"no payload is told: {error}")
            return
        if problem := self._told.consider(found):
            self._warn(f"no payload is told: {problem}")
            return
        message = InertiaStamped()
        message.header.stamp = self.node.get_clock().now().to_msg()
        message.header.frame_id = self._values["frame"]
        message.inertia.m = found.mass
        for axis, value in zip(POSITION, found.center.tolist(), strict=True):
            setattr(message.inertia.com, axis, value)
        for moment, value in zip(MOMENTS, found.tensor.tolist(), strict=True):
            setattr(message.inertia, moment, value)
        self._publisher.publish(message)

    def _tell(self) -> None:
        """Sets the controller's parameters, one request at a time, its own values first."""
        if self._asked is not None or not self._client.services_are_ready():
            if self._asked is None:
                self._warn(f"waits for the parameters of {self._values['controller']}")
            return
        if not self._controller:
            self._asked = self._client.get_parameters(list(self._parameters(_NONE)))
            self._asked.add_done_callback(self._begin)
        elif (body := self._told.advance(STEP)) is not None:
            pairs = self._parameters(body).items()
            new = [RosParameter(name, value=value) for name, value in pairs]
            self._asked = self._client.set_parameters_atomically(new)
            self._asked.add_done_callback(self._answered)

    def _begin(self, answer: Any) -> None:
        """Takes the controller's own payload for what it was told."""
        self._asked = None
        try:
            given = [parameter_value_to_python(value) for value in answer.result().values]
            numbers = np.concatenate([np.ravel(value) for value in given]).astype(float)
            body = float(numbers[0]), numbers[1:4], numbers[4:10]
            if len(numbers) != 10:
                raise ValueError
        except (TypeError, ValueError):
            names = ", ".join(self._parameters(_NONE))
            self._warn(f"{self._values['controller']} has not the parameters {names}")
            return
        self._told = ToldPayload(self._told.bounds, body)
        self._controller = self._values["controller"]
        self._log.info(f"{self._controller} begins with {body[0]:g} kg")

    def _answered(self, answer: Any) -> None:
        self._asked = None
        result = answer.result().result
        if not result.successful:
            self._warn(f"{self._controller} refuses the payload: {result.reason}")

    def _parameters(self, body: Body) -> dict[str, float | list[float]]:
        return payload_parameters(self._values["controller_type"], *body)

    def _warn(self, text: str) -> None:
        self._log.warning(text, throttle_duration_sec=THROTTLE)


class _Order:
    """Brings joint states to the order of a robot's joints.

    Attributes:
        problem: Why the last state was none of the robot's.
    """

    def __init__(self, joints: Sequence[str]) -> None:
        self._joints, self.problem = joints, ""
        self._names: tuple[str, ...] = ()
        self._places: list[int] = []

    def row(
        self, state: WholeState
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]] | None:
        """Returns positions, velocities (NaN where there are none) and efforts, if there are."""
        if state.names is not self._names:
            missing = [name for name in self._joints if name not in state.names]
            self.problem = f"it lacks {', '.join(missing)}" if missing else ""
            self._places = [] if missing else [state.names.index(name) for name in self._joints]
            self._names = state.names
        if not self._places:
            return None
        count = len(state.names)
        if len(state.positions) != count or len(state.efforts) != count:
            self.problem = "it has no efforts" if len(state.positions) == count else "no positions"
            return None
        none = np.full(count, np.nan)
        rates = state.velocities if len(state.velocities) == count else none
        q, qd, tau = (values[self._places] for values in (state.positions, rates, state.efforts))
        if not np.isfinite([q, tau]).all():
            self.problem = "a position or an effort is no finite number"
            return None
        return q, qd, tau


def _bounds(values: Parameters) -> Bounds:
    return Bounds(
        values["max_mass"],
        values["max_distance"],
        values["mass_error"],
        values["center_error"],
        values["mass_change"],
        values["center_change"],
        values["mass_rate"],
    )


def main(args: Sequence[str] | None = None) -> int:
    """Runs the node."""
    return run(PayloadIdentificationNode, args)


if __name__ == "__main__":
    sys.exit(main())
