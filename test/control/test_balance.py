"""A robot is held where states are missing, and steps as velocities are commanded."""

from dataclasses import replace

import numpy as np
import pytest

from robcogen_ros.control.balance import Balance, TrunkReference, at_rest
from robcogen_ros.control.motor_space import SPACES, Motors
from robcogen_ros.control.reference import Waypoints
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.contacts import parsed
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.runtime.gait import check_gait, usual_gait
from robcogen_ros.runtime.objects import object_of
from test.control.balance_loop import UPRIGHT, Loop, Sensed, Walk
from test.control.told import PLACE, STANDING, Told
from test.support.examples import EXAMPLES

pytestmark = pytest.mark.slow


def test_the_trunk_is_held_moved_and_pushed(quadruped):
    loop = Loop(*quadruped)
    start = loop.ground.position
    loop.run(100)
    np.testing.assert_allclose(loop.ground.position, start, atol=1e-4)
    lower = at_rest(start - [0.0, 0.01, 0.03], UPRIGHT)
    loop.balance.follow(TrunkReference(lower, time=loop.time))
    loop.run(50, force=(0.0, 60.0, 0.0))
    loop.run(450)
    np.testing.assert_allclose(loop.ground.position, lower[:3], atol=1e-3)
    assert loop.ground.touches.all()
    assert not loop.balance.lost


@pytest.mark.parametrize(
    ("way", "time", "place"),
    [
        ((10.0, 0.0), 0.1, None),  # a slip of units
        ((0.3, 0.0), 0.5, None),
        ((0.44, 0.0), 3.0, None),  # slowly beyond the feet
        ((0.0, -0.27), 3.0, None),
        ((0.0, 0.5), 0.0, None),
        ((0.05, 0.03), 0.5, (0.05, 0.03)),
        ((-0.06, -0.04), 0.0, (-0.06, -0.04)),
    ],
)
def test_a_trunk_that_is_asked_too_much_stays_over_its_feet(quadruped, way, time, place):
    """It goes as far as its center of mass may, and is told; what can be done is done exactly."""
    loop = Loop(*quadruped)
    loop.run(100)
    start = at_rest(loop.ground.position, UPRIGHT)
    end = start + np.pad([*way, 0.0], (0, 16))
    told = np.where(np.arange(19) < 7, [start, end], np.nan)
    loop.balance.follow(
        TrunkReference(told, time=loop.time, times=(0.0, time))
        if time
        else TrunkReference(end, time=loop.time)
    )
    highest = 0.0
    for _ in range(2500):
        loop.run(1)
        highest = max(highest, loop.ground.position[2])
    moved = loop.ground.position - start[:3]
    far = loop.balance.faults["reference_out_of_reach"] > 0
    assert loop.ground.touches.all()
    assert highest < start[2] + 0.02
    if place is None:
        along = moved[:2] @ way / np.linalg.norm(way)
        assert far
        assert 0.15 < along < np.linalg.norm(way)
    else:
        np.testing.assert_allclose(moved[:2], place, atol=1e-3)
        assert not far


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


def test_a_reference_is_carried_on_for_a_while_and_then_stands_on_all_feet():
    told = Told(reference_timeout=0.1)
    trunk = STANDING.copy()
    trunk[9], trunk[10] = 0.4, 0.05
    feet = np.full((4, 19), np.nan)
    feet[0] = at_rest(np.zeros(3), UPRIGHT)
    told.cycle(PLACE)
    now = told.cycle(PLACE, trunk=trunk, feet=feet, reference_age=0.05)
    np.testing.assert_allclose(now["trunk"][:3], [0.0025, 0.0, 0.5])
    turned = rotation(now["trunk"][3:7])
    assert np.arctan2(turned[1, 0], turned[0, 0]) == pytest.approx(0.02)
    np.testing.assert_allclose(now["trunk"][7:], trunk[7:], atol=1e-15)
    np.testing.assert_array_equal(now["stance"], [0, 1, 1, 1])
    late = told.cycle(PLACE, trunk=trunk, feet=feet, reference_age=10.0)
    np.testing.assert_allclose(late["trunk"][:3], [0.005, 0.0, 0.5])
    assert not late["trunk"][7:].any()
    assert late["stance"].all()


