import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("diagnostic_msgs.msg", reason="diagnostic_msgs is not installed")

from diagnostic_msgs.msg import DiagnosticStatus
from rclpy.node import Node

from robcogen_ros.nodes.work import Diagnosis, Level
from robcogen_ros.ros.messages.diagnostics import DiagnosticsPublisher
from test.ros.controller_in_process import ros_context
from test.ros.harness import confine


class Topic:
    """What was published."""

    def __init__(self):
        self.messages = []

    def publish(self, message):
        self.messages.append(message)


def test_a_diagnosis_goes_out_as_a_status_of_the_node():
    confine()
    topic = Topic()
    with ros_context() as context:
        node = Node("controller", namespace="/arm", context=context)
        node.create_publisher = lambda *arguments: topic
        publisher = DiagnosticsPublisher(node, "panda")
        publisher.publish(Diagnosis(Level.WARN, "at a limit", {"commands": "7"}))
        node.destroy_node()
    (status,) = topic.messages[0].status
    assert status.level == DiagnosticStatus.WARN
    assert (status.name, status.hardware_id) == ("/arm/controller", "panda")
    assert status.message == "at a limit"
    assert [(v.key, v.value) for v in status.values] == [("commands", "7")]
