"""What the controller in C++ commands after faults: the table of docs/controller.md."""

from __future__ import annotations

import numpy as np
import pytest

from test.cmake import test_controller_faults
from test.control import test_cpp_references, test_stop_reflex
from test.control.cpp_controller import (
    ARM,
    MODES,
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

pytestmark = pytest.mark.slow

PAGE = EXAMPLES.parent / "docs" / "controller.md"

Q, QD = np.array([0.4, -1.1]), np.array([0.3, 0.2])
REST = np.zeros(N)
WANTED = rows([0.5, -1.0], [0.2, 0.1], [3.0, -2.0], [0.5, 0.0])
NOTHING = rows(np.nan, np.nan, np.nan, np.nan)
GRAVITY = ARM.gravity_torques(Q)
NO_FRICTION = Law(compensate_friction=False)


def test_each_line_of_the_page_is_held_by_a_test():
    held = held_lines({**vars(test_cpp_references), **vars(test_stop_reflex), **globals()})
    assert held == table_lines(PAGE, "| what happens | what is commanded |")


def test_each_line_of_the_page_about_the_controller_manager_is_held_by_a_test():
    held = held_lines(vars(test_controller_faults))
    assert held == table_lines(PAGE, "| fault | what followed |")


@pytest.fixture
def start(make_controller):
    def make(**behaviour):
        controller = make_controller(**behaviour)
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
        pytest.param(rows(1e307, 1, 1, 1), HELD, id="reference of no robot"),
        pytest.param(rows(WANTED[0], -2e9, 1e307, np.inf), HELD, id="rates of no robot"),
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


EFFORT = np.array([1.5, -2.0])
ALONE = rows(np.nan, np.nan, np.nan, EFFORT)


@fault("effort alone: no position, velocity or acceleration with it")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("feed_forward", [True, False])
@pytest.mark.parametrize("hold", [True, False])
def test_effort_alone_is_added(start, mode, feed_forward, hold):
    controller = start(hold=hold)
    controller.set(Law(mode, feed_forward, compensate_friction=False))
    without = controller.update(Q, QD, NOTHING)
    reply = controller.update(Q, QD, ALONE)
    assert reply.condition == "normal"
    np.testing.assert_allclose(reply.effort, without.effort + EFFORT, atol=1e-9)
    np.testing.assert_array_equal(controller.report()["reference"], Q)
    np.testing.assert_allclose(controller.update(Q, QD, NOTHING).effort, without.effort, atol=1e-9)


@fault("effort alone: no position, velocity or acceleration with it")
def test_effort_alone_does_not_make_up_for_a_position_that_is_wrong(running):
    for given in (rows(np.inf, np.nan, np.nan, EFFORT), rows(np.nan, 0.1, np.nan, EFFORT)):
        reply = running.update(Q, QD, given)
        np.testing.assert_allclose(reply.effort, computed_torque(Q, QD, HELD), atol=1e-9)


@fault("effort alone: no position, velocity or acceleration with it")
def test_effort_alone_comes_up_slowly_and_stays_within_limits(start):
    controller = start(hold=False, activation_time=0.1)
    shares = []
    for _ in range(50):
        controller.update(Q, QD, NOTHING)
    for _ in range(120):
        effort = controller.update(Q, QD, ALONE).effort
        shares.append((effort - GRAVITY) / EFFORT)
    rise = np.minimum(np.arange(1, 121) / 100, 1.0)
    np.testing.assert_allclose(shares, np.stack([rise, rise], 1), atol=1e-9)
    limits = np.abs(GRAVITY) + 0.1
    controller.set(Law("gravity", limits=limits))
    reply = controller.update(Q, QD, ALONE)
    np.testing.assert_allclose(reply.effort, GRAVITY + reply.scale * EFFORT, atol=1e-9)
    assert (np.abs(reply.effort) <= limits + 1e-12).all()
    assert 0 < reply.scale < 1


def test_effort_alone_of_a_topic_ends_with_it(pendulum_library):
    for age, effort in ((0.05, EFFORT), (0.2, REST)):
        sampled = set_point(pendulum_library, ALONE, patience=0.1, age=age)
        np.testing.assert_array_equal(sampled, rows(np.nan, np.nan, np.nan, effort))


def test_set_point_of_a_continuous_joint_is_turned_the_short_way(pendulum_library):
    near = np.array([160.0, 2.0])
    sampled = set_point(pendulum_library, rows([0.1, 0.1]), patience=0.1, age=0.0, position=near)
    assert abs(sampled[0, 0] - near[0]) < np.pi
    np.testing.assert_allclose(np.exp(1j * sampled[0]), np.exp([0.1j, 0.1j]))
    assert sampled[0, 1] == 0.1


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
@pytest.mark.parametrize(
    ("age", "t", "goes"), [(-0.1, 0.0, True), (0.05, 0.05, True), (9.0, 0.1, False)]
)
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


@fault("velocity of a joint that never was finite since activation")
@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("mode", MODES)
def test_velocity_that_is_never_measured_is_estimated(start, mode, bad):
    controller, other = start(), start()
    for both in (controller, other):
        both.set(Law(mode, compensate_friction=False))
    for i in range(100):
        q, whole = Q + i * PERIOD * QD, rows(Q, QD)
        reply = controller.update(q, np.array([QD[0], bad]), whole)
        assert reply.condition == "normal"
        told = controller.report()["velocity"]
        assert told[0] == QD[0]
        expected = other.update(q, told, whole)
        np.testing.assert_allclose(reply.effort, expected.effort, atol=1e-9)
    assert told[1] == pytest.approx(QD[1], rel=1e-3)


def test_velocity_that_was_measured_is_missing_again_only_until_activation(running):
    assert running.update(Q, np.array([QD[0], np.nan]), WANTED).condition == "stale"
    running.activate()
    assert running.update(Q, np.array([QD[0], np.nan]), WANTED).condition == "normal"


def test_estimate_does_not_jump_after_a_position_was_missing(start):
    controller = start()
    for i in range(200):
        missing = 100 <= i < 103
        q = NAN if missing else Q + i * PERIOD * QD
        controller.update(q, NAN, NOTHING)
        if i > 50:
            np.testing.assert_allclose(controller.report()["velocity"], QD, rtol=1e-3)


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
    controller.update(Q, QD, WANTED)
    np.testing.assert_array_equal(controller.report()["reference"], Q)  # for drives that hold it


@fault("cycles missed (of `update_rate`; where ros2_control 2 tells none, of the usual cycle)")
def test_missed_cycles_are_counted_and_control_goes_on(running):
    reply = running.update(Q, QD, WANTED, period=6 * PERIOD)
    np.testing.assert_allclose(reply.effort, computed_torque(Q, QD, WANTED), atol=1e-9)
    assert running.report()["missed"] == 5


@fault("activation")
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


@fault("effort not finite")
def test_effort_that_is_not_finite_becomes_gravity_and_ends_control(running):
    reply = running.update(Q, QD + 1e200, WANTED)
    assert reply.condition == "unsound"
    np.testing.assert_allclose(reply.effort, GRAVITY, atol=1e-9)
    running.set(NO_FRICTION)
    assert running.update(Q, QD, WANTED).condition == "unsound"


@fault("effort not finite")
def test_gravity_that_is_not_a_number_gives_no_effort(pendulum_library):
    controller = CppController(pendulum_library)
    controller.set(Law(gravity=np.array([0.0, 0.0, np.nan])))
    reply = controller.update(Q, QD, WANTED)
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
