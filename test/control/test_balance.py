"""References go on with their twists, and stop."""

import numpy as np
import pytest

from robcogen_ros.control.balance import Reference, at_rest
from robcogen_ros.control.floating_simulation import rotation

UPRIGHT = np.array([0.0, 0.0, 0.0, 1.0])


def test_a_reference_is_carried_on_for_a_while_and_then_stands_on_all_feet():
    trunk = at_rest(np.array([1.0, 2.0, 3.0]), UPRIGHT)
    trunk[7:13] = 0.0, 0.0, 0.4, 0.5, 0.0, 0.0
    reference = Reference(trunk, {0: at_rest(np.zeros(3), UPRIGHT)}, time=10.0)
    now = reference.at(10.05, patience=0.1)
    np.testing.assert_allclose(now.trunk[:3], [1.025, 2.0, 3.0])
    turned = rotation(now.trunk[3:7])
    assert np.arctan2(turned[1, 0], turned[0, 0]) == pytest.approx(0.02, abs=1e-5)
    np.testing.assert_array_equal(now.trunk[7:], trunk[7:])
    assert now.feet.keys() == {0}
    late = reference.at(20.0, patience=0.1)
    np.testing.assert_allclose(late.trunk[:3], [1.05, 2.0, 3.0])
    assert not late.trunk[7:].any()
    assert not late.feet
