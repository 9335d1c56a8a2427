import numpy as np

from robcogen_ros.control.limits import Limits
from test.control.arms import DoublePendulum


def test_zeros_and_empty_ranges_stand_for_no_limit():
    arm = DoublePendulum(
        lower_limits=[-1.0, 0.0],
        upper_limits=[2.0, 0.0],
        effort_limits=[5.0, 0.0],
        velocity_limits=[0.0, 3.0],
    )
    limits = Limits.of(arm)
    np.testing.assert_array_equal(limits.lower, [-1.0, -np.inf])
    np.testing.assert_array_equal(limits.upper, [2.0, np.inf])
    np.testing.assert_array_equal(limits.effort, [5.0, np.inf])
    np.testing.assert_array_equal(limits.velocity, [np.inf, 3.0])


def test_a_continuous_joint_has_no_range():
    arm = DoublePendulum(lower_limits=-1.0, upper_limits=1.0, continuous=[True, False])
    assert Limits.of(arm).upper[0] == np.inf
