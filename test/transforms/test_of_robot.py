"""A robot's own motions and transforms say what its kinematics computes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from robcogen_ros.cli.main import main
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.kindsl import reader as kindsl
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.transforms import motdsl_writer
from robcogen_ros.model.reduce import reduce
from robcogen_ros.program.choose import operation_counts
from robcogen_ros.program.frame_transforms import TransformPrograms
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from robcogen_ros.transforms.convert import star_pairs
from robcogen_ros.transforms.convert import transforms as convert
from robcogen_ros.transforms.network import Network
from robcogen_ros.transforms.of_robot import VARIABLE_PREFIX
from robcogen_ros.transforms.of_robot import motions as motions_of
from test.support.examples import example, example_path
from test.support.model_of import model_of
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
    check_against_kinematics(model_of(arm_with_everything().urdf()))


@settings(max_examples=15, deadline=None)
@given(trees(most=4))
def test_any_urdf(tree):
    check_against_kinematics(model_of(tree.urdf()))


SAME_NAMES = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
  <joint name="b" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/>
    <origin xyz="0.1 0.2 0.3" rpy="0.1 0.2 0.3"/><limit effort="1" velocity="1"/></joint>
  <joint name="c" type="prismatic"><parent link="b"/><child link="c"/><axis xyz="0.6 0 0.8"/>
    <origin xyz="0.4 0 0"/><limit effort="1" velocity="1"/></joint></robot>"""


@pytest.mark.parametrize(
    "robot",
    [
        example("hyl"),
        example("fancy"),
        model_of(arm_with_everything().urdf()),
        model_of(SAME_NAMES),
    ],
    ids=["hyl", "fancy", "everything", "same names"],
)
def test_transforms_between_frames_go_through_the_same_graph(robot):
    """A_X_B, which comes from the steps between the frames, agrees with the kinematics."""
    pairs = [(a, b) for a in robot.frame_names for b in robot.frame_names[:4] if a != b]
    library = Library(robot, ["kinematics"], [f"{a}_X_{b}" for a, b in pairs])
    computed = robot_of(NumpyEvaluator(Library(robot, ["kinematics"])))
    if computed.parameters:
        computed.parameters["ee_x"] = 0.3
    q = np.random.default_rng(1).uniform(-2, 2, robot.n)
    for a, b in pairs:
        program = library.entry(f"{a}_X_{b}").fastest
        X = interpret(program, {"q": list(q)}, {"ee_x": 0.3})["X"]
        expected = computed.transform(a, b, q)
        assert np.reshape(X, (4, 4), order="F") == pytest.approx(expected, abs=1e-12)


def test_parallel_axes_turn_once_between_frames():
    """Three turns about parallel axes: one sine and one cosine of each partial sum."""
    links = "".join(f'<link name="l{i}"/>' for i in range(4))
    joints = "".join(
        f'<joint name="j{i}" type="revolute"><parent link="l{i}"/><child link="l{i + 1}"/>'
        '<origin xyz="1 0 0"/><axis xyz="0 0 1"/><limit effort="1" velocity="1"/></joint>'
        for i in range(3)
    )
    robot = model_of(f'<robot name="r">{links}{joints}</robot>')
    counts = operation_counts(Library(robot, [], ["l0_X_l3"]).entry("l0_X_l3").fastest)
    assert (counts["sin"], counts["cos"]) == (3, 3)
    assert "multiply" not in counts


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
