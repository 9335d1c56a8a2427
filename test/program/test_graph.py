"""Hash-consing, folding and cancelling."""

import pytest

from robcogen_ros.model.scalars.operation import atan2, cos, maximum, minimum, select, sin, sqrt
from robcogen_ros.program.graph import Graph
from robcogen_ros.program.leaf import Input, Stage
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


def test_a_choice_that_is_known_vanishes(graph, x, y):
    assert select(graph.node(0), x, y) is x
    assert select(graph.node(-1), x, y) is y
    assert select(y, x, x) is x
    assert select(x, y, 1) is select(x, y, 1) is not select(x, y, 2)
    assert minimum(graph.node(3), graph.node(2)).literal == 2
    assert maximum(graph.node(3), graph.node(2)).literal == 3
    assert atan2(graph.node(0), graph.node(0)).literal == 0


def test_a_value_is_known_as_late_as_its_operands(graph, x, y):
    assert graph.node(2).stage is Stage.BUILD
    assert sin(x).stage is Stage.Q
    assert (sin(x) * y).stage is Stage.REST
    assert select(x, y, 1).stage is Stage.REST


def test_graphs_do_not_mix(x):
    with pytest.raises(ValueError, match="another graph"):
        x + Graph(RULES).leaf(Input("q", 0))
