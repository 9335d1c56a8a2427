"""A trot of HyQ, found, and judged by Pinocchio."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.cli.main import main
from robcogen_ros.gait import find_gait
from robcogen_ros.gait.mirror import find_mirror
from robcogen_ros.model.contacts import Foot
from test.gait.judge import TROT, energy, instant, intervals, led_astray, model, residuals, robot
from test.support.examples import EXAMPLES
from test.support.hyq import FEET, HYQ
from test.support.robots import robot_path, robots_directory

pin = pytest.importorskip("pinocchio")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(robots_directory() is None, reason="example-robot-data is not installed"),
]


@lru_cache(maxsize=4)
def trot(dynamics="full", accuracy=1e-3):
    wanted = replace(TROT, dynamics=dynamics, accuracy=accuracy)
    return find_gait(robot(), [Foot() for _ in FEET], wanted)


def test_it_is_found():
    gait = trot()
    assert gait.solution.succeeded, gait.solution
    assert gait.speed == pytest.approx(0.5)
    assert 0.3 < gait.duration < 1.0
    assert any("not exact" in note for note in gait.notes)


@pytest.mark.parametrize("dynamics", ["full", "reduced"])
def test_equations_of_motion_hold_at_every_instant_and_feet_rest(dynamics):
    gait = trot(dynamics)
    half = len(gait.times) // 2
    for k in range(half):
        assert max(residuals(gait, k)) < 1e-8
        now = instant(gait, k)
        assert np.abs(now.velocities[gait.standing[k]]).max() < 5e-3
        assert np.abs(now.heights[gait.standing[k]]).max() < 1e-3
        if dynamics == "reduced":
            assert np.abs(now.heights[gait.standing[k]]).max() < 1e-10
            assert np.abs(now.velocities[gait.standing[k]]).max() < 1e-9


def test_full_and_reduced_dynamics_find_the_same_gait():
    full, reduced = trot("full", accuracy=1.0), trot("reduced")
    assert reduced.solution.succeeded, reduced.solution
    assert reduced.merit == pytest.approx(full.merit, rel=1e-3)
    assert reduced.duration == pytest.approx(full.duration, rel=1e-4)
    np.testing.assert_allclose(reduced.q, full.q, atol=2e-3)
    np.testing.assert_allclose(reduced.tau, full.tau, atol=0.01 * np.abs(full.tau).max())
    np.testing.assert_allclose(reduced.forces, full.forces, atol=0.01 * full.forces.max())


def test_between_its_instants_errors_are_those_that_are_told_and_fall_with_the_grid():
    gait = trot()
    coarse = [led_astray(gait, k) for k in intervals(gait)]
    assert max(coarse) == pytest.approx(gait.error, rel=0.05)
    assert gait.error < TROT.accuracy
    twice = find_gait(robot(), [Foot() for _ in FEET], replace(TROT, intervals=2 * TROT.intervals))
    fine = [led_astray(twice, k) for k in intervals(twice)]
    assert np.median(fine) < np.median(coarse) / 8
    assert max(fine) < max(coarse) / 2


@pytest.mark.parametrize("dynamics", ["full", "reduced"])
def test_impacts_balance_momentum_and_feet_rest_after_them(dynamics):
    gait = trot(dynamics)
    half = len(gait.times) // 2
    before, after = instant(gait, half - 1), instant(gait, half)
    push = gait.impulses[0, 1:].reshape(-1, 3)
    change = after.inertia @ (after.v - before.v)
    kicks = sum(J.T @ p for J, p in zip(after.jacobians, push, strict=True))
    np.testing.assert_allclose(change, kicks, atol=1e-8 * robot().total_mass())
    assert np.abs(after.velocities[gait.standing[half]]).max() < 1e-8
    assert (np.hypot(*push[:, :2].T) <= 0.6 * push[:, 2] + 1e-8 * robot().total_mass()).all()


@pytest.mark.parametrize("dynamics", ["full", "reduced"])
def test_it_keeps_what_was_asked(dynamics):
    gait = trot(dynamics)
    weight, limits = 9.81 * robot().total_mass(), robot().effort_limits
    push = gait.forces[..., 2]
    assert push.min() > -1e-8 * weight
    aside = np.hypot(gait.forces[..., 0], gait.forces[..., 1])
    assert (aside <= 0.6 * push + 1e-8 * weight).all()
    assert not gait.forces[~gait.standing].any()
    assert (np.abs(gait.tau) <= limits * (1 + 1e-8)).all()
    assert (gait.q >= robot().lower_limits - 1e-8).all()
    assert (gait.q <= robot().upper_limits + 1e-8).all()
    ahead = gait.position[-1, 0] - gait.position[0, 0]
    assert ahead == pytest.approx(gait.speed * gait.duration, abs=1e-8)
    quarter = len(gait.times) // 4
    assert instant(gait, quarter).heights[~gait.standing[quarter]].min() > 0.04


def test_joints_keep_to_a_share_of_their_ranges():
    wanted = replace(TROT, position=0.5, intervals=4, refinements=0, accuracy=1.0)
    gait = find_gait(robot(), [Foot() for _ in FEET], wanted)
    assert gait.solution.succeeded, gait.solution
    low, high = robot().lower_limits, robot().upper_limits
    away = np.abs(gait.q - 0.5 * (low + high)) / (0.5 * (high - low))
    assert away.max() == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize(
    "bent", [{"reach": 0.85}, {"reach": 0.99, "step_height": 0.3, "height": (0.6, 0.8)}]
)
def test_legs_stay_bent_as_far_as_asked_and_do_not_fold(bent):
    """From the last joint of the hip a leg is about longest with its knee at its stop."""
    (m, data), reach = model(), bent["reach"]
    wanted = replace(TROT, **bent, intervals=8, refinements=0, accuracy=1.0)
    gait = find_gait(robot(), [Foot() for _ in FEET], wanted)
    assert gait.solution.succeeded, gait.solution
    legs = [
        [m.getJointId(foot.replace("foot", f"{joint}_joint")) for joint in ("hfe", "kfe")]
        for foot in FEET
    ]

    def lengths(q):
        pin.framesForwardKinematics(m, data, q)
        ends = [data.oMf[m.getFrameId(foot)].translation for foot in FEET]
        hips = [data.oMi[hip].translation for hip, _ in legs]
        return np.linalg.norm(np.subtract(ends, hips), axis=1)

    straight = pin.neutral(m)
    for _, knee in legs:
        at = m.joints[knee].idx_q
        straight[at] = min(m.lowerPositionLimit[at], m.upperPositionLimit[at], key=abs)
    most = lengths(straight)
    shares = [lengths(instant(gait, k).q) / most for k in range(len(gait.times))]
    assert np.max(shares) == pytest.approx(reach, rel=5e-3)
    folded = np.min(shares) == pytest.approx(0.5 * reach, rel=1e-2)
    assert folded if "height" in bent else np.min(shares) > 0.5 * reach


def test_joints_of_bent_legs_come_to_rest_before_their_limits():
    """They brake as controllers have them brake: as critically damped springs, of their rate."""
    wanted = replace(TROT, reach=0.9, intervals=8, refinements=0, accuracy=1.0)
    gait = find_gait(robot(), [Foot() for _ in FEET], wanted)
    assert gait.solution.succeeded, gait.solution
    law = (EXAMPLES.parent / "include/robcogen_ros/whole_body/limits.hpp").read_text()
    rate = float(re.findall(r"constexpr double rate = (.*);", law)[0])
    rest = gait.q + 2 / rate * gait.qd + gait.qdd / rate**2
    room = np.minimum(rest - robot().lower_limits, robot().upper_limits - rest)
    assert room.min() == pytest.approx(0.0, abs=1e-4)


def test_the_second_half_is_the_mirror_image_of_the_first():
    gait, mirror, half = trot(), find_mirror(robot()), len(trot().times) // 2
    np.testing.assert_array_equal(gait.q[half:], mirror.signs * gait.q[:half][:, mirror.joints])
    np.testing.assert_allclose(gait.q[-1], gait.q[0], atol=1e-7)
    exchanged = gait.forces[:half][:, list(mirror.feet)] * [1, -1, 1]
    np.testing.assert_array_equal(gait.forces[half:], exchanged)


def test_costs_are_ordered_as_the_merit_says():
    """Of effort, of both, and of time alone: less time costs more effort."""
    wanted = replace(TROT, speed=(0.3, 2.5), intervals=8, accuracy=1.0)
    effort, both, time = (
        find_gait(robot(), [Foot() for _ in FEET], replace(wanted, merit=merit))
        for merit in ({"energy": 1.0}, {"energy": 1.0, "time": 0.1}, {"time": 1.0})
    )
    costs = [energy(gait) for gait in (effort, both, time)]
    assert costs[0] == pytest.approx(effort.merit)
    assert costs[0] < 0.99 * costs[1] < 0.98 * costs[2]
    assert effort.speed < 0.99 * both.speed < 0.98 * time.speed
    assert time.speed == pytest.approx(2.5)
    assert both.merit == pytest.approx(costs[1] + 0.1 / both.speed)
    assert both.merit < costs[0] + 0.1 / effort.speed
    assert both.merit < costs[2] + 0.1 / time.speed


def test_a_gait_in_a_file_is_a_start_that_needs_fewer_iterations(tmp_path):
    file = tmp_path / "trot.npz"
    trot().save(file)
    faster = replace(TROT, speed=(0.55, 0.55))
    found = find_gait(robot(), [Foot() for _ in FEET], faster, start=file)
    assert found.solution.succeeded
    assert found.solution.iterations < trot().solution.iterations
    assert found.speed == pytest.approx(0.55)


def test_a_gallop_flies_as_a_body_falls():
    """In flight its center of mass has no acceleration but gravity's, and keeps what it turns."""
    wanted = replace(TROT, gait="rotary_gallop", symmetric=None, speed=(0.8, 0.8), intervals=8)
    gait = find_gait(robot(), [Foot() for _ in FEET], replace(wanted, accuracy=1.0), starts=1)
    assert gait.solution.succeeded, gait.solution
    flies, (m, data) = ~gait.standing.any(axis=1), model()
    assert 4 <= flies.sum() < len(flies) / 2
    for k in np.flatnonzero(flies):
        now = instant(gait, k)
        assert residuals(gait, k)[0] < 1e-8
        a = np.zeros(m.nv)
        a0 = gait.base_acceleration[k]
        a[:3], a[3:6], a[now.columns] = a0[3:], a0[:3], gait.qdd[k]
        pin.centerOfMass(m, data, now.q, now.v, a)
        np.testing.assert_allclose(data.acom[0], [0.0, 0.0, -9.81], atol=1e-6)
        pin.computeCentroidalMomentumTimeVariation(m, data, now.q, now.v, a)
        np.testing.assert_allclose(data.dhg.angular, 0.0, atol=1e-6 * m.nv)


