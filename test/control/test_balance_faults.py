"""A robot is held, and told what is wrong, where states and readings are missing or wrong."""

import numpy as np
import pytest

from robcogen_ros.control.balance import Balance, TrunkReference, at_rest
from robcogen_ros.runtime.objects import text_of
from test.control.balance_loop import UPRIGHT, Loop
from test.control.told import PLACE, STANDING, Told

pytestmark = pytest.mark.slow


def test_what_is_missing_leaves_the_robot_carried(quadruped):
    loop = Loop(*quadruped, {"base_state_timeout": 0.1}, state_timeout=0.1)
    assert loop.joints() is None
    loop.run(20)
    carried = loop.joints()

    loop.balance.take_base(np.full(3, np.nan), UPRIGHT, np.zeros(6), loop.time)
    loop.balance.take_base(np.zeros(3), np.zeros(4), np.zeros(6), loop.time)
    assert loop.balance.faults["base_not_finite"] == 2
    loop.balance.take_force(0, np.full(3, np.nan))
    assert loop.balance.faults["force_not_finite"] == 1
    names = loop.robot.joint_names
    loop.balance.take_joints(names, np.full(12, np.nan), np.zeros(12), loop.time)
    assert loop.balance.faults["state_refused"] == 1
    np.testing.assert_allclose(loop.joints(), carried, atol=1e-9)

    for _ in range(8):
        loop.time += 0.02
        loop.base()
        held = loop.balance.look(loop.time)
    assert loop.balance.lost == "joint states have stopped"
    np.testing.assert_allclose(held, carried, atol=0.1 * np.abs(carried).max())
    loop.joints()
    assert not loop.balance.lost
    loop.time += 0.2
    held = loop.joints()
    assert loop.balance.lost == "the state of the base is stale"
    assert np.isfinite(held).all()
    loop.base()
    loop.joints()
    assert not loop.balance.lost


def test_an_imu_in_another_frame_and_one_whose_time_goes_back_are_told(quadruped):
    robot, posture = quadruped
    balance = Balance(robot, {"posture": posture.q, "base_state": 2.0})
    names, still = robot.joint_names, np.zeros(robot.n)

    def joints(acceleration, time):
        balance.take_imu(np.zeros(3), np.array(acceleration), time)
        for i in range(4):
            balance.take_force(i, np.array([0.0, 0.0, 50.0]))
        return balance.take_joints(names, posture.q, still, time)

    assert balance.take_joints(names, posture.q, still, 0.0) is None
    for i in range(3):
        assert joints([9.81, 0.0, 0.0], 0.002 * (i + 1)) is None
    assert balance.problem.startswith("gravity as the IMU has it is 1.57 rad from the normal of")
    assert joints([0.0, 0.0, 1.0], 0.008) is None
    assert "other units" in balance.problem
    assert joints([0.0, 0.0, 9.81], 0.01) is not None
    assert not balance.problem
    balance.take_imu(np.zeros(3), np.zeros(3), 0.005)
    assert balance.faults["imu_time_backwards"] == 1


@pytest.mark.parametrize(
    ("acceleration", "told"),
    [
        (None, "no IMU"),
        ((6.0, 0.0, 7.76), "gravity as the IMU has it is 0.6"),
        ((1.0, 0.0, 0.0), "gravity as the IMU has it is 0.56 rad"),
    ],
)
def test_an_estimate_that_ends_tells_why(quadruped, acceleration, told):
    """The last reading is that of a robot that falls as its IMU was found to be elsewhere."""
    robot, posture = quadruped
    balance = Balance(robot, {"posture": posture.q, "base_state": 2.0})
    upright, leaning = np.array([0.0, 0.0, 9.81]), np.array([6.0, 0.0, 7.76])
    for i in range(200):
        time, reading = 0.002 * i, upright if i < 10 else leaning if i < 60 else acceleration
        if i < 10 or acceleration is not None:
            balance.take_imu(np.zeros(3), np.array(reading), time)
        for foot in range(4):
            balance.take_force(foot, np.array([0.0, 0.0, 50.0]))
        balance.take_joints(robot.joint_names, posture.q, np.zeros(robot.n), time)
        assert balance.lost or not balance.ready or not balance.problem
    assert balance.lost == "the state of the base is stale"
    assert balance.problem.startswith(told)


@pytest.mark.parametrize("between", ["look", "refused"])
def test_cycles_without_states_do_not_move_the_estimate(quadruped, between):
    robot, posture = quadruped
    loop = Loop(robot, posture, {"base_state": 2.0})
    ground, balance, names = loop.ground, loop.balance, robot.joint_names
    wanted = at_rest(ground.position, UPRIGHT)
    for k in range(1500):
        if k % 10 == 9:
            if between == "look":
                balance.look(loop.time - 0.001)
            else:
                balance.take_joints(names, np.full(robot.n, np.nan), np.zeros(robot.n), loop.time)
                loop.time += 0.002
        balance.take_imu(ground.angular_velocity, ground.linear_acceleration, loop.time)
        for i, wrench in enumerate(ground.wrenches if loop.time else ()):
            balance.take_force(i, wrench[3:])
        wanted[2] = posture.height - 0.03 * min(1.0, k / 500)
        if balance.ready:
            balance.follow(TrunkReference(wanted, time=loop.time))
        efforts = loop.joints()
        if efforts is not None:
            ground.advance(efforts, 0.002)
        loop.time += 0.002
    np.testing.assert_allclose(ground.position[2], wanted[2], atol=1e-3)
    np.testing.assert_allclose(balance.estimate["base"][:3], ground.position, atol=5e-4)


