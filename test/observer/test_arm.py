"""What pushes an arm is seen in time, and friction that is not quite as the model says is not."""

from __future__ import annotations

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.formats.read import read
from robcogen_ros.runtime.objects import Fault
from test.support.robots import robot_path, robots_directory

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(robots_directory() is None, reason="example-robot-data is not installed"),
    pytest.mark.filterwarnings("ignore:.*unknown attribute"),
]

PANDA = {"lock": {"panda_finger_joint1": 0.02}, "tips": ["panda_link8"]}
FRICTION = np.array([0.55, 0.87, 0.64, 1.28, 0.84, 0.30, 0.56])
DAMPING = np.full(7, 0.5)
STEP = 1e-3


@pytest.fixture(scope="module")
def panda():
    path = robot_path("panda_description/urdf/panda.urdf")
    functions = ["inverse_dynamics", "gravity_torques"]
    return robcogen_ros.build(path, functions=functions, momentum_observer=True, **PANDA)


class Motion:
    """The arm swings, and stands still for the last of every five seconds.

    Its friction differs from the model's by a fifth, up or down.
    """

    def __init__(self, robot, seed: int) -> None:
        pytest.importorskip("mujoco")
        from test.support.mujoco_robot import MujocoRobot

        random = np.random.default_rng(seed)
        wrong = 1 + 0.2 * random.choice([-1, 1], (2, 7))
        path = robot_path("panda_description/urdf/panda.urdf")
        friction = {"damping": DAMPING * wrong[0], "friction": FRICTION * wrong[1]}
        self._arm = MujocoRobot(read(path, **PANDA).robot, STEP, **friction)
        self._robot, self._time, self._effort = robot, 0.0, np.zeros(7)
        self._speed, self._phase = random.uniform(0.5, 1.6, 7), random.uniform(0, 6, 7)
        self._arm.place(self._wanted()[0])
        self.observer = robot.momentum_observer(damping=DAMPING, joint_friction=FRICTION)

    def go_on(self, external):
        """What is observed, before a step under external efforts."""
        state = self._arm.data
        found = self.observer.update(state.qpos, state.qvel, self._effort, STEP)
        q, qd, qdd = self._wanted()
        qdd = qdd + 100 * (q - state.qpos) + 20 * (qd - state.qvel)
        lost = FRICTION * np.tanh(qd / 0.01) + DAMPING * qd
        self._effort = self._robot.inverse_dynamics(state.qpos, state.qvel, qdd) + lost
        self._arm.advance(self._effort + external)
        self._time += STEP
        return found

    def _wanted(self):
        whole, part = divmod(self._time, 5.0)
        middle = np.array([0, 0, 0, -1.6, 0, 1.8, 0])
        reach = np.array([1.2, 0.8, 1.2, 0.7, 1.2, 0.7, 1.2])
        angle = self._speed * (4.0 * whole + min(part, 4.0)) + self._phase
        moves = reach * self._speed * (part < 4.0)
        return (
            middle + reach * np.sin(angle),
            moves * np.cos(angle),
            -moves * self._speed * np.sin(angle),
        )


def test_friction_that_is_a_fifth_wrong_is_no_alarm(panda):
    motion, most = Motion(panda, seed=1), np.zeros(7)
    for _ in range(20_000):
        found = motion.go_on(np.zeros(7))
        assert not found.disturbed.any()
        most = np.maximum(most, np.abs(found.external))
    assert (most > 0.1 * FRICTION).all()


def test_five_newton_meters_at_any_joint_are_seen_within_20_ms(panda):
    motion = Motion(panda, seed=2)
    for i in range(14):
        for _ in range(400):
            assert not motion.go_on(np.zeros(7)).disturbed.any()
        push = np.zeros(7)
        push[i % 7] = 5.0 if i < 7 else -5.0
        found = [motion.go_on(push) for _ in range(21)]
        assert found[-1].disturbed[i % 7]
        assert np.sign(found[-1].external[i % 7]) == np.sign(push[i % 7])
        for _ in range(200):
            motion.go_on(np.zeros(7))


def test_what_pushes_an_arm_at_rest_comes_up_with_a_lag_of_first_order(panda):
    """In closed form, at steps of any length."""
    observer, q, still = panda.momentum_observer(gain=30.0), np.full(7, 0.3), np.zeros(7)
    external = np.array([5.0, -3.0, 1.0, 0.5, -0.2, 0.1, 0.0])
    effort, time = panda.gravity_torques(q) - external, 0.0
    found = observer.update(q, still, effort, 0.1)
    assert not found.external.any()
    for step in np.random.default_rng(3).uniform(1e-4, 0.03, 30):
        time += step
        found = observer.update(q, still, effort, step)
        np.testing.assert_allclose(found.external, external * -np.expm1(-30 * time), atol=1e-12)


def test_an_alarm_ends_below_half_of_its_threshold(panda):
    threshold = np.full(7, 2.0)
    observer = panda.momentum_observer(gain=1e6, joint_threshold=threshold)
    q, still, seen = np.full(7, 0.3), np.zeros(7), []
    for push in (1.9, 2.1, 1.9, 1.1, 0.9, 1.9):
        effort = panda.gravity_torques(q) - push
        observer.update(q, still, effort, 0.01)
        seen.append(observer.update(q, still, effort, 0.01).disturbed[0])
    assert seen == [False, True, True, True, False, False]


@pytest.mark.parametrize("wrong", ["q", "qd", "tau", "step", "gravity"])
def test_what_is_not_finite_is_left_out_and_the_estimate_stays(panda, wrong):
    observer, still = panda.momentum_observer(), np.zeros(7)
    sound = {"q": np.full(7, 0.3), "qd": still, "tau": still, "step": 0.01}
    observer.update(**sound)
    before = observer.update(**sound)
    shape = {"step": (), "gravity": 3}.get(wrong, 7)
    with pytest.raises(Fault, match="not finite, gravity is missing or the step is not positive"):
        observer.update(**{**sound, wrong: np.full(shape, np.nan)})
    after = observer.update(**{**sound, "q": np.full(7, 0.31)})
    np.testing.assert_array_equal(after.external, before.external)
    later = observer.update(**{**sound, "q": np.full(7, 0.31)})
    assert (np.abs(later.external) > np.abs(after.external)).any()


def test_friction_within_the_dynamics_is_not_taken_off_twice():
    functions, terms = ["kinematics"], ["damping"]
    path = robot_path("double_pendulum_description/urdf/double_pendulum.urdf")
    robots = [
        robcogen_ros.build(path, functions=functions, momentum_observer=True, terms=each)
        for each in ((), terms)
    ]
    assert robots[0].damping.any()
    found = []
    for robot in robots:
        observer, step = robot.momentum_observer(), 0.01
        for k in range(20):
            q, qd = 0.3 + step * k * np.array([1.0, -2.0]), np.array([1.0, -2.0])
            result = observer.update(q, qd, np.zeros(2), step)
        found.append(result)
    np.testing.assert_allclose(found[0].external, found[1].external, atol=1e-12)
    np.testing.assert_array_equal(found[0].external_band, found[1].external_band)
