"""A robot's own motions and transforms say what its kinematics computes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from robcogen_ros.cli.main import main
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats import kindsl, motdsl_writer
from robcogen_ros.formats.load import parse
from robcogen_ros.formats.source import Source
from robcogen_ros.model.reduce import reduce
from robcogen_ros.program.frame_transforms import TransformPrograms
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robot_of import robot_of
from robcogen_ros.transforms.convert import star_pairs
from robcogen_ros.transforms.convert import transforms as convert
from robcogen_ros.transforms.network import Network
from robcogen_ros.transforms.of_robot import VARIABLE_PREFIX
from robcogen_ros.transforms.of_robot import motions as motions_of
from test.support.examples import example, example_path
from test.support.random_robots import arm_with_everything, trees
from test.transforms.documents import motions

PARAMETERS = {"lengths.ee_x": 0.3}


def check_against_kinematics(robot):
    """The poses of all frames in the base, from the document that is written and read back."""
    document = motions(motdsl_writer.write(motions_of(robot)))
    base = document.frames[0]
    network = Network(document)
    pairs = [pair for pair in star_pairs(network, base) if pair[0] == base]
    programs = TransformPrograms(convert(document, pairs), ["homogeneous"])
    q = np.random.default_rng(0).uniform(-2, 2, robot.n)
    by_name = dict(zip(robot.joint_names, q, strict=True))
    values = [by_name[symbol.name.removeprefix(VARIABLE_PREFIX)] for symbol in programs.variables]
    computed = robot_of(NumpyEvaluator(Library(robot, ["kinematics"])))
    if computed.parameters:
        computed.parameters["ee_x"] = PARAMETERS["lengths.ee_x"]
    found = {entry.relation.right: entry.program for entry in programs.entries}
    for frame in computed.frame_names[1:]:
        program = found[network.frame(frame)]
        X = interpret(program, {"variables": values}, PARAMETERS)["X"]
        expected = computed.transform(base, frame, q)
        assert np.reshape(X, (4, 4), order="F") == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["hyl", "fancy"])
def test_robots_of_the_kinematics_dsl(name):
    check_against_kinematics(example(name))


def test_every_kind_of_joint_mimic_joints_and_fixed_links():
    check_against_kinematics(reduce(parse(Source("r.urdf", arm_with_everything().urdf()))))


@settings(max_examples=15, deadline=None)
@given(trees(most=4))
def test_any_urdf(tree):
    check_against_kinematics(reduce(parse(Source("r.urdf", tree.urdf()))))


def test_the_command_writes_both_documents(tmp_path):
    motdsl, ctdsl = tmp_path / "hyl.motdsl", tmp_path / "hyl.ctdsl"
    words = [str(example_path("hyl")), "--motions", str(motdsl), "-o", str(ctdsl)]
    assert main(["motions2transforms", *words, "--pair", "fr_base", "fr_foot"]) == 0
    assert "lowerleg -> fr_foot : trx (0.33)" in motdsl.read_text()
    again = tmp_path / "again.ctdsl"
    words = [str(motdsl), "-o", str(again)]
    assert main(["motions2transforms", *words, "--pair", "base", "fr_foot"]) == 0
    assert again.read_text() == ctdsl.read_text()


def fancy(rotation: str):
    """Fancy with another rotation of joint jB."""
    text = example_path("fancy").read_text().replace("(-PI/2.0, 0.0, 0.0)", rotation)
    return reduce(kindsl.read(Source("fancy.kindsl", text)))


@pytest.mark.parametrize(
    ("rotation", "steps"),
    [
        ("(tilt, 0.0, 0.0)", "rotx (angles.tilt)"),
        ("(0.3, -tilt, 0.0)", "rotx (0.3) roty (-angles.tilt)"),
        ("(PI/2.0, 0.0, tilt/2.0)", "rotx (PI/2.0) rotz (angles.tilt/2.0)"),
        ("(a, b, c)", "rotx (angles.a) roty (angles.b) rotz (angles.c)"),
        ("(0.0, PI/2.0, tilt)", "roty (PI/2.0) rotz (angles.tilt)"),
    ],
)
def test_parameters_as_angles(rotation, steps):
    assert f"link1 -> jB : trx (1.0) {steps}" in motdsl_writer.write(motions_of(fancy(rotation)))


def test_angles_that_no_three_turns_say_are_refused_by_name():
    with pytest.raises(RobcogenError, match="'jB' cannot be written as motions"):
        motions_of(fancy("(a, PI/2.0, c)"))
