"""References of the controller in C++: position limits, the end of control, cycles of any length.

The second joint of the double pendulum has position limits of +-3 rad; the first turns on.
"""

from __future__ import annotations

import numpy as np
import pytest

from test.control.cpp_controller import (
    PERIOD,
    Law,
    computed_torque,
    reference_problem,
    rows,
)
from test.support.fault_table import fault

pytestmark = pytest.mark.slow

Q, QD = np.array([0.4, -1.1]), np.array([0.3, 0.2])
NAN = rows(np.nan, np.nan, np.nan, np.nan)


@pytest.fixture
def controller(make_controller):
    made = make_controller()
    made.set(Law(compensate_friction=False))
    return made


@fault("a number of a reference beyond 1e9")
@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (rows([100.0, 3.0]), ""),
        (rows([0.0, 3.0 + 1e-7]), ""),
        (rows([0.0, 100.0]), "position 100 of joint 'joint2' is not within -3 and 3"),
        (rows([0.0, -3.01]), "position -3.01 of joint 'joint2' is not within -3 and 3"),
        (rows([1e307, 0.0]), "joint 'joint1' has 1e+307, more than 1e+09"),
        (rows([0.0, 0.0], [0.0, -2e9]), "joint 'joint2' has -2e+09, more than 1e+09"),
        (NAN, ""),
        (rows([np.inf, -np.inf], np.inf), ""),
    ],
)
def test_topic_refuses_what_no_joint_can_follow(pendulum_library, given, problem):
    assert reference_problem(pendulum_library, given) == problem


@fault("reference beyond a position limit")
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_reference_beyond_a_limit_becomes_the_limit(controller, side):
    wanted = rows([0.5, side * 100.0], [0.2, side * 5.0], [1.0, side * 2.0])
    at_limit = rows([0.5, side * 3.0], [0.2, 0.0], [1.0, 0.0])
    reply = controller.update(Q, QD, wanted)
    np.testing.assert_allclose(reply.effort, computed_torque(Q, QD, at_limit), atol=1e-9)
    np.testing.assert_array_equal(controller.report()["reference"], at_limit[0])
    back = rows([0.5, side * 3.5], [0.2, -side * 5.0], [1.0, -side * 2.0])
    inwards = rows([0.5, side * 3.0], [0.2, -side * 5.0], [1.0, -side * 2.0])
    reply = controller.update(Q, QD, back)
    np.testing.assert_allclose(reply.effort, computed_torque(Q, QD, inwards), atol=1e-9)


def test_robot_found_beyond_a_limit_may_be_held_there(controller):
    beyond = np.array([0.4, 3.2])
    controller.update(beyond, QD, NAN)
    np.testing.assert_array_equal(controller.report()["reference"], beyond)
    controller.update(beyond, QD, rows([0.4, 3.1]))
    np.testing.assert_array_equal(controller.report()["reference"], [0.4, 3.1])
    controller.update(beyond, QD, rows([0.4, 3.5]))
    np.testing.assert_array_equal(controller.report()["reference"], beyond)


def test_drives_with_velocity_loops_are_left_at_rest(controller):
    controller.update(Q, QD, rows([0.5, -1.0], [2.0, -1.0]))
    np.testing.assert_array_equal(controller.report()["moving"], [2.0, -1.0])
    controller.parting("zero")
    np.testing.assert_array_equal(controller.report()["moving"], [0.0, 0.0])
    np.testing.assert_array_equal(controller.report()["reference"], [0.5, -1.0])


def test_velocity_of_a_robot_that_is_not_known_is_zero(controller):
    controller.update([np.nan, 0.0], QD, rows([0.5, -1.0], [2.0, -1.0]))
    np.testing.assert_array_equal(controller.report()["moving"], [0.0, 0.0])


@pytest.mark.parametrize("cycle", [PERIOD, 10 * PERIOD])
def test_cycles_are_missed_where_the_rate_is_not_known(make_controller, cycle):
    """The controller manager of Humble tells no rate unless it is set for the controller."""
    controller = make_controller(period=0.0, activation_time=0.1)
    for i in range(500):
        controller.update(Q, QD, NAN, period=cycle * (1.3 if i % 10 == 0 else 1.0))
    assert controller.report()["missed"] == 0
    assert controller.report()["share"] == 1.0
    controller.update(Q, QD, NAN, period=500 * cycle)
    assert controller.report()["missed"] == pytest.approx(499, rel=0.1)
    assert 0.0 < controller.report()["share"] <= 2.2 * cycle / 0.1
