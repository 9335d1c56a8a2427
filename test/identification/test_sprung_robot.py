"""Identification of a robot with springs."""

from pathlib import Path

import numpy as np
import pinocchio
import pytest

from robcogen_ros.cli import identify
from robcogen_ros.cli.main import main
from robcogen_ros.formats.load import load
from robcogen_ros.recordings import Motion
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from test.support.recordings import sines, write_csv

ARM = Path(__file__).resolve().parents[2] / "examples" / "two_link_arm" / "two_link_arm.urdf"
STIFFNESS, REST = 300.0, 0.4


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


def recorded(path: Path, masses: float = 1.0, noise: float = 0.01) -> pinocchio.Model:
    """Writes what the sprung robot's joints bear; returns the model without its spring.

    Args:
        path: The recording.
        masses: How many times as heavy the second link is.
        noise: Standard deviation of the efforts [N m].
    """
    robot = pinocchio.buildModelFromUrdf(str(ARM))
    motion, data = sines(2, 1200, 0.005), robot.createData()
    robot.inertias[2] = pinocchio.Inertia(
        masses * robot.inertias[2].mass, robot.inertias[2].lever, masses * robot.inertias[2].inertia
    )
    rows = zip(motion.q, motion.qd, motion.qdd, strict=True)
    tau = np.array([pinocchio.rnea(robot, data, *row) for row in rows])
    tau[:, 0] += STIFFNESS * (motion.q[:, 0] - REST)
    tau += noise * np.random.default_rng(0).normal(size=tau.shape)
    states = Motion(motion.time, motion.q, motion.qd, motion.qdd, tau)
    write_csv(path, states, list(robot.names)[1:])
    return robot


def test_springs_of_the_file_are_taken_away(tmp_path: Path, sprung, monkeypatch) -> None:
    """The bodies of a file whose second link is given 1.3 times its mass come back."""
    monkeypatch.setattr(identify, "build_compiled", NumpyEvaluator)
    robot = recorded(tmp_path / "run.csv", 1.3)
    data, better = robot.createData(), tmp_path / "better.urdf"
    words = ["identify", sprung, str(tmp_path / "run.csv"), "--with", "springs"]
    assert main([*words, "-o", str(better)]) == 0
    assert f'spring_stiffness="{STIFFNESS}"' in better.read_text()
    found, second = pinocchio.buildModelFromUrdf(str(better)), robot.createData()
    for q, qd, qdd in np.random.default_rng(1).normal(size=(5, 3, 2)):
        wanted = pinocchio.rnea(robot, data, q, qd, qdd)
        assert pinocchio.rnea(found, second, q, qd, qdd) == pytest.approx(wanted, abs=0.05)


@pytest.mark.parametrize("known", [True, False])
def test_a_spring_is_found_anew(tmp_path: Path, sprung, known, monkeypatch, capsys) -> None:
    """Whether the file has none or another one; and where there is none, that is said."""
    monkeypatch.setattr(identify, "build_compiled", NumpyEvaluator)
    recorded(tmp_path / "run.csv", noise=0.5)
    other = tmp_path / "other.urdf"
    text = Path(sprung).read_text().replace(f'"{STIFFNESS}"', '"9"').replace(f'"{REST}"', '"-0.2"')
    other.write_text(text if known else ARM.read_text())
    words = ["identify", str(other), str(tmp_path / "run.csv"), "--offset"]
    better = tmp_path / "better.urdf"
    assert main([*words, "--spring", "shoulder", "-o", str(better)]) == 0
    shoulder, elbow = (joint for joint in load(str(better)).joints if joint.kind != "fixed")
    assert shoulder.stiffness == pytest.approx(STIFFNESS, rel=0.01)
    assert shoulder.rest == pytest.approx(REST, abs=0.005)
    assert elbow.stiffness == 0
    assert "shoulder.offset" not in capsys.readouterr().out
    both = ["--spring", "shoulder", "--spring", "elbow"]
    assert main([*words, *both, "-o", str(better)]) == 1
    assert "the motion tells no spring at elbow: its stiffness is" in capsys.readouterr().err
    assert main([*words, "--spring", "hip"]) == 1
    assert "has no joint 'hip'; it has shoulder, elbow" in capsys.readouterr().err
