"""What the node of a tool's controller commands, beside formulas on Pinocchio's quantities."""

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("tf2_msgs", reason="tf2_msgs is not built")

from geometry_msgs.msg import PoseStamped, TwistStamped, WrenchStamped
from scipy.spatial.transform import Rotation

from robcogen_ros.ros.task_space_controller import TaskSpaceControllerNode
from test.ros.controller_in_process import ControllerInProcess, Overheard, ros_context
from test.support.pinocchio_oracle import PinocchioOracle
from test.support.robots import robot_path

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::UserWarning")]

UR5 = robot_path("ur_description/urdf/ur5_robot.urdf")
ORACLE = PinocchioOracle(UR5)
BASE, TOOL = "base_link", "tool0"
HOME = np.array([0.3, -1.0, 1.2, -0.6, 1.0, 0.2])
REST = np.zeros(6)
STIFFNESS = [20.0, 30.0, 40.0, 300.0, 400.0, 500.0]
WEIGHT = ORACLE.inverse_dynamics(HOME, REST, REST)


VALUES = {
    "robot_description": UR5.read_text(),
    "base_frame": BASE,
    "tool_frame": TOOL,
    "stiffness": STIFFNESS,
    "max_linear_velocity": 100.0,
    "max_angular_velocity": 100.0,
    "limit_rate": 0.0,
    "activation_time": 0.0,
}


class OverheardTool(Overheard, TaskSpaceControllerNode):
    """The node of the tool's controller."""


class Tool(ControllerInProcess):
    """It, on a clock of the test."""

    kind = OverheardTool
    values = VALUES

    def at_home(self):
        """Efforts where the arm rests at HOME."""
        return self.state(HOME, REST, ORACLE.joint_names).effort

    def ask(self, topic, frame=BASE, **numbers):
        kinds = {"pose": PoseStamped, "twist": TwistStamped, "wrench": WrenchStamped}
        message = kinds[topic]()
        message.header.frame_id = frame
        for part, values in numbers.items():
            for axis, value in zip("xyzw", values, strict=False):
                setattr(getattr(getattr(message, topic), part), axis, float(value))
        self.node.hears[f"~/{topic}"](message)


@pytest.fixture(scope="module")
def running():
    with ros_context() as context:
        tool = Tool(context)
        yield tool
        tool.close()


@pytest.fixture
def tool(running):
    running.node.trigger_deactivate()
    running.node.trigger_activate()
    np.testing.assert_allclose(running.at_home(), WEIGHT, atol=1e-6)  # it holds where it is
    return running


def moved(*way):
    """The pose of the tool, moved along the axes of the base, as a message has it."""
    base, tool = (ORACLE.frame_pose(frame, HOME) for frame in (BASE, TOOL))
    pose = np.linalg.inv(base) @ tool
    turned = Rotation.from_matrix(pose[:3, :3]).as_quat()
    return {"position": pose[:3, 3] + way, "orientation": turned}


def jacobian():
    return ORACLE.jacobian(BASE, TOOL, HOME)


def test_a_pose_pulls_by_stiffness_times_the_error(tool):
    tool.ask("pose", **moved(0.01, 0.02, -0.03))
    force = np.array([0.0, 0.0, 0.0, 3.0, 8.0, -15.0])
    np.testing.assert_allclose(tool.at_home() - WEIGHT, jacobian().T @ force, atol=1e-5)


def test_a_wrench_is_pushed_with_for_a_tenth_of_a_second(tool):
    tool.ask("wrench", force=[0.0, 0.0, -10.0], torque=[1.0, 0.0, 0.0])
    wrench = np.array([1.0, 0.0, 0.0, 0.0, 0.0, -10.0])
    np.testing.assert_allclose(tool.at_home() - WEIGHT, jacobian().T @ wrench, atol=1e-5)
    for _ in range(12):
        last = tool.at_home()
    np.testing.assert_allclose(last, WEIGHT, atol=1e-5)


@pytest.mark.parametrize(
    ("topic", "frame", "numbers"),
    [
        ("pose", "world", {"position": [1.0, 0.0, 0.0], "orientation": [0.0, 0.0, 0.0, 1.0]}),
        ("pose", BASE, {"position": [1.0, 0.0, 0.0], "orientation": [0.0, 0.0, 0.0, 0.5]}),
        ("pose", BASE, {"position": [np.nan, 0.0, 0.0], "orientation": [0.0, 0.0, 0.0, 1.0]}),
        ("twist", BASE, {"linear": [np.inf, 0.0, 0.0]}),
        ("wrench", "tool0", {"force": [1.0, 0.0, 0.0]}),
    ],
)
def test_what_is_no_reference_is_refused(tool, topic, frame, numbers):
    before = tool.refused
    tool.ask(topic, frame, **numbers)
    assert tool.refused == before + 1
    np.testing.assert_allclose(tool.at_home(), WEIGHT, atol=1e-6)


def test_parameters_change_while_it_runs(tool):
    assert tool.set(stiffness=[2 * k for k in STIFFNESS]) == ""
    tool.ask("pose", **moved(0.01, 0.0, 0.0))
    force = np.array([0.0, 0.0, 0.0, 6.0, 0.0, 0.0])
    np.testing.assert_allclose(tool.at_home() - WEIGHT, jacobian().T @ force, atol=1e-5)
    assert "stiffness" in tool.set(stiffness=[-1.0] * 6)
    assert tool.set(stiffness=STIFFNESS) == ""


def test_states_that_stop_leave_the_weight_carried(tool):
    tool.ask("wrench", force=[0.0, 0.0, -10.0])
    np.testing.assert_allclose(tool.wait(0.3).effort, WEIGHT, atol=1e-6)


def test_an_unknown_tool_is_told():
    with ros_context() as context:
        tool = Tool(context, tool_frame="tol0")
        assert tool.node.get_logger() is not None
        assert tool.node._control is None
        tool.close()
