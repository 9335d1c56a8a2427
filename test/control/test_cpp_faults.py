"""What the controller in C++ commands after faults: the table of docs/controller.md."""

from __future__ import annotations

import numpy as np
import pytest

from test.cmake import test_controller_faults
from test.control.cpp_controller import (
    ARM,
    NAN,
    PERIOD,
    CppController,
    Law,
    N,
    computed_torque,
    rows,
    set_point,
)
from test.support.examples import EXAMPLES
from test.support.fault_table import fault, held_lines, table_lines

PAGE = EXAMPLES.parent / "docs" / "controller.md"

Q, QD = np.array([0.4, -1.1]), np.array([0.3, 0.2])
REST = np.zeros(N)
WANTED = rows([0.5, -1.0], [0.2, 0.1], [3.0, -2.0], [0.5, 0.0])
NOTHING = rows(np.nan, np.nan, np.nan, np.nan)
GRAVITY = ARM.gravity_torques(Q)
NO_FRICTION = Law(compensate_friction=False)


def test_each_line_of_the_page_is_held_by_a_test():
    held = held_lines(globals())
    assert held == table_lines(PAGE, "| what happens | what is commanded |")


def test_each_line_of_the_page_about_the_controller_manager_is_held_by_a_test():
    held = held_lines(vars(test_controller_faults))
    assert held == table_lines(PAGE, "| fault | what followed |")


@pytest.fixture
def start(pendulum_library):
    def make(**behaviour):
        controller = CppController(pendulum_library, **behaviour)
        controller.set(NO_FRICTION)
        return controller

    return make


@pytest.fixture
def running(start):
    """A controller after a cycle at WANTED."""
    controller = start()
    reply = controller.update(Q, QD, WANTED)
    np.testing.assert_allclose(reply.effort, computed_torque(Q, QD, WANTED), atol=1e-9)
    return controller


HELD = rows(WANTED[0])
LOST_ONE = np.array([WANTED[0], *np.zeros((3, N))])
LOST_ONE[:, 1] = WANTED[:, 1]


@fault("NaN or infinite reference of a joint", "no velocity, acceleration or effort in it")
@pytest.mark.parametrize(
    ("given", "followed"),
    [
        pytest.param(NOTHING, HELD, id="no reference"),
        pytest.param(rows(np.inf, 1, 1, 1), HELD, id="infinite reference"),
        pytest.param(np.where([True, False], NAN, WANTED), LOST_ONE, id="one joint without"),
        pytest.param(
            rows(WANTED[0], np.nan, WANTED[2]), rows(WANTED[0], 0, WANTED[2]), id="no velocity"
        ),
        pytest.param(
            rows(WANTED[0], WANTED[1], np.nan, np.nan),
            rows(WANTED[0], WANTED[1]),
            id="no acceleration, no effort",
        ),
    ],
)
def test_reference_with_holes(running, given, followed):
    reply = running.update(Q, QD, given)
    assert reply.condition == "normal"
    np.testing.assert_allclose(reply.effort, computed_torque(Q, QD, followed), atol=1e-9)


@fault("activation")
def test_before_the_first_reference_the_position_found_is_held(start):
    controller = start()
    reply = controller.update(Q, QD, NOTHING)
    np.testing.assert_allclose(reply.effort, computed_torque(Q, QD, rows(Q)), atol=1e-9)
    moved = controller.update(Q + 0.1, QD, NOTHING)
    np.testing.assert_allclose(moved.effort, computed_torque(Q + 0.1, QD, rows(Q)), atol=1e-9)


@fault("no reference yet, `hold_position_on_activation: false`")
def test_before_the_first_reference_there_is_gravity_alone_if_nothing_is_to_be_held(start):
    reply = start(hold=False).update(Q, QD, NOTHING)
    np.testing.assert_allclose(reply.effort, GRAVITY, atol=1e-9)


@fault("a topic falls silent")
@pytest.mark.parametrize(("age", "t", "goes"), [(0.05, 0.05, True), (9.0, 0.1, False)])
def test_last_point_of_a_topic_goes_on_and_then_stands(pendulum_library, age, t, goes):
    sampled = set_point(pendulum_library, WANTED, patience=0.1, age=age)
    q, qd, qdd, effort = WANTED
    expected = rows(q + t * qd + t**2 / 2 * qdd, *(goes * x for x in (qd + t * qdd, qdd, effort)))
    np.testing.assert_allclose(sampled, expected, atol=1e-12)


