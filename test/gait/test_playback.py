"""Gaits as references: curves that agree with themselves, and a trot played on the ground."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from robcogen_ros.errors import RobcogenError
from robcogen_ros.gait import find_gait, read_settings
from robcogen_ros.gait.playback import EARLY, PATIENCE, Playback
from robcogen_ros.gait.stride import Stride
from robcogen_ros.gait.terrain import ground_axes
from robcogen_ros.model.contacts import Foot, parsed
from robcogen_ros.runtime.compiling.toolchain import proxsuite_directory
from robcogen_ros.standing.footing import Footing
from test.gait.judge import robot
from test.gait.kept import kept
from test.support.examples import EXAMPLES
from test.support.hyq import FEET, hyq

DURATION, SPEED, JOINTS = 0.6, 0.5, 3
TURNS = 2 * np.pi / DURATION


def angles(t):
    """Roll, pitch and yaw, and two derivatives."""
    a, s, c = np.array([0.1, -0.2, 0.3]), np.sin(TURNS * t), np.cos(TURNS * t)
    return a * s, a * TURNS * c, -a * TURNS**2 * s


def turn(e):
    (cr, cp, cy), (sr, sp, sy) = np.cos(e), np.sin(e)
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    return about_z @ about_y @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])


def vee(matrix):
    return np.array([matrix[2, 1], matrix[0, 2], matrix[1, 0]])


def spin(t, h=1e-5):
    """Angular velocity in axes of the base."""
    after, before = (turn(angles(t + step)[0]) for step in (h, -h))
    return vee(turn(angles(t)[0]).T @ (after - before) / (2 * h))


@dataclass
class Swaying:
    """A motion of sines, of a robot whose two feet take turns."""

    duty: tuple[float, ...] = (0.5, 0.5)
    phases: tuple[float, ...] = (0.0, 0.5)
    duration: float = DURATION
    speed: float = SPEED
    times: np.ndarray = field(default_factory=lambda: np.linspace(0, DURATION, 25))
    ground_normal: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    footholds: np.ndarray = field(default_factory=lambda: np.zeros((2, 3)))

    def __post_init__(self):
        s, c = np.sin(TURNS * self.times), np.cos(TURNS * self.times)
        ahead = SPEED * self.times
        self.position = np.column_stack([ahead + 0.02 * s, 0.03 * c, 0.5 + 0.01 * s])
        rate = TURNS * np.column_stack([0.02 * c, -0.03 * s, 0.01 * c]) + [SPEED, 0, 0]
        second = -(TURNS**2) * np.column_stack([0.02 * s, 0.03 * c, 0.01 * s])
        self.orientation = np.array([angles(t)[0] for t in self.times])
        spins = np.array([spin(t) for t in self.times])
        turned = [turn(e) for e in self.orientation]
        moved = np.array([R.T @ v for R, v in zip(turned, rate, strict=True)])
        pushed = np.array([R.T @ a for R, a in zip(turned, second, strict=True)])
        h = 1e-4
        faster = np.array([(spin(t + h) - spin(t - h)) / (2 * h) for t in self.times])
        self.base_velocity = np.column_stack([spins, moved])
        self.base_acceleration = np.column_stack([faster, pushed - np.cross(spins, moved)])
        wave = np.arange(1, JOINTS + 1)
        self.q, self.qd = np.outer(s, wave), TURNS * np.outer(c, wave)
        self.qdd = -(TURNS**2) * np.outer(s, wave)
        self.tau = np.outer(self.times, wave)
        self.forces = np.repeat(self.times[:, None], 6, axis=1).reshape(-1, 2, 3)


@pytest.mark.parametrize("time", [0.011, 0.3, 0.4321, 3 * DURATION + 0.2])
def test_a_stride_is_the_motion_of_its_instants(time):
    """Between them too, to the order of its polynomials; and its rates are those of its places."""
    stride = Stride(Swaying())
    now, since = stride.at(time), time % DURATION
    s, c, strides = np.sin(TURNS * time), np.cos(TURNS * time), time // DURATION
    way = SPEED * (strides * DURATION + since)
    np.testing.assert_allclose(now.position, [way + 0.02 * s, 0.03 * c, 0.5 + 0.01 * s], atol=1e-8)
    np.testing.assert_allclose(now.turn, turn(angles(time)[0]), atol=1e-6)
    np.testing.assert_allclose(now.angular_velocity, spin(time), atol=1e-4)
    np.testing.assert_allclose(now.q, s * np.arange(1, JOINTS + 1), atol=1e-6)
    np.testing.assert_allclose(now.tau, since * np.arange(1, JOINTS + 1))
    h = 1e-6
    before, after = stride.at(time - h), stride.at(time + h)
    for place, rate in (("position", "velocity"), ("velocity", "acceleration"), ("q", "qd")):
        found = (getattr(after, place) - getattr(before, place)) / (2 * h)
        np.testing.assert_allclose(found, getattr(now, rate), atol=1e-4)
    found = (after.angular_velocity - before.angular_velocity) / (2 * h)
    np.testing.assert_allclose(found, now.angular_acceleration, atol=1e-3)


def test_feet_stand_and_swing_as_their_pattern_has_it():
    stride = Stride(Swaying())
    assert stride.standing(0.0).tolist() == [True, False]
    assert stride.standing(0.5 * DURATION).tolist() == [False, True]
    assert stride.swing(0, 0.75 * DURATION) == pytest.approx(0.5)
    assert stride.swing(0, 1.25 * DURATION) is None
    np.testing.assert_allclose(stride.swings, 0.5 * DURATION)


class Hopper:
    """Two feet fixed below a base: what Playback asks of a robot."""

    contacts = ("left", "right")
    contact_records = parsed(contacts, contacts.index)
    places = np.array([[0.0, 0.1, -0.5], [0.0, -0.1, -0.5]])

    def frame_poses(self, q):
        poses = np.tile(np.eye(4), (2, 1, 1))
        poses[:, :3, 3] = self.places
        return poses

    def contact_jacobian(self, q):
        return np.zeros((6, 6 + JOINTS))

    def contact_bias(self, q, qd, v0):
        return np.zeros(6)


def state_of(playback, ahead=0.0, faster=0.0):
    """Where the gait has the robot, but somewhat ahead and faster."""
    now = playback.stride.at(playback.time)
    state = playback.state
    state["position"] = state["position"] + [ahead, 0, 0]
    state["base_velocity"] = now.base_velocity.copy()
    state["base_velocity"][3:] += now.turn.T @ [faster, 0, 0]
    return state


def test_a_foothold_moves_by_the_error_of_the_capture_point_at_touch_down():
    rest = 0.25 * DURATION
    playback = Playback(Hopper(), Swaying(), time=rest, balance=0.0)
    rate = np.sqrt(9.81 / 0.5)
    error = (0.01 + 0.02 / rate) * np.exp(rate * rest)
    closed, missed = [True, False], state_of(playback, ahead=0.01, faster=0.02)
    playback.update(**missed, closed=closed, cycle=0.0)
    reference = playback.update(**state_of(playback), closed=closed, cycle=rest - 1e-6)
    last = reference.swing["right"]
    now = playback.stride.at(playback.time)
    planned = now.position + now.turn @ Hopper.places[1]
    np.testing.assert_allclose(reference.trunk.position, now.position, atol=1e-12)
    np.testing.assert_allclose(last.position - planned, [error, 0, 0], atol=1e-3 * error)
    normal = np.array([-0.2, 0.0, 1.0]) / np.hypot(0.2, 1.0)
    playback = Playback(Hopper(), Swaying(ground_normal=normal), time=rest, balance=0.0)
    playback.update(**missed, closed=closed, cycle=0.0)
    last = playback.update(**state_of(playback), closed=closed, cycle=rest - 1e-6).swing["right"]
    moved = last.position - planned
    assert moved @ normal == pytest.approx(0.0, abs=1e-3 * error) and moved[2] > 0.15 * error


def test_the_gait_waits_for_a_foot_that_is_late_but_not_for_ever():
    step = 1e-3
    playback = Playback(Hopper(), Swaying(), time=0.5 * DURATION - 2 * step)
    waits = [True, False]
    for _ in range(10):
        playback.update(**state_of(playback), closed=waits, cycle=step)
    assert playback.time < 0.5 * DURATION
    assert list(playback.update(**state_of(playback), closed=waits, cycle=step).swing) == ["right"]
    after = playback.update(**state_of(playback), closed=[True, True], cycle=step)
    assert playback.time == pytest.approx(0.5 * DURATION)
    assert list(after.swing) == ["left"] and list(after.wrenches) == ["right"]
    playback = Playback(Hopper(), Swaying(), time=0.5 * DURATION - 2 * step)
    for _ in range(round(PATIENCE / step) + 5):
        playback.update(**state_of(playback), closed=waits, cycle=step)
    assert playback.time > 0.5 * DURATION


def test_a_foot_that_lands_early_stands():
    playback = Playback(Hopper(), Swaying(), time=(0.5 * EARLY - 0.05) * DURATION)
    touches = [True, True]
    early = playback.update(**state_of(playback), closed=touches, cycle=0.0)
    assert list(early.swing) == ["right"]
    landed = playback.update(**state_of(playback), closed=touches, cycle=0.1 * DURATION)
    assert not landed.swing
    lifted = playback.update(**state_of(playback), closed=[True, False], cycle=0.01)
    assert not lifted.swing


@pytest.fixture
def example(monkeypatch):
    spec = importlib.util.spec_from_file_location("trot", EXAMPLES / "trot" / "trot.py")
    found = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "trot", found)
    spec.loader.exec_module(found)
    return found


def test_gaits_on_steps_are_refused_where_the_ground_is_a_plane(example):
    steps = replace(kept(), footholds=np.array([[0.3, 0.2, 0.0], [0.3, -0.2, 0.05]]))
    with pytest.raises(
        RobcogenError, match="stand on steps, and the simulated ground is one plane"
    ):
        example.play(None, None, steps, 1)


@pytest.mark.slow
@pytest.mark.skipif(proxsuite_directory() is None, reason="proxsuite is not installed")
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
