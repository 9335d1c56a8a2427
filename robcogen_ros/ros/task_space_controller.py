"""Node `task_space_controller`: references of a tool and joint states in, efforts out."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from geometry_msgs.msg import PoseStamped, TwistStamped, WrenchStamped
from numpy.typing import ArrayLike

from robcogen_ros.control.arm_settings import load
from robcogen_ros.control.task_space_controller import TaskSpaceController
from robcogen_ros.parameters.assignments import NO_ROBOT, NodeArguments
from robcogen_ros.parameters.table import table
from robcogen_ros.ros.controller_node import ControllerNode
from robcogen_ros.ros.running import run

FARTHEST = 1e6
"""Farthest distance of a pose that is taken for one [m]."""
UNIT = 1e-3
"""Distance that the length of a quaternion may be from 1."""


class TaskSpaceControllerNode(ControllerNode):
    """A managed node around `robcogen_ros.control.task_space_controller.TaskSpaceController`."""

    _control: TaskSpaceController | None

    def __init__(self, arguments: NodeArguments = NO_ROBOT, **options: Any) -> None:
        """Declares the parameters; arguments as in ControllerNode."""
        super().__init__("task_space_controller", "task_space_node", arguments, **options)

    def _made(self, values: Mapping[str, Any]) -> TaskSpaceController:
        frames = self._robot._evaluator.summary.frames
        self._base = values["base_frame"] or next(f.name for f in frames if f.link == 0)
        tool = values["tool_frame"]
        return TaskSpaceController(
            self._robot,
            self._base,
            tool,
            self._settings(values),
            state_timeout=values["state_timeout"],
        )

    def _settings(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        load(self._robot, values)
        rows = [row for row in table("task_space_controller") if row.name in values]
        found = {row.name: values[row.name] for row in rows if row.type != "string" or row.choices}
        return {**found, "parameters": self._robot.parameters.array()}

    def _begins(self) -> str:
        frames = f"'{self._values['tool_frame']}' in the axes of '{self._base}'"
        return f"mode {self._values['mode']}: holds {frames} where it is until a reference comes"

    def _listen(self) -> tuple[Any, ...]:
        topics: tuple[tuple[Any, str, Callable[[Any], None]], ...] = (
            (PoseStamped, "~/pose", self._on_pose),
            (TwistStamped, "~/twist", self._on_twist),
            (WrenchStamped, "~/wrench", self._on_wrench),
        )
        return tuple(self.create_subscription(*topic, 10) for topic in topics)

    def _on_pose(self, message: Any) -> None:
        place, turned = message.pose.position, message.pose.orientation
        way = place.x, place.y, place.z
        quaternion = turned.x, turned.y, turned.z, turned.w
        usable = abs(math.hypot(*quaternion) - 1.0) <= UNIT
        usable = usable and all(abs(number) <= FARTHEST for number in way)
        wrong = "" if usable else "expected finite numbers and a quaternion of length 1"
        self._ask(message, wrong, pose=(*way, *quaternion))

    def _on_twist(self, message: Any) -> None:
        self._ask_six(message, "twist", message.twist.angular, message.twist.linear)

    def _on_wrench(self, message: Any) -> None:
        self._ask_six(message, "wrench", message.wrench.torque, message.wrench.force)

    def _ask_six(self, message: Any, name: str, angular: Any, linear: Any) -> None:
        six = (angular.x, angular.y, angular.z, linear.x, linear.y, linear.z)
        wrong = "" if all(map(math.isfinite, six)) else "expected finite numbers"
        self._ask(message, wrong, **{name: six})

    def _ask(self, message: Any, wrong: str, **reference: ArrayLike) -> None:
        """Takes a reference over, unless it is in another frame or something is wrong with it."""
        if self._control is None or not self._may_follow():
            return
        frame = message.header.frame_id
        if frame and frame != self._base:
            wrong = f"expected frame_id '{self._base}' or none, found '{frame}'"
        if wrong:
            self._refuse(wrong)
        else:
            self._control.ask(**reference)


def main(args: Sequence[str] | None = None) -> int:
    """Runs the node."""
    return run(TaskSpaceControllerNode, args)


if __name__ == "__main__":
    sys.exit(main())
