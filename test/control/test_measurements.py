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