def test_motors_behind_four_bars_give_the_efforts_of_the_knees_within_their_limits(tmp_path):
    folder, legs = EXAMPLES / "linkages", ("LF", "RF", "LH", "RH")
    loops = tmp_path / "loops.yaml"
    knees = ", ".join(f"{leg}_knee" for leg in legs)
    loops.write_text(f"{(folder / 'quadruped.yaml').read_text()}\nindependent: [{knees}]\n")
    joints = ("hip_roll", "hip_pitch", "motor")
    build = {
        "loops": loops,
        "actuated": [f"{leg}_{joint}" for leg in legs for joint in joints],
        "functions": ("transmission", "joint_positions", "coordinate_jacobian"),
    }
    robot, found = Told(folder / "quadruped.urdf.xacro", build), {}
    motors, q, qd = Motors(robot.robot), *0.2 * np.sin(np.arange(24.0)).reshape(2, 12)
    states = {
        "joint": {"q": q, "qd": qd},
        "motor": {"q": motors.positions(q), "qd": motors.rates(q) @ qd},
    }
    most = 2.0 * np.abs(motors.rates(q)).sum(axis=0)  # each motor moves one coordinate
    for limited in (False, True):
        for space, limits in (("joint", most), ("motor", np.full(12, 2.0))):
            settings = {"space": float(SPACES.index(space))}
            settings |= {"effort_limits": limits} if limited else {}
            robot.loop = object_of(robot.robot, "whole_body_loop", settings)
            found[space] = robot.cycle(PLACE, **states[space])["efforts"].copy()
        efforts = motors.joint_efforts(q, found["motor"])
        np.testing.assert_allclose(efforts, found["joint"], rtol=2e-3, atol=1e-3)
        assert np.abs(found["motor"] - found["joint"]).max() > 0.1
        assert (np.abs(found["motor"]).max() == pytest.approx(2.0)) == limited


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


@pytest.mark.parametrize(
    ("contacts", "gait", "expected"),
    [
        (("a", "b", "c", "d"), "gallop", "expected one of stand, trot, walk, found 'gallop'"),
        (("a:pose", "b:pose"), "trot", "a:pose, b:pose: it can 'stand' and 'walk', for a trot"),
        (("a", "b", "c", "d:pose"), "walk", "it can only 'stand', for a trot is of four feet that"),
    ],
)
def test_gaits_that_a_robot_does_not_have_are_refused(contacts, gait, expected):
    records = parsed(contacts, "abcd".index)
    with pytest.raises(RobcogenError, match=expected):
        check_gait(gait, records)
    check_gait("stand", records)
    check_gait(usual_gait(records), records)


def test_it_goes_as_commanded_and_stands_where_commands_stop(quadruped):
    loop = Walk(*quadruped, "trot")
    height = loop.ground.position[2]
    loop.balance.follow(TrunkReference(at_rest(loop.ground.position, UPRIGHT), time=loop.time))
    loop.run(50)
    assert loop.ground.touches.all()
    loop.go(1000, (0.2, 0.0, 0.0))
    assert loop.ground.position[0] == pytest.approx(0.2 * 2.0, rel=0.25)
    loop.run(1000)
    there = loop.ground.position  # not where the old reference was
    assert there[0] > 0.3
    loop.run(200)
    np.testing.assert_allclose(loop.ground.position, there, atol=2e-3)
    assert there[2] == pytest.approx(height, abs=0.01)
    assert loop.ground.touches.all()
    assert loop.balance.faults["velocity_stale"] == 1
    assert not loop.balance.faults["velocity_cut"]


def test_a_posture_is_moved_to_through_points(quadruped):
    """It crouches as it stood lower, at the time and no faster than it is told."""
    lower = Loop(*quadruped)
    lower.run(20)
    trunk = at_rest(lower.ground.position - [0.0, 0.0, 0.04], UPRIGHT)
    lower.balance.follow(TrunkReference(trunk, time=lower.time))
    lower.run(400)
    loop = Walk(*quadruped, "trot")
    none = np.full((1, 12), np.nan)
    points = Waypoints((1.0,), lower.ground.q[None], none, none, np.zeros((1, 12)))
    with pytest.raises(RobcogenError, match="not known"):
        loop.balance.prefer(points, 0.0)
    loop.run(50)
    with pytest.raises(RobcogenError, match="no positions"):
        loop.balance.prefer(replace(points, positions=none), loop.time)
    start, heights = loop.ground.position, []
    loop.balance.prefer(points, loop.time)
    for _ in range(80):
        loop.run(10)
        heights.append(loop.ground.position[2])
    assert loop.ground.position[2] == pytest.approx(start[2] - 0.04, abs=1e-3)
    # a gait keeps the center of mass over the feet, to which the base moves as legs fold
    np.testing.assert_allclose(loop.ground.position[:2], start[:2], atol=0.01)
    assert np.abs(np.diff(heights)).max() < 2e-3  # 0.075 m/s at most
    assert heights[10] > start[2] - 0.01


