"""A quadruped and its controller as nodes within the test, whose topics lead to each other."""

from types import SimpleNamespace

import numpy as np
import pytest

from robcogen_ros.errors import RobcogenError

pytest.importorskip("rclpy", reason="rclpy is not installed")

import rclpy
from geometry_msgs.msg import Twist, Vector3, WrenchStamped
from rclpy.parameter import Parameter
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState

from robcogen_ros.ros import whole_body_controller
from robcogen_ros.ros.messages.statistics import numbers_by_name
from robcogen_ros.ros.simulated_robot import SimulatedRobot
from robcogen_ros.runtime.base_estimator import FAULTS
from robcogen_ros.runtime.compiling.toolchain import proxsuite_directory
from test.ros.controller_in_process import ros_context
from test.ros.harness import confine
from test.ros.overheard import Overheard
from test.ros.test_simulated_robot import LEGS
from test.support.examples import example_path

RATE = 250.0
FILE = {"model_file": str(example_path("quadruped"))}
SENSED = ["joint_states", "odom", *(f"contacts/{leg}_foot" for leg in LEGS)]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def context():
    confine()
    with ros_context() as context:
        yield context


@pytest.fixture
def start(context, monkeypatch):
    monkeypatch.setattr(rclpy, "create_node", Overheard)
    made = []

    def make(kind, **values):
        overrides = [Parameter(name, value=value) for name, value in {**FILE, **values}.items()]
        made.append(kind(context=context, parameter_overrides=overrides))
        return made[-1]

    yield make
    for program in made:
        program.node.destroy_node()


def raw(message):
    """A joint state as it comes over a topic."""
    values = {name: list(getattr(message, name)) for name in ("position", "velocity", "effort")}
    return serialize_message(JointState(name=message.name, **values))


class Loop:
    """Both nodes; their time is simulated."""

    def __init__(self, start, monkeypatch, sensors=None, **values):
        self.robot = start(SimulatedRobot, floating_base=True, rate=RATE, **(sensors or {}))
        self.controller = start(whole_body_controller.WholeBodyController, **values)
        self.time, self.age, self.seen = 0.0, 0.0, None
        monkeypatch.setattr(self.controller, "_now", lambda: self.time)
        monkeypatch.setattr(self.controller, "_age", lambda stamp: self.age)

    def run(self, duration, velocity=None):
        robot, controller = self.robot.node, self.controller.node
        for _ in range(round(duration * RATE)):
            if velocity is not None:
                ahead, left, turn = velocity
                wanted = Twist(linear=Vector3(x=ahead, y=left), angular=Vector3(z=turn))
                controller.hears["cmd_vel"](wanted)
            self.robot.cycle()
            for topic in ("imu", *SENSED[1:], SENSED[0]):
                for message in robot.said.pop(topic, []):
                    is_state = topic == SENSED[0]
                    if topic in controller.hears:
                        controller.hears[topic](raw(message) if is_state else message)
                    self.seen = message if topic == "odom" else self.seen
            for message in controller.said.pop("joint_commands", []):
                robot.hears["joint_commands"](raw(message))
            self.time += 1.0 / RATE
        self.controller._look()
        self.controller._report()

    @property
    def place(self):
        at = self.seen.pose.pose.position
        return np.array([at.x, at.y, at.z])

    @property
    def numbers(self):
        return numbers_by_name(self.controller.node.said["~/statistics"][-1])

    def set(self, **values):
        changes = [Parameter(name, value=value) for name, value in values.items()]
        return self.controller.node.set_parameters(changes)


