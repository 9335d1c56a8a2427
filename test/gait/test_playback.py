"""Gaits as references: curves, footholds, landings, a trot on the ground."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace

import numpy as np
import pytest

from robcogen_ros.errors import RobcogenError
from robcogen_ros.gait import Playback, Specification, find_gait, read_settings
from robcogen_ros.gait.terrain import ground_axes
from robcogen_ros.model.contacts import Foot
from robcogen_ros.model.quaternions import quaternions, rotation
from robcogen_ros.runtime.compiling.toolchain import proxsuite_directory
from robcogen_ros.runtime.objects import Fault
from robcogen_ros.standing.build import build_standing
from robcogen_ros.standing.footing import Footing, find_footing
from test.gait.judge import robot
from test.gait.swaying import (
    DURATION,
    FLYING,
    SIDES,
    angles,
    foot,
    joints,
    leaning,
    place,
    rates,
    slider,
    spin,
    swaying,
    turn,
)
from test.support.examples import EXAMPLES
from test.support.hyq import FEET, hyq
from test.support.objects import rounds
from test.support.robots import robot_path

EARLY, PATIENCE, BALANCE = 0.5, 0.02, 0.5
"""What `legged/playback.hpp` has."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(proxsuite_directory() is None, reason="proxsuite is not installed"),
]


@pytest.fixture
def file(tmp_path):
    """The file of the gait."""
    swaying().save(tmp_path / "swaying.csv")
    return tmp_path / "swaying.csv"


@pytest.mark.parametrize("time", [0.011, 0.29, 0.4321, 3 * DURATION + 0.2])
@pytest.mark.parametrize("footfalls", [(), FLYING])
def test_a_gait_is_the_motion_of_its_instants(footfalls, time):
    """Between them too, to the order of its polynomials; and its rates are those of its places."""
    playback = Playback(slider(), swaying(*footfalls))
    now = playback.at(time)
    np.testing.assert_allclose(now.trunk.position, place(time), atol=1e-7)
    np.testing.assert_allclose(now.turn, turn(angles(time)), atol=1e-6)
    np.testing.assert_allclose(now.turn.T @ now.trunk.angular_velocity, spin(time), atol=1e-4)
    np.testing.assert_allclose(now.q, joints(time, *footfalls), atol=1e-5)
    np.testing.assert_allclose(now.tau, time % DURATION * np.arange(6), atol=1e-9)
    np.testing.assert_allclose(now.base_velocity[:3], spin(time), atol=1e-4)
    linear = now.turn.T @ rates(place, time)[0]
    np.testing.assert_allclose(now.base_velocity[3:], linear, atol=1e-5)
    h = 1e-6
    before, after = playback.at(time - h), playback.at(time + h)
    for name, rate in (
        ("position", "linear_velocity"),
        ("linear_velocity", "linear_acceleration"),
        ("angular_velocity", "angular_acceleration"),
    ):
        found = (getattr(after.trunk, name) - getattr(before.trunk, name)) / (2 * h)
        np.testing.assert_allclose(found, getattr(now.trunk, rate), atol=1e-3)
    np.testing.assert_allclose((after.q - before.q) / (2 * h), now.qd, atol=1e-4)
    np.testing.assert_allclose((after.qd - before.qd) / (2 * h), now.qdd, atol=1e-3)


def test_feet_stand_and_swing_as_the_file_has_it(file):
    playback = Playback(slider(), file)
    assert playback.duration == pytest.approx(DURATION)
    for time, stands in ((0.0, [True, False]), (0.299, [True, False]), (0.3, [False, True])):
        assert playback.at(time).standing.tolist() == stands
    playback, both = Playback(slider(), swaying(*FLYING)), [True, True]
    for time, stands in ((0.059, both), (0.061, [True, False]), (0.211, [False, False])):
        assert playback.at(time).standing.tolist() == stands