def test_it_stays_where_the_estimate_of_its_place_jumps():
    """The place that the controller is told goes on; a reference is followed in the world."""
    told = Told()
    told.cycle(PLACE)
    found = told.cycle([0.4, 0.0, 0.55])
    np.testing.assert_allclose(found["position"], PLACE)
    np.testing.assert_allclose(found["trunk"][:3], PLACE)
    for i in range(1, 21):
        found = told.cycle([0.4 + 0.003 * i, 0.0, 0.55], velocity=1.5)
    np.testing.assert_allclose(found["position"], [0.06, 0.0, 0.5])
    assert found["jumps"] == 1
    there = at_rest(np.array([0.41, 0.0, 0.55]), UPRIGHT)
    for _ in range(2):
        found = told.cycle([0.46, 0.0, 0.55], trunk=there, reference_age=0.0)
    np.testing.assert_allclose(found["position"], [0.46, 0.0, 0.55])
    np.testing.assert_allclose(found["trunk"], there)


def test_late_readings_of_the_base_count_from_when_they_were_measured():
    told = Told(base_state_timeout=0.1, state_timeout=1.0)
    told.cycle(PLACE)
    late = told.cycle([0.06, 0.0, 0.5], velocity=1.0, step=0.09, base_age=0.03)
    assert not late["jumps"]
    assert not late["lost"]
    nothing = {"position": None, "orientation": None, "base_velocity": None}
    assert not told.cycle(None, **nothing, step=0.069)["lost"]
    assert told.cycle(None, **nothing, step=0.002)["lost"]
    assert not told.cycle([0.06, 0.0, 0.5])["lost"]


@pytest.mark.parametrize("timeout", [None, 0.1])
def test_feet_without_forces_touch_as_they_are_to(timeout):
    told = Told(state_timeout=timeout)
    told.cycle(PLACE)
    feet = np.full((4, 19), np.nan)
    feet[0] = at_rest(np.zeros(3), UPRIGHT)
    asked = {"trunk": STANDING, "feet": feet, "reference_age": 0.0}
    for cycle in range(1, 100):
        found = told.cycle(PLACE, silent=[0], **asked)
        if cycle != 50:  # rounding decides at the timeout
            heard = timeout is not None and cycle < 50
            np.testing.assert_array_equal(found["closed"], [heard, 1, 1, 1])
    assert found["silences"] == 1
    found = told.cycle(PLACE, silent=[0], trunk=STANDING, reference_age=0.0)
    np.testing.assert_array_equal(found["closed"], [1, 1, 1, 1])


def test_a_robot_that_has_fallen_is_only_held_from_then_on():
    told = Told()
    told.cycle(PLACE)
    turned = [np.array([np.sin(a / 2), 0.0, 0.0, np.cos(a / 2)]) for a in (0.75, 0.85)]
    assert not told.cycle(PLACE, turned[0])["fallen"]
    held = told.cycle(PLACE, turned[1])
    assert held["fallen"]
    efforts = held["efforts"].copy()
    assert np.isfinite(efforts).all() and np.abs(efforts).max() > 1.0
    again = told.cycle(PLACE)
    assert again["fallen"]
    np.testing.assert_array_equal(again["efforts"], efforts)


def test_what_goes_on_is_told_in_words_once_and_where_it_comes_back():
    """Of ten cycles some are bad."""
    told = Told()

    def after(bad, step=0.002):
        for cycle in range(10):
            unfelt = {"forces": np.zeros((4, 3))} if cycle < bad else {}
            told.cycle(PLACE, step=step, **unfelt)
        return text_of(told.loop.call("troubles")["problem"])

    after(0)
    assert after(4) == ""
    assert after(8).startswith("no foot touches the ground, by their forces")
    assert after(8) == ""
    assert after(0, step=0.19) == ""
    assert after(8) == ""
    assert after(0, step=0.21) == ""
    assert after(8).startswith("no foot touches the ground, by their forces")


def test_a_foot_that_a_plan_lifts_is_not_missed():
    """One that does not touch for longer than a swing otherwise is, and is named."""
    told, forces = Told(), np.tile([0.0, 0.0, 50.0], (4, 1))
    forces[0] = 0.0
    feet = np.full((4, 19), np.nan)
    feet[0] = at_rest(np.array([0.0, 0.0, 1.0]), UPRIGHT)
    told.cycle(PLACE)
    told.follow(0.0, STANDING, feet)
    unfelt = {"forces": forces, "step": 0.02}
    for _ in range(60):
        assert not told.cycle(PLACE, **unfelt, reference_age=0.0)["missed"].any()
    for _ in range(60):
        found = told.cycle(PLACE, **unfelt)
    np.testing.assert_array_equal(found["missed"], [1, 0, 0, 0])
    said = text_of(told.loop.call("troubles")["problem"])
    assert "foot 'LF_foot' does not feel the ground: is its force measured?\n" in said
