"""Statements depth first: the same values, limb by limb, with few of them waiting."""

from itertools import groupby

import pytest
from hypothesis import strategies as st

from robcogen_ros.algorithms.limbs import find_limbs
from robcogen_ros.formats.read import read
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.leaf import Input
from robcogen_ros.program.library import Library
from robcogen_ros.program.passes.depth_first import depth_first, with_short_live_ranges
from test.program.programs import assert_operands_first, some_inputs
from test.support.examples import example
from test.support.limbs import packed
from test.support.random_robots import for_random, trees

FUNCTIONS = ("inverse_dynamics", "inertia_matrix", "forward_dynamics")


def most_waiting(program):
    """How many values are known at once and needed later, at most."""
    statements = list(program.statements())
    last = {operand: i for i, s in enumerate(statements) for operand in s.node.operands}
    ends = [0] * len(statements)
    waiting = most = 0
    for i, statement in enumerate(statements):
        if statement.node in last:
            ends[last[statement.node]] += 1
            waiting += 1
        waiting -= ends[i]
        most = max(most, waiting)
    return most


def total_wait(program):
    """For how many statements values wait for their last use, all together."""
    defined, last = {}, {}
    for i, statement in enumerate(program.statements()):
        defined[statement.node] = i
        last.update(dict.fromkeys(statement.node.operands, i))
    return sum(last[node] - i for node, i in defined.items() if node in last)


def assert_same(program, robot):
    """Depth first no bit of a function differs, and operands are known where they are used."""
    ordered = depth_first(program, robot)
    assert set(ordered.statements()) == set(program.statements())
    assert_operands_first(ordered)
    inputs = some_inputs(program)
    assert interpret(ordered, inputs) == interpret(program, inputs)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hyl", "quadruped", "fancy"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_values_stay(name, function):
    robot = example(name)
    assert_same(Library(robot, [function]).entry(function).general, robot)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_values_of_limbs_side_by_side_stay(function):
    robot = example("quadruped")
    assert_same(packed(robot, function).program, robot)


@pytest.mark.slow
@for_random(trees(), st.booleans(), examples=10)
def test_values_of_any_tree_stay(tmp_path_factory, tree, floating):
    path = tmp_path_factory.mktemp("trees") / "robot.urdf"
    path.write_text(tree.urdf(), encoding="utf-8")
    robot = read(path, floating_base=floating).robot
    assert_same(Library(robot, ["inverse_dynamics"]).entry("inverse_dynamics").general, robot)


def limbs_of(program, robot):
    """For each statement in order, the numbers of the limbs whose coordinates it depends on."""
    (group,) = find_limbs(robot)
    limb = {link: k for k, links in enumerate(group.links) for link in links}
    of_coordinate = {joint.coordinate: limb[joint.successor] for joint in robot.joints}
    found = {}
    for statement in program.statements():
        found[statement.node] = {
            of_coordinate[operand.leaf.index]
            for operand in statement.node.operands
            if isinstance(operand.leaf, Input) and operand.leaf.name in ("q", "qd", "qdd", "tau")
        }.union(*(found.get(operand, ()) for operand in statement.node.operands))
    return list(found.values())


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_limb_is_done_before_the_next_begins(function):
    robot = example("quadruped")
    ordered = depth_first(Library(robot, [function]).entry(function).general, robot)
    of_one = [limbs for limbs in limbs_of(ordered, robot) if len(limbs) == 1]
    assert [limb for limb, _ in groupby(of_one)] == [{3}, {2}, {1}, {0}]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_fewer_values_wait(function):
    robot = example("quadruped")
    program = Library(robot, [function]).entry(function).general
    assert most_waiting(depth_first(program, robot)) < most_waiting(program)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["quadruped", "fancy", "hyl"])
@pytest.mark.parametrize("function", [*FUNCTIONS, "inertia_factor", "inertia_matrix_inverse"])
def test_the_order_of_shorter_waits_is_taken(name, function):
    robot = example(name)
    program = Library(robot, [function]).entry(function).general
    shortest = min(program, depth_first(program, robot), key=total_wait)
    assert with_short_live_ranges(program, robot) == shortest
