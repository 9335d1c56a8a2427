"""Identification of a robot with springs."""

from pathlib import Path

from robcogen_ros.cli.main import main

ARM = Path(__file__).resolve().parents[2] / "examples" / "two_link_arm" / "two_link_arm.urdf"


def test_springs_would_be_taken_for_masses(tmp_path: Path, capsys) -> None:
    text = ARM.read_text(encoding="utf-8")
    dynamics = '<dynamics spring_stiffness="30" spring_reference="0.4"/></joint>'
    robot = tmp_path / "sprung.urdf"
    robot.write_text(text.replace("</joint>", dynamics, 1), encoding="utf-8")
    recording = tmp_path / "recording.csv"
    recording.write_text("time\n0\n", encoding="utf-8")
    assert main(["identify", str(robot), str(recording)]) == 1
    assert "has springs (shoulder), and identify would take" in capsys.readouterr().err
