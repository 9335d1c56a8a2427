"""What a robot carries, from motions and poses that Pinocchio computes with a body appended."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pinocchio
import pytest

from robcogen_ros.cli import identify_payload
from robcogen_ros.cli.main import main
from robcogen_ros.recordings import Motion
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from test.support.recordings import sines, write_csv
from test.support.robots import robot_path

UR5 = robot_path("ur_description/urdf/ur5_robot.urdf")
CENTER = np.array([0.03, -0.02, 0.08])
TENSOR = np.array([[0.004, 0.0005, 0], [0.0005, 0.005, 0], [0, 0, 0.003]])
NAMES = [*"xyz", *("ixx", "ixy", "ixz", "iyy", "iyz", "izz")]


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled."""
    monkeypatch.setattr(identify_payload, "build_compiled", NumpyEvaluator)


def model(mass: float):
    """Pinocchio's UR5 with a body at tool0."""
    found = pinocchio.buildModelFromUrdf(str(UR5))
    tool = found.frames[found.getFrameId("tool0")]
    body = pinocchio.Inertia(mass, CENTER, TENSOR)
    found.appendBodyToJoint(tool.parentJoint, body, tool.placement)
    return found


def recording(tmp_path, motion: Motion, mass: float, noise: float, offset: float = 0.0, sign=1.0):
    """A CSV of a motion's forces, with the words of the command that reads it."""
    robot = model(mass)
    data = robot.createData()
    rows = zip(motion.q, motion.qd, motion.qdd, strict=True)
    tau = sign * np.array([pinocchio.rnea(robot, data, *row) for row in rows]) + offset
    tau += noise * np.random.default_rng(2).normal(size=tau.shape)
    file = tmp_path / "run.csv"
    at_rest = motion.time is None
    rates = (None, None) if at_rest else (motion.qd, motion.qdd)
    write_csv(file, Motion(motion.time, motion.q, *rates, tau), list(robot.names)[1:])
    return str(file), *["--at-rest"] * at_rest


def poses(count: int) -> Motion:
    q = np.random.default_rng(1).uniform(-2, 2, (count, 6))
    return Motion(None, q, 0 * q, 0 * q, 0 * q)


def told(tmp_path, words, *more: str) -> tuple[dict[str, tuple[float, float]], list[str]]:
    out = tmp_path / "found.json"
    command = ["identify-payload", str(UR5), *words, "--payload", "tool0", "--json", str(out)]
    assert main([*command, *more]) == 0
    found = json.loads(out.read_text())
    rows = {p["name"]: (p["value"], p["standard_error"]) for p in found["parameters"]}
    return rows, found["notes"]


def test_a_motion_tells_mass_center_and_tensor(tmp_path) -> None:
    words = recording(tmp_path, sines(6, 3000, 0.002), 1.0, noise=0.1)
    found, notes = told(tmp_path, words)
    true = [1.0, *CENTER, *TENSOR[np.triu_indices(3)]]
    for (name, (value, error)), expected in zip(found.items(), true, strict=True):
        assert abs(value - expected) < 4 * error, name
    assert abs(found["mass"][0] - 1.0) < 0.02
    assert all(abs(found[f"com.{x}"][0] - c) < 2e-3 for x, c in zip("xyz", CENTER, strict=True))
    assert not notes


def test_poses_at_rest_tell_mass_and_center_and_offsets_apart(tmp_path) -> None:
    words = recording(tmp_path, poses(60), 1.0, noise=0.05, offset=0.4)
    found, notes = told(tmp_path, words, "--find", "offset")
    assert abs(found["mass"][0] - 1.0) < min(0.03, 4 * found["mass"][1])
    for axis, expected in zip("xyz", CENTER, strict=True):
        value, error = found[f"com.{axis}"]
        assert abs(value - expected) < 4 * error < 0.02
    assert found["inertia.ixx"] == (0.0, None)
    assert "does not tell the inertia" in notes[0]
    offset, error = found["wrist_1_joint.offset"]
    assert abs(offset - 0.4) < 4 * error < 0.2


