"""What end stops bear is no push and no contact; settings that cannot be are refused."""

from __future__ import annotations

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.runtime.objects import Fault
from test.support.hyq import hyq as compiled_hyq
from test.support.robots import robot_path, robots_directory

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(robots_directory() is None, reason="example-robot-data is not installed"),
    pytest.mark.filterwarnings("ignore:.*unknown attribute"),
]

PANDA = {"lock": {"panda_finger_joint1": 0.02}, "tips": ["panda_link8"]}
CROUCH = np.array([-0.1, 0.7, -1.4] * 2 + [-0.1, -0.7, 1.4] * 2)
GRAVITY = np.array([0.0, 0.0, -9.81])
STEP = 1e-3


@pytest.fixture(scope="module")
def panda():
    path = robot_path("panda_description/urdf/panda.urdf")
    functions = ["inverse_dynamics", "gravity_torques"]
    return robcogen_ros.build(path, functions=functions, momentum_observer=True, **PANDA)


@pytest.fixture(name="hyq")
def legged():
    return compiled_hyq()


@pytest.mark.parametrize(("joint", "side"), [(0, 1.0), (3, -1.0)])
def test_what_an_end_stop_bears_is_no_push(panda, joint, side):
    """Only inwards, only at the limit, and for five lags after it was there."""
    observer, still = panda.momentum_observer(), np.zeros(7)
    q = np.array([0.0, 0.0, 0.0, -1.6, 0.0, 1.8, 0.0])
    limit = (panda.upper_limits if side > 0 else panda.lower_limits)[joint]

    def pressed(position, effort, cycles=300):
        q[joint] = position
        tau = panda.gravity_torques(q)
        tau[joint] += effort
        for _ in range(cycles):
            found = observer.update(q, still, tau, STEP)
        return found

    found = pressed(limit, 5.0 * side)
    assert found.external[joint] == pytest.approx(-5.0 * side)
    assert found.remainder[joint] == 0.0 and not found.disturbed.any()
    assert pressed(limit, -5.0 * side).disturbed[joint]
    pressed(limit, 5.0 * side)
    assert not pressed(limit - 0.1 * side, 0.0, 1).disturbed.any()
    assert not pressed(limit - 0.1 * side, 0.0).disturbed.any()
    assert pressed(limit - 0.1 * side, 5.0 * side).disturbed[joint]


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"gain": -1.0}, "gain: expected more than 0, found -1"),
        ({"gain": np.nan}, "gain: expected more than 0, found nan"),
        ({"release": 1.5}, "release: expected 0 to 1, found 1.5"),
        ({"joint_threshold": [np.nan] + [1.0] * 6}, "joint_threshold: expected 0 or more, found"),
        ({"contact_damping": 0.0}, "contact_damping: expected more than 0, found 0"),
    ],
)
def test_settings_out_of_their_range_are_refused(panda, setting, said):
    with pytest.raises(Fault, match=said):
        panda.momentum_observer(**setting)


def test_stops_of_legs_in_free_fall_are_no_contacts(hyq):
    """A hip is driven against its stop: what the stop bears moves neither foot nor trunk."""
    observer, still, q = hyq.momentum_observer(), np.zeros(12), CROUCH.copy()
    q[1] = hyq.upper_limits[1]
    tau, falling = np.zeros(12), np.zeros(6)
    tau[1] = 40.0
    for _ in range(300):
        found = observer.update(q, still, tau, STEP, base_velocity=falling, gravity=GRAVITY)
        falling = falling + STEP * np.concatenate([np.zeros(3), GRAVITY])
    assert found.external[7] == pytest.approx(-40.0)
    np.testing.assert_allclose(np.delete(found.external, 7), 0.0, atol=1e-6)
    np.testing.assert_allclose(found.contact_forces, 0.0, atol=1e-3)
    assert not (found.closed.any() or found.disturbed.any() or found.pushed)


def test_a_leg_that_stands_on_its_stop_is_a_contact(hyq):
    """The trunk's motion tells of the foot where the joint does not."""
    q = CROUCH.copy()
    q[1] = hyq.upper_limits[1]
    J, (tau, wrench) = hyq.contact_jacobian(q), hyq.gravity_torques(q, GRAVITY)
    forces = np.linalg.lstsq(J[:, :6].T, wrench, rcond=None)[0]
    tau = tau - J[:, 6:].T @ forces
    tau[1] += 40.0
    observer = hyq.momentum_observer()
    for _ in range(300):
        found = observer.update(
            q, np.zeros(12), tau, STEP, base_velocity=np.zeros(6), gravity=GRAVITY
        )
    np.testing.assert_allclose(found.contact_forces, forces, atol=0.02 * np.abs(forces).max())
    assert found.closed.all() and not found.pushed and not found.disturbed.any()
