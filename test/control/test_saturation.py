import numpy as np
import pytest

from robcogen_ros.control.saturation import saturated


def test_efforts_within_limits_stay_as_they_are():
    effort = np.array([1.0, -2.0])
    kept, scale = saturated(effort, np.zeros(2), np.array([3.0, np.inf]))
    assert scale == 1.0
    np.testing.assert_array_equal(kept, effort)


def test_what_exceeds_gravity_is_scaled_and_keeps_its_direction():
    gravity = np.array([4.0, -1.0])
    limited, scale = saturated(np.array([10.0, 2.0]), gravity, np.array([7.0, 7.0]))
    assert scale == pytest.approx(0.5)
    np.testing.assert_allclose(limited, [7.0, 0.5])


def test_gravity_support_survives_any_demand():
    gravity, limits = np.array([5.0, 2.0]), np.array([6.0, 6.0])
    limited, _ = saturated(np.array([-1e9, 0.0]), gravity, limits)
    np.testing.assert_allclose(limited, [-6.0, 2.0], atol=1e-7)


def test_a_joint_too_weak_for_its_own_weight_does_not_hold_back_the_others():
    limited, scale = saturated(np.array([20.0, 3.0]), np.array([9.0, 1.0]), np.array([8.0, 4.0]))
    assert scale == 1.0
    np.testing.assert_allclose(limited, [8.0, 3.0])


def test_a_too_weak_joint_may_still_be_told_to_give_way():
    limited, _ = saturated(np.array([2.0]), np.array([9.0]), np.array([8.0]))
    np.testing.assert_allclose(limited, [2.0])


def test_no_effort_exceeds_its_limit():
    random = np.random.default_rng(1)
    for _ in range(500):
        effort, gravity = random.normal(size=(2, 5)) * 10
        limits = random.uniform(0, 10, 5)
        limited, scale = saturated(effort, gravity, limits)
        assert (np.abs(limited) <= limits).all()
        assert 0.0 <= scale <= 1.0
