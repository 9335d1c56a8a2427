"""The transform publisher's node within the test, its ends in hand."""

import pytest
import rclpy
from builtin_interfaces.msg import Time
from rclpy.parameter import Parameter
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState, MultiDOFJointState

from robcogen_ros.parameters.assignments import NodeArguments
from robcogen_ros.ros import transform_publisher
from robcogen_ros.ros.transform_publisher import TransformPublisher

CREATE_NODE = rclpy.create_node


class Topic:
    """Stands for a publisher."""

    def __init__(self, kind, name, qos, **options):
        self.kind, self.qos, self.options = kind, qos, options
        self.sent = []

    def publish(self, message):
        raw = message if isinstance(message, bytes) else serialize_message(message)
        self.sent.append(deserialize_message(raw, self.kind))


class Log:
    """Stands for a logger, its own throttling included."""

    def __init__(self):
        self.said, self.names = [], []

    def get_child(self, name):
        self.names.append(name)
        return self

    def _say(self, text, **options):
        if not (options and text in self.said):
            self.said.append(text)

    info = warning = error = _say

    def about(self, word):
        return [text for text in self.said if word in text]


class Now:
    """Stands for a clock."""

    seconds = 1000.0

    def now(self):
        return rclpy.time.Time(nanoseconds=round(self.seconds * 1e9))


class Local:
    """The node, with its ends in hand."""

    def __init__(self, parameters, file):
        self.topics, self.log, self.clock = {}, Log(), Now()
        overrides = [Parameter(name, value=value) for name, value in parameters.items()]

        def create_node(name):
            self.node = CREATE_NODE(name, parameter_overrides=overrides)
            self.node.create_publisher = self._create_publisher
            self.node.get_logger = lambda: self.log
            self.node.get_clock = lambda: self.clock
            return self.node

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(transform_publisher.rclpy, "create_node", create_node)
            TransformPublisher(NodeArguments(str(file)))
        self.subscriptions = {s.topic_name: s for s in self.node.subscriptions}

    def _create_publisher(self, kind, name, qos, **options):
        self.topics[name] = Topic(kind, name, qos, **options)
        return self.topics[name]

    def set(self, **parameters):
        changes = [Parameter(name, value=value) for name, value in parameters.items()]
        return self.node.set_parameters_atomically(changes)

    def get(self, name):
        return self.node.get_parameter(name).value

    def sends(self, names, positions, stamp=None):
        """The transforms of a state by child; None if it is not published."""
        stamp = self.clock.seconds if stamp is None else stamp
        state = JointState(name=names, position=positions)
        state.header.stamp = Time(sec=int(stamp // 1), nanosec=round(stamp % 1 * 1e9))
        sent = self.topics["/tf"].sent
        sent.clear()
        self.subscriptions["/joint_states"].callback(serialize_message(state))
        assert all(t.header.stamp == state.header.stamp for m in sent for t in m.transforms)
        return {t.child_frame_id: t for t in sent[0].transforms} if sent else None

    def hears(self, names, transforms):
        """The transforms by child that poses of planar and floating joints bring about."""
        state = MultiDOFJointState(joint_names=names, transforms=transforms)
        state.header.stamp.sec = 77
        sent = self.topics["/tf"].sent
        sent.clear()
        self.subscriptions["/multi_dof_joint_states"].callback(state)
        assert all(t.header.stamp.sec == 77 for m in sent for t in m.transforms)
        return {t.child_frame_id: t for m in sent for t in m.transforms} or None

    @property
    def fixed(self):
        """Fixed links and whom they are on, as last latched."""
        latched = self.topics["/tf_static"].sent[-1].transforms
        return {t.child_frame_id: t.header.frame_id for t in latched}

    @property
    def description(self):
        return self.topics["robot_description"].sent[-1].data
