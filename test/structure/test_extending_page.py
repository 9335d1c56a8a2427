"""The page on extending: its three recipes, followed to the letter."""

import re
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.algorithms.functions.function import Argument, Function
from robcogen_ros.algorithms.mechanics.joints import joint_transforms
from robcogen_ros.backends.backend import Target
from robcogen_ros.program.choose import operation_counts
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from robcogen_ros.program.trace import RULES, trace
from test.support.examples import example

PAGE = Path(__file__).resolve().parents[2] / "docs" / "extending.md"


def recipe(name):
    """What the code block of this name defines."""
    code = re.search(rf"```python {name}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    names: dict[str, object] = {}
    exec(code.group(1), names)
    return names


@pytest.fixture
def robot():
    return example("hyl")


def test_a_new_algorithm(robot):
    function = recipe("algorithm")["energy_function"](robot)
    q, qd = np.random.default_rng(0).normal(size=(2, robot.n))
    energy = interpret(trace(function, robot), {"q": q, "qd": qd})["energy"][0]
    H = interpret(Library(robot).entry("inertia_matrix").general, {"q": q})["H"]
    assert energy == pytest.approx(qd @ np.reshape(H, (robot.n, robot.n)) @ qd / 2)


def test_a_new_pass(robot):
    def square(robot, values):
        column = [row.x for row in joint_transforms(robot, values["q"])[1].moved.rotation]
        return {"one": [sum((x * x for x in column[1:]), column[0] * column[0])]}

    q = Argument("q", robot.n)
    function = Function(
        "f", "columns of a rotation are of unit length", (q,), (Argument("one", 1),), square
    )
    plain = trace(function, robot)
    better = trace(function, robot, (*RULES, recipe("pass")["pythagoras"]))
    assert operation_counts(plain) and not operation_counts(better)
    assert better.outputs[0].nodes[0].literal == 1


@pytest.mark.parametrize("parameters", [{}, {"upperleg.mass": 2.5, "lowerleg.mass": 1.5}])
def test_a_new_target_language(parameters):
    library = Library(example("hyl", parameters=[*parameters]))
    files = recipe("target")["python_files"](library, Target("demo", "hyl", "hyl.kindsl"))
    ((_, text),) = files.items()
    code: dict[str, object] = {}
    exec(text, code)
    given = np.random.default_rng(0).normal(size=(3, library.robot.n)).tolist()
    program, names = library.entry("inverse_dynamics").fastest, ("q", "qd", "qdd")
    expected = interpret(program, dict(zip(names, given, strict=True)), parameters)["tau"]
    values = [[*parameters.values()]] if parameters else []
    assert code["inverse_dynamics"](*given, *values) == pytest.approx(expected, rel=1e-14)
