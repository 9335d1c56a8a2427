"""What the node commands where states are wrong or missing, and as it begins."""

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
from test.ros.harness import JOINTS
from test.support.fault_table import fault

pytestmark = pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")

LIMITS = np.array([40.0, 15.0, 30.0])
NAN = float("nan")


@fault("no joint states yet; a joint that no state names")
def test_no_states_no_command(start):
    assert start().wait(1.0) is None


@fault("no joint states yet; a joint that no state names")
def test_a_joint_that_is_never_heard_of_means_no_command(start):
    controller = start()
    assert controller.state(HOME[:2], REST[:2], JOINTS[:2]) is None
    assert controller.wait(0.5) is None


@fault("joint states stop")
def test_states_that_stop_leave_gravity_support(running, robot):
    running.state(near(0.1, 0.0, 0.0), [1.0, 2.0, 0.1])
    assert running.wait(0.08) is None
    assert_effort(running.wait(0.1), robot.gravity_torques(near(0.1, 0.0, 0.0)))


@fault("joint states stop")
def test_states_that_stop_leave_nothing_where_that_is_asked_for(start):
    controller = start(failure_effort="zero")
    controller.state(HOME)
    assert_effort(controller.wait(0.3), REST)


@fault("states come back after a loss")
def test_states_that_come_back_are_held_where_they_are(running, robot):
    running.reference((1.0, near(0.5, 0.5, 0.0)))
    running.wait(0.3)
    found = near(0.1, -0.1, 0.0)
    assert_effort(running.state(found, [0.2, 0.0, 0.0]), held(robot, found, [0.2, 0, 0], at=found))
    for _ in range(20):
        command = running.state(found, after=0.06)
    assert_effort(command, held(robot, found, at=found))


def test_efforts_come_up_slowly_at_activation(start, robot):
    controller = start(activation_time=0.5)
    weight, whole = robot.gravity_torques(HOME), held(robot, HOME, [0.5, 0, 0])
    assert_effort(controller.state(HOME, [0.5, 0, 0]), weight)
    assert_effort(controller.state(HOME, [0.5, 0, 0]), weight + 0.02 * (whole - weight))


@fault("one joint's states stop")
def test_one_joint_that_stops_is_a_loss(running, robot):
    for _ in range(20):
        last = running.state(HOME[:2], REST[:2], JOINTS[:2])
    assert last is None
    assert_effort(running.wait(0.2), robot.gravity_torques(HOME))


@fault(
    "a position that is NaN or infinite",
    "a velocity that is NaN, of a joint that had one since activation",
    "fewer positions or velocities than names",
)
@pytest.mark.parametrize(
    ("position", "velocity"),
    [
        ([NAN, 0, 0], REST),
        ([0, np.inf, 0], REST),
        (HOME, [0, NAN, 0]),
        (HOME[:2], REST),
        (HOME, REST[:1]),
    ],
    ids=["nan", "infinite", "velocity nan", "too few positions", "too few velocities"],
)
def test_a_bad_state_is_no_state(running, robot, position, velocity):
    assert running.state(position, velocity) is None
    for _ in range(9):
        running.state(position, velocity)
    assert_effort(running.wait(0.1), robot.gravity_torques(HOME))
    assert_effort(running.state(HOME), held(robot, HOME))


@fault("velocities that are NaN from activation on, of some joints or all")
@pytest.mark.parametrize("known", [[], [0], [0, 2]])
def test_velocities_that_are_never_told_are_estimated(shared, robot, known):
    shared.restart()
    velocity = np.array([0.5, -0.4, 0.02])
    told = np.full(3, NAN)
    told[known] = velocity[known]
    for step in range(60):
        q = near(*(0.01 * step * velocity))
        command = shared.state(q, told)
    assert_effort(command, held(robot, q, velocity))


@fault("velocities that are NaN from activation on, of some joints or all")
def test_gravity_needs_no_velocities(start, robot):
    controller = start(mode="gravity")
    for _ in range(20):
        assert_effort(controller.state(HOME, [NAN] * 3), robot.gravity_torques(HOME))


@fault("names in another order, among those of other robots")
def test_names_in_another_order_among_strangers_change_nothing(running, robot):
    q, qd = near(0.1, 0.2, -0.005), np.array([0.1, -0.2, 0.01])
    names = ["wheel", JOINTS[2], JOINTS[0], JOINTS[1]]
    command = running.state([9.0, *q[[2, 0, 1]]], [9.0, *qd[[2, 0, 1]]], names)
    assert_effort(command, held(robot, q, qd))


@fault("an absurd reading, 1e6 rad off at 1e9 rad/s")
def test_a_mad_reading_stays_within_limits(running):
    command = running.state(near(1e6, 0, 0), [1e9, -1e9, 0])
    assert (np.abs(command.effort) <= LIMITS).all()