def test_a_trot_goes_on_where_the_force_of_a_foot_falls_silent(quadruped):
    loop = Walk(*quadruped, "trot")
    loop.run(50)
    loop.go(200, (0.1, 0.0, 0.0))
    loop.deaf = {0}
    loop.go(1000, (0.1, 0.0, 0.0))
    assert loop.balance.faults["force_stale"] == 1
    assert not loop.balance.lost
    assert loop.ground.position[0] > 0.1  # it limps, and does not fall
    assert abs(loop.ground.position[1]) < 0.15


def test_a_quadruped_trots_on_feet_without_sensors(quadruped):
    """The observer tells which touch, and the estimator where it is: it goes as far as asked."""
    loop = Sensed(*quadruped, "trot", base_state=2.0, contact_source=1.0)
    loop.deaf = {0, 1, 2, 3}
    loop.run(250)
    told = []
    for _ in range(1000):
        loop.balance.command((0.2, 0.0, 0.0), loop.time)
        loop.run(1)
        told.append((loop.balance.estimate["closed"] > 0.0) == loop.ground.touches)
    assert np.mean(told) > 0.95
    assert not loop.balance.lost
    np.testing.assert_allclose(loop.ground.position[:2], [0.4, 0.0], atol=0.05)


@pytest.mark.parametrize("foot", [0, 3])
@pytest.mark.parametrize("cycles", [650, 700, 750, 800])
def test_a_trot_goes_on_where_the_sensor_of_a_foot_dies(quadruped, foot, cycles):
    """Anywhere in its stride, which takes 235 cycles; it is named, until it feels something."""
    loop = Walk(*quadruped, "trot")
    loop.run(50)
    loop.go(cycles, (0.2, 0.0, 0.0))
    loop.dead = {foot}
    before = loop.ground.position
    loop.go(200, (0.2, 0.0, 0.0))
    name = loop.robot.contact_records[foot].frame_name
    assert loop.balance.missed == [name]
    loop.go(1300, (0.2, 0.0, 0.0))
    assert loop.balance.missed == [name]
    np.testing.assert_allclose(loop.ground.position - before, [0.6, 0.0, 0.0], atol=0.04)
    assert rotation(loop.ground.orientation)[2, 2] > np.cos(0.1)
    loop.dead = set()
    loop.go(250, (0.2, 0.0, 0.0))
    assert not loop.balance.missed


def test_velocities_that_are_not_finite_stop_the_robot_and_count(quadruped):
    loop = Walk(*quadruped, "trot")
    loop.go(250, (0.1, 0.0, 0.0))
    loop.go(750, (0.1, np.nan, 0.0))
    there = loop.ground.position
    loop.go(250, (0.1, 0.0, np.inf))
    assert loop.ground.touches.all()
    np.testing.assert_allclose(loop.ground.position, there, atol=2e-3)
    assert loop.balance.faults["velocity_not_finite"] == 20


def test_velocities_are_cut_and_references_take_precedence(quadruped):
    loop = Walk(*quadruped, "trot")
    height = loop.ground.position[2]
    loop.go(250, (9.0, 0.0, 0.0))
    assert loop.balance.faults["velocity_cut"] > 200
    assert loop.ground.position[0] < 0.3  # 0.36 m/s at most
    lower = None
    for _ in range(40):
        loop.balance.command((0.0, 0.0, 0.0), loop.time)
        here = loop.ground.position
        lower = np.array([here[0], here[1], height - 0.04]) if lower is None else lower
        loop.balance.follow(TrunkReference(at_rest(lower, UPRIGHT), time=loop.time))
        loop.run(25)
    assert loop.ground.touches.all()
    np.testing.assert_allclose(loop.ground.position, lower, atol=3e-3)
    assert not loop.balance.faults["no_solution"]
