"""What workers make of points, and refuse."""

from __future__ import annotations

import math
import re

import pytest

import robcogen_ros
from robcogen_ros.study.script import Script
from robcogen_ros.study.work import Failure, Task, run_block
from test.support.small_study import STUDY, expected_torque, write_study

NAMES = ("length", "angle")


@pytest.fixture
def outcome(tmp_path, monkeypatch):
    """What becomes of points, for a script."""
    monkeypatch.chdir(tmp_path)

    def run(text: str, points, names=NAMES):
        write_study(tmp_path, text)
        robot = robcogen_ros.build("pendulum.kindsl", backend="numpy")
        return run_block(Task(robot, Script.read("study.py"), names).packed(), points)

    return run


def returning(value: str) -> str:
    return f"def study(robot, point):\n    return {value}\n"


def test_each_point_has_a_robot_whose_other_parameters_are_those_of_the_model(outcome):
    found = outcome(STUDY, [[0.5, 0.0], [0.7, 1.0]]).results
    for (length, angle), result in zip([(0.5, 0.0), (0.7, 1.0)], found, strict=True):
        assert result["mass"] == 2.0
        assert abs(result["torque"]) == pytest.approx(-expected_torque(2.0, length, angle))
    left = STUDY.replace("if before != before:", "assert before != before\n    if True:")
    assert not any(isinstance(r, Failure) for r in outcome(left, [[0.5, 0.0]] * 3).results)


@pytest.mark.parametrize(
    "value, message",
    [
        ("[1.0]", r"study.py:1:1: error: study\(\) returned list \[1.0\]; expected a dict"),
        ("None", r"returned NoneType None; expected a dict of numbers by name"),
        ("{'a': 'heavy'}", r"returned str 'heavy' for 'a'; expected a number \(at length=0.5"),
        ("{'a': [1.0, 2.0]}", r"returned list \[1.0, 2.0\] for 'a'; expected a number"),
        ("{3: 1.0}", r"returned the name 3; expected a dict"),
        ("{'length': 1.0}", r"returned 'length', a name that the table has already"),
    ],
)
def test_what_is_no_number_ends_the_study(outcome, value, message):
    told = outcome(returning(value), [[0.5, 0.0]]).wrong
    assert re.search(message, told), told


def test_numbers_of_any_kind_are_taken(outcome):
    text = "import numpy as np\n" + returning("{'a': np.float32(0.5), 'b': True, 'c': np.array(3)}")
    found = outcome(text, [[0.5, 0.0]])
    assert (found.wrong, found.results) == ("", [{"a": 0.5, "b": 1.0, "c": 3.0}])
    (result,) = outcome(returning("{'a': float('nan')}"), [[0.5, 0.0]]).results
    assert math.isnan(result["a"])


def test_what_a_point_raises_is_its_own(outcome):
    text = "def study(robot, point):\n    return {'a': 1 / (point['angle'] - 1)}\n"
    first, second, third = outcome(text, [[0.5, 1.0], [0.5, 2.0], [0.6, 1.0]]).results
    assert second == {"a": 1.0}
    assert first.message == third.message == "ZeroDivisionError: float division by zero"
    assert first.line == 2 and "study.py" in first.traceback and not third.traceback
    assert "work.py" not in first.traceback
    (left,) = outcome("def study(robot, point):\n    raise SystemExit(3)\n", [[1.0, 1.0]]).results
    assert left.message == "SystemExit: 3"