def test_joint_without_first_reference_stands_where_it_is(start):
    controller = start(hold=False)
    reply = controller.update(Q, QD, np.where([True, False], WANTED, NAN))
    expected = WANTED.copy()
    expected[:, 1] = Q[1], 0, 0, 0
    np.testing.assert_allclose(reply.effort, computed_torque(Q, QD, expected), atol=1e-9)


MISSING = {
    "no position": (np.array([np.nan, Q[1]]), QD),
    "no velocity": (Q, np.array([QD[0], np.nan])),
    "infinite position": (np.array([Q[0], -np.inf]), QD),
    "nothing": (NAN, NAN),
}


@fault("state missing (NaN, infinite, not readable)", "missing for longer")
@pytest.mark.parametrize(("q", "qd"), MISSING.values(), ids=MISSING)
def test_missing_state_is_replaced_by_the_last_one_then_gravity_is_held(running, q, qd):
    for _ in range(3):
        reply = running.update(q, qd, WANTED)
        assert reply.condition == "stale"
        np.testing.assert_allclose(reply.effort, computed_torque(Q, QD, WANTED), atol=1e-9)
    reply = running.update(q, qd, WANTED)
    assert reply.condition == "lost"
    assert running.report()["failed"]
    np.testing.assert_allclose(reply.effort, GRAVITY, atol=1e-9)


def test_state_that_comes_back_in_time_is_used(running):
    running.update(NAN, NAN, WANTED)
    reply = running.update(Q + 0.01, QD, WANTED)
    assert reply.condition == "normal"
    np.testing.assert_allclose(reply.effort, computed_torque(Q + 0.01, QD, WANTED), atol=1e-9)


def test_lost_robot_is_carried_until_it_is_activated_anew(running):
    for _ in range(4):
        running.update(NAN, NAN, WANTED)
    reply = running.update(Q + 0.3, QD, WANTED)
    assert reply.condition == "lost"
    np.testing.assert_array_equal(running.report()["reference"], Q)  # for drives that hold it
    np.testing.assert_allclose(reply.effort, ARM.gravity_torques(Q + 0.3), atol=1e-9)
    running.activate()
    reply = running.update(Q, QD, WANTED)
    assert reply.condition == "normal"
    np.testing.assert_allclose(reply.effort, computed_torque(Q, QD, WANTED), atol=1e-9)


@fault("missing for longer")
def test_lost_robot_is_left_with_nothing_if_that_is_asked_for(start):
    controller = start(failure="zero")
    controller.update(Q, QD, WANTED)
    for _ in range(4):
        reply = controller.update(NAN, NAN, WANTED)
    np.testing.assert_array_equal(reply.effort, REST)


@fault("state never known")
def test_robot_that_never_tells_its_state_gets_no_effort(start):
    controller = start()
    for condition in ["stale"] * 3 + ["lost"] * 2:
        reply = controller.update([np.nan, 0.0], QD, WANTED)
        assert reply.condition == condition
        np.testing.assert_array_equal(reply.effort, REST)
    np.testing.assert_array_equal(controller.parting("hold_gravity"), REST)
    assert np.isnan(controller.report()["reference"]).all()


@fault("cycles missed")
def test_missed_cycles_are_counted_and_control_goes_on(running):
    reply = running.update(Q, QD, WANTED, period=6 * PERIOD)
    np.testing.assert_allclose(reply.effort, computed_torque(Q, QD, WANTED), atol=1e-9)
    assert running.report()["missed"] == 5


