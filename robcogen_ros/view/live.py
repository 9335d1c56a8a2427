"""Node `view`: a robot in a browser that moves as its joint states say, with its efforts."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import rclpy
from rclpy.clock import Clock, ClockType
from rclpy.qos import DurabilityPolicy, QoSProfile, qos_profile_sensor_data
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats import source
from robcogen_ros.formats.load import found
from robcogen_ros.formats.read import read
from robcogen_ros.formats.source import Source
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.nodes.free_state import pose_of
from robcogen_ros.parameters.assignments import NO_ROBOT, NodeArguments, assignments
from robcogen_ros.ros.messages.joint_state_reader import JointStateReader, WholeState
from robcogen_ros.ros.parameters import Parameters
from robcogen_ros.ros.running import Program, run
from robcogen_ros.view.camera import aim, beside_panel, outline
from robcogen_ros.view.model import Model, make
from robcogen_ros.view.panel import Panel
from robcogen_ros.view.scene import Look
from robcogen_ros.view.server import address, serving

try:
    from nav_msgs.msg import Odometry
except ImportError:
    Odometry = None
try:
    from tf2_msgs.msg import TFMessage
except ImportError:
    TFMessage = None

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
PERIOD = 1 / 15
"""Time between pictures [s]."""
THROTTLE = 5.0
"""Least time between equal warnings [s]."""
FRESH = 1.0
"""Time that a commanded effort is shown after its message [s]."""


class View(Program):
    """Shows where a robot is.

    Attributes:
        node: The ROS node.
        panel: What the browser shows; None until the robot is known.
    """

    def __init__(self, arguments: NodeArguments = NO_ROBOT) -> None:
        """Starts the node; without a robot it waits for the topic robot_description.

        Args:
            arguments: The robot that the command line names.

        Raises:
            RobcogenError: If the robot is wrong, viser is missing, or the port is in use.
        """
        self.node = rclpy.create_node("view")
        self._log = self.node.get_logger()
        self._values = Parameters(self.node, "view", arguments=arguments)
        self._open = ExitStack()
        self.panel: Panel | None = None
        self._reader = JointStateReader()
        self._positions: dict[str, float] = {}
        self._efforts: dict[str, tuple[float, float]] = {}
        self._base: Any = None
        self._follows = self._moved = False
        values = self._values.values
        if values["model_file"] or values["robot_description"]:
            self._use(_from_parameters(values))
        else:
            heard = self.node.create_subscription(String, "robot_description", self._hear, LATCHED)
            self._log.info(f"waits for the robot's description on {heard.topic_name}")
        self._listen()

    def close(self) -> None:
        """Ends the server."""
        self._open.close()

    def look(self) -> None:
        """Shows what has come since, and what the user has changed."""
        if self.panel is None:
            return
        if self._follows and (self._moved or self.panel.changed):
            self._moved = False
            self.panel.follow(*self._state(self.panel))
        else:
            self.panel.show_changes()

    def _listen(self) -> None:
        node, sensed = self.node, qos_profile_sensor_data
        node.create_subscription(JointState, "joint_states", self._on_state, sensed, raw=True)
        node.create_subscription(JointState, "joint_commands", self._on_command, sensed, raw=True)
        if Odometry is not None:
            node.create_subscription(Odometry, "odom", self._on_odometry, sensed)
        if TFMessage is not None:
            node.create_subscription(TFMessage, "/tf", self._on_transforms, sensed)
        node.create_timer(PERIOD, self.look, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def _hear(self, message: Any) -> None:
        try:
            self._use(_from_parameters({**self._values.values, "robot_description": message.data}))
        except RobcogenError as error:
            self._log.error(f"robot_description ignored: {error}")

    def _use(self, model: Model) -> None:
        """Shows a robot, in place of the one that is shown."""
        self._open.close()
        for problem in model.problems:
            self._log.warning(str(problem))
        host, port = self._values["host"], self._values["port"]
        server = self._open.enter_context(serving(host, port, model.robot.name, dark=False))
        look = Look(frame=model.tip)
        self.panel = Panel(server, model, look, model.posture("middle", {}))
        self._positions = dict(
            zip(model.robot.joint_names, self.panel.state.q.tolist(), strict=True)
        )
        aim(server, beside_panel(outline(model, self.panel.state)))
        self._log.info(f"robot '{model.robot.name}' is shown at {address(host, server)}")

    def _on_state(self, data: bytes) -> None:
        state = self._reader.read_whole(data)
        if not _fits(state, state.positions):
            self._log.warning(
                f"joint state ignored: it has {len(state.names)} names and "
                f"{len(state.positions)} positions",
                throttle_duration_sec=THROTTLE,
            )
            return
        self._positions.update(
            (name, position)
            for name, position in zip(state.names, state.positions.tolist(), strict=True)
            if name in self._positions and np.isfinite(position)
        )
        self._follows = self._moved = True

    def _on_command(self, data: bytes) -> None:
        state = self._reader.read_whole(data)
        if _fits(state, state.efforts):
            now = time.monotonic()
            efforts = zip(state.names, state.efforts.tolist(), strict=True)
            self._efforts.update((name, (effort, now)) for name, effort in efforts)
            self._moved = True

    def _on_odometry(self, message: Any) -> None:
        pose = message.pose.pose
        self._place(pose.position, pose.orientation)

    def _on_transforms(self, message: Any) -> None:
        if self.panel is None:
            return
        base = self.panel.model.robot.link_names[0]
        for transform in message.transforms:
            if transform.child_frame_id == base:
                placed = transform.transform
                self._place(placed.translation, placed.rotation)

    def _place(self, position: Any, orientation: Any) -> None:
        """Takes over where a floating base is."""
        pose = pose_of(position, orientation)
        if pose is not None:
            self._base, self._follows, self._moved = np.eye(4), True, True
            self._base[:3, :3], self._base[:3, 3] = rotation(pose[3:]), pose[:3]

    def _state(self, panel: Panel) -> tuple[Any, str]:
        """Returns the state of the robot with the efforts that it is given, and their source."""
        model = panel.model
        q = np.array([self._positions[name] for name in model.robot.joint_names])
        base = self._base if model.robot.floating_base else None
        state = model.statics.at(q, base)
        since = time.monotonic() - FRESH
        fresh = {name: effort for name, (effort, at) in self._efforts.items() if at > since}
        if not fresh:
            return state, ""
        names = model.robot.joint_names
        efforts = np.array([fresh.get(name, np.nan) for name in names])
        return replace(state, efforts=efforts), "efforts as commanded on joint_commands"


def _from_parameters(values: Mapping[str, Any]) -> Model:
    """The robot of a file or of a description."""
    arguments: Mapping[str, str] = {}
    if values["model_file"]:
        arguments = assignments("xacro_args", values["xacro_args"])
        text = source.read(found(values["model_file"], {}))
        place: Path | Source = Path(text.name)
    else:
        place = text = source.of_text(values["robot_description"], "robot_description")
    loops = values["loops"] or None
    reading = read(text, xacro_args=arguments, loops=loops, cut_loops=loops is None)
    return make(reading, {}, place)


def _fits(state: WholeState, values: Any) -> bool:
    return len(state.names) == len(values)


def main(args: Sequence[str] | None = None) -> int:
    """Runs the node."""
    return run(View, args)


if __name__ == "__main__":
    sys.exit(main())