def test_files_hold_it(tmp_path):
    yaml = pytest.importorskip("yaml")
    gait = trot()
    for ending in ("npz", "csv", "yaml"):
        gait.save(tmp_path / f"trot.{ending}")
    kept = np.load(tmp_path / "trot.npz")
    np.testing.assert_array_equal(kept["q"], gait.q)
    table = np.genfromtxt(tmp_path / "trot.csv", delimiter=",", names=True)
    np.testing.assert_allclose(table["time"], gait.times, rtol=1e-9)
    trajectory = yaml.safe_load((tmp_path / "trot.yaml").read_text())
    assert trajectory["joint_names"] == list(gait.joint_names)
    times = [
        point["time_from_start"]["sec"] + 1e-9 * point["time_from_start"]["nanosec"]
        for point in trajectory["points"]
    ]
    assert (np.diff(times) > 0).all()
    with pytest.raises(robcogen_ros.errors.RobcogenError, match="ends in"):
        gait.save(tmp_path / "trot.txt")


def test_what_does_not_fit_is_told_before_anything_is_solved(tmp_path, capsys):
    file = tmp_path / "gait.yaml"
    for text, words in (
        ("phases: {lf_foot: 0, fr_foot: 0.5}\n", ":1:9: error: phases: 'fr_foot' is no foot"),
        ("duty: 0.5\nphases: {lf_foot: 0}\n", ":2:9: error: phases: rf_foot, lh_foot, rh_foot"),
        ("gait: gallop\n", ":1:7: error: gait: 'gallop' of 4 feet is not known"),
        ("footholds: {lf_fot: [0, 1]}\n", ":1:12: error: footholds: 'lf_fot' is no foot"),
        ("footholds: {lf_foot: [0, 1]}\nsymmetric: true\n", ":2:12: error: symmetric: the second"),
        ("gait: bound\nsymmetric: true\n", ":2:12: error: symmetric: the second half"),
    ):
        file.write_text(text)
        assert main(["gait", str(robot_path(HYQ)), str(file), "--quiet"]) == 1
        assert words in capsys.readouterr().err


def test_legs_without_a_closed_form_are_refused_for_reduced_dynamics(tmp_path, capsys):
    file = tmp_path / "gait.yaml"
    file.write_text("speed: 0.5\ndynamics: reduced\n")
    locked = ["--lock", "lf_kfe_joint=-1.4", *(f"--contact={foot}" for foot in FEET)]
    assert main(["gait", str(robot_path(HYQ)), str(file), "--quiet", *locked]) == 1
    told = capsys.readouterr().err
    assert ":2:11: error: dynamics: reduced needs legs in closed form" in told
    assert "number of joints is 2" in told


def test_an_end_that_is_no_minimum_is_told_and_kept(tmp_path, capsys):
    settings, out = tmp_path / "gait.yaml", tmp_path / "kept.npz"
    settings.write_text("gait: trot\nspeed: 0.5\nintervals: 4\nsymmetric: true\n")
    command = ["gait", str(robot_path(HYQ)), str(settings), "--iterations", "2", "-o", str(out)]
    assert main([*command, "--quiet"]) == 1
    told = capsys.readouterr().out
    assert "not solved (Maximum_Iterations_Exceeded)" in told
    assert "violated:" in told
    assert out.exists()