@fault("activation", "cycles missed")
def test_after_a_long_pause_efforts_come_up_anew(start):
    controller = start(activation_time=0.1)
    whole, shares = computed_torque(Q, QD, WANTED), []
    for i in range(200):
        reply = controller.update(Q, QD, WANTED, period=12 * PERIOD if i == 150 else PERIOD)
        shares.append(controller.report()["share"])
        expected = GRAVITY + shares[-1] * (whole - GRAVITY)
        np.testing.assert_allclose(reply.effort, expected, atol=1e-9)
    np.testing.assert_allclose(shares[:100], np.arange(1, 101) / 100)
    np.testing.assert_array_equal(shares[100:150], 1.0)
    np.testing.assert_allclose(shares[150:155], np.arange(2, 7) / 100)


@pytest.mark.parametrize("period", [0.0, -0.5, np.nan, np.inf])
def test_senseless_period_neither_moves_nor_stops_the_robot(start, period):
    controller = start(activation_time=0.002)
    controller.update(Q, QD, WANTED)
    reply = controller.update(Q, QD, WANTED, period=period)
    assert np.isfinite(reply.effort).all()
    assert 0 <= controller.report()["share"] <= 1


UNSOUND = {
    "gain is not a number": (Law(kp=np.array([np.nan, 1.0])), WANTED),
    "reference overflows": (NO_FRICTION, rows(1e308, 1e308)),
}


@fault("effort not finite")
@pytest.mark.parametrize(("law", "wanted"), UNSOUND.values(), ids=UNSOUND)
def test_effort_that_is_not_finite_becomes_gravity_and_ends_control(running, law, wanted):
    running.set(law)
    reply = running.update(Q, QD, wanted)
    assert reply.condition == "unsound"
    np.testing.assert_allclose(reply.effort, GRAVITY, atol=1e-9)
    running.set(NO_FRICTION)
    assert running.update(Q, QD, WANTED).condition == "unsound"


@fault("effort not finite")
def test_gravity_that_is_not_a_number_gives_no_effort(running):
    running.set(Law(gravity=np.array([0.0, 0.0, np.nan])))
    reply = running.update(Q, QD, WANTED)
    assert reply.condition == "unsound"
    np.testing.assert_array_equal(reply.effort, REST)


@fault("effort beyond limits")
def test_huge_error_saturates_with_gravity_carried_and_direction_kept(running):
    limits = np.array([12.0, 6.0])
    running.set(Law(compensate_friction=False, limits=limits))
    wanted = rows([0.6, 1.1])
    reply = running.update(Q, QD, wanted)
    whole = computed_torque(Q, QD, wanted)
    assert 0 < reply.scale < 1
    np.testing.assert_allclose(reply.effort - GRAVITY, reply.scale * (whole - GRAVITY), atol=1e-9)
    assert np.max(np.abs(reply.effort) / limits) == pytest.approx(1.0)


@fault("limit below gravity")
def test_joint_too_weak_for_gravity_gives_all_it_has(running):
    limits = np.array([0.5, np.inf])
    running.set(Law("gravity", limits=limits))
    reply = running.update(Q, QD, WANTED)
    assert GRAVITY[0] > 0.5
    np.testing.assert_allclose(reply.effort, [0.5, GRAVITY[1]], atol=1e-9)


def test_mad_velocity_reading_stays_within_limits(running):
    limits = np.array([30.0, 10.0])
    running.set(Law(limits=limits))
    reply = running.update(Q, [1e9, 0.0], WANTED)
    assert (np.abs(reply.effort) <= limits).all()


def test_continuous_joint_takes_the_short_way(running):
    turn = np.array([2 * np.pi, 0.0])
    reply = running.update(Q, QD, rows(WANTED[0] + turn, *WANTED[1:]))
    np.testing.assert_allclose(reply.effort, computed_torque(Q, QD, WANTED), atol=1e-8)


def test_robot_without_velocities_has_them_estimated(start):
    controller = start(estimate=True)
    for i in range(100):
        controller.update(Q + i * PERIOD * QD, NAN, NOTHING)
    np.testing.assert_allclose(controller.report()["velocity"], QD, rtol=1e-3)


@fault("deactivation")
def test_deactivation_leaves_what_was_asked_for(running):
    np.testing.assert_array_equal(running.parting("zero"), REST)
    np.testing.assert_allclose(running.parting("hold_gravity"), GRAVITY, atol=1e-9)
    last = running.update(Q, QD, WANTED).effort
    np.testing.assert_array_equal(running.parting("keep"), last)
