"""Identification of a robot with springs."""

from pathlib import Path

import numpy as np
import pinocchio
import pytest

from robcogen_ros.cli import identify
from robcogen_ros.cli.main import main
from robcogen_ros.recordings import Motion
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from test.support.recordings import sines, write_csv

ARM = Path(__file__).resolve().parents[2] / "examples" / "two_link_arm" / "two_link_arm.urdf"
STIFFNESS, REST = 30.0, 0.4


@pytest.fixture
def sprung(tmp_path: Path) -> str:
    text = ARM.read_text(encoding="utf-8")
    dynamics = (
        f'<dynamics damping="0" spring_stiffness="{STIFFNESS}" spring_reference="{REST}"/></joint>'
    )
    robot = tmp_path / "sprung.urdf"
    robot.write_text(text.replace("</joint>", dynamics, 1), encoding="utf-8")
    return str(robot)


def test_springs_would_be_taken_for_masses(tmp_path: Path, sprung, capsys) -> None:
    recording = tmp_path / "recording.csv"
    recording.write_text("time\n0\n", encoding="utf-8")
    assert main(["identify", sprung, str(recording)]) == 1
    assert "has springs (shoulder), and identify would take" in capsys.readouterr().err


def test_springs_of_the_file_are_taken_away(tmp_path: Path, sprung, monkeypatch) -> None:
    """The bodies of a file whose second link is given 1.3 times its mass come back."""
    monkeypatch.setattr(identify, "build_compiled", NumpyEvaluator)
    robot = pinocchio.buildModelFromUrdf(str(ARM))
    motion, data = sines(2, 1200, 0.005), robot.createData()
    robot.inertias[2] = pinocchio.Inertia(
        1.3 * robot.inertias[2].mass, robot.inertias[2].lever, 1.3 * robot.inertias[2].inertia
    )
    rows = zip(motion.q, motion.qd, motion.qdd, strict=True)
    tau = np.array([pinocchio.rnea(robot, data, *row) for row in rows])
    tau[:, 0] += STIFFNESS * (motion.q[:, 0] - REST)
    tau += 0.01 * np.random.default_rng(0).normal(size=tau.shape)
    states = Motion(motion.time, motion.q, motion.qd, motion.qdd, tau)
    write_csv(tmp_path / "run.csv", states, list(robot.names)[1:])
    better = tmp_path / "better.urdf"
    words = ["identify", sprung, str(tmp_path / "run.csv"), "--with", "springs"]
    assert main([*words, "-o", str(better)]) == 0
    assert f'spring_stiffness="{STIFFNESS}"' in better.read_text()
    found, second = pinocchio.buildModelFromUrdf(str(better)), robot.createData()
    for q, qd, qdd in np.random.default_rng(1).normal(size=(5, 3, 2)):
        wanted = pinocchio.rnea(robot, data, q, qd, qdd)
        assert pinocchio.rnea(found, second, q, qd, qdd) == pytest.approx(wanted, abs=0.05)
