"""Passes leave values as they are, and do what they are for."""

import pytest

from robcogen_ros.model.scalars.operation import cos, sin
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.leaf import Stage
from robcogen_ros.program.passes.cut import cut
from robcogen_ros.program.passes.drop import drop
from robcogen_ros.program.passes.specialise import specialise
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


def test_passes_keep_steps_and_names():
    from robcogen_ros.program.library import Library
    from test.support.examples import example

    library = Library(example("fancy"))
    general = library.entry("inverse_dynamics").general
    usual = library.entry("inverse_dynamics").usual
    names = {s.name.removeprefix("minus_") for s in usual.statements()} - {""}
    assert names and names <= {s.name.removeprefix("minus_") for s in general.statements()}
    assert any("link5" in s.step for s in usual.statements())