@pytest.mark.skipif(proxsuite_directory() is None, reason="proxsuite is not installed")
def test_it_stands_trots_as_commanded_and_stands_where_velocities_stop(start, monkeypatch):
    loop = Loop(start, monkeypatch)
    loop.run(0.4, velocity=(0.2, 0.0, 0.0))
    here = loop.place
    np.testing.assert_allclose(here[:2], 0.0, atol=2e-3)
    assert loop.set(gait="trot")[0].successful
    loop.run(1.5, velocity=(0.2, 0.0, 0.0))
    ahead = loop.place
    assert ahead[0] - here[0] == pytest.approx(0.3, rel=0.3)
    assert loop.numbers["velocity_stale"] == 0
    loop.run(0.3, velocity=(5.0, 0.0, np.nan))
    assert loop.numbers["velocity_not_finite"] > 10
    loop.run(1.5)
    assert loop.numbers["velocity_stale"] == 1
    there = loop.place
    loop.run(0.2)
    np.testing.assert_allclose(loop.place, there, atol=2e-3)
    assert there[2] == pytest.approx(here[2], abs=0.01)


@pytest.mark.parametrize("how", ["hold_gravity", "zero", "keep"])
def test_when_it_ends_it_leaves_the_robot_as_asked(start, monkeypatch, how):
    loop = Loop(start, monkeypatch, deactivation_effort=how)
    loop.controller.close()  # nothing is known of the robot
    assert not loop.controller.node.said["joint_commands"]
    loop.run(0.2)
    loop.controller.close()
    last = [list(command.effort) for command in loop.controller.node.said["joint_commands"]]
    assert len(last) == (0 if how == "keep" else 1)
    if how == "keep":
        return
    (efforts,) = last
    assert np.any(efforts) == (how == "hold_gravity")
    height = loop.place[2]
    left = raw(JointState(name=loop.controller._robot.joint_names, effort=efforts))
    for _ in range(round(0.2 * RATE)):
        loop.robot.node.hears["joint_commands"](left)
        loop.robot.cycle()
    there = loop.robot.node.said["odom"][-1].pose.pose.position.z
    assert (there < height - 0.02) == (how == "zero")


@pytest.mark.skipif(proxsuite_directory() is None, reason="proxsuite is not installed")
@pytest.mark.parametrize("false_contacts", [0.0, 0.05])
def test_it_stands_and_trots_on_what_its_imu_tells(start, monkeypatch, false_contacts):
    """Odometry that it publishes is near to the truth, and becomes less sure of the place."""
    sensors = {"false_contacts": false_contacts}
    loop = Loop(start, monkeypatch, sensors, base_state="estimator", gait="trot")
    loop.run(0.2)
    before = loop.controller.node.said["~/odom"][-1].pose.covariance
    loop.run(1.2, velocity=(0.2, 0.0, 0.0))
    assert loop.place[0] > 0.1
    told = loop.controller.node.said["~/odom"][-1]
    assert told.child_frame_id == loop.controller._robot.link_names[0]
    at, after = told.pose.pose.position, told.pose.covariance
    np.testing.assert_allclose([at.x, at.y], loop.place[:2], atol=0.02)
    assert after[0] > before[0]
    assert after[35] > before[35]
    assert "odom" not in loop.controller.node.hears


def test_a_twist_in_the_axes_of_another_frame_and_a_stale_one_are_not_taken(start, monkeypatch):
    loop = Loop(start, monkeypatch)
    loop.robot.cycle()
    said = loop.robot.node.said
    odometry, state = said["odom"][0], raw(said["joint_states"][0])
    hears, commands = loop.controller.node.hears, loop.controller.node.said
    for frame in ("world", ""):
        odometry.child_frame_id = frame
        hears["odom"](odometry)
        hears["joint_states"](state)
    loop.controller._report()
    assert not commands["joint_commands"]
    assert loop.numbers["refused"] == 2
    odometry.child_frame_id, loop.age = "trunk", 0.101
    hears["odom"](odometry)
    loop.controller._report()
    assert loop.numbers["refused"] == 3
    loop.age = 0.099
    hears["odom"](odometry)
    hears["joint_states"](state)
    assert commands["joint_commands"]


