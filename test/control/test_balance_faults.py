"""A robot is held, and told what is wrong, where states and readings are missing or wrong."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from robcogen_ros.control.balance import Balance, TrunkReference, at_rest
from robcogen_ros.runtime.objects import text_of
from test.control.balance_loop import UPRIGHT, Loop, Sensed
from test.control.told import PLACE, STANDING, Told
from test.support.fault_table import fault

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
        ((9.78, 0.0, 0.69), "gravity as the IMU has it is 1.4"),
        ((1.0, 0.0, 0.0), "gravity as the IMU has it is 1.33 rad"),
    ],
)
def test_an_estimate_that_ends_tells_why(quadruped, acceleration, told):
    """The last reading is that of a robot that falls as its IMU was found to be elsewhere."""
    robot, posture = quadruped
    balance = Balance(robot, {"posture": posture.q, "base_state": 2.0})
    upright, leaning = np.array([0.0, 0.0, 9.81]), np.array([9.78, 0.0, 0.69])
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


@pytest.mark.parametrize("unit", [0.0, 1e-3])
def test_a_robot_at_rest_whose_feet_feel_nothing_is_not_controlled(quadruped, unit):
    """Dead sensors, or forces in kN: the first may come a while after the joints."""
    robot, posture = quadruped
    balance = Balance(robot, {"posture": posture.q, "base_state": 2.0})

    def cycle(i, share=None):
        balance.take_imu(np.zeros(3), np.array([0.0, 0.0, 9.81]), 0.002 * i)
        for foot in range(4 if share is not None else 0):
            balance.take_force(foot, np.array([0.0, 0.0, 50.0 * share]))
        return balance.take_joints(robot.joint_names, posture.q, np.zeros(robot.n), 0.002 * i)

    for i in range(20):
        assert cycle(i) is None
    for i in range(20, 100):
        assert cycle(i, unit) is None
    assert balance.problem.startswith("no foot feels the ground: the robot hangs, or forces")
    assert cycle(100, 1.0) is not None and not balance.problem


def test_feet_that_never_tell_a_force_are_waited_for_once(quadruped):
    robot, posture = quadruped
    balance = Balance(robot, {"posture": posture.q, "base_state": 2.0}, state_timeout=0.05)
    for i in range(40):
        balance.take_imu(np.zeros(3), np.array([0.0, 0.0, 9.81]), 0.002 * i)
        efforts = balance.take_joints(robot.joint_names, posture.q, np.zeros(robot.n), 0.002 * i)
        if abs(i - 25) > 1:  # rounding decides at the timeout
            assert (efforts is not None) == (i > 25)
    assert balance.estimate["closed"].all()


@pytest.mark.parametrize("going", [False, True])
def test_a_robot_all_of_whose_feet_fall_silent_at_once_goes_on(quadruped, going):
    """Its accelerometer tells g, and its feet stay: it is not in the air."""
    loop = Sensed(*quadruped, "trot", base_state=2.0)
    loop.go(300, (0.15, 0.0, 0.0) if going else None)
    loop.dead = {0, 1, 2, 3}
    before, height = loop.ground.position, quadruped[1].height
    lowest = height
    for _ in range(20):
        loop.go(50, (0.15, 0.0, 0.0) if going else None)
        lowest = min(lowest, loop.ground.position[2])
    assert lowest > 0.97 * height
    assert (loop.ground.position[0] - before[0] > 0.2) == going
    assert loop.balance.faults["all_contacts_lost"] < 5
    assert sum("does not feel the ground" in text for text in loop.balance.troubles()) == 4
    loop.dead = set()
    loop.go(200, None)
    assert not loop.balance.missed


def test_a_robot_below_which_the_ground_is_gone_is_in_the_air(quadruped):
    """What it stood on falls away: its feet feel nothing at once, and nothing holds it."""
    loop = Sensed(*quadruped, "trot", base_state=2.0)
    loop.go(300, None)
    assert not loop.balance.faults["all_contacts_lost"]
    loop.ground.place(loop.ground.q, position=np.add(loop.ground.position, [0.0, 0.0, 1.0]))
    loop.go(100, None)
    assert loop.balance.faults["all_contacts_lost"] > 80
    assert not loop.balance.faults["foot_not_felt"]


@fault(
    "the accelerometer of an estimator has upwards 0.1 rad from where the forces lead that feet "
    "are asked for, with one or two feet 0.05 rad, as means of two seconds"
)
@pytest.mark.parametrize(
    ("leans", "slope", "told"), [(0.07, 0.0, False), (0.13, 0.0, True), (0.0, 0.13, False)]
)
def test_an_imu_that_leans_is_told_with_its_angle(quadruped, leans, slope, told):
    """On a slope feet bear the robot where gravity has upwards."""
    robot, posture = quadruped
    loop = Sensed(robot, posture, "stand", base_state=2.0)
    turn = Rotation.from_euler("y", slope)
    loop.ground = robot.ground(plane_normal=turn.apply([0.0, 0.0, 1.0]))
    place = turn.apply([0.0, 0.0, posture.height])
    loop.ground.place(posture.q, position=place, orientation=turn.as_quat())
    leaning = Rotation.from_euler("y", leans)
    loop.imu = lambda rate, force: (leaning.apply(rate), leaning.apply(force))
    loop.go(450, None)
    assert not loop.balance.faults["imu_leans"]
    loop.go(500, None)
    said = [text for text in loop.balance.troubles() if text.startswith("gravity as the IMU has")]
    assert len(said) == told
    assert (loop.balance.faults["imu_leans"] > 300) == told
    if told:
        angle = float(said[0].split(" is ")[1].split()[0])
        assert angle == pytest.approx(leans, abs=0.02)
        assert "where the feet bear the robot: set imu_frame" in said[0]


@pytest.mark.parametrize("moves", [0.0, 0.019, 0.021])
def test_an_imu_that_hangs_counts_as_missing_where_joints_move(moves):
    """One of a robot at rest may tell the same for ever, if it has no noise."""
    told = Told(base_state=2.0, base_state_timeout=0.1, state_timeout=1.0)
    imu = {"imu_rate": [1e-3, 0.0, 0.0], "imu_acceleration": [0.0, 0.0, 9.81]}
    for cycle in range(100):
        q = told.rest + moves * min(1.0, cycle / 20)
        found = told.cycle(None, None, base_velocity=None, q=q, **imu)
        if abs(cycle - 25) > 1:
            hangs = moves > 0.02 and cycle > 25
            assert bool(int(found["estimator_faults"].item()) & 1) == hangs
    assert bool(found["lost"]) == (moves > 0.02)
    imu["imu_rate"] = [1.1e-3, 0.0, 0.0]
    found = told.cycle(None, None, base_velocity=None, q=q, **imu)
    assert not int(found["estimator_faults"].item()) & 1


@pytest.mark.parametrize(
    ("rate", "force", "counts"),
    [(4.9, 0.0, True), (5.1, 0.0, False), (0.0, 59.0, True), (0.0, 61.0, False)],
)
def test_spikes_of_an_imu_do_not_count_but_what_stays_does(rate, force, counts):
    told = Told(base_state=2.0, base_state_timeout=0.1)
    rest = {"imu_rate": np.zeros(3), "imu_acceleration": np.array([0.0, 0.0, 9.81])}
    spike = {"imu_rate": rest["imu_rate"] + [0.0, rate, 0.0]}
    spike["imu_acceleration"] = rest["imu_acceleration"] + [0.0, force, 0.0]

    def missing(reading):
        found = told.cycle(None, None, base_velocity=None, **reading)
        return bool(int(found["estimator_faults"].item()) & 1)

    assert not any(missing(rest) for _ in range(100))
    assert missing(spike) == (not counts)
    assert not missing(rest)
    assert missing(spike) == (not counts)
    assert not missing(spike)
    assert missing(rest) == (not counts)
    assert not missing(rest)


def test_a_trot_goes_on_through_spikes_of_its_imu(quadruped):
    random = np.random.default_rng(0)
    loop = Sensed(*quadruped, "trot", base_state=2.0)

    def spikes(rate, force):
        if random.random() > 0.02:
            return rate, force
        return rate + 20.0 * random.normal(size=3), force + 100.0 * random.normal(size=3)

    loop.imu = spikes
    loop.go(100, None)
    loop.go(1500, (0.2, 0.0, 0.0))
    assert loop.ground.position[0] > 0.4
    assert loop.ground.position[2] > 0.95 * quadruped[1].height


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
        for i, force in enumerate(ground.forces):
            balance.take_force(i, force)
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
    """Of ten cycles some are bad. Feet that bear the robot would be taken for dead at once."""
    told, light = Told(), np.tile([0.0, 0.0, 5.0], (4, 1))

    def after(bad, step=0.002):
        for cycle in range(10):
            told.cycle(PLACE, step=step, forces=light * (cycle >= bad))
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
