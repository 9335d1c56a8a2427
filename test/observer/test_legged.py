"""Forces of feet and a push at the trunk are told apart."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("mujoco")

from robcogen_ros.formats.read import read
from robcogen_ros.runtime.objects import Fault
from test.support.hyq import FEET, HYQ
from test.support.hyq import hyq as compiled_hyq
from test.support.mujoco_robot import GRAVITY, MujocoRobot
from test.support.robots import robot_path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.*triangle inequality"),
]

OPTIONS = {"floating_base": True, "contacts": FEET}
CROUCH = np.array([-0.1, 0.7, -1.4] * 2 + [-0.1, -0.7, 1.4] * 2)
STEP = 1e-3


@pytest.fixture(name="hyq")
def robot():
    return compiled_hyq()


def carrying(hyq, q):
    """The least forces of the feet that carry the robot."""
    J, (_, wrench) = hyq.contact_jacobian(q), hyq.gravity_torques(q, GRAVITY)
    return np.linalg.lstsq(J[:, :6].T, wrench, rcond=None)[0]


def at_rest(hyq, q, forces):
    """The wrench that forces of the feet leave to hold the robot still, and the efforts."""
    tau, wrench = hyq.gravity_torques(q, GRAVITY)
    J = hyq.contact_jacobian(q)
    return wrench - J[:, :6].T @ forces, tau - J[:, 6:].T @ forces


class Standing:
    """A quadruped held up by given forces at its feet; its joints are kept where they are."""

    def __init__(self, hyq, friction: float, **settings: float) -> None:
        self._robot = MujocoRobot(
            read(robot_path(HYQ), **OPTIONS).robot,
            STEP,
            damping=np.full(12, 0.1),
            friction=np.full(12, friction),
        )
        self._robot.place(CROUCH)
        self._effort = np.zeros(12)
        self.observer = hyq.momentum_observer(
            damping=np.full(12, 0.12), joint_friction=np.full(12, 1.2 * friction), **settings
        )
        forces = carrying(hyq, CROUCH)
        self.feet = dict(zip(FEET, forces.reshape(-1, 3), strict=True))
        self._held = at_rest(hyq, CROUCH, forces)[1]

    def go_on(self, push=None):
        """What is observed, before a step under the feet's forces and a push at the trunk."""
        robot = self._robot
        found = self.observer.update(
            robot.q,
            robot.qd,
            self._effort,
            STEP,
            base_velocity=robot.base_velocity,
            gravity=robot.rotation.T @ GRAVITY,
        )
        self._effort = self._held + 2000 * (CROUCH - robot.q) - 40 * robot.qd
        robot.advance(self._effort, self.feet | ({} if push is None else {"trunk": push}))
        return found

    def in_world(self, forces):
        """Forces of base axes, a foot a row."""
        return np.reshape(forces, (-1, 3)) @ self._robot.rotation.T


def test_forces_of_feet_are_those_that_act(hyq):
    standing = Standing(hyq, friction=0.0)
    for _ in range(300):
        found = standing.go_on()
    np.testing.assert_allclose(
        standing.in_world(found.contact_forces), [*standing.feet.values()], atol=2.0
    )
    assert found.closed.all() and not found.pushed and not found.disturbed.any()
    standing.feet["rf_foot"] = np.zeros(3)
    for _ in range(50):
        found = standing.go_on()
    assert found.closed.tolist() == [True, False, True, True]
    np.testing.assert_allclose(
        standing.in_world(found.contact_forces), [*standing.feet.values()], atol=4.0
    )


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("friction", [0.0, 0.1])
def test_twenty_newtons_at_the_trunk_are_seen_within_20_ms(hyq, friction, axis):
    standing = Standing(hyq, friction)
    for _ in range(300):
        assert not standing.go_on().pushed
    push = -20.0 * np.eye(3)[axis]
    found = [standing.go_on(push) for _ in range(21)]
    assert found[-1].pushed
    seen = standing.in_world(found[-1].remainder[3:6])[0]
    assert np.linalg.norm(seen - push * -np.expm1(-2.0)) < 1.0 + 8 * friction


def test_a_push_is_seen_from_what_friction_hides_and_the_threshold_on(hyq):
    """After `ln(F / (F - band - threshold)) / gain`, as docs/external_forces.md has it."""
    friction, threshold = 0.3, 5.0
    standing = Standing(hyq, friction, base_force_threshold=threshold)
    for _ in range(300):
        found = standing.go_on()
    assert not found.pushed
    least = threshold + found.remainder_band[5]
    assert 10.0 < least < 20.0
    hidden = [standing.go_on([0, 0, -0.6 * least]).pushed for _ in range(100)]
    assert not any(hidden)
    for _ in range(200):
        standing.go_on()
    force = 1.5 * least
    seen = [standing.go_on([0, 0, -force]).pushed for _ in range(30)].index(True)
    assert seen == pytest.approx(1e3 * np.log(force / (force - least)) / 100.0, abs=6)


def test_a_stretched_leg_needs_the_base_to_be_free_of_pushes(hyq):
    """Along a straight leg no joint feels a force; what the base feels tells of it."""
    q = CROUCH.copy()
    q[1:3] = 0.0
    forces = carrying(hyq, q)
    left, effort = at_rest(hyq, q, forces)
    assert np.abs(left).max() < 1e-9
    errors = []
    for free in (True, False):
        observer = hyq.momentum_observer(gain=1e6, base_is_free=free, contact_damping=1e-9)
        for _ in range(2):
            found = observer.update(q, np.zeros(12), effort, 0.01, gravity=GRAVITY)
        errors.append(np.abs(found.contact_forces - forces).max())
    assert errors[0] > 20.0 and errors[1] < 0.1


def test_gravity_of_a_floating_base_is_not_guessed(hyq):
    observer = hyq.momentum_observer()
    with pytest.raises(Fault, match="gravity is missing"):
        observer.update(CROUCH, np.zeros(12), np.zeros(12), STEP)
