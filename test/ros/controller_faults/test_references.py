"""What the node commands where references are wrong, far away or silent."""

from types import SimpleNamespace

import numpy as np
import pytest

from robcogen_ros.parameters.table import table

pytest.importorskip("rclpy", reason="rclpy is not installed")

from test.ros.controller_in_process import (
    HOME,
    assert_effort,
    held,
    near,
)
from test.support.fault_table import fault

pytestmark = pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")

LIMITS = np.array([40.0, 15.0, 30.0])
NAN = float("nan")


FINE = near(0.1, 0.1, 0.0)


@fault(
    "a reference with numbers that are not finite",
    "a reference for an unknown joint, or that leaves joints out",
    "a reference with too few positions, without points, with times that do not increase",
    "a reference beyond a position limit, at a point or between points",
    "a motion in the past, a set point more than 1 s old",
)
@pytest.mark.parametrize(
    "message",
    [
        {"points": [(0.5, [NAN, 0, 0])]},
        {"points": [(0.5, FINE, [np.inf, 0, 0])]},
        {"points": [(0.5, FINE)], "names": ["shoulder", "elbow", "wheel"]},
        {"points": [(0.5, FINE[:1])], "names": ["shoulder"]},
        {"points": [(0.5, FINE[:2])]},
        {"points": [(0.5, [5.0, 0, 0])]},
        {"points": [(0.5, FINE), (0.5, HOME)]},
        {"points": []},
        {"points": [(0.5, FINE, [-50.0, 0, 0])]},
        {"points": [(0.5, FINE)], "stamp": 50.0},
        {"points": [(0.0, FINE)], "stamp": 50.0},
    ],
    ids=[
        "nan",
        "infinite velocity",
        "unknown joint",
        "joints left out",
        "too few positions",
        "beyond limits",
        "times do not increase",
        "no points",
        "beyond limits between points",
        "past trajectory",
        "past set point",
    ],
)
def test_a_bad_reference_is_counted_and_changes_no_motion(running, robot, message):
    goal, refused = near(0.2, 0.1, 0.0), running.refused
    running.reference((0.5, goal))
    running.state(HOME, after=0.06)
    running.reference(*message["points"], **{k: v for k, v in message.items() if k != "points"})
    assert running.refused == refused + 1
    for _ in range(10):
        command = running.state(HOME, after=0.06)
    assert_effort(command, held(robot, HOME, at=goal))


@fault("a reference before the first state")
def test_a_reference_before_the_first_state_is_refused(start, robot):
    controller = start()
    controller.reference((0.1, FINE))
    for _ in range(4):
        assert_effort(controller.state(HOME, after=0.06), held(robot, HOME))


@fault("a reference without efforts in mode `gravity` or `compensation`, which follow no positions")
@pytest.mark.parametrize("mode", ["gravity", "compensation"])
def test_positions_that_the_mode_does_not_follow_are_refused(start, robot, mode):
    controller = start(mode=mode)
    controller.state(HOME)
    controller.reference((0.5, FINE))
    assert controller.refused == 1
    assert_effort(controller.state(HOME), robot.gravity_torques(HOME))


@fault("a reference with efforts alone")
@pytest.mark.parametrize("mode", table("inverse_dynamics_controller")[0].choices)
@pytest.mark.parametrize("feed_forward", [True, False])
def test_efforts_alone_are_added_in_each_mode(start, robot, mode, feed_forward):
    controller, effort = start(mode=mode, feed_forward=feed_forward), np.array([1.0, -2.0, 3.0])
    before = controller.state(HOME).effort
    assert_effort(SimpleNamespace(effort=before), robot.gravity_torques(HOME))
    controller.reference((0.0, (), (), (), effort))
    assert_effort(controller.state(HOME), before + effort)
    for _ in range(11):
        last = controller.state(HOME)
    assert_effort(last, before)
    controller.reference((0.1, (), (), (), effort), (1.0, (), (), (), effort))
    for _ in range(110):
        last = controller.state(HOME)
    assert_effort(last, before + effort)


@fault("a reference far away")
def test_a_reference_far_away_saturates_with_the_weight_carried(running, robot):
    goal = near(1.5, 3.0, 0.0)
    running.reference((0.0, goal))
    command, weight = running.state(HOME), robot.gravity_torques(HOME)
    excess = held(robot, HOME, at=goal) - weight
    scale = (command.effort - weight)[1] / excess[1]
    assert 0 < scale < 1
    assert_effort(command, weight + scale * excess)
    assert np.max(np.abs(command.effort) / LIMITS) == pytest.approx(1.0)


@fault("a reference that replaces another in full flight")
def test_a_reference_replaced_in_full_flight_makes_no_jump(start):
    controller = start(mode="feed_forward")
    controller.state(HOME)
    controller.reference((0.0, HOME), (1.0, near(1.0, 0.5, 0.0)))
    path = [controller.state(HOME, after=0.05) for _ in range(10)]
    controller.reference((0.0, HOME), (1.0, near(-1.0, -0.5, 0.0)))
    path += [controller.state(HOME, after=0.05) for _ in range(21)]
    steps = np.diff([command.position for command in path], axis=0)
    fastest = np.max([np.abs(command.velocity) for command in path], axis=0)
    assert (np.abs(steps) <= 0.05 * fastest + 1e-9).all()
    np.testing.assert_allclose(path[-1].position, near(-1.0, -0.5, 0.0))


@fault("a stream of set points that stops")
def test_a_stream_that_stops_comes_to_rest(running, robot):
    running.reference((0.0, HOME, [0.5, 0.0, 0.0]))
    for _ in range(5):
        command = running.state(HOME, after=0.05)
    assert_effort(command, held(robot, HOME, at=near(0.05, 0.0, 0.0)))


@fault("time leaps forward or back by more than `state_timeout`")
@pytest.mark.parametrize("leap", [5.0, -5.0])
def test_a_leap_of_time_ends_the_motion(running, robot, leap):
    running.reference((4.0, near(1.0, 0.0, 0.0)))
    assert_effort(running.state(FINE, after=leap), held(robot, FINE, at=FINE))