def state_of(playback, ahead=0.0, faster=0.0):
    """Where the gait has the robot, but somewhat ahead and faster, the feet where they are."""
    now, state = playback.at(playback.time), playback.state
    back = np.array([ahead, 0, 0]) @ now.turn
    state["position"] = state["position"] + [ahead, 0, 0]
    state["q"] = state["q"] - np.tile(back, 2)
    state["base_velocity"] = now.base_velocity.copy()
    state["base_velocity"][3:] += now.turn.T @ [faster, 0, 0]
    return state


def at_landing(playback, closed):
    """The last reference of the right foot before it lands."""
    left = DURATION / 2 - playback.time - 1e-6
    return playback.update(**state_of(playback), closed=closed, cycle=left).swing["right"]


@pytest.mark.parametrize("footfalls", [(), FLYING])
def test_a_foothold_moves_by_the_error_of_the_capture_point_at_touch_down(footfalls):
    rest, closed = 0.25 * DURATION, [True, False]
    playback = Playback(slider(), swaying(*footfalls), time=rest)
    playback.update(**state_of(playback), closed=closed, cycle=0.0)
    rate = np.sqrt(9.81 / swaying().position[:, 2].mean())
    error = (1 + BALANCE) * (0.004 + 0.008 / rate) * np.exp(rate * rest)
    missed = state_of(playback, ahead=0.004, faster=0.008)
    playback.update(**missed, closed=closed, cycle=0.0)
    last = at_landing(playback, closed)
    planned = foot(DURATION / 2 - 1e-6, 0.5, SIDES["right"])
    np.testing.assert_allclose(last.position - planned, [error, 0, 0], atol=5e-3 * error)


def test_a_foot_lands_with_a_speed_though_its_gait_has_none(file):
    """So it is not waited for; in the middle of its swing it is raised, not lowered."""
    playback = Playback(slider(), file, time=0.25 * DURATION)
    middle = playback.update(**state_of(playback), closed=[True, False], cycle=0.0).swing["right"]
    assert middle.position[2] >= foot(0.25 * DURATION, 0.5, 0.0)[2]
    last = at_landing(playback, [True, False])
    speed = 0.03 * np.sqrt(9.81 * swaying().position[:, 2].mean())
    np.testing.assert_allclose(last.linear_velocity, [0, 0, -speed], atol=1e-3)


@pytest.mark.parametrize("angle", [0.0, 2.0])
def test_a_gait_begins_where_the_robot_is(file, angle):
    """In another world, turned and moved, on ground of another height: all goes with it."""
    playback, other = (Playback(slider(), file, time=0.1 * DURATION) for _ in range(2))
    about, offset = np.array([0, 0, np.sin(angle / 2), np.cos(angle / 2)]), np.array([3, -2, 0.7])
    world, closed = rotation(about), [True, False]
    state = state_of(playback, faster=0.1)
    moved = state | {"position": offset + world @ state["position"]}
    x, y, z, w = state["orientation"]
    s, c = np.sin(angle / 2), np.cos(angle / 2)
    moved["orientation"] = np.array([c * x - s * y, c * y + s * x, c * z + s * w, c * w - s * z])
    for _ in range(3):
        one = playback.update(**state, closed=closed, cycle=0.01)
        two = other.update(**moved, closed=closed, cycle=0.01)
    for first, second in ((one.trunk, two.trunk), (one.swing["right"], two.swing["right"])):
        place = offset + world @ first.position
        np.testing.assert_allclose(second.position, place, atol=1e-9)
        for name in ("linear_velocity", "linear_acceleration", "angular_velocity"):
            expected = world @ getattr(first, name)
            np.testing.assert_allclose(getattr(second, name), expected, atol=1e-9)
    np.testing.assert_allclose(
        two.wrenches["left"].reshape(2, 3), one.wrenches["left"].reshape(2, 3) @ world.T
    )
    assert one.wrenches["left"][3:] == pytest.approx(playback.at(playback.time).forces[0])