def test_poses_that_are_asked_for_suffice(tmp_path, capsys) -> None:
    """With 60 readings of 0.75 N m, and then with those asked for beside them."""
    few = poses(60)
    words = recording(tmp_path, few, 1.0, noise=0.75)
    out = tmp_path / "found.json"
    command = ["identify-payload", str(UR5), *words, "--payload", "tool0"]
    assert main([*command, "--json", str(out)]) == 0
    assert "2% of the mass and 2 mm" in capsys.readouterr().out
    wanted = json.loads(out.read_text())["wanted"]
    q = np.vstack([few.q, np.resize(wanted["poses"], (wanted["states"], 6))])
    words = recording(tmp_path, Motion(None, q, 0 * q, 0 * q, 0 * q), 1.0, noise=0.75)
    found, _ = told(tmp_path, words)
    assert 2 * found["mass"][1] < 0.022
    assert max(2 * found[f"com.{x}"][1] for x in "xyz") < 2.6e-3
    assert abs(found["mass"][0] - 1) < 0.04


@pytest.mark.parametrize(
    ("mass", "sign", "noise", "said"),
    [
        (0.0, 1.0, 0.05, "is no payload"),
        (0.0, 1.0, 0.0, "is no payload"),
        (2.0, -1.0, 0.05, "efforts of another sign or unit"),
    ],
)
def test_nothing_carried_and_wrong_signs_are_told(
    tmp_path, mass, sign, noise, said, capsys
) -> None:
    words = recording(tmp_path, poses(40), mass, noise=noise, sign=sign)
    found, notes = told(tmp_path, words)
    assert said in notes[0]
    assert found["mass"][0] == pytest.approx(0.0, abs=0.1)
    line = ["identify-payload", str(UR5), *words, "--payload", "tool0", "--strict"]
    assert main(line) == 1
    assert "each of these notes is an error" in capsys.readouterr().err


def test_forces_that_the_description_does_not_explain_are_told(tmp_path, capsys) -> None:
    file, *words = recording(tmp_path, poses(40), 1.0, noise=0.05)
    names, *rows = Path(file).read_text().splitlines()
    mixed = [",".join(r.split(",")[:6] + rows[k - 7].split(",")[6:]) for k, r in enumerate(rows)]
    Path(file).write_text("\n".join([names, *mixed]))
    _, notes = told(tmp_path, [file, *words])
    assert "a recording of another robot" in notes[0]
    command = ["identify-payload", str(UR5), file, *words, "--payload", "tool0"]
    assert main([*command, "-o", str(tmp_path / "payload.yaml")]) == 1
    assert "payload.yaml is not written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("controller", "lines"),
    [
        ("node", ['payload_frame: "tool0"', "payload_mass: 1.", "payload_inertia: [0.0, 0.0"]),
        ("ros2_control", ["model.payload.mass: 1.", "model.payload.inertia.izz: 0.0"]),
    ],
)
def test_a_controller_reads_what_is_written(tmp_path, controller, lines) -> None:
    words = recording(tmp_path, poses(40), 1.05, noise=0.01)
    out = tmp_path / "payload.yaml"
    told(tmp_path, words, "-o", str(out), "--controller", controller)
    text = out.read_text()
    assert all(f"\n    {line}" in text for line in lines)


def test_identify_with_a_payload_answers_the_same(tmp_path, capsys) -> None:
    file, *_ = recording(tmp_path, sines(6, 1500, 0.002), 1.0, noise=0.1)
    assert main(["identify", str(UR5), file, "--payload", "tool0", "--offset"]) == 0
    said = capsys.readouterr().out
    assert "carried at tool0" in said
    assert "wrist_3_joint.offset" in said
    out = str(tmp_path / "better.urdf")
    assert main(["identify", str(UR5), file, "--payload", "tool0", "-o", out]) == 1
    assert "identify-payload -o" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("frame", "said"),
    [("base_link", "does not move"), ("tool9", "tool9"), (None, "--payload FRAME")],
)
def test_a_frame_that_carries_nothing_is_refused(tmp_path, frame, said, capsys) -> None:
    words = recording(tmp_path, poses(20), 1.0, noise=0.01)
    option = ["--payload", frame] if frame else []
    assert main(["identify-payload", str(UR5), *words, *option]) == 1
    assert said in capsys.readouterr().err
