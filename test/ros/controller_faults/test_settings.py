"""What the node commands where parameters are wrong, limits reached, and as it ends."""

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")

from test.ros.controller_in_process import (
    HOME,
    REST,
    assert_effort,
    held,
    near,
)
from test.support.fault_table import fault

pytestmark = pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")

LIMITS = np.array([40.0, 15.0, 30.0])
NAN = float("nan")


@fault("efforts that overflow")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_efforts_that_overflow_become_gravity_support(running, robot):
    running.reference((0.0, HOME, [1e308] * 3, [1e308] * 3))
    assert_effort(running.state(HOME), robot.gravity_torques(HOME))


@fault(
    "a gain that is negative or NaN, a list of wrong length, one wrong value among several",
    "a change of `mode` while active, of the robot once configured",
    "a payload that no body can be, or for a robot that carries none",
)
@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"kp": NAN}, "kp"),
        ({"kd": -1.0}, "kd"),
        ({"kp": [1.0, 2.0]}, "kp: expected one value or 3, found 2"),
        ({"kp": 1.0, "kd": -1.0}, "kd"),
        ({"mode": "gravity"}, "mode: can change only while the controller is not active"),
        ({"mode": "magic"}, "expected one of"),
        ({"gravity": [0.0, 0.0]}, "expected 3 numbers"),
        ({"effort_limits": [5.0, 0.0, 5.0]}, "expected more than 0"),
        ({"gravity": [0.0, 0.0, NAN]}, "expected -100 to 100, found nan"),
        ({"payload_mass": 1.0}, "payload_frame"),
        ({"robot_description": "<robot/>"}, "before the controller is configured"),
        ({"state_timeout": 0.0}, "before the controller is configured"),
    ],
)
def test_a_bad_parameter_is_refused_and_changes_nothing(running, robot, changes, reason):
    assert reason in running.set(**changes)
    moved = near(0.1, 0.0, 0.0)
    assert_effort(running.state(moved), held(robot, moved))


@fault("a limit that does not carry the joint's weight")
def test_a_joint_too_weak_for_its_weight_gives_all_it_has(running, robot):
    assert running.set(effort_limits=[1.0, 15.0, 30.0]) == ""
    weight = robot.gravity_torques(HOME)
    assert weight[0] > 1.0
    assert_effort(running.state(HOME), [1.0, weight[1], weight[2]])


@fault("deactivation, Ctrl-C in motion")
@pytest.mark.parametrize("how", ["hold_gravity", "zero", "keep"])
def test_deactivation_in_motion_leaves_what_was_asked_for(start, robot, how):
    controller = start(deactivation_effort=how)
    controller.state(HOME, [1.0, 1.0, 0.0])
    before = len(controller.commands)
    controller.node.trigger_deactivate()
    last = [command.effort for command in controller.commands[before:]]
    expected = {"hold_gravity": [robot.gravity_torques(HOME)], "zero": [REST], "keep": []}[how]
    np.testing.assert_allclose(last, expected, atol=1e-9)
    assert controller.state(HOME) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"on_deactivate": "zero"}, "on_deactivate: use deactivation_effort instead"),
        ({"on_state_timeout": "zero"}, "on_state_timeout: use failure_effort instead"),
        ({"max_stale_cycles": 5}, r"max_stale_cycles: use state_timeout \[s\] instead"),
        ({"model.payload.mass": 1.0}, r"model.payload.mass: use payload_mass \[kg\] instead"),
    ],
)
def test_old_names_are_refused_with_the_new_ones(start, old, new):
    with pytest.raises(ValueError, match=new):
        start(**old)


@fault("a payload that no body can be, or for a robot that carries none")
def test_a_payload_that_is_no_body_is_refused(start):
    controller = start(payload_frame="tool")
    controller.state(HOME)
    assert "triangle" in controller.set(payload_mass=1.0, payload_inertia=[1.0, *[0.0] * 5])
    assert controller.set(payload_mass=1.0) == ""


def test_a_payload_is_carried(start, robot):
    controller = start(payload_frame="tool", payload_mass=2.0)
    force = np.array([0, 0, -9.81 * 2.0])
    lifted = robot.gravity_torques(HOME) - robot.jacobian("world", "tool", HOME)[3:].T @ force
    assert_effort(controller.state(HOME), lifted)


def test_gravity_may_come_from_elsewhere(start, robot):
    sideways = [9.81, 0.0, 0.0]
    weight = robot.gravity_torques(HOME, gravity=sideways)
    assert_effort(start(gravity=sideways).state(HOME), weight)
    assert_effort(start(gravity=sideways, add_gravity=False).state(HOME), REST)


def test_drives_with_loops_of_their_own_get_positions_too(start, robot):
    controller = start(mode="feed_forward")
    away = near(0.2, 0.1, 0.0)
    controller.state(HOME)
    command = controller.state(away)
    assert_effort(command, robot.gravity_torques(HOME))
    np.testing.assert_allclose(command.position, HOME)
    np.testing.assert_allclose(command.velocity, REST)
    lost = controller.wait(0.3)
    assert_effort(lost, robot.gravity_torques(away))
    np.testing.assert_allclose(lost.position, away)
