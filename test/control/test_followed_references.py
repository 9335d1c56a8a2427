"""Trunk, feet and posture go where references have them, as far as feet and motors allow."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from robcogen_ros.control.balance import TrunkReference, at_rest
from robcogen_ros.control.motor_space import SPACES, Motors
from robcogen_ros.control.reference import Waypoints
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.runtime.objects import object_of
from test.control.balance_loop import UPRIGHT, Loop, Walk
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


@pytest.mark.parametrize(
    ("way", "turn", "time", "follows"),
    [
        ((0.0, 0.0, 0.27), (0.0, 0.0, 0.0), 0.3, False),  # beyond the legs
        ((0.0, 0.0, 0.1), (0.0, 0.0, 0.0), 0.1, False),  # it would fly
        ((0.0, 0.0, -0.4), (0.0, 0.0, 0.0), 0.3, False),
        ((0.0, 0.0, 0.0), (0.0, 0.0, 3.0), 3.0, False),  # slowly beyond the legs
        ((0.0, 0.0, 0.0), (0.0, 0.7, 0.0), 0.3, False),
        ((0.0, 0.0, -0.08), (0.0, 0.0, 0.0), 0.6, True),
        ((0.0, 0.0, 0.0), (0.05, -0.1, 0.2), 0.6, True),
    ],
)
def test_a_trunk_that_is_asked_to_rise_or_turn_too_much_stays_on_its_feet(
    quadruped, way, turn, time, follows
):
    """It goes as far as its legs reach, and is told; what can be done is done exactly."""
    loop = Loop(*quadruped)
    loop.run(100)
    start = at_rest(loop.ground.position, UPRIGHT)
    asked = Rotation.from_euler("xyz", turn)
    end = at_rest(start[:3] + way, asked.as_quat())
    told = np.where(np.arange(19) < 7, [start, end], np.nan)
    loop.balance.follow(TrunkReference(told, time=loop.time, times=(0.0, time)))
    steps, in_flight = 1500, 0
    for _ in range(steps):
        loop.run(1)
        in_flight += not loop.ground.touches.any()
        assert loop.ground.touches.all() or not follows
    assert in_flight < 0.02 * steps  # legs that are straight at last hop by millimeters
    off = np.linalg.norm(loop.ground.position - end[:3])
    lean = (Rotation.from_quat(loop.ground.orientation).inv() * asked).magnitude()
    assert (loop.balance.faults["reference_out_of_reach"] == 0) == follows
    if follows:
        assert off < 1e-3
        assert lean < 1e-3
    else:
        np.testing.assert_allclose(loop.ground.position[:2], start[:2], atol=0.05)
        assert loop.ground.position[2] < start[2] + 0.16  # legs are as long as that
        assert not loop.balance.lost


def test_a_foot_of_a_plan_waits_until_the_robot_is_over_the_others(quadruped):
    """The trunk, asked to stay where it is, leans first; two feet, without which it cannot stand,
    stay on the ground.
    """
    loop = Loop(*quadruped)
    loop.run(100)
    trunk = at_rest(loop.ground.position, UPRIGHT)
    places = [at_rest(place, UPRIGHT) for place in _feet(loop)]
    for lifted in ((0, 3), (0,)):
        goes = {i: np.array([places[i], places[i] + np.eye(19)[2] * 0.05]) for i in lifted}
        times = (0.0, 2.0)
        loop.balance.follow(TrunkReference(np.array([trunk, trunk]), goes, loop.time, times))
        highest = 0.0
        for _ in range(1000):
            loop.run(1)
            rises = _feet(loop)[:, 2] - np.array(places)[:, 2]
            highest = max(highest, rises[0])
            if len(lifted) == 1 and rises[0] > 2e-3:
                assert _inside(np.array(places)[1:, :2], _center(loop)[:2])
        assert loop.balance.faults["reference_out_of_reach"] > 0
        assert highest > 0.045 if len(lifted) == 1 else highest < 2e-3
        loop.run(500)
        assert loop.ground.touches.all()
    np.testing.assert_allclose(loop.ground.position, trunk[:3], atol=0.02)


def _feet(loop):
    """Places of the feet in the world [m]."""
    poses = loop.robot.frame_poses(loop.ground.q[None])[0]
    local = np.array([poses[foot.frame][:3, 3] for foot in loop.robot.contact_records])
    return loop.ground.position + local @ rotation(loop.ground.orientation).T


def _center(loop):
    """The center of mass in the world [m]."""
    local = loop.robot.center_of_mass(loop.ground.q)
    return loop.ground.position + rotation(loop.ground.orientation) @ local


def _inside(triangle, point):
    """Whether a point is within a triangle."""
    weights = np.linalg.solve(np.vstack([triangle.T, np.ones(3)]), [*point, 1.0])
    return bool((weights > 0.0).all())


@pytest.mark.parametrize("asked", [False, True])
def test_a_trunk_comes_back_after_a_push_on_all_feet(quadruped, asked):
    loop = Loop(*quadruped)
    loop.run(100)
    start = at_rest(loop.ground.position, UPRIGHT)
    if asked:
        loop.balance.follow(TrunkReference(start, time=loop.time))
    away = 0.0
    for force in [(0.0, 0.0, -1500.0), (0.0, 150.0, 0.0), (0.0, 0.0, 0.0)]:
        for _ in range(50):
            loop.run(1, force=force)
            away = max(away, np.linalg.norm(loop.ground.position - start[:3]))
    loop.run(1000)
    assert away > 0.02
    np.testing.assert_allclose(loop.ground.position, start[:3], atol=1e-3)
    np.testing.assert_allclose(loop.ground.orientation, UPRIGHT, atol=1e-3)


def test_a_reference_is_carried_on_for_a_while_and_then_stands_on_all_feet():
    told = Told(reference_timeout=0.1)
    trunk = STANDING.copy()
    trunk[9], trunk[10] = 0.08, 0.05
    feet = np.full((4, 19), np.nan)
    feet[0] = at_rest(np.zeros(3), UPRIGHT)
    told.cycle(PLACE)
    now = told.cycle(PLACE, trunk=trunk, feet=feet, reference_age=0.05)
    np.testing.assert_allclose(now["trunk"][:3], [0.0025, 0.0, 0.5])
    turned = rotation(now["trunk"][3:7])
    assert np.arctan2(turned[1, 0], turned[0, 0]) == pytest.approx(0.004)
    np.testing.assert_allclose(now["trunk"][7:], trunk[7:], atol=1e-15)
    np.testing.assert_array_equal(now["stance"], [0, 1, 1, 1])
    late = told.cycle(PLACE, trunk=trunk, feet=feet, reference_age=10.0)
    np.testing.assert_allclose(late["trunk"][:3], [0.005, 0.0, 0.5])
    assert not late["trunk"][7:].any()
    assert late["stance"].all()


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
