"""The command identify, on recordings of every kind."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.cli import identify
from robcogen_ros.cli.main import main
from robcogen_ros.recordings import Motion
from robcogen_ros.recordings.written_bag import write_bag
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from test.support.recordings import sines, write_csv, write_npz, write_parquet
from test.support.robots import robot_path

UR5 = robot_path("ur_description/urdf/ur5_robot.urdf")


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled."""
    monkeypatch.setattr(identify, "build_compiled", NumpyEvaluator)


@pytest.fixture(scope="module")
def robot():
    names = ["inverse_dynamics", "inverse_dynamics_regressor", "inertial_parameters"]
    return robcogen_ros.build(UR5, backend="numpy", functions=names)


def measured(robot, states: int, noise: float) -> Motion:
    motion = sines(robot.n, states)
    qd = motion.qd
    tau = robot.inverse_dynamics(motion.q, qd, motion.qdd)
    tau += 3 * qd + 2 * 1000 * qd / np.sqrt((1000 * qd) ** 2 + 1) + 0.7
    return replace(motion, tau=tau + noise * np.random.default_rng(1).normal(size=tau.shape))


def ran(tmp_path, *words: str) -> dict:
    out = tmp_path / "found.json"
    terms = ["--with", "damping", "--with", "friction", "--offset"]
    assert main(["identify", str(UR5), *words, *terms, "--all", "--json", str(out)]) == 0
    return json.loads(out.read_text())


def errors(found: dict) -> np.ndarray:
    """Of each parameter, in standard errors."""
    known = {"damping": 3.0, "friction": 2.0, "offset": 0.7}
    return np.array(
        [
            (
                p["value"]
                - p["described"]
                - sum(value * p["name"].count(f".{term}") for term, value in known.items())
            )
            / p["standard_error"]
            for p in found["parameters"]
        ]
    )


def test_all_formats_tell_the_same(tmp_path, robot, capsys):
    motion = measured(robot, 4000, 0.1)
    names, motion_of_bag = robot.joint_names, replace(motion, qdd=None)
    write_npz(tmp_path / "a.npz", motion_of_bag, names)
    write_csv(tmp_path / "a.csv", motion_of_bag, names)
    write_parquet(tmp_path / "a.parquet", motion_of_bag, names)
    write_bag(tmp_path / "mcap", motion_of_bag, names, "mcap")
    write_bag(tmp_path / "sqlite3", motion_of_bag, names, "sqlite3")
    first, *others = (
        ran(tmp_path, str(tmp_path / name))
        for name in ("a.npz", "a.csv", "a.parquet", "mcap", "sqlite3")
    )
    values = [p["value"] for p in first["parameters"]]
    for other in others:
        np.testing.assert_allclose(
            [p["value"] for p in other["parameters"]], values, rtol=1e-4, atol=1e-4
        )
    assert np.sqrt((errors(first) ** 2).mean()) < 2
    assert f"ur5, 6 joints: {first['states']} states in" in capsys.readouterr().out


def test_accelerations_that_are_recorded_are_used_as_they_are(tmp_path, robot):
    motion = measured(robot, 1500, 0.1)
    write_npz(tmp_path / "a.npz", motion, robot.joint_names)
    found = ran(tmp_path, str(tmp_path / "a.npz"))
    assert found["states"] == 1500
    assert 0.6 < np.sqrt((errors(found) ** 2).mean()) < 1.4
    assert [joint["name"] for joint in found["joints"]] == list(robot.joint_names)
    assert [joint["residual"] for joint in found["joints"]] == pytest.approx([0.1] * 6, rel=0.1)


def test_recordings_are_taken_together(tmp_path, robot):
    motion = measured(robot, 1000, 0.1)
    write_npz(tmp_path / "all.npz", motion, robot.joint_names)
    write_npz(tmp_path / "a.npz", motion.rows(slice(0, 400)), robot.joint_names)
    write_npz(tmp_path / "b.npz", motion.rows(slice(400, 1000)), robot.joint_names)
    one = ran(tmp_path, str(tmp_path / "all.npz"))
    two = ran(tmp_path, str(tmp_path / "a.npz"), str(tmp_path / "b.npz"))
    for p, other in zip(one["parameters"], two["parameters"], strict=True):
        assert p["value"] == pytest.approx(other["value"], rel=1e-8, abs=1e-8)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["none.mcap"], "none.mcap: no such file"),
        (["a.npz", "--floating-base"], "'ur5' has a floating base, on which joint states tell no"),
        (["a.npz"], "the motion does not tell"),
        (["a.npz", "--window", "9"], "nothing in it is as long as the window of 9 s"),
        (["still.npz"], "no effort changes from the first state to the last; expected measured"),
        (["short.npz", "--window", "0.1"], "all states are held out, or within a window of those"),
        (["far.npz"], "its limits are -6.28"),
        (["a.npz", "--torque-constant", "knee=2"], "'ur5' has no joint 'knee'; it has shoulder_p"),
        (["a.npz", "--torque-constant", "0"], "expected [JOINT=]NUMBER, not 0, found '0'"),
        (["a.npz", "--rename", "a"], "expected THERE=HERE, found 'a'"),
        (["a.npz", "--rate", "0"], "expected a number above 0, found '0'"),
        (["a.npz", "--every", "0"], "expected a number from 1 on, found '0'"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path, robot, capsys, monkeypatch, words, message):
    times, efforts = 0.001 * np.arange(200), sines(robot.n, 200).tau
    still = sines(robot.n, 200).rows(np.zeros(200, dtype=int))
    write_npz(tmp_path / "a.npz", replace(still, time=times, tau=efforts), robot.joint_names)
    write_npz(tmp_path / "still.npz", replace(still, time=times), robot.joint_names)
    short = replace(sines(robot.n, 200), time=0.001 * np.arange(200)).rows(slice(0, 120))
    write_npz(tmp_path / "short.npz", short, robot.joint_names)
    far = replace(sines(robot.n, 200), q=60 * sines(robot.n, 200).q)
    write_npz(tmp_path / "far.npz", far, robot.joint_names)
    monkeypatch.chdir(tmp_path)
    try:
        code = main(["identify", str(UR5), *words])
    except SystemExit as stopped:
        code = stopped.code
    assert code in (1, 2)
    said = capsys.readouterr().err
    assert message in said and "Traceback" not in said
