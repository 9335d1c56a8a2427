import math

import numpy as np
import pytest

import robcogen_ros

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("tf2_msgs", reason="tf2_msgs is not built")

from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from robcogen_ros.ros.messages.statistics import numbers_by_name
from test.ros.harness import ARM, JOINTS, LATCHED

SPACE = "/alone"
NODE = f"{SPACE}/inverse_dynamics_controller"
KP, KD = 50.0, 10.0
HOME = [0.3, -0.5, 0.01]


@pytest.fixture(scope="module")
def robot():
    return robcogen_ros.build(ARM, backend="numpy")


class Controller:
    """The node under test; the test itself plays the robot."""

    def __init__(self, probe, start):
        self.probe = probe
        self.node = start(
            "inverse_dynamics_controller",
            SPACE,
            model_file=ARM,
            autostart="true",
            kp=KP,
            kd=KD,
            state_timeout=3.0,
            publish_array="true",
            activation_time=0.0,
            allow_partial_joints_goal="true",
            joints="[finger, elbow]",
        )
        self.commands = probe.listen(JointState, f"{SPACE}/joint_commands")
        self.arrays = probe.listen(Float64MultiArray, f"{NODE}/commands")
        self.statistics = probe.listen(Float64MultiArray, f"{NODE}/statistics", LATCHED)
        self.states = probe.node.create_publisher(JointState, f"{SPACE}/joint_states", 10)
        self.references = probe.node.create_publisher(JointTrajectory, f"{NODE}/reference", 10)
        probe.until(lambda: self.states.get_subscription_count() > 0)

    def send(self, position, velocity=(0.0, 0.0, 0.0), names=JOINTS):
        state = JointState(name=names, position=position, velocity=velocity)
        state.header.stamp = self.probe.stamp()
        self.states.publish(state)
        return state.header.stamp

    def answer(self, position, velocity=(0.0, 0.0, 0.0), names=JOINTS):
        """Efforts for a state, by the robot's own order of joints."""
        stamps = []

        def found():
            return [m for m in self.commands if m.header.stamp in stamps]

        def send():
            stamps.append(self.send(position, velocity, names))

        self.probe.until(found, meanwhile=send)
        self.probe.spin(0.05)
        message = found()[-1]
        efforts = dict(zip(message.name, message.effort, strict=True))
        return np.array([efforts[name] for name in JOINTS])

    def refused(self):
        """How many messages it has not used, as its statistics say."""
        self.probe.until(lambda: self.statistics)
        return numbers_by_name(self.statistics[-1])["refused"]

    def restart(self):
        for transition in (Transition.TRANSITION_DEACTIVATE, Transition.TRANSITION_ACTIVATE):
            assert self.change(transition)
        self.answer(HOME)

    def change(self, transition):
        request = ChangeState.Request(transition=Transition(id=transition))
        return self.probe.call(ChangeState, f"{NODE}/change_state", request).success


@pytest.fixture(scope="module")
def running(probe, start):
    return Controller(probe, start)


@pytest.fixture
def controller(running):
    running.restart()
    return running


def test_it_holds_where_it_finds_the_robot(controller, robot):
    np.testing.assert_allclose(controller.answer(HOME), robot.gravity_torques(HOME), atol=1e-12)


def test_errors_become_efforts_by_the_inertia_whatever_the_order_of_names(controller, robot):
    q, qd = np.array([0.35, -0.45, 0.012]), np.array([0.1, -0.2, 0.01])
    wanted = robot.inverse_dynamics(q, qd, KP * (np.array(HOME) - q) - KD * qd)
    order = [2, 0, 1]
    names = [JOINTS[i] for i in order]
    found = controller.answer(q[order].tolist(), qd[order].tolist(), names)
    np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_efforts_also_come_as_an_array_in_the_order_asked_for(controller):
    wanted = controller.answer(HOME)[[2, 1]]
    controller.probe.until(
        lambda: controller.arrays and np.allclose(controller.arrays[-1].data, wanted)
    )


