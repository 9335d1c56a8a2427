"""Limbs of equal shape: how they are found, and that side by side they compute the same."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from robcogen_ros.algorithms.limbs import find_limbs
from robcogen_ros.formats.read import read
from robcogen_ros.program import choose
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from robcogen_ros.program.passes.vectorise import LANES, TOTAL
from test.support.limbs import limbed_trees, packed
from test.support.robots import robot_path, robots_directory

needs_robots = pytest.mark.skipif(robots_directory() is None, reason="no example-robot-data")

HYQ = "hyq_description/robots/hyq_no_sensors.urdf"
FUNCTIONS = ("inverse_dynamics", "inertia_matrix", "forward_dynamics", "kinematics")


def limb_names(robot):
    """Names of the first links of all limbs."""
    return [[robot.links[limb[0]].name for limb in group.links] for group in find_limbs(robot)]


def straight(robot, function):
    """The general program of a function, limbs one after the other."""
    return Library(robot, [function]).entry(function).general


def assert_same(robot, function):
    """Side by side a function gives what it gives otherwise, to rounding."""
    program = straight(robot, function)
    random = np.random.default_rng(1)
    inputs = {a.name: list(random.uniform(-2, 2, a.size)) for a in program.inputs}
    expected = interpret(program, inputs)
    for name, found in interpret(packed(robot, function).program, inputs).items():
        largest = np.abs(expected[name]).max()
        np.testing.assert_allclose(found, expected[name], atol=1e-12 * largest, rtol=1e-9)


@needs_robots
@pytest.mark.parametrize(
    ("file", "expected"),
    [
        (HYQ, [["lf_hipassembly", "rf_hipassembly", "lh_hipassembly", "rh_hipassembly"]]),
        (
            "talos_data/robots/talos_reduced.urdf",
            [["arm_left_1_link", "arm_right_1_link"], ["leg_left_1_link", "leg_right_1_link"]],
        ),
        ("panda_description/urdf/panda.urdf", []),
        ("ur_description/urdf/ur5_robot.urdf", []),
    ],
)
def test_legs_and_arms_are_found(file, expected):
    assert limb_names(read(robot_path(file)).robot) == expected


@pytest.mark.slow
@needs_robots
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("floating", [False, True])
def test_legs_side_by_side_compute_the_same(function, floating):
    assert_same(read(robot_path(HYQ), floating_base=floating).robot, function)


@needs_robots
def test_four_legs_take_little_more_than_a_fourth():
    robot = read(robot_path(HYQ)).robot
    program = packed(robot, "inverse_dynamics")
    operations = [s.node.operation for s in program.program.statements()]
    assert sum(o in LANES for o in operations) == 12  # the forces, no reaction on a fixed base
    assert len(operations) - 12 < 0.3 * choose.straight_line(straight(robot, "inverse_dynamics"))


@needs_robots
def test_the_reactions_of_legs_on_the_base_are_sums_over_lanes():
    robot = read(robot_path(HYQ), floating_base=True).robot
    program = packed(robot, "inverse_dynamics_fully_actuated").program
    assert sum(s.node.operation is TOTAL for s in program.statements()) == 6


@needs_robots
def test_few_additions_wait_for_the_reactions_of_legs():
    robot = read(robot_path(HYQ), floating_base=True).robot
    after = {}
    for statement in packed(robot, "inverse_dynamics_fully_actuated").program.statements():
        operation, operands = statement.node.operation, statement.node.operands
        waited = [after[operand] for operand in operands if operand in after]
        if operation is TOTAL or waited:
            after[statement.node] = 0 if operation is TOTAL else 1 + max(waited)
    assert max(after.values()) <= 3  # one for most: the base has up to seven forces of its own


@pytest.mark.slow
@given(limbed_trees(), st.booleans())
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
def test_limbs_of_any_numbers_compute_the_same(tmp_path_factory, tree, floating):
    path = tmp_path_factory.mktemp("limbs") / "robot.urdf"
    path.write_text(tree.urdf(), encoding="utf-8")
    robot = read(path, floating_base=floating).robot
    for function in ("inverse_dynamics", "inertia_matrix", "forward_dynamics"):
        assert_same(robot, function)


@needs_robots
def test_packs_are_chosen_where_they_are_cheaper():
    library = Library(read(robot_path(HYQ)).robot)
    for function in ("inverse_dynamics", "inertia_matrix"):
        found, _ = library.packed(function)
        assert found is not None
        straight = choose.straight_line(library.entry(function).fastest)
        assert choose.vectorised(found) < straight
    fixed = Library(read(robot_path("panda_description/urdf/panda.urdf")).robot)
    assert fixed.packed("inertia_matrix") == (None, None)
