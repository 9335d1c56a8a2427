"""Which functions names stand for, and which of them a robot can have."""

from __future__ import annotations

import pytest

import robcogen_ros
from robcogen_ros.cli.main import main
from robcogen_ros.program.library import Library
from robcogen_ros.program.requested import FRAME_WORDS
from test.support.examples import example, example_path

TWO_MASSLESS_LINKS = """<robot name="bare">
  <link name="base"/><link name="one"/><link name="two"/>
  <joint name="a" type="revolute"><parent link="base"/><child link="one"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="b" type="revolute"><parent link="one"/><child link="two"/><axis xyz="0 1 0"/>
    <origin xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>
"""


@pytest.fixture(scope="module")
def robot():
    return example("hyl")


def test_no_name_stands_for_the_usual_functions(robot):
    usual = Library(robot).names
    assert Library(robot, ["default"]).names == usual
    assert Library(robot, ["joint_wrenches", "default", "inverse_dynamics"]).names == (
        "joint_wrenches",
        *usual,
    )


def test_all_stands_for_what_has_to_be_named_too(robot):
    assert set(Library(robot, ["all"]).names) - set(Library(robot).names) == {
        "inertia_matrix_entries",
        "articulated_inertia_matrix",
        "solve_inertia",
        "joint_wrenches",
        "center_of_mass_velocity",
        "centroidal_momentum_bias",
        "generalized_momentum",
    }


def test_methods_stand_for_the_functions_that_they_call(robot):
    assert Library(robot, ["jacobian", "operational_space"]).names == (
        "kinematics",
        "inertia_matrix",
    )


def test_space_is_a_name_for_robots_that_float(robot):
    assert Library(example("hyl", floating_base=True), ["full_J_fr_foot"]).names
    with pytest.raises(robcogen_ros.RobcogenError, match="no function 'full_J_fr_foot'"):
        Library(robot, ["full_J_fr_foot"])


def test_a_singular_robot_has_only_what_needs_no_inverse(tmp_path):
    path = tmp_path / "bare.urdf"
    path.write_text(TWO_MASSLESS_LINKS)
    names = [f"base_{word}_two" for word in ("mobility", "null_space", "kinematic_null_space", "J")]
    robot = robcogen_ros.build(path, backend="numpy", functions=["all", *names])
    refused = {name for name in names if name in robot.unavailable}
    assert refused == {"base_mobility_two", "base_null_space_two"}
    assert "joints 'a', 'b' move no inertia" in robot.unavailable["base_mobility_two"]
    assert "has no mass" in robot.unavailable["center_of_mass_jacobian"]
    assert robot.total_mass() == 0.0
    floating = robcogen_ros.build(path, backend="numpy", functions=["all"], floating_base=True)
    why = "the floating base and joints 'a', 'b' move no inertia"
    assert why in floating.unavailable["forward_dynamics"]


def test_inspect_lists_what_has_to_be_named(capsys):
    assert main(["inspect", str(example_path("hyl"))]) == 0
    usual, named = capsys.readouterr().out.split("generated only where they are named")
    assert "link_velocities" in usual and "solve_inertia" in named
    kinds = len(FRAME_WORDS) + 1
    assert f"{kinds} more kinds, such as A_X_B, A_J_B" in named and "--frame-functions" in named
    assert len(named.splitlines()) < 15
    assert main(["inspect", str(example_path("hyl")), "--frame-functions"]) == 0
    listed = capsys.readouterr().out.split()
    assert listed == [*(f"A_{word}_B" for word in FRAME_WORDS), "A_and_B_clearance_C_and_D"]


def test_generate_takes_the_names(tmp_path):
    options = ["--function", "default", "--function", "fr_base_JdQd_fr_foot"]
    assert main(["generate", str(example_path("hyl")), *options, "-o", str(tmp_path)]) == 0
    (header,) = tmp_path.rglob("robot.hpp")
    assert "fr_base_JdQd_fr_foot(" in header.read_text()
    assert "inverse_dynamics(" in header.read_text()


def test_the_longest_word_of_a_name_counts(tmp_path):
    path = tmp_path / "two.urdf"
    for first, task in (("one", 3), ("one_position", 6)):
        path.write_text(TWO_MASSLESS_LINKS.replace('"one"', f'"{first}"'))
        names = ["one_position_kinematic_null_space_two"]
        robot = robcogen_ros.build(path, backend="numpy", functions=names)
        q, damping = [0.1, 0.2], [1.0] * task
        (N,) = robot.evaluate(names[0], q=q, damping=damping).values()
        assert N.shape == (2, 2)
