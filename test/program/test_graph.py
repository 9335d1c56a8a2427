"""Hash-consing, folding and cancelling."""

import pytest

from robcogen_ros.model.operation import cos, sin, sqrt
from robcogen_ros.program.graph import Graph, Input, ParameterValue, Stage
from robcogen_ros.program.trace import RULES


@pytest.fixture
def graph():
    return Graph(RULES)


@pytest.fixture
def x(graph):
    return graph.leaf(Input("q", 0))


@pytest.fixture
def y(graph):
    return graph.leaf(Input("tau", 0))


def test_equal_operations_are_one_node(x, y):
    assert x * y is y * x
    assert sin(x + y) is sin(y + x)
    assert x - y is not y - x


def test_neutral_elements_vanish(graph, x):
    assert x + 0 is x
    assert 1 * x is x
    assert x / 1 is x
    assert (x * 0).structurally_zero
    assert (x - x).structurally_zero


def test_constants_are_computed(graph):
    assert (graph.node("0.1") + graph.node("0.2")).literal == graph.node("0.3").literal
    assert sqrt(graph.node(4)).literal == 2


def test_signs_meet(x, y):
    minus = -x
    assert -minus is x
    assert (-x) * (-y) is x * y
    assert x + (-y) is x - y
    assert -(x - y) is y - x
    assert cos(-x) is cos(x)
    assert sin(-x) is -sin(x)


def test_constant_factors_merge(graph, x):
    assert 2 * (3 * x) is 6 * x
    assert x / 4 is graph.node("0.25") * x


def test_what_is_taken_away_comes_back(x, y):
    assert (x - y) + y is x
    assert y + (x - y) is x
    assert (x + y) - y is x
    assert x - (x - y) is y
    assert (x - y) - x is -y
    assert x - (x + y) is -y


def test_multiples_of_one_value_are_gathered(graph, x, y):
    mass = graph.leaf(ParameterValue("mass"))
    assert 2 * x + 3 * x is 5 * x
    assert (5 * x - 5 * x).structurally_zero
    assert mass * x + 3 * x is (mass + 3) * x
    assert (x * y + y * x).operands[0].literal == 2
    assert 2 * x + 3 * y is 3 * y + 2 * x


def test_constants_of_a_sum_meet(graph, x):
    assert (x + 2) + 3 is x + 5
    assert 3 + (2 - x) is 5 - x
    assert 3 - (2 + x) is 1 - x
    assert 3 - (2 - x) is 1 + x
    assert (2 - x) - 2 is -x
    assert (x - 2) - 3 is x + -5
    assert (x - 2) + 2 is x


def test_a_value_is_known_as_late_as_its_operands(graph, x, y):
    assert graph.node(2).stage is Stage.BUILD
    assert sin(x).stage is Stage.Q
    assert (sin(x) * y).stage is Stage.REST


def test_graphs_do_not_mix(x):
    with pytest.raises(ValueError, match="another graph"):
        x + Graph(RULES).leaf(Input("q", 0))
