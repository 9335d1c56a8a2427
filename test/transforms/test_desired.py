"""Desired transforms and Jacobians become functions of the robot, on top of the others."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.cli.main import main
from robcogen_ros.program.library import Library
from robcogen_ros.transforms.desired import function_names
from test.support.examples import example
from test.transforms.documents import desired
from test.transforms.test_figures import FIGURE_7

HYL = str(Path(__file__).parents[2] / "examples" / "hyl.kindsl")
UNKNOWN = """Robot HyL
Frames { fr_base, fr_foot, fr_toe }
Transforms {
    fr_base <- fr_foot
    fr_base <- fr_toe
}
"""


@pytest.fixture
def figure(tmp_path):
    path = tmp_path / "hyl.dtdsl"
    path.write_text(FIGURE_7)
    return path


def test_they_come_on_top_of_what_is_there_anyway():
    robot = example("hyl")
    names, _ = function_names(desired(FIGURE_7), robot)
    everything, extended = Library(robot), Library(robot, (), names)
    assert extended.names == (*everything.names, *names)
    assert Library(robot, ["inertia_matrix"], names).names == ("inertia_matrix", *names)


def test_a_built_robot_evaluates_them(figure):
    robot = robcogen_ros.build(HYL, desired=figure, backend="numpy")
    q = np.array([0.1, -0.4, 0.9])
    transform = robot.evaluate("fr_foot_X_fr_lowerleg", q=q)["X"]
    assert transform == pytest.approx(robot.transform("fr_foot", "lowerleg", q))
    jacobian = robot.evaluate("fr_base_J_fr_foot", q=q)["J"]
    assert jacobian == pytest.approx(robot.jacobian("base", "fr_foot", q))


def test_the_command_generates_them_and_depends_on_the_file(figure, tmp_path):
    depfile = tmp_path / "depfile"
    words = ["generate", HYL, "-o", str(tmp_path / "out"), "--function", "gravity_torques"]
    assert main([*words, "--desired", str(figure), "--depfile", str(depfile)]) == 0
    bodies = {path.stem for path in (tmp_path / "out/include/robots/robot").iterdir()}
    assert {"gravity_torques", "fr_base_X_fr_foot", "fr_base_J_fr_foot"} < bodies
    assert str(figure.resolve()) in re.split(r"[\s\\]+", depfile.read_text())


def test_frames_that_the_robot_has_not_are_refused_with_their_place():
    with pytest.raises(robcogen_ros.ModelError) as caught:
        function_names(desired(UNKNOWN), example("hyl"))
    (text,) = str(caught.value).splitlines()
    assert text.startswith("d.dtdsl:5:5: error: robot 'HyL' has no frame 'fr_toe'; did you mean")


def test_tolerant_reading_leaves_them_out_and_says_so(tmp_path, capsys):
    path = tmp_path / "hyl.dtdsl"
    path.write_text(UNKNOWN)
    words = ["generate", HYL, "-o", str(tmp_path / "out"), "--function", "gravity_torques"]
    assert main([*words, "--desired", str(path)]) == 1
    assert not (tmp_path / "out").exists()
    assert main([*words, "--desired", str(path), "--tolerant"]) == 0
    assert "hyl.dtdsl:5:5: warning: robot 'HyL' has no frame 'fr_toe'" in capsys.readouterr().err


def test_another_robots_document_is_noticed():
    _, (warning,) = function_names(desired(FIGURE_7.replace("HyL", "HyQ")), example("hyl"))
    assert warning.severity == "warning"
    assert "for robot 'HyQ', the model is 'HyL'" in warning.message


def test_what_is_odd_about_the_file_is_told_in_python_too(figure):
    figure.write_text(
        FIGURE_7.replace("Robot HyL", "Robot other").replace("Model HyL", "Model other")
    )
    with pytest.warns(UserWarning, match="this is for robot 'other', the model is 'HyL'"):
        robcogen_ros.build(HYL, desired=figure, backend="numpy")
