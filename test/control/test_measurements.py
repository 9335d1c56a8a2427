import numpy as np
import pytest

from robcogen_ros.control.measurements import Measurements
from test.control.arms import DoublePendulum, Pendulum


def test_joints_are_matched_by_name():
    states = Measurements(DoublePendulum())
    states.take(["gripper", "joint2", "joint1"], [9.0, 2.0, 1.0], [9.0, 0.2, 0.1], 0.0)
    np.testing.assert_array_equal(states.positions, [1.0, 2.0])
    np.testing.assert_array_equal(states.velocities, [0.1, 0.2])


def test_the_order_of_joints_may_change_from_message_to_message():
    states = Measurements(DoublePendulum())
    states.take(["joint1", "joint2"], [1.0, 2.0], [0.0, 0.0], 0.0)
    states.take(["joint2", "joint1"], [4.0, 3.0], [0.0, 0.0], 0.1)
    np.testing.assert_array_equal(states.positions, [3.0, 4.0])


def test_joints_may_come_in_several_messages():
    states = Measurements(DoublePendulum())
    states.take(["joint2"], [2.0], [0.0], 1.0)
    assert not states.complete
    states.take(["joint1"], [1.0], [0.0], 1.1)
    assert states.complete
    assert states.fresh(1.15, timeout=0.2)
    assert not states.fresh(1.25, timeout=0.2)
    assert states.fresh(99.0, timeout=0.0)


@pytest.mark.parametrize(
    ("position", "velocity"),
    [([np.nan, 0.0], [0.0, 0.0]), ([0.0, 0.0], [0.0, np.inf]), ([1.0], []), ([1.0, 1.0], [1.0])],
)
def test_a_bad_message_is_told_and_changes_nothing(position, velocity):
    states = Measurements(DoublePendulum())
    states.take(["joint1", "joint2"], [1.0, 2.0], [3.0, 4.0], 0.0)
    assert "ignored" in states.take(["joint1", "joint2"], position, velocity, 0.1)
    np.testing.assert_array_equal(states.positions, [1.0, 2.0])
    np.testing.assert_array_equal(states.velocities, [3.0, 4.0])
    assert not states.fresh(0.1, timeout=0.05)


def test_missing_velocities_are_estimated_also_across_a_full_turn():
    states = Measurements(Pendulum(continuous=True))
    for step in range(200):
        position = (3.0 + 2.0 * step * 1e-3 + np.pi) % (2 * np.pi) - np.pi
        states.take(["joint1"], [position], [], step * 1e-3)
    assert states.velocities[0] == pytest.approx(2.0, rel=1e-6)


def test_a_velocity_that_was_never_told_is_estimated_beside_others_that_are():
    states = Measurements(DoublePendulum())
    for step in range(100):
        time = step * 1e-3
        said = states.take(["joint1", "joint2"], [time, 2 * time], [0.7, np.nan], time)
        assert said is None
    np.testing.assert_allclose(states.velocities, [0.7, 2.0], rtol=1e-6)


def test_a_velocity_that_was_told_once_is_missing_when_it_is_no_number():
    states = Measurements(DoublePendulum())
    states.take(["joint1", "joint2"], [0.0, 0.0], [np.nan, np.nan], 0.0)
    states.take(["joint1", "joint2"], [0.1, 0.1], [np.nan, 2.0], 0.1)
    assert states.take(["joint1"], [0.2], [np.nan], 0.2) is None
    assert "velocities that are not finite" in states.take(["joint2"], [0.2], [np.nan], 0.2)
    np.testing.assert_allclose(states.positions, [0.2, 0.1])


@pytest.mark.parametrize("wraps", [True, False])
def test_turns_of_a_continuous_joint_are_counted_whether_or_not_its_readings_begin_anew(wraps):
    states = Measurements(Pendulum(continuous=True))
    for angle in [*np.linspace(2.0, 160.0, 300), *np.linspace(160.0, -20.0, 300)]:
        read = (angle + np.pi) % (2 * np.pi) - np.pi if wraps else angle
        states.take(["joint1"], [read], [0.0], 0.0)
        assert states.positions[0] == pytest.approx(angle, abs=1e-12)
    states.recount()
    assert states.positions[0] == read