def test_a_trunk_that_is_elsewhere_goes_over_to_its_gait(file):
    """From where it is, at once without a jump, within two strides."""
    playback = Playback(slider(), file)
    away = state_of(playback)
    away["position"] = away["position"] + [0.01, 0.02, 0.0]
    away["q"] = away["q"] - np.tile(turn(angles(0)).T @ [0.01, 0.02, 0], 2)
    first = playback.update(**away, closed=[True, False], cycle=0.0)
    np.testing.assert_allclose(first.trunk.position, away["position"], atol=1e-7)
    for k in range(2 * 60 + 1):
        closed = [True, True] if k % 30 == 29 else playback.at(playback.time).standing
        last = playback.update(**state_of(playback), closed=closed, cycle=0.01)
    np.testing.assert_allclose(last.trunk.position, place(playback.time), atol=1e-5)


def test_the_gait_waits_for_a_foot_that_is_late_but_not_for_ever(file):
    step, waits = 1e-3, [True, False]
    playback = Playback(slider(), file, time=0.5 * DURATION - 2 * step)
    for _ in range(10):
        playback.update(**state_of(playback), closed=waits, cycle=step)
    assert playback.time < 0.5 * DURATION
    assert list(playback.update(**state_of(playback), closed=waits, cycle=step).swing) == ["right"]
    after = playback.update(**state_of(playback), closed=[True, True], cycle=step)
    assert playback.time == pytest.approx(0.5 * DURATION)
    assert list(after.swing) == ["left"] and list(after.wrenches) == ["right"]
    playback = Playback(slider(), file, time=0.5 * DURATION - 2 * step)
    for _ in range(round(PATIENCE / step) + 5):
        playback.update(**state_of(playback), closed=waits, cycle=step)
    assert playback.time > 0.5 * DURATION


def test_the_trunk_moves_on_evenly_while_the_gait_waits_and_stays_ahead(file):
    """Not with the acceleration of that instant, which is a fall where feet have let go of it."""
    step, late = 1e-3, [True, False]
    playback = Playback(slider(), file, time=0.5 * DURATION - 2.5 * step)
    for _ in range(2):
        playback.update(**state_of(playback), closed=late, cycle=step)
    time = playback.time
    velocity = rates(place, time)[0]
    for waited in step * np.arange(1, 6):
        trunk = playback.update(**state_of(playback), closed=late, cycle=step).trunk
        np.testing.assert_allclose(trunk.position, place(time) + waited * velocity, atol=1e-6)
        assert np.abs([trunk.linear_acceleration, trunk.angular_acceleration]).max() < 1e-9
    after = playback.update(**state_of(playback), closed=[True, True], cycle=step)
    ahead = waited * velocity * [1, 1, 0]
    np.testing.assert_allclose(after.trunk.position, place(time + step) + ahead, atol=1e-6)
    assert np.abs(after.trunk.linear_acceleration).max() > 0.5


def test_a_foot_that_lands_early_stands(file):
    playback = Playback(slider(), file, time=(0.5 * EARLY - 0.05) * DURATION)
    touches = [True, True]
    early = playback.update(**state_of(playback), closed=touches, cycle=0.0)
    assert list(early.swing) == ["right"]
    landed = playback.update(**state_of(playback), closed=touches, cycle=0.1 * DURATION)
    assert not landed.swing
    lifted = playback.update(**state_of(playback), closed=[True, False], cycle=0.01)
    assert not lifted.swing


