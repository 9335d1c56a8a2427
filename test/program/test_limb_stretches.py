"""A program on packs in stretches of the trunk and of limbs computes the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from robcogen_ros.formats.read import read
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from robcogen_ros.program.pack_costs import worth_limb_loops
from robcogen_ros.program.passes.limb_stretches import stretches
from test.support.examples import example
from test.support.limbs import limbed_trees, packed
from test.support.robots import robot_path, robots_directory

FUNCTIONS = ("inverse_dynamics", "forward_dynamics", "inertia_matrix")


def check(robot, function):
    """Each stretch is of the trunk or of limbs alone, and needs only what is known before."""
    whole = packed(robot, function)
    divided = stretches(whole.program, whole.lanes)
    statements = list(divided.program.statements())
    numbers = [divided.of[statement.node] for statement in statements]
    assert numbers == sorted(numbers)
    known = set()
    for statement in statements:
        node, own = statement.node, divided.of[statement.node]
        assert divided.limbs[own] == whole.lanes.get(node, 0)
        computed = [operand for operand in node.operands if operand.operation]
        assert known.issuperset(computed)
        for operand in computed:
            mixes = whole.lanes.get(operand, 0) != divided.limbs[own]
            assert divided.of[operand] < own if mixes else divided.of[operand] <= own
        known.add(node)
    random = np.random.default_rng(1)
    inputs = {a.name: list(random.uniform(-2, 2, a.size)) for a in whole.program.inputs}
    expected = interpret(whole.program, inputs)
    assert interpret(divided.program, inputs) == expected
    return divided


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_of_a_quadruped(function, floating):
    check(example("quadruped", floating_base=floating), function)


@given(limbed_trees(), st.booleans())
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
def test_of_limbs_of_any_numbers(tmp_path_factory, tree, floating):
    path = tmp_path_factory.mktemp("limbs") / "robot.urdf"
    path.write_text(tree.urdf(), encoding="utf-8")
    robot = read(path, floating_base=floating).robot
    for function in FUNCTIONS:
        check(robot, function)


def test_inverse_dynamics_go_to_the_limbs_and_back_once():
    quadruped = example("quadruped", floating_base=True)
    assert check(quadruped, "inverse_dynamics_fully_actuated").limbs == (0, 4, 0)


def test_forward_dynamics_go_there_twice():
    """In the end they take single joints' accelerations out of packs."""
    quadruped = example("quadruped", floating_base=True)
    assert check(quadruped, "forward_dynamics").limbs == (0, 4, 0, 4, 0)


def test_what_only_the_end_needs_is_not_computed_before():
    """The velocity of the base, squared, takes no part in what the legs do."""
    whole = packed(example("quadruped", floating_base=True), "inverse_dynamics_fully_actuated")
    divided = stretches(whole.program, whole.lanes)
    users = {}
    for statement in divided.program.statements():
        for operand in statement.node.operands:
            users.setdefault(operand, set()).add(divided.of[statement.node])
    for statement in divided.program.statements():
        node = statement.node
        if all(operand.operation is None for operand in node.operands) and node in users:
            trunk = divided.limbs[divided.of[node]] == 0
            next_user = min(users[node])
            assert divided.of[node] >= next_user - (trunk and divided.limbs[next_user] != 0)


@pytest.mark.skipif(robots_directory() is None, reason="no example-robot-data")
def test_long_code_that_becomes_half_as_long_is_worth_it():
    robot = read(robot_path("hyq_description/robots/hyq_no_sensors.urdf"), floating_base=True).robot
    library = Library(robot, ["default", "inverse_dynamics_derivatives"])
    chosen = {
        name
        for name in ("inverse_dynamics", "inertia_matrix_inverse", "inverse_dynamics_derivatives")
        if worth_limb_loops(library.entry(name).fastest, library.packed(name)[0])
    }
    assert chosen == {"inertia_matrix_inverse", "inverse_dynamics_derivatives"}
