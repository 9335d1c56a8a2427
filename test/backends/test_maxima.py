"""Robots in Maxima: the numbers of the dataset, and Jacobians that are derivatives."""

from __future__ import annotations

import json
from functools import lru_cache

import numpy as np
import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.dataset import dataset_files
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.cli.main import main
from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.library import Library
from test.support.examples import example, example_path
from test.support.maxima import run_maxima
from test.support.model_of import model_of
from test.support.parametric import parametric_leg
from test.support.random_robots import arm_with_everything

ROBOTS = ("hyl", "fancy", "leg", "everything", "quadruped")
STATES = 2


@lru_cache
def library(name: str) -> Library:
    """A robot with the transforms and Jacobians of its frames relative to the base and back."""
    if name == "leg":
        robot = parametric_leg()
    elif name == "everything":
        robot = model_of(arm_with_everything().urdf())
    else:
        robot = example(name)
    base, *others = robot.frame_names
    pairs = [f"{base}{word}{other}" for other in others[-8:] for word in ("_X_", "_J_")]
    return Library(robot, pairs, [f"{others[-1]}_X_{base}", f"{others[-1]}_J_{others[0]}"])


def text(name: str, library: Library) -> str:
    (text,) = BACKENDS["maxima"](library, Target("demo", name, "model")).values()
    return text


@pytest.mark.parametrize("name", ROBOTS)
def test_the_numbers_of_the_dataset(name, tmp_path):
    (tmp_path / "robot.mac").write_text(text(name, library(name)))
    (data,) = dataset_files(library(name), Target("demo", name, "model"), STATES, 0).values()
    lines, expected = ['load("./robot.mac")$'], []
    for function in json.loads(data)["functions"]:
        for case in function["cases"]:
            given = f"{case['inputs']['q']}, {case.get('parameters', [])}"
            call = f"{function['name']}({given})"
            lines.append(f"show(float(flatten(args(transpose({call})))))$")
            expected.extend(case["outputs"].values())
    found = run_maxima(tmp_path, lines)
    assert len(found) == len(expected) > STATES
    for ours, right in zip(found, expected, strict=True):
        assert [float(x) for x in ours] == pytest.approx(right, rel=0, abs=1e-12)


SYMBOLIC = """load("./robot.mac")$
X : fr_FancyBase_X_ee(variables, parameters)$
J : fr_FancyBase_J_ee(variables, parameters)$
n : length(variables)$
zero(list) := show(map(lambda([e], ratsimp(trigreduce(expand(e)))), list))$
zero(flatten(makelist(makelist(diff(X[k][4], variables[i]) - J[k + 3][i], k, 1, 3), i, 1, n)))$
R : submatrix(4, X, 4)$
turn(i) := diff(R, variables[i]) . transpose(R)$
zero(flatten(makelist([turn(i)[3][2] - J[1][i], turn(i)[1][3] - J[2][i], turn(i)[2][1] - J[3][i]],
  i, 1, n)))$
power : transpose(force_transform(X)) . motion_transform(X) - ident(6)$
zero(flatten(args(power)))$
moved : motion_transform(X) . transpose(matrix([0, 0, 0, a, b, c]))$
zero(flatten(args(moved - addrow(zeromatrix(3, 1), R . transpose(matrix([a, b, c]))))))$
"""


def test_closed_forms(tmp_path):
    """With lengths and angles as symbols, everything vanishes that must, not only nearly."""
    (tmp_path / "robot.mac").write_text(text("fancy", library("fancy")))
    found = run_maxima(tmp_path, [SYMBOLIC])
    assert [len(line) for line in found] == [15, 15, 36, 6]
    assert {entry for line in found for entry in line} == {"0"}


def functions(text: str) -> list[str]:
    return [
        line.split("(")[0] for line in text.splitlines() if "(variables, parameters) :=" in line
    ]


def test_every_frame_in_the_base_where_no_pair_is_asked_for():
    robot = example("hyl")
    found = text("hyl", Library(robot))
    base, *others = robot.frame_names
    assert functions(found) == [f"{base}{w}{f}" for w in ("_X_", "_J_") for f in others]
    assert "Left out:\n   inverse_dynamics, gravity_torques," in found


def test_only_the_pairs_that_are_asked_for():
    names = ["inverse_dynamics", "fr_foot_X_fr_base"]
    found = text("hyl", Library(example("hyl"), names))
    assert functions(found) == ["fr_foot_X_fr_base"]
    assert "Left out:\n   inverse_dynamics." in found


def test_a_file_of_desired_pairs(tmp_path):
    wish = "Robot HyL Frames { fr_foot, fr_slider } Transforms { fr_foot <- fr_slider }"
    (tmp_path / "hyl.dtdsl").write_text(f"{wish} Jacobians {{ base=fr_slider target=fr_foot }}")
    words = ["generate", str(example_path("hyl")), "--target", "maxima", "-o", str(tmp_path)]
    assert main([*words, "--name", "hyl", "--desired", str(tmp_path / "hyl.dtdsl")]) == 0
    found = functions((tmp_path / "hyl.mac").read_text())
    assert {"fr_base_X_fr_foot", "fr_foot_X_fr_slider", "fr_slider_J_fr_foot"} < set(found)


def test_nothing_but_dynamics_is_refused(tmp_path, capsys):
    with pytest.raises(RobcogenError, match="transforms and Jacobians alone, not inertia_matrix"):
        text("hyl", Library(example("hyl"), ["inertia_matrix"]))
    words = [
        "generate",
        str(example_path("hyl")),
        "--target",
        "maxima",
        "-o",
        str(tmp_path / "out"),
    ]
    assert main([*words, "--function", "inertia_matrix"]) == 1
    assert "ask for kinematics, or for A_X_B and A_J_B" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


NAMES = """<robot name="r"><link name="block"/><link name="diff"/><link name="a */ b"/>
  <joint name="float" type="revolute"><parent link="block"/><child link="diff"/>
    <axis xyz="0 0 1"/><limit effort="1" velocity="1"/></joint>
  <joint name="matrix" type="prismatic"><parent link="diff"/><child link="a */ b"/>
    <origin xyz="2 0 0"/><axis xyz="0 0 1"/><limit effort="1" velocity="1"/></joint></robot>"""


def test_names_that_mean_something_to_maxima(tmp_path):
    named = Library(model_of(NAMES))
    (tmp_path / "robot.mac").write_text(text("r", named))
    calls = [f"show(flatten(args({name}([0, 3], []))))$" for name in functions(text("r", named))]
    found = run_maxima(tmp_path, ['load("./robot.mac")$', *calls])
    X, J = (np.array(found[k], float).reshape(-1, columns) for k, columns in ((1, 4), (3, 2)))
    assert X[:3, 3].tolist() == [2, 0, 3]
    assert J.T.tolist() == [[0, 0, 1, 0, 2, 0], [0, 0, 0, 0, 0, 1]]


@pytest.mark.parametrize("floating", [False, True])
def test_a_robot_of_one_link_has_no_transforms(floating):
    alone = '<robot name="r"><link name="base"/></robot>'
    robot = model_of(alone, floating_base=floating)
    assert functions(text("r", Library(robot, ["kinematics"]))) == []
