"""The node `view`: what the browser shows follows joint states, efforts and the base."""

import time

import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("viser", reason="viser is not installed")

import numpy as np
import rclpy
from geometry_msgs.msg import TransformStamped
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from robcogen_ros.errors import RobcogenError
from robcogen_ros.parameters.assignments import NodeArguments
from robcogen_ros.view.live import LATCHED, View
from test.ros.harness import PATIENCE
from test.view.seen import pendulum


@pytest.fixture
def talk(probe, monkeypatch):
    """A node that talks to the view, in this process; views take any port that is free."""
    nodes, create = [], rclpy.create_node

    def created(name):
        nodes.append(create(name, parameter_overrides=[Parameter("port", value=0)]))
        return nodes[-1]

    monkeypatch.setattr(rclpy, "create_node", created)
    yield rclpy.create_node("talker")
    for node in nodes:
        node.destroy_node()


class Shown:
    """A view, and who talks to it."""

    def __init__(self, talker, view):
        self.view = view
        self._executor = rclpy.executors.SingleThreadedExecutor()
        self._executor.add_node(talker)
        self._executor.add_node(view.node)

    def until(self, true, send=lambda: None):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if true():
                return
            send()
            self._executor.spin_once(timeout_sec=0.05)
        raise AssertionError("the view does not show it")


def test_it_follows_states_and_commanded_efforts(talk, tmp_path):
    (tmp_path / "r.urdf").write_text(pendulum())
    view = View(NodeArguments(str(tmp_path / "r.urdf")))
    shown = Shown(talk, view)
    states = talk.create_publisher(JointState, "joint_states", 10)
    commands = talk.create_publisher(JointState, "joint_commands", 10)
    moved = JointState(name=["other", "a"], position=[9.0, 0.7])
    shown.until(lambda: view.panel.state.q[0] == 0.7, lambda: states.publish(moved))
    held = view.panel.state.efforts[0]
    assert view.panel.sliders["a"].value == 0.7
    command = JointState(name=["a"], effort=[-4.5])
    shown.until(lambda: view.panel.state.efforts[0] == -4.5, lambda: commands.publish(command))
    assert "joint_commands" in view.panel._standing.content
    states.publish(JointState(name=["a"], position=[]))
    shown.until(lambda: view.panel.state.efforts[0] == held, lambda: states.publish(moved))
    view.close()


def test_it_waits_for_a_description_and_places_a_floating_base(talk):
    view = View()
    assert view.panel is None
    shown = Shown(talk, view)
    description = talk.create_publisher(String, "robot_description", LATCHED)
    description.publish(String(data="<robot"))
    text = pendulum().replace(
        '<robot name="pendulum">',
        '<robot name="pendulum"><link name="world"/><joint name="free" type="floating">'
        '<parent link="world"/><child link="base"/></joint>',
    )
    shown.until(lambda: view.panel is not None, lambda: description.publish(String(data=text)))
    transforms = talk.create_publisher(TFMessage, "/tf", 10)
    placed = TransformStamped(child_frame_id="base")
    placed.transform.translation.x, placed.transform.rotation.w = 2.0, 1.0
    states = talk.create_publisher(JointState, "joint_states", 10)

    def send():
        states.publish(JointState(name=["a"], position=[0.0]))
        transforms.publish(TFMessage(transforms=[placed]))

    shown.until(lambda: view.panel.state.base[0, 3] == 2.0, send)
    np.testing.assert_allclose(view.panel.state.frames[0, :3, 3], (2, 0, 0))
    view.close()


def test_a_wrong_file_is_refused(talk):
    with pytest.raises(RobcogenError, match=r"none\.urdf"):
        View(NodeArguments("none.urdf"))
