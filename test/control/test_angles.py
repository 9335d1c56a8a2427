import numpy as np

from robcogen_ros.control.angles import nearest, wrapped


def test_a_continuous_joint_turns_the_short_way():
    continuous = np.array([True, True, True, False])
    difference = np.array([2 * np.pi - 0.1, -np.pi, np.pi, 6.0])
    np.testing.assert_allclose(wrapped(difference, continuous), [-0.1, np.pi, np.pi, 6.0])


def test_a_pose_is_written_with_the_turns_that_are_nearest():
    continuous = np.array([True, False])
    found = nearest(np.array([0.1, 0.1]), np.array([12.5, 12.5]), continuous)
    np.testing.assert_allclose(found, [0.1 + 4 * np.pi, 0.1])
