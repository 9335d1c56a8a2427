"""Node `inverse_dynamics_controller`: references and joint states in, efforts out."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory

from robcogen_ros.control.arm_settings import settings
from robcogen_ros.control.controller import Controller
from robcogen_ros.control.cycles import Command
from robcogen_ros.control.joint_order import order
from robcogen_ros.errors import RobcogenError
from robcogen_ros.parameters.assignments import NO_ROBOT, NodeArguments
from robcogen_ros.ros.controller_node import ControllerNode
from robcogen_ros.ros.messages.reference import waypoints
from robcogen_ros.ros.running import run


class InverseDynamicsController(ControllerNode):
    """A managed node around `robcogen_ros.control.controller.Controller`."""

    _control: Controller | None

    def __init__(self, arguments: NodeArguments = NO_ROBOT, **options: Any) -> None:
        """Declares the parameters; arguments as in ControllerNode."""
        self._array: Any = None
        super().__init__(
            "inverse_dynamics_controller", "inverse_dynamics_node", arguments, **options
        )

    def _made(self, values: Mapping[str, Any]) -> Controller:
        return Controller(
            self._robot,
            self._settings(values),
            state_timeout=values["state_timeout"],
            reference_timeout=values["reference_timeout"],
        )

    def _settings(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        return settings(self._robot, values)

    def _begins(self) -> str:
        assert self._control is not None
        does = (
            "positions are followed, efforts added to what holds them"
            if self._control.follows
            else "efforts of references are added, nothing else is followed"
        )
        return f"mode {self._values['mode']}: {does}"

    def _open_topics(self) -> None:
        assert self._control is not None
        in_motors = self._values["space"] == "motor"
        names = list(self._control.measured.joint_names)
        self._order = order(names, [] if in_motors else self._values["joints"])
        if self._values["publish_array"]:
            self._array = self.create_publisher(Float64MultiArray, "~/commands", 10)
        super()._open_topics()

    def _close_topics(self) -> None:
        if self._array is not None:
            self.destroy_publisher(self._array)
            self._array = None
        super()._close_topics()

    def _listen(self) -> tuple[Any, ...]:
        topic = JointTrajectory, "~/reference", self._on_reference, 10
        return (self.create_subscription(*topic),)

    def _on_reference(self, message: Any) -> None:
        control, partial = self._control, self._values["allow_partial_joints_goal"]
        if control is None or not self._may_follow():
            return
        start = message.header.stamp.sec + message.header.stamp.nanosec * 1e-9
        _, now = self._times()
        try:
            points = waypoints(message, control.bounds, partial, control.follows)
            control.follow(points, start or now)
        except RobcogenError as error:
            self._refuse(error)

    def _answer(self, command: Command, stamp: tuple[int, int]) -> Any:
        if self._array is not None:
            efforts = command.effort[self._order].tolist()
            self._array.publish(Float64MultiArray(data=efforts))
        motion, drives = {}, self._values["mode"] == "feed_forward"
        if drives and command.position is not None and command.velocity is not None:
            motion = {"position": command.position, "velocity": command.velocity}
        return self._message.filled(stamp, **motion, effort=command.effort)


def main(args: Sequence[str] | None = None) -> int:
    """Runs the node."""
    return run(InverseDynamicsController, args)


if __name__ == "__main__":
    sys.exit(main())
