"""Sums in the order that fuses most: the same values, in fewer instructions."""

from collections import Counter
from itertools import chain

import numpy as np
import pytest
from hypothesis import strategies as st

from robcogen_ros.formats.read import read
from robcogen_ros.model.operation import ADD, MULTIPLY, SUBTRACT
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library, operation_counts
from robcogen_ros.program.passes.fuse import fuse
from test.program.programs import assert_operands_first, program, some_inputs
from test.support.examples import example
from test.support.limbs import packed
from test.support.random_robots import for_random, trees
from test.support.robots import robot_path

FUNCTIONS = ("inverse_dynamics", "inertia_matrix", "forward_dynamics")


def instructions(of):
    """Multiplications, additions and subtractions, those of single products fused with them."""
    nodes = [statement.node for statement in of.statements()]
    results = chain.from_iterable(output.nodes for output in of.outputs)
    uses = Counter(chain(chain.from_iterable(node.operands for node in nodes), results))

    def is_product(node):
        return node.operation is MULTIPLY and uses[node] == 1

    sums = [node for node in nodes if node.operation in (ADD, SUBTRACT)]
    products = sum(node.operation is MULTIPLY for node in nodes)
    return products + sum(not any(map(is_product, node.operands)) for node in sums)


def assert_same(of, lanes=None):
    """The values are the same to rounding, in no more operations and instructions."""
    fused, new_lanes = fuse(of, lanes or {})
    assert bool(new_lanes) == bool(lanes)
    assert sum(operation_counts(fused).values()) <= sum(operation_counts(of).values())
    assert instructions(fused) <= instructions(of)
    assert_operands_first(fused)
    inputs = some_inputs(of)
    found, expected = interpret(fused, inputs), interpret(of, inputs)
    for name, values in expected.items():
        atol = 1e-12 * np.abs(values).max()
        np.testing.assert_allclose(found[name], values, rtol=1e-9, atol=atol)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("name", ["hyl", "quadruped"])
def test_values_stay(name, function):
    assert_same(Library(example(name), [function]).entry(function).general)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_values_of_limbs_side_by_side_stay(function):
    found = packed(example("quadruped"), function)
    assert_same(found.program, found.lanes)
    fused, lanes = fuse(found.program, found.lanes)
    packs = {statement.node for statement in found.program.statements()} & set(found.lanes)
    assert len({s.node for s in fused.statements()} & set(lanes)) == len(packs)


@for_random(trees(), st.booleans(), examples=10)
def test_values_of_any_tree_stay(tmp_path_factory, tree, floating):
    path = tmp_path_factory.mktemp("trees") / "robot.urdf"
    path.write_text(tree.urdf(), encoding="utf-8")
    robot = read(path, floating_base=floating).robot
    assert_same(Library(robot, ["inverse_dynamics"]).entry("inverse_dynamics").general)


@pytest.mark.parametrize(
    ("compute", "expected", "count"),
    [
        (lambda a, b, c, d, x: (a * b + c * d) + x, "x + a b + c d", 2),
        (lambda a, b, c, d, x: (a * b + c * d) - x, "a b - x + c d", 2),
        (lambda a, b, c, d, x: x - (a * b + c * d), "x - a b - c d", 2),
        (lambda a, b, c, d, x: (a * b + c) + (d * d + x), "a b + c + d d + x", 3),
        (lambda a, b, c, d, x: (a * b + c * d) + (a * c + b * x), "a b + c d + a c + b x", 4),
        (lambda a, b, c, d, x: (x + a * b) + c * d, "x + a b + c d", 2),
    ],
)
def test_sums_begin_with_what_is_no_product(compute, expected, count):
    def results(graph, inputs):
        return {"y": [compute(*inputs["x"])]}

    fused, _ = fuse(program("sum", {"x": 5}, results), {})
    assert written(fused.outputs[0].nodes[0]) == expected
    assert instructions(fused) == count


def written(node):
    """A sum as it is written, its variables called a, b, c, d, x."""
    if node.leaf is not None:
        return "abcdx"[node.leaf.index]
    first, second = map(written, node.operands)
    sign = {MULTIPLY: " ", ADD: " + ", SUBTRACT: " - "}[node.operation]
    return f"{first}{sign}{second}"


def test_a_panda_takes_a_twentieth_less():
    robot = read(robot_path("panda_description/urdf/panda.urdf")).robot
    library = Library(robot, ["inverse_dynamics", "inverse_dynamics_derivatives"])
    for name, share in (("inverse_dynamics", 0.97), ("inverse_dynamics_derivatives", 0.94)):
        of = library.entry(name).fastest
        assert instructions(fuse(of, {})[0]) < share * instructions(of)
