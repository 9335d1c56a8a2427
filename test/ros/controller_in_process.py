"""Nodes of controllers within the test: their topics are called, their clock is set."""

import contextlib
import math
from collections import defaultdict
from types import SimpleNamespace

import numpy as np
import rclpy
from builtin_interfaces.msg import Duration
from rclpy.parameter import Parameter
from rclpy.serialization import deserialize_message, serialize_message
from rclpy.time import Time
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from robcogen_ros.ros.inverse_dynamics_controller import InverseDynamicsController
from robcogen_ros.ros.messages.statistics import numbers_by_name
from test.ros.harness import ARM, JOINTS

PERIOD = 0.01
KP, KD = 100.0, 20.0
HOME = np.array([0.3, -0.5, 0.01])
REST = np.zeros(3)


VALUES = {"robot_description": ARM.read_text(), "kp": KP, "kd": KD, "activation_time": 0.0}
"""Parameters that it has unless others are given."""


class Topic:
    """A publisher whose messages are at the test at once."""

    def __init__(self, said):
        self._said = said

    def publish(self, message):
        self._said.append(copied(message))

    def wait_for_all_acked(self, timeout):
        return True


REFERENCES = ("~/reference", "~/pose", "~/twist", "~/wrench")


class Overheard:
    """What makes a node's topics lead to the test."""

    def __init__(self, **options):
        self.said, self.hears, self.ticks = defaultdict(list), {}, []
        super().__init__(**options)

    def create_publisher(self, kind, topic, *args, **options):
        if topic not in ("joint_commands", "~/statistics", "/diagnostics"):
            return super().create_publisher(kind, topic, *args, **options)
        return Topic(self.said[topic])

    def create_subscription(self, kind, topic, callback, *args, **options):
        if topic not in ("joint_states", *REFERENCES):
            return super().create_subscription(kind, topic, callback, *args, **options)
        self.hears[topic] = callback
        return None

    def create_timer(self, period, callback, **options):
        self.ticks.append(callback)

    def destroy_publisher(self, publisher):
        if not isinstance(publisher, Topic):
            super().destroy_publisher(publisher)

    def destroy_subscription(self, subscription):
        if subscription is not None:
            super().destroy_subscription(subscription)

    def destroy_timer(self, timer):
        if timer is not None:
            super().destroy_timer(timer)


class OverheardController(Overheard, InverseDynamicsController):
    """The node of the joints' controller."""


def copied(message):
    """The message as it is now: the node fills the same one again."""
    if isinstance(message, bytes):
        message = deserialize_message(message, JointState)
    if not isinstance(message, JointState):
        return message
    fields = ("position", "velocity", "effort")
    return SimpleNamespace(
        name=list(message.name), **{f: np.array(getattr(message, f)) for f in fields}
    )


class ControllerInProcess:
    """A configured and active controller, on a clock of its own."""

    kind = OverheardController
    values = VALUES

    def __init__(self, context, **parameters):
        values = {**self.values, "use_sim_time": True, **parameters}
        overrides = [Parameter(name, value=value) for name, value in values.items()]
        self.node = self.kind(context=context, parameter_overrides=overrides)
        self.now = 100.0
        self.sleep(0.0)
        self.node.trigger_configure()
        self.node.trigger_activate()

    def sleep(self, duration):
        """Time goes on; nothing comes."""
        self.now += duration
        clock = self.node.get_clock()
        clock.set_ros_time_override(Time(seconds=self.now, clock_type=clock.clock_type))

    def restart(self):
        """Begins anew, with the usual limits."""
        self.node.trigger_deactivate()
        assert self.set(effort_limits=math.inf) == ""
        self.node.trigger_activate()

    @property
    def commands(self):
        return self.node.said["joint_commands"]

    def state(self, position, velocity=(0.0,) * 3, names=JOINTS, after=PERIOD):
        """Sends a state after a while; the command that it gives, if any."""
        self.sleep(after)
        before = len(self.commands)
        state = JointState(name=list(names), position=list(position), velocity=list(velocity))
        state.header.stamp = Time(seconds=self.now).to_msg()
        self.node.hears["joint_states"](serialize_message(state))
        return self.commands[-1] if len(self.commands) > before else None

    def wait(self, duration):
        """Time goes on without states, and the watchdog looks; what it commands, if anything."""
        before = len(self.commands)
        for _ in range(round(duration / 0.02)):
            self.sleep(0.02)
            for tick in self.node.ticks:
                tick()
        return self.commands[-1] if len(self.commands) > before else None

    @property
    def refused(self):
        """How many messages it has not used, as its statistics say."""
        for tick in self.node.ticks:
            tick()
        return numbers_by_name(self.node.said["~/statistics"][-1])["refused"]

    def reference(self, *points, names=JOINTS, stamp=None):
        """Sends points, each (time, positions[, velocities[, accelerations]])."""
        message = JointTrajectory(joint_names=list(names))
        for time, *rows in points:
            fields = zip(("positions", "velocities", "accelerations", "effort"), rows, strict=False)
            point = JointTrajectoryPoint(**{field: list(row) for field, row in fields})
            whole, part = divmod(time, 1.0)
            point.time_from_start = Duration(sec=int(whole), nanosec=round(part * 1e9))
            message.points.append(point)
        if stamp is not None:
            message.header.stamp = Time(seconds=stamp).to_msg()
        self.node.hears["~/reference"](message)

    def set(self, **values):
        """Sets parameters; the reason why they are refused, empty if they are not."""
        changes = [Parameter(name, value=value) for name, value in values.items()]
        return self.node.set_parameters_atomically(changes).reason

    def close(self):
        self.node.close()
        self.node.destroy_node()


@contextlib.contextmanager
def ros_context():
    """ROS for nodes within this process."""
    context = rclpy.Context()
    rclpy.init(args=[], context=context, signal_handler_options=None)
    yield context
    context.try_shutdown()


def near(*offset):
    """A position beside HOME."""
    return HOME + np.array(offset)


def held(robot, q, qd=REST, at=HOME):
    """Computed torque towards standing at a position."""
    q, qd = np.asarray(q, float), np.asarray(qd, float)
    return robot.inverse_dynamics(q, qd, KP * (at - q) - KD * qd)


def assert_effort(command, expected):
    np.testing.assert_allclose(command.effort, expected, atol=1e-9)
