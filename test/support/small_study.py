"""A robot without much in it, and a study of it that needs no compiler: a pendulum."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from robcogen_ros.cli.main import main

MODEL = """Robot Pendulum {
    RobotBase base { children { rod via pivot } }
    link rod {
        id = 1
        inertia_params {
            mass = m CoM = (length, 0.0, 0.0)
            Ix = 0.0 Iy = 5.0 Iz = 5.0 Ixy = 0.0 Ixz = 0.0 Iyz = 0.0
        }
        children { }
    }
    r_joint pivot { ref_frame { translation = (0.0, 0.0, 0.0) rotation = (-PI/2.0, 0.0, 0.0) } }
}
"""
STUDY = """
FUNCTIONS = ["total_mass", "gravity_torques"]
VARIABLES = ["angle"]


def study(robot, point):
    before = robot.parameters["m"]
    if before != before:
        robot.parameters["m"] = 2.0
    torque = robot.gravity_torques([point.get("angle", 0.0)])[0]
    return {"mass": robot.total_mass(), "torque": torque}
"""


def expected_torque(mass: float, length: float, angle: float) -> float:
    """Of the pendulum, whose pivot lies level: m g l cos(angle)."""
    return -mass * 9.81 * length * math.cos(angle)


def write_study(folder: Path, text: str = STUDY) -> None:
    """Put model and study into a folder."""
    (folder / "pendulum.kindsl").write_text(MODEL)
    (folder / "study.py").write_text(text)


def design_study(*words: str, processes: int = 1, scheduler: Sequence[str] = ()) -> int:
    """Run the command in the current folder; the exit code."""
    robot = ["pendulum.kindsl", "--backend", "numpy", "--run", "study.py", "--quiet"]
    return main(["design-study", *robot, "--processes", str(processes), *scheduler, *words])
