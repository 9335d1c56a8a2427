"""Gaits of files as controllers play them: curves, footholds, landings, refused files."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.errors import RobcogenError
from robcogen_ros.gait import Gait
from robcogen_ros.gait.solve import Solution
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.runtime.compiling.toolchain import proxsuite_directory
from test.support.core_playback import Playback
from test.support.fault_table import fault

DURATION, SPEED, HEIGHT = 0.6, 0.5, 0.5
TURNS = 2 * np.pi / DURATION
JOINT = """
  <joint name="{foot}_{axis}" type="prismatic"><axis xyz="{way}"/>
    <origin xyz="{origin}"/><limit lower="-2" upper="2" effort="100" velocity="9"/>
    <parent link="{parent}"/><child link="{child}"/></joint>
  <link name="{child}"><inertial><mass value="0.1"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
SIDES = {"left": 0.1, "right": -0.1}
EARLY, PATIENCE, BALANCE = 0.5, 0.02, 0.5
"""What `legged/playback.hpp` has."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(proxsuite_directory() is None, reason="proxsuite is not installed"),
]


@lru_cache(maxsize=1)
def slider():
    """A base with two feet that slide along all axes, so that any motion of them is one."""
    joints = ""
    for foot, side in SIDES.items():
        links = ("base", f"{foot}_1", f"{foot}_2", foot)
        for i, axis in enumerate("xyz"):
            origin = f"0 {side} {-HEIGHT}" if i == 0 else "0 0 0"
            way = " ".join("1" if k == i else "0" for k in range(3))
            joints += JOINT.format(
                foot=foot, axis=axis, way=way, origin=origin, parent=links[i], child=links[i + 1]
            )
    base = """<link name="base"><inertial><mass value="9"/>
      <inertia ixx="0.3" iyy="0.3" izz="0.3" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
    text = f'<robot name="slider">{base}{joints}</robot>'
    return robcogen_ros.build(text=text, floating_base=True, contacts=list(SIDES), whole_body=True)


def angles(t):
    """Roll, pitch and yaw."""
    return np.array([0.1, -0.2, 0.15]) * np.sin(TURNS * t)


def turn(e):
    (cr, cp, cy), (sr, sp, sy) = np.cos(e), np.sin(e)
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    return about_z @ about_y @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])


def place(t):
    """Of the base: it goes ahead, and sways."""
    s, c = np.sin(TURNS * t), np.cos(TURNS * t)
    return np.array([SPEED * t + 0.02 * s, 0.03 * c, HEIGHT + 0.01 * s])


def foot(t, later, side):
    """Of a foot that stands for the first half of a stride, `later` of it after the beginning."""
    strides, share = divmod(t / DURATION - later + 1.0, 1.0)
    strides += later - 1.0
    swing = max(2 * share - 1, 0.0)
    way = swing**3 * (10 - 15 * swing + 6 * swing**2)
    ahead = SPEED * DURATION * (strides + way + 0.25)
    return np.array([ahead, side, 3.2 * (swing * (1 - swing)) ** 3])


def joints(t):
    base, rotated = place(t), turn(angles(t)).T
    rest = np.array([[0, side, -HEIGHT] for side in SIDES.values()])
    feet = [foot(t, later, side) for later, side in zip((0.0, 0.5), SIDES.values(), strict=True)]
    return (np.array([rotated @ (f - base) for f in feet]) - rest).ravel()


def rates(function, t, side=0.0, h=1e-4):
    """First and second derivatives by time, from the past or the future where `side` says so."""
    t0, t1, t2 = (t + h * (k + side * 1.0) for k in (-1, 0, 1))
    first = (function(t2) - function(t0)) / (2 * h)
    second = (function(t2) - 2 * function(t1) + function(t0)) / h**2
    return first - side * h * second, second


def spin(t, h=1e-4):
    """Angular velocity in axes of the base."""
    after, before = turn(angles(t + h)), turn(angles(t - h))
    matrix = turn(angles(t)).T @ (after - before) / (2 * h)
    return np.array([matrix[2, 1], matrix[0, 2], matrix[1, 0]])