def test_a_reference_is_followed_by_name(controller, robot):
    goal = JointTrajectory(joint_names=["elbow"])
    goal.points = [JointTrajectoryPoint(positions=[-0.6], velocities=[0.0], accelerations=[0.0])]
    controller.references.publish(goal)
    held = robot.gravity_torques(HOME)
    controller.probe.until(lambda: not np.allclose(controller.answer(HOME), held))
    error = np.array([0.0, -0.1, 0.0])
    wanted = robot.inverse_dynamics(HOME, np.zeros(3), KP * error)
    np.testing.assert_allclose(controller.answer(HOME), wanted, atol=1e-12)


def test_a_bad_reference_changes_nothing(controller, robot):
    before = controller.refused()
    for joint, position in (("wheel", 0.0), ("shoulder", 9.0), ("shoulder", float("nan"))):
        goal = JointTrajectory(joint_names=[joint])
        goal.points = [JointTrajectoryPoint(positions=[position])]
        controller.references.publish(goal)
    controller.probe.until(lambda: controller.refused() >= before + 3)
    np.testing.assert_allclose(controller.answer(HOME), robot.gravity_torques(HOME), atol=1e-12)


def test_states_that_are_not_finite_get_no_answer_and_no_nan_leaves(controller):
    controller.commands.clear()
    bad = [controller.send([float("nan"), 0.0, 0.0]) for _ in range(5)]
    controller.answer(HOME)
    assert not [m for m in controller.commands if m.header.stamp in bad]
    assert all(np.isfinite(m.effort).all() for m in controller.commands)


def test_saturation_keeps_gravity_support(controller, robot):
    place = np.add(HOME, [0.0, 3.0, 0.0])
    assert controller.probe.set(NODE, "effort_limits", [30.0, 7.0]).successful
    efforts = controller.answer(place.tolist())
    assert controller.probe.set(NODE, "effort_limits", math.inf).successful
    gravity = robot.gravity_torques(place)
    excess = robot.inverse_dynamics(place, np.zeros(3), KP * np.array([0.0, -3.0, 0.0])) - gravity
    scale = (efforts - gravity)[1] / excess[1]
    assert 0 < scale < 1
    np.testing.assert_allclose(efforts, gravity + scale * excess, atol=1e-9)
    assert np.max(np.abs(efforts) / [40.0, 7.0, 30.0]) == pytest.approx(1.0)


def test_losing_states_leaves_gravity_support(controller, robot):
    place = [0.9, 0.4, 0.02]
    controller.answer(place)
    controller.commands.clear()
    controller.probe.until(lambda: len(controller.commands) >= 3)
    for message in controller.commands:
        np.testing.assert_allclose(message.effort, robot.gravity_torques(place), atol=1e-12)


def test_deactivation_leaves_gravity_support_and_ends_commands(running, robot):
    running.restart()
    running.commands.clear()
    assert running.change(Transition.TRANSITION_DEACTIVATE)
    running.probe.until(lambda: running.commands)
    np.testing.assert_allclose(running.commands[-1].effort, robot.gravity_torques(HOME), atol=1e-12)
    running.commands.clear()
    running.send(HOME)
    running.probe.spin(0.3)
    assert not running.commands
    assert running.change(Transition.TRANSITION_ACTIVATE)


def test_parameters_are_checked(controller):
    for name, value in (("kp", -1.0), ("kd", [1.0] * 3), ("mode", "magic"), ("mode", "gravity")):
        answer = controller.probe.set(NODE, name, value)
        assert not answer.successful, (name, value)
        assert name in answer.reason


def test_it_leaves_the_robot_supported_and_ends_well(running, robot):
    running.restart()
    running.commands.clear()
    code, said = running.node.end()
    assert code == 0
    assert "Traceback" not in said
    assert "mode computed_torque: positions are followed, efforts added to what holds them" in said
    running.probe.until(lambda: running.commands)
    np.testing.assert_allclose(running.commands[-1].effort, robot.gravity_torques(HOME), atol=1e-12)