@pytest.mark.skipif(proxsuite_directory() is None, reason="proxsuite is not installed")
def test_a_fall_is_told_while_states_come(start, monkeypatch):
    loop, said = Loop(start, monkeypatch), []
    monkeypatch.setattr(
        loop.controller, "_log", SimpleNamespace(warning=lambda text, **_: said.append(text))
    )
    loop.run(0.2)
    assert not said
    push = WrenchStamped()
    push.header.frame_id, push.wrench.force.y = "trunk", 3000.0
    loop.robot.node.hears["~/wrench"](push)
    loop.run(0.6)
    assert (
        said[0] == "the robot has fallen: its efforts are hold_gravity until the node starts again"
    )
    assert loop.numbers["lost"] == 1.0


@pytest.mark.skipif(proxsuite_directory() is None, reason="proxsuite is not installed")
@pytest.mark.parametrize("dead", [[], ["LF"], LEGS])
def test_feet_that_are_not_felt_are_told_by_name(start, monkeypatch, dead):
    """A trot is told nothing of; feet that tell no force are named, one or all."""
    loop, said = Loop(start, monkeypatch, gait="trot"), []
    loop.run(0.4)
    monkeypatch.setattr(
        loop.controller, "_log", SimpleNamespace(warning=lambda text, **_: said.append(text))
    )
    for leg in dead:
        hears, name = loop.controller.node.hears, f"contacts/{leg}_foot"
        monkeypatch.setitem(hears, name, lambda _, hear=hears[name]: hear(WrenchStamped()))
    for _ in range(7):
        loop.run(0.2, velocity=(0.1, 0.0, 0.0))
    missed = "foot 'LF_foot' does not feel the ground: is its force measured?"
    assert (missed in said) == ("LF" in dead)
    assert len(said) == len(dead)


def test_why_a_robot_is_not_known_is_told_after_a_while(start, monkeypatch):
    """Nothing is wrong as long as it has just begun, and nothing counts as a fault."""
    loop, said = Loop(start, monkeypatch, base_state="estimator"), []
    log = SimpleNamespace(warning=lambda text, **_: said.append(text))
    monkeypatch.setattr(loop.controller, "_log", log)
    loop.controller._look()
    assert not said
    loop.controller._begun -= 2.1
    loop.controller._look()
    assert said == ["no joint states have come"]
    loop.run(0.1)
    loop.controller._look()
    assert len(said) == 1
    assert {name: n for name, n in loop.numbers.items() if name in FAULTS and n} == {}


def test_what_is_wrong_with_a_gait_is_told(start, monkeypatch):
    with pytest.raises((ValueError, RobcogenError), match="expected one of stand, trot, walk"):
        start(whole_body_controller.WholeBodyController, gait="gallop")
    with pytest.raises(ValueError, match=r"friction: expected 0\.01 to 10, found -1"):
        start(whole_body_controller.WholeBodyController, friction=-1.0)
    with pytest.raises(RobcogenError, match="posture: expected one value or 12, found 2"):
        start(whole_body_controller.WholeBodyController, posture=[0.1, 0.2])
    loop = Loop(start, monkeypatch)
    result = loop.set(gait="gallop")[0]
    assert not result.successful and "'gallop'" in result.reason
    assert not loop.set(greatest_velocity=[-1.0, 0.0])[0].successful
    result = loop.set(gait_duty=[0.3, 0.0])[0]
    assert result.reason.startswith("gait_duty: expected 0.5 or more of a trot, found 0.3")
    result = loop.set(posture=[100.0] * 12)[0]
    assert result.reason.startswith("posture: expected positions within the limits of the joints")
    result = loop.set(ground_normal=[0.0, 0.0, -1.0])[0]
    assert result.reason.endswith(
        "the normal against gravity, found [ 0.    0.   -9.81] and [ 0.  0. -1.]"
    )
    assert loop.set(gait="walk")[0].successful
