"""Formulas to look at: equal to what is computed, and as short as a textbook's."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from robcogen_ros.cli.main import main
from robcogen_ros.program.closed_form import closed_form
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from test.support.examples import example, example_path

sympy = pytest.importorskip("sympy")

HYL = str(example_path("hyl"))
QUADRUPED = str(example_path("quadruped"))


def inspected(capsys, *words: str) -> list[str]:
    code = main(["inspect", *words])
    captured = capsys.readouterr()
    return (captured.out if code == 0 else captured.err).splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("robot", ["hyl", "quadruped"])
@pytest.mark.parametrize("function", ["inertia_matrix", "gravity_torques", "forward_dynamics"])
def test_a_formula_equals_what_is_computed(robot, function):
    program = Library(example(robot)).entry(function).fastest
    generator = np.random.default_rng(7)
    inputs = {a.name: generator.uniform(-1, 1, a.size).tolist() for a in program.inputs}
    values = {f"{name}_{i}": x for name, all_ in inputs.items() for i, x in enumerate(all_)}
    output = program.outputs[0]
    expected = interpret(program, inputs)[output.argument.name]
    for i in range(0, len(output.nodes), 11):
        form = closed_form(program, output.nodes[i])
        known = dict(values)
        for symbol, definition in form.definitions:
            known[symbol.name] = value_of(definition, known)
        value = value_of(form.value, known)
        assert value == pytest.approx(float(expected[i]), rel=1e-12, abs=1e-12)


def value_of(formula, known: dict[str, float]) -> float:
    names = sorted(symbol.name for symbol in formula.free_symbols)
    return float(sympy.lambdify(names, formula, "math")(*(known[name] for name in names)))


def test_the_inertia_matrix_of_a_leg_is_that_of_a_textbook(capsys):
    lines = inspected(capsys, HYL, "--symbolic", "H")
    assert "H[0,0] = 7.482" in lines
    assert "H[1,2] = 0.039375*cos(q_2) + 0.0222" in lines
    assert lines[-1] == "q_2: position of KFE"


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        ("H[HFE,KFE]", "H[1,2] = 0.039375*cos(q_2) + 0.0222"),
        ("gravity_torques.tau[KFE]", "tau[2] = 1.10363*sin(q_1 + q_2)"),
        ("fr_base_X_fr_foot[0,3]", "X[0,3] = -0.35*sin(q_1) - 0.33*sin(q_1 + q_2)"),
    ],
)
def test_entries_are_told_by_numbers_joints_and_functions(entry, line, capsys):
    assert inspected(capsys, HYL, "--symbolic", entry)[0] == line


def test_latex(capsys):
    lines = inspected(capsys, HYL, "--symbolic", "H[1,2]", "--latex", "--digits", "3")
    expected = r"H_{1,2} = 0.0394 \cos{\left(q_{2} \right)} + 0.0222 \\"
    assert lines == [expected, "% q_2: position of KFE"]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("tau[0]", "several functions have a result 'tau': inverse_dynamics.tau, gravity_torques"),
        ("Hh", "no function has a result 'Hh'"),
        ("H[0]", "'H' is 3 x 3: expected 2 indices"),
        ("H[0,HFEE]", "'HFEE' is no index; expected 0 to 2, or a joint; did you mean 'HFE'?"),
        ("H[3,0]", "'3' is no index; expected 0 to 2"),
        ("inverse_dynamics.H", "'inverse_dynamics' has no result 'H'; it has tau"),
        ("H[0,0", "'H[0,0' names no entry"),
    ],
)
def test_entries_that_are_not_there(entry, message, capsys):
    assert any(line.startswith(message) for line in inspected(capsys, HYL, "--symbolic", entry))


def test_the_operations_of_a_function_add_up_step_by_step(capsys, tmp_path):
    picture = tmp_path / "cost.svg"
    words = [QUADRUPED, "--function", "inverse_dynamics", "--svg", str(picture)]
    rows = [line.rstrip("# ").rsplit(maxsplit=3) for line in inspected(capsys, *words)[3:]]
    (*steps, total) = [[int(x) for x in row[1:]] for row in rows]
    assert [sum(column) for column in zip(*steps, strict=True)] == total
    root = ElementTree.parse(picture).getroot()
    assert root.tag.endswith("svg")
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert all(row[0].strip() in texts for row in rows[:-1])