@lru_cache(maxsize=1)
def swaying():
    """A stride of sines of a robot whose two feet take turns, as a search would find it."""
    half = np.linspace(0, DURATION / 2, 25)
    times = np.concatenate([half, half + DURATION / 2])
    sides = np.tile([1.0, *[0.0] * 23, -1.0], 2)
    turned = [turn(angles(t)) for t in times]
    moved = [rates(place, t) for t in times]
    spins = np.array([spin(t) for t in times])
    linear = np.array([R.T @ v for R, (v, _) in zip(turned, moved, strict=True)])
    pushed = np.array([R.T @ a for R, (_, a) in zip(turned, moved, strict=True)])
    faster = np.array([rates(spin, t)[0] for t in times])
    of_joints = [rates(joints, t, side) for t, side in zip(times, sides, strict=True)]
    stands = np.repeat([[True, False], [False, True]], 25, axis=0)
    n = len(joints(0.0))
    return Gait(
        joint_names=slider().joint_names,
        contacts=slider().contacts,
        feet=slider().contacts,
        times=times,
        position=np.array([place(t) for t in times]),
        orientation=np.array([angles(t) for t in times]),
        q=np.array([joints(t) for t in times]),
        base_velocity=np.column_stack([spins, linear]),
        qd=np.array([v for v, _ in of_joints]),
        base_acceleration=np.column_stack([faster, pushed - np.cross(spins, linear)]),
        qdd=np.array([a for _, a in of_joints]),
        tau=np.outer(times, np.arange(n)),
        forces=np.repeat(times, 6).reshape(-1, 2, 3) * stands[:, :, None],
        standing=stands,
        duty=np.array([0.5, 0.5]),
        phases=np.array([0.0, 0.5]),
        friction=0.5,
        effort_limits=np.full((50, n), 100.0),
        impulses=np.zeros((0, 7)),
        duration=DURATION,
        speed=SPEED,
        merit=0.0,
        error=0.0,
        knots=np.array([0.0, 1.0]),
        solution=Solution.__new__(Solution),
    )


@pytest.fixture
def file(tmp_path):
    """The file of the gait."""
    swaying().save(tmp_path / "swaying.csv")
    return tmp_path / "swaying.csv"


@pytest.mark.parametrize("time", [0.011, 0.29, 0.4321, 3 * DURATION + 0.2])
def test_a_gait_is_the_motion_of_its_instants(file, time):
    """Between them too, to the order of its polynomials; and its rates are those of its places."""
    playback = Playback(slider(), file)
    now = playback.at(time)
    np.testing.assert_allclose(now.trunk.position, place(time), atol=1e-7)
    np.testing.assert_allclose(now.turn, turn(angles(time)), atol=1e-6)
    np.testing.assert_allclose(now.turn.T @ now.trunk.angular_velocity, spin(time), atol=1e-4)
    np.testing.assert_allclose(now.q, joints(time), atol=1e-5)
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


def test_a_foothold_moves_by_the_error_of_the_capture_point_at_touch_down(file):
    rest, closed = 0.25 * DURATION, [True, False]
    playback = Playback(slider(), file, time=rest)
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


def test_a_foot_that_lands_early_stands(file):
    playback = Playback(slider(), file, time=(0.5 * EARLY - 0.05) * DURATION)
    touches = [True, True]
    early = playback.update(**state_of(playback), closed=touches, cycle=0.0)
    assert list(early.swing) == ["right"]
    landed = playback.update(**state_of(playback), closed=touches, cycle=0.1 * DURATION)
    assert not landed.swing
    lifted = playback.update(**state_of(playback), closed=[True, False], cycle=0.01)
    assert not lifted.swing


def changed(text, row, column, word):
    """The text of a file with another word in it; the header is row 0."""
    rows = [line.split(",") for line in text.splitlines()]
    rows[row][rows[0].index(column)] = word
    return "\n".join(",".join(cells) for cells in rows) + "\n"


@fault(
    "`gait_file` is no gait: it cannot be read, lacks a column, has what is no finite number",
    "`gait_file` is of another robot, or its feet fly",
)
@pytest.mark.parametrize(
    ("row", "column", "word", "said"),
    [
        (0, "left_x.position", "left_x.place", "there is no column 'left_x.position'"),
        (0, "left_y.effort", "wheel.effort", "the robot has no joint 'wheel'"),
        (0, "left.stance", "hand.stance", "the robot has no foot 'hand'"),
        (4, "roll", "nan", ":5: expected a finite number, found 'nan'"),
        (7, "x", "1,2", r":8: expected as many numbers as columns, \d+, found \d+"),
        (5, "time", "0.001", ":6: expected times that begin at zero and do not go back"),
        (30, "left.stance", "1", "foot 'left' is to swing once in a stride"),
        (3, "z", "0.7", "foot 'left' moves by .* while it stands: the gait is of another robot"),
    ],
)
def test_files_that_are_no_gait_of_the_robot_are_refused(file, row, column, word, said):
    file.write_text(changed(file.read_text(), row, column, word))
    with pytest.raises(RobcogenError, match=f"swaying.csv{said}" if said[0] == ":" else said):
        Playback(slider(), file)


def test_a_file_that_is_not_there_and_gaits_in_which_feet_hardly_stand_are_refused(tmp_path):
    with pytest.raises(RobcogenError, match=r"none\.csv: cannot be read"):
        Playback(slider(), tmp_path / "none.csv")
    flying = swaying().standing.copy()
    flying[12:25, 0] = flying[37:, 1] = False
    replace(swaying(), standing=flying).save(tmp_path / "run.csv")
    with pytest.raises(RobcogenError, match=r"feet stand for 0\.2.* of a stride"):
        Playback(slider(), tmp_path / "run.csv")
