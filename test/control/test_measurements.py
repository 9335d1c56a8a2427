import numpy as np
import pytest

from robcogen_ros.control.measurements import JointReadings
from test.control.arms import DoublePendulum, Pendulum


def test_joints_are_matched_by_name():
    joints = JointReadings(DoublePendulum())
    joints.read(["gripper", "joint2", "joint1"], [9.0, 2.0, 1.0], [9.0, 0.2, 0.1])
    np.testing.assert_array_equal(joints.position, [1.0, 2.0])
    np.testing.assert_array_equal(joints.velocity, [0.1, 0.2])


def test_the_order_of_joints_may_change_from_message_to_message():
    joints = JointReadings(DoublePendulum())
    joints.read(["joint1", "joint2"], [1.0, 2.0], [0.0, 0.0])
    joints.read(["joint2", "joint1"], [4.0, 3.0], [0.0, 0.0])
    np.testing.assert_array_equal(joints.position, [3.0, 4.0])


def test_joints_may_come_in_several_messages():
    joints = JointReadings(DoublePendulum())
    joints.read(["joint2"], [2.0], [0.5])
    np.testing.assert_array_equal(joints.position, [np.nan, 2.0])
    joints.read(["joint1"], [1.0], [])
    np.testing.assert_array_equal(joints.position, [1.0, np.nan])
    np.testing.assert_array_equal(joints.velocity, [np.nan, np.nan])
    np.testing.assert_array_equal(joints.positions, [1.0, 2.0])


@pytest.mark.parametrize(
    ("position", "velocity"),
    [([np.nan, 0.0], [0.0, 0.0]), ([0.0, 0.0], [0.0, np.inf]), ([1.0], []), ([1.0, 1.0], [1.0])],
)
def test_a_bad_message_is_told_and_changes_nothing(position, velocity):
    joints = JointReadings(DoublePendulum())
    joints.read(["joint1", "joint2"], [1.0, 2.0], [3.0, 4.0])
    assert "ignored" in joints.read(["joint1", "joint2"], position, velocity)
    np.testing.assert_array_equal(joints.positions, [1.0, 2.0])
    np.testing.assert_array_equal(joints.velocity, [3.0, 4.0])


def test_a_velocity_that_was_told_once_is_missing_when_it_is_no_number():
    joints = JointReadings(DoublePendulum())
    joints.read(["joint1", "joint2"], [0.0, 0.0], [np.nan, np.nan])
    joints.read(["joint1", "joint2"], [0.1, 0.1], [np.nan, 2.0])
    assert joints.read(["joint1"], [0.2], [np.nan]) is None
    assert "velocities that are not finite" in joints.read(["joint2"], [0.2], [np.nan])
    np.testing.assert_allclose(joints.positions, [0.2, 0.1])


@pytest.mark.parametrize("wraps", [True, False])
def test_turns_of_a_continuous_joint_are_counted_whether_or_not_its_readings_begin_anew(wraps):
    joints = JointReadings(Pendulum(continuous=True))
    for angle in [*np.linspace(2.0, 160.0, 300), *np.linspace(160.0, -20.0, 300)]:
        read = (angle + np.pi) % (2 * np.pi) - np.pi if wraps else angle
        joints.read(["joint1"], [read], [0.0])
        assert joints.positions[0] == pytest.approx(angle, abs=1e-12)
    joints.recount()
    assert joints.positions[0] == read
