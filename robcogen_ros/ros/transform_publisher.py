"""Node `transform_publisher`: joint states in, /tf and latched /tf_static out.

Name, parameters, topics, qualities of service and times are those of robot_state_publisher.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from typing import Any

import rclpy
from rclpy.parameter import Parameter as RosParameter
from rclpy.qos import DurabilityPolicy, QoSProfile, qos_profile_sensor_data
from rclpy.qos_overriding_options import QoSOverridingOptions, QoSPolicyKind
from sensor_msgs.msg import JointState, MultiDOFJointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.names import counted, nearest
from robcogen_ros.nodes import model_parameter
from robcogen_ros.nodes.free_state import free_state
from robcogen_ros.nodes.model_parameter import (
    FoundRobot,
    find_robot,
    from_description,
    options_of,
    tell,
)
from robcogen_ros.nodes.publish_times import PublishTimes, interval
from robcogen_ros.parameters.assignments import NO_ROBOT, NodeArguments, numbers
from robcogen_ros.ros.messages.joint_state_reader import JointPositions, JointStateReader
from robcogen_ros.ros.parameters import Parameters
from robcogen_ros.ros.placed_robot import PlacedRobot
from robcogen_ros.ros.running import Program, run

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
OVERRIDABLE = (QoSPolicyKind.DEPTH, QoSPolicyKind.HISTORY, QoSPolicyKind.RELIABILITY)
OF_FRAMES = ("frame_prefix", "default_positions")
THROTTLE = 5.0
"""Least time between equal warnings [s]."""
LOOK = 0.002
"""Interval at which joint states are looked for while a description is read [s]."""


class TransformPublisher(Program):
    """Publishes where the links of a robot are.

    Attributes:
        node: The ROS node.
    """

    def __init__(self, arguments: NodeArguments = NO_ROBOT) -> None:
        """Starts the node.

        Args:
            arguments: The robot that the command line names.

        Raises:
            RobcogenError: If no robot is named, or the robot is wrong.
        """
        self.node = rclpy.create_node("robot_state_publisher")
        self._log = self.node.get_logger().get_child("transform_publisher")
        self._clock = self.node.get_clock()
        self._reader = JointStateReader()
        self._robot: PlacedRobot | None = None
        self._states: Any = None
        self._told: set[str] = set()
        self._free: Any = None
        self._joints: Any = None
        self._values = Parameters(self.node, "transform_publisher", self._change, arguments)
        self._times = PublishTimes()
        self._take_rate(self._values.values)
        self._advertise()
        if self._values["use_robot_description_topic"]:
            heard = self.node.create_subscription(String, "robot_description", self._hear, LATCHED)
            self._log.info(f"waits for the robot's description on {heard.topic_name}")
        else:
            self._description = self.node.create_publisher(String, "robot_description", LATCHED)
            model_parameter.tell_source(self._log, self._values.values)
            found = find_robot(self._values.values, dynamics=False, lenient=True)
            self._use(_placed(found, self._values.values), self._values.values)
            self._show(found.description)
        self._states = self._listen()

    def _advertise(self) -> None:
        """Makes the publishers of transforms, whose quality of service may be overridden."""
        self._transforms = self.node.create_publisher(
            TFMessage,
            "/tf",
            100,
            qos_overriding_options=QoSOverridingOptions((*OVERRIDABLE, QoSPolicyKind.DURABILITY)),
        )
        self._static = self.node.create_publisher(
            TFMessage,
            "/tf_static",
            LATCHED,
            qos_overriding_options=QoSOverridingOptions(OVERRIDABLE),
        )

    def _listen(self) -> Any:
        return self.node.create_subscription(
            JointState,
            "joint_states",
            self._on_state,
            qos_profile_sensor_data,
            qos_overriding_options=QoSOverridingOptions.with_default_policies(),
            raw=True,
        )

    def _listen_for_free(self, robot: PlacedRobot) -> None:
        """Hears of planar and floating joints, and of a floating base, where there are any."""
        free = [joint.name for joint in robot.links.many if not joint.planar]
        if free:
            names = ", ".join(free)
            self._log.info(
                "floating joints, placed by multi_dof_joint_states or by joint states of their "
                f"coordinates: {names}"
            )
        if (robot.links.many or robot.found.robot.floating_base) and self._free is None:
            self._free = self.node.create_subscription(
                MultiDOFJointState, "multi_dof_joint_states", self._on_free, qos_profile_sensor_data
            )

    def _show(self, description: str) -> None:
        """Makes the text of a file a parameter, too, for those who ask this node for it."""
        self._values.values["robot_description"] = description
        self.node.set_parameters([RosParameter("robot_description", value=description)])

    def _change(self, values: Mapping[str, Any]) -> str | None:
        """Takes over changed parameters, a new robot included; tells why if it refuses."""
        text = values["robot_description"]
        try:
            if text != self._values["robot_description"]:
                if values["use_robot_description_topic"]:
                    return "robot_description comes from its topic"
                if not text:
                    return "robot_description must not be empty"
                self._use(self._read(text, values), values)
            elif any(values[name] != self._values[name] for name in OF_FRAMES):
                self._rename(values)
        except RobcogenError as error:
            return str(error)
        self._take_rate(values)
        return None

    def _take_rate(self, values: Mapping[str, Any]) -> None:
        self._times.interval = interval(values["publish_frequency"])
        self._times.always = values["ignore_timestamp"]

    def _hear(self, message: Any) -> None:
        try:
            values = self._values.values
            self._use(self._read(message.data, values), values)
        except RobcogenError as error:
            self._log.error(f"robot_description ignored: {error}")

    def _rename(self, values: Mapping[str, Any]) -> None:
        """Takes over other names of frames, other defaults."""
        if self._robot is not None:
            self._place(_placed(self._robot.found, values))
            self._publish_fixed()

    def _read(self, text: str, values: Mapping[str, Any]) -> PlacedRobot:
        """Reads a description in a thread of its own; meanwhile joint states are answered."""
        with ThreadPoolExecutor(1) as thread:
            options = {"dynamics": False, "lenient": True, **options_of(values)}
            found = partial(from_description, text, **options)
            reading = thread.submit(lambda: _placed(found(), values))
            while not reading.done():
                self._answer()
                wait([reading], LOOK)
        return reading.result()

    def _answer(self) -> None:
        """Takes the joint states that have come."""
        if self._states is None:
            return
        while (taken := self._states.handle.take_message(JointState, True)) is not None:
            self._on_state(taken[0])

    def _use(self, robot: PlacedRobot, values: Mapping[str, Any]) -> None:
        """Takes over a robot: its description and its fixed links are published at once."""
        found = robot.found
        self._place(robot)
        self._log.info(f"robot '{found.robot.name}', {counted(found.robot.n, 'joint')}")
        tell(self._log, found.warnings)
        if not found.description and found.note:
            self._log.info(found.note)
        self._listen_for_free(robot)
        if found.description and not values["use_robot_description_topic"]:
            self._description.publish(String(data=found.description))
        self._publish_fixed()

    def _place(self, robot: PlacedRobot) -> None:
        self._robot = robot
        for name in robot.unknown:
            known = nearest(name, robot.links.names)
            self._log.warning(f"default_positions: the robot has no moving joint '{name}'{known}")
        if robot.followers.known and self._joints is None:
            self._joints = self.node.create_publisher(JointState, "all_joint_states", 10)
        if robot.followers.names and not robot.followers.known:
            names = ", ".join(robot.followers.names)
            self._log.warning(
                f"joints that follow others through loops ({names}) are placed by joint states "
                "alone; a model with the functions joint_positions and coordinate_jacobian places "
                "them"
            )

    def _publish_fixed(self) -> None:
        if self._robot is not None:
            now = self._clock.now().to_msg()
            self._static.publish(self._robot.fixed((now.sec, now.nanosec)))

    def _on_state(self, data: bytes) -> None:
        state = self._reader.read(data)
        problem = _problem(state)
        if problem is not None:
            self._log.warning(f"joint state ignored: {problem}", throttle_duration_sec=THROTTLE)
            return
        if self._times.jumped_back(self._clock.now().nanoseconds):
            self._log.warning("time moved backwards, publishing all transforms again")
        if self._robot is None:
            return
        if not self._times.due(state.names, state.stamp):
            self._tell_of_rate(state.stamp)
            return
        finite = state.finite()
        if finite is not state:
            wrong = self._robot.not_finite(state)
            self._tell_of_joints("positions that are no finite numbers are left out", wrong)
        whole = self._robot.whole(finite)
        if not self._robot.followers.closed:
            what = "positions at which loops do not close: joints that follow are left out"
            self._tell_of_joints(what, state.names)
        message = self._robot.moving(whole)
        if message is not None:
            self._transforms.publish(message)
        if self._robot.followers.known:
            self._joints.publish(self._robot.joints(whole))

    def _on_free(self, message: Any) -> None:
        if len(message.joint_names) != len(message.transforms):
            counts = f"{len(message.joint_names)} names and {len(message.transforms)} transforms"
            self._log.warning(
                f"multi_dof_joint_states ignored: {counts}", throttle_duration_sec=THROTTLE
            )
            return
        if self._robot is None:
            return
        state = free_state(message)
        self._tell_of_joints("transforms that are no poses are left out", state.wrong)
        messages, leaving = self._robot.free(state)
        self._tell_of_joints("planar joints stay in their planes, poses do not", leaving)
        for placed in messages:
            self._transforms.publish(placed)

    def _tell_of_rate(self, stamp: int) -> None:
        """Says once why not all joint states are published."""
        if stamp == 0 and "time" not in self._told:
            self._told.add("time")
            self._log.warning(
                "joint states without a time are not published; let their source give it, or set "
                "ignore_timestamp"
            )
        elif stamp and "rate" not in self._told:
            self._told.add("rate")
            rate = self._values["publish_frequency"]
            self._log.info(f"joint states come faster than publish_frequency = {rate:g} Hz")

    def _tell_of_joints(self, what: str, names: Sequence[str]) -> None:
        """Says something once of each joint."""
        new = [name for name in names if f"{name}: {what}" not in self._told]
        if new:
            self._told.update(f"{name}: {what}" for name in new)
            self._log.warning(f"{what}: {', '.join(new)}")


def _placed(found: FoundRobot, values: Mapping[str, Any]) -> PlacedRobot:
    defaults = numbers("default_positions", values["default_positions"])
    return PlacedRobot(found, values["frame_prefix"], defaults)


def _problem(state: JointPositions) -> str | None:
    if len(state.names) != len(state.positions):
        return f"it has {len(state.names)} names and {len(state.positions)} positions"
    return "its time is negative" if state.time[0] < 0 else None


def main(args: Sequence[str] | None = None) -> int:
    """Runs the node."""
    return run(TransformPublisher, args)


if __name__ == "__main__":
    sys.exit(main())