@pytest.mark.parametrize("begin", [0.1 * DURATION, 0.5 * DURATION - 0.03])
@pytest.mark.parametrize("normal", [(-0.2, 0.0, 1.0), (0.1, 0.15, 1.0)])
def test_on_a_slope_all_is_as_on_level_ground_but_turned(tmp_path, normal, begin):
    """A push along the slope, a foot that is late, a trunk elsewhere; at last lower ground."""
    leaning(normal).save(tmp_path / "slope.csv")
    level, slope = swaying(), tmp_path / "slope.csv"
    playback, other = (Playback(slider(), gait, time=begin) for gait in (level, slope))
    axes, closed = ground_axes(normal), [True, False]
    for k in range(60):
        for step in (1e-3 * (k > 0), 0.0):
            state = state_of(playback, ahead=0.01, faster=0.05)
            state["position"][2] += 0.002 * (k > 40)
            moved = state | {"position": axes @ state["position"]}
            moved["orientation"] = quaternions((axes @ rotation(state["orientation"]))[None])[0]
            one = playback.update(**state, closed=closed, cycle=step)
            two = other.update(**moved, closed=closed, cycle=step)
        assert one.swing.keys() == two.swing.keys()
        swings = [] if k > 40 else [(one.swing[i], two.swing[i]) for i in one.swing]
        for first, second in [(one.trunk, two.trunk), *swings]:
            for name in ("position", "linear_velocity", "linear_acceleration", "angular_velocity"):
                expected = axes @ getattr(first, name)
                np.testing.assert_allclose(getattr(second, name), expected, atol=1e-6)
            turned = axes @ rotation(first.orientation)
            np.testing.assert_allclose(rotation(second.orientation), turned, atol=1e-6)
        for foot_name, wrench in one.wrenches.items():
            np.testing.assert_allclose(two.wrenches[foot_name][3:], axes @ wrench[3:], atol=1e-9)
    assert other.time == pytest.approx(playback.time)


def test_footholds_on_a_slope_stay_on_it():
    """An error across gravity moves them by as much across it, and along the slope."""
    normal, rest = np.array([-0.2, 0.0, 1.0]) / np.hypot(0.2, 1.0), 0.25 * DURATION
    closed, ends = [True, False], []
    for ahead in (0.0, 0.004):
        playback = Playback(slider(), leaning(normal), time=rest)
        playback.update(**state_of(playback), closed=closed, cycle=0.0)
        playback.update(**state_of(playback, ahead=ahead), closed=closed, cycle=0.0)
        ends.append(at_landing(playback, closed).position)
    moved = ends[1] - ends[0]
    height = leaning(normal).position @ normal
    error = (1 + BALANCE) * 0.004 * np.exp(np.sqrt(9.81 / height.mean()) * rest)
    np.testing.assert_allclose(moved, error * np.array([1.0, 0.0, 0.2]), atol=5e-3 * error)


@pytest.mark.parametrize("cycle", [np.nan, np.inf, -0.001])
def test_a_cycle_that_is_none_is_refused_and_leaves_the_gait_as_it_is(file, cycle):
    playback, other = Playback(slider(), file), Playback(slider(), file)
    now = {**playback.state, "closed": [1, 1]}
    with pytest.raises(Fault, match="a cycle of 0 or more"):
        playback.update(**now, cycle=cycle)
    with pytest.raises(Fault, match="a quaternion that is not zero"):
        playback.update(**{**now, "orientation": np.zeros(4)}, cycle=0.01)
    found, expected = (each.update(**now, cycle=0.01) for each in (playback, other))
    np.testing.assert_array_equal(found.trunk.numbers(), expected.trunk.numbers())
    with pytest.raises(Fault, match="finite"):
        playback.at(cycle - np.inf)


@pytest.fixture
def example(monkeypatch):
    spec = importlib.util.spec_from_file_location("trot", EXAMPLES / "trot" / "trot.py")
    found = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "trot", found)
    spec.loader.exec_module(found)
    return found


def test_gaits_on_steps_are_refused(example):
    """A foot that stands higher than the other, a stride that climbs, a slope that is not told."""
    gait = swaying()
    higher = replace(gait, q=gait.q + np.eye(6)[5] * 0.05)
    with pytest.raises(RobcogenError, match=r"'right' stands, .* 0.05.* is on steps, or of"):
        example.play(slider(), None, higher, 1)
    climbing = gait.position + np.outer(gait.times, [0, 0, 0.05 / DURATION])
    with pytest.raises(RobcogenError, match=r"a stride ends 0.05.* is on steps, or of"):
        Playback(slider(), replace(gait, position=climbing))
    untold = replace(leaning((-0.2, 0.0, 1.0)), ground_normal=np.array([0.0, 0.0, 1.0]))
    with pytest.raises(RobcogenError, match=r"a stride ends 0.05.* by ground_normal"):
        Playback(slider(), untold)
    with pytest.raises(RobcogenError, match="expected a ground_normal that points upwards"):
        Playback(slider(), replace(gait, ground_normal=np.array([1.0, 0.0, 0.0])))


