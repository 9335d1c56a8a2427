"""What parameters and settings of whole-body control in C++ do."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from test.control.cpp_legged import JOINTS, LIMIT, PERIOD, Loop

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("parameters", "least", "most"), [({}, 0, 0.01), ({"upper_body_weight": 0}, 1, 3)]
)
def test_arm_keeps_its_posture_while_the_trunk_moves(
    legged_library, world, parameters, least, most
):
    """A joint in no leg; an arm that stands above the trunk would topple by itself."""
    loop, swung = Loop(legged_library, **parameters), 0.0
    place = world["trunk/position"]
    for i in range(500):
        rate = 2 * np.pi
        sway = 0.03 * np.sin(rate * PERIOD * i)
        wanted = {
            "trunk/position": place + np.array([0.0, sway, 0.0]),
            "trunk/orientation": [0, 0, 0, 1],
            "trunk/linear_acceleration": [0.0, -(rate**2) * sway, 0.0],
        }
        world.advance(loop.update(world.readings(), wanted).efforts)
        swung = max(swung, abs(world.joints("position")[-1]))
    assert least <= swung < most


def friction(library, velocity, compensate=True):
    """Efforts of two joints: one of 0.1 N m s/rad and 0.4 N m, one of 100 N m."""
    velocities, out = np.zeros(JOINTS), (ctypes.c_double * JOINTS)()
    velocities[:2] = velocity
    given = (ctypes.c_double * JOINTS)(*velocities)
    library.friction_efforts(given, ctypes.c_bool(compensate), out)
    assert not any(out[2:])
    return np.array(out[:2])


def test_dry_friction_is_compensated_against_what_slides(legged_library):
    for speed in (0.05, 2.0):
        for way in (1.0, -1.0):
            expected = [way * (0.4 + 0.1 * speed), way * 0.5 * LIMIT]
            assert friction(legged_library, way * speed) == pytest.approx(expected, rel=1e-3)
            assert not friction(legged_library, way * speed, compensate=False).any()
    speeds = np.linspace(-0.02, 0.02, 21)
    slow = np.array([friction(legged_library, speed)[0] for speed in speeds])
    assert slow[10] == 0.0 and (np.diff(slow) > 0.0).all()
    assert np.diff(slow).max() < 0.2, "no jump where a joint turns back"
