"""Passes leave values as they are, and do what they are for."""

from dataclasses import replace
from decimal import Decimal

import pytest

from robcogen_ros.model.operation import cos, sin
from robcogen_ros.program.graph import Graph, Input, Result, Stage, TableEntry
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.passes.cut import cut
from robcogen_ros.program.passes.drop import drop
from robcogen_ros.program.passes.inline import inline
from robcogen_ros.program.passes.specialise import specialise
from robcogen_ros.program.passes.unite import unite
from robcogen_ros.program.program import Block, Call, Loop
from robcogen_ros.program.trace import RULES
from test.program.programs import program


@pytest.fixture
def pendulum():
    """tau = m l^2 qdd + m g l sin(q), energy beside it."""

    def compute(graph, x):
        q, qd, qdd = x["q"][0], x["qd"][0], x["qdd"][0]
        gravity = x["gravity"][0]
        tau = 2 * qdd + 3 * gravity * sin(q)
        energy = qd * qd - 3 * gravity * cos(q)
        return {"tau": [tau], "energy": [energy]}

    return program("pendulum", {"q": 1, "qd": 1, "qdd": 1, "gravity": 1}, compute)


INPUTS = {"q": [0.3], "qd": [-1.2], "qdd": [0.7], "gravity": [9.81]}


def test_dropping_keeps_only_what_the_chosen_outputs_need(pendulum):
    less = drop(pendulum, ["tau"])
    assert len(list(less.statements())) < len(list(pendulum.statements()))
    assert interpret(less, INPUTS)["tau"] == interpret(pendulum, INPUTS)["tau"]


def test_specialising_binds_inputs_and_folds(pendulum):
    weightless = specialise(pendulum, {"gravity": [0]}, RULES)
    assert [argument.name for argument in weightless.inputs] == ["q", "qd", "qdd"]
    assert not any(s.node.operation.name in ("sin", "cos") for s in weightless.statements())
    assert interpret(weightless, {**INPUTS, "gravity": [0.0]})["tau"] == [1.4]


def test_cutting_splits_where_the_state_is_known(pendulum):
    early, late = cut(pendulum, Stage.Q, "state")
    assert {argument.name for argument in early.inputs} == {"q"}
    state = interpret(early, {"q": INPUTS["q"]})["state"]
    results = interpret(late, {**INPUTS, "state": state})
    assert results == interpret(pendulum, INPUTS)
    assert not any(s.node.operation.name in ("sin", "cos") for s in late.statements())


def test_uniting_shares_what_is_common(pendulum):
    parts = [drop(pendulum, ["tau"]), drop(pendulum, ["energy"])]
    whole = unite("both", parts, RULES)
    assert interpret(whole, INPUTS) == interpret(pendulum, INPUTS)
    assert len(list(whole.statements())) < sum(len(list(p.statements())) for p in parts)


def leg():
    """What one leg of many does: its own length in a table."""

    def compute(graph, x):
        length = graph.leaf(TableEntry("length", 0))
        return {"height": [length * cos(x["angle"][0])]}

    return program("leg", {"angle": 1}, compute)


def legged():
    """The sum of the heights of three legs, by a call with three instances."""
    graph = Graph(RULES)
    angles = [graph.leaf(Input("q", i)) for i in range(3)]
    heights = [graph.leaf(Result(7, k, "height", 0)) for k in range(3)]
    whole = program("legged", {"q": 3}, lambda g, x: {"sum": [sum(heights[1:], heights[0])]}, graph)
    tables = {"length": ((Decimal(1),), (Decimal(2),), (Decimal(4),))}
    call = Call(7, leg(), tuple({"angle": (angle,)} for angle in angles), tables)
    return replace(whole, body=(call, *whole.body))


def test_a_call_evaluates_each_instance_with_its_constants():
    inputs = {"q": [0.0, 0.0, 0.0]}
    assert interpret(legged(), inputs)["sum"] == [7.0]


def test_inlining_a_call_changes_no_value():
    inputs = {"q": [0.1, 0.2, -0.3]}
    flat = inline(legged(), RULES)
    assert flat.is_straight_line
    assert interpret(flat, inputs)["sum"] == pytest.approx(interpret(legged(), inputs)["sum"])


def test_dropping_a_call_that_nobody_needs():
    whole = legged()
    nothing = replace(whole, outputs=())
    assert drop(nothing).body == (Block(()),)


def power(count):
    """x^count times a factorial, by a loop that carries its product."""
    turn = program(
        "turn",
        {"product": 1, "x": 1},
        lambda g, v: {"product": [v["product"][0] * v["x"][0] * g.leaf(TableEntry("k", 0))]},
    )
    graph = Graph(RULES)
    x = graph.leaf(Input("q", 0))
    result = graph.leaf(Result(1, 0, "product", 0))
    whole = program("power", {"q": 1}, lambda g, v: {"value": [result]}, graph)
    tables = {"k": tuple((Decimal(k + 1),) for k in range(count))}
    loop = Loop(1, turn, count, {"product": (graph.node(1),), "x": (x,)}, tables)
    return replace(whole, body=(loop, *whole.body))


def test_a_loop_carries_its_outputs_to_the_next_turn():
    assert interpret(power(4), {"q": [2.0]})["value"] == [16.0 * 24]


def test_inlining_a_loop_unrolls_it():
    flat = inline(power(4), RULES)
    assert flat.is_straight_line
    assert interpret(flat, {"q": [2.0]})["value"] == [16.0 * 24]


def test_passes_keep_steps_and_names():
    from robcogen_ros.program.library import Library
    from test.support.examples import example

    library = Library(example("fancy"))
    general = library.entry("inverse_dynamics").general
    usual = library.entry("inverse_dynamics").usual
    names = {s.name for s in usual.statements()} - {""}
    assert names and names <= {s.name for s in general.statements()}
    assert any("link5" in s.step for s in usual.statements())