def test_updates_allocate_nothing(file, tmp_path):
    """From many states, with feet that touch and others that do not, stride after stride."""
    random, count = np.random.default_rng(2), 400
    playback, begins = Playback(slider(), file), np.zeros((count, 1))
    states = []
    for time in np.linspace(0.0, 3 * DURATION, count):
        playback.time = time
        state = playback.state
        state["q"] = state["q"] + 0.02 * random.normal(size=6)
        order = ("position", "orientation", "q", "base_velocity", "qd")
        states.append(np.concatenate([state[name] for name in order]))
    closed, steps = random.random((count, 2)) < 0.5, np.full((count, 1), 0.004)
    inputs = np.hstack([states, begins, states, closed, steps])
    told = rounds(slider(), "playback", ("begin", "update"), inputs, tmp_path, text=str(file))
    assert not told[:, :4].any()
    np.testing.assert_allclose(told[:, -1], 0.004)
    inputs = np.hstack([states, closed, steps])
    told = rounds(slider(), "playback", ("update",), inputs, tmp_path, text=str(file))
    assert not told[:, :2].any()
    assert told[-1, -1] > DURATION


@pytest.mark.parametrize("normal", [(0.0, 0.0, 1.0), (-0.15, 0.0, 1.0)], ids=["flat", "uphill"])
def test_a_trot_of_hyq_is_played_on_the_ground(example, normal):
    """The example: 10 strides, at the speed of the gait, near its energy."""
    wanted = replace(
        read_settings(EXAMPLES / "trot" / "trot.yaml"),
        intervals=12,
        symmetric=True,
        ground_normal=normal,
    )
    compiled = hyq()
    gait = find_gait(robot(), [Foot() for _ in FEET], wanted)
    assert gait.solution.succeeded, gait.solution
    played = example.play(compiled, Footing(compiled.contact_records, ""), gait, 10)
    assert not played.ended
    assert abs(played.angle).max() < 0.01
    assert np.linalg.norm(played.position - played.wanted, axis=1).max() < 0.03
    rows = played.time > 2 * gait.duration
    place = played.position[rows]
    speed = (place[-1] - place[0]) / (example.STEP * (len(place) - 1))
    axes = ground_axes(normal)
    np.testing.assert_allclose(axes.T @ speed, [gait.speed, 0.0, 0.0], atol=0.02 * gait.speed)
    energy, planned = ((part[rows] ** 2).sum() for part in (played.efforts, played.planned))
    assert energy < 1.5 * planned
    assert (played.touching == played.standing)[rows].mean() > 0.98
    assert abs(played.landings()).max() < 0.005
    told = example.report(compiled, gait, played)
    assert "10 strides" in told and "energy merit" in told


def test_a_light_robot_that_lands_on_quick_legs_follows_its_trot(example):
    """Knees that the ground was to stop were braked by the controller, and the trunk fell."""
    file = robot_path("a1_description/urdf/a1.urdf")
    footing = find_footing(file)
    a1 = build_standing(file, {}, footing)
    wanted = Specification(gait="trot", speed=(0.4, 0.4), friction=0.4, reach=0.9)
    gait = find_gait(a1, footing.feet, wanted, standing=footing.standing)
    assert gait.solution.succeeded, gait.solution
    played = example.play(a1, footing, gait, 10)
    assert not played.ended and played.faults["trunk_not_followed"] < 10
    rows = played.time > 2 * gait.duration
    way, lasted = np.ptp(played.position[rows, 0]), np.ptp(played.time[rows])
    assert way / lasted == pytest.approx(gait.speed, rel=0.01)
    assert abs(played.efforts[rows]).max() < 1.3 * abs(played.planned[rows]).max()
