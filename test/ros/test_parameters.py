import math
from types import SimpleNamespace

import numpy as np
import pytest

from robcogen_ros.control.joint_order import order, per_joint
from robcogen_ros.errors import RobcogenError
from robcogen_ros.parameters.table import Parameter
from robcogen_ros.ros.parameters import tell_unknown

GAIN = Parameter("kp", "double_array", [100.0], "Gain.", "always", low=0.0)


def test_numbers_may_be_integers_and_one_a_joint():
    assert GAIN.problem(5) is None
    assert GAIN.read(5) == [5.0]
    assert GAIN.problem([1, 2.5]) is None
    assert GAIN.read([1, 2.5]) == [1.0, 2.5]


@pytest.mark.parametrize(
    "bad", [-1.0, "fast", True, None, [1.0, -2.0], [1.0, None], float("nan"), math.inf]
)
def test_wrong_numbers_are_told(bad):
    assert "kp" in GAIN.problem(bad)


def test_texts_are_among_their_choices():
    mode = Parameter("mode", "string", "one", "Mode.", "always", choices=("one", "two"))
    assert mode.problem("two") is None
    assert "one, two" in mode.problem("three")
    assert "a text" in mode.problem(1)


def test_an_order_names_each_joint_once():
    assert order(["a", "b", "c"], []) == [0, 1, 2]
    assert order(["a", "b", "c"], ["c", "a"]) == [2, 0]
    with pytest.raises(RobcogenError, match="no joint 'x'"):
        order(["a", "b"], ["x"])
    with pytest.raises(RobcogenError, match="twice"):
        order(["a", "b"], ["a", "a"])


def test_numbers_are_spread_over_joints():
    np.testing.assert_array_equal(per_joint("kp", [2.0], [2, 0], 3), [2.0, 2.0, 2.0])
    np.testing.assert_array_equal(per_joint("kp", [1.0, 5.0], [1, 0], 2), [5.0, 1.0])
    np.testing.assert_array_equal(per_joint("q", [1.0, 5.0], [2, 0], 3, 0.5), [5.0, 0.5, 1.0])
    with pytest.raises(RobcogenError, match=r"kp: .* joints to name all 3 joints; it names 2"):
        per_joint("kp", [1.0, 5.0], [2, 0], 3)
    with pytest.raises(RobcogenError, match="kp: expected one value or 2, found 0"):
        per_joint("kp", [], [2, 0], 3)


LIMITS = Parameter("limits", "double_array", [], "Limits.", "always", low=0.0, exclusive=True)


def test_limits_are_more_than_zero_and_may_be_infinite():
    assert LIMITS.problem([math.inf, 5.0]) is None
    assert LIMITS.problem([5.0, 0.0]) == "limits: expected more than 0, found 0"
    assert LIMITS.problem(math.nan) == "limits: expected more than 0, found nan"


COUNT = Parameter("count", "int", 5, "Count.", "always", low=0, high=10)


def test_counts_are_whole():
    assert COUNT.problem(3) is None
    assert COUNT.problem(11) == "count: expected 0 to 10, found 11"
    assert COUNT.problem(3.0) == "count: expected a whole number, found 3.0"


RANGE = {"low": -100.0, "high": 100.0, "size": 3}
VECTOR = Parameter("gravity", "double_array", [0.0, 0.0, -9.81], "Gravity.", "always", **RANGE)


def test_a_vector_keeps_its_length():
    assert VECTOR.problem([1, 2.5, 0]) is None
    assert VECTOR.read([1, 2.5, 0]) == [1.0, 2.5, 0.0]
    assert "3 numbers, found 2" in VECTOR.problem([1.0, 2.0])


def test_a_list_that_is_known_nowhere_else_is_not_empty():
    gains = Parameter("kp", "double_array", [100.0], "Gains.", "always")
    assert gains.problem([]) == "kp: expected numbers, found none"


def test_a_vector_that_is_known_elsewhere_may_be_empty():
    optional = Parameter("gravity", "double_array", [], "Gravity.", "always", **RANGE)
    assert optional.problem([]) is None
    assert optional.problem([0.0, 0.0, 9.81]) is None
    assert "3 numbers or none, found 2" in optional.problem([1.0, 2.0])
    assert "3 numbers, found 0" in VECTOR.problem([])


@pytest.mark.parametrize("bad", [9.81, "down", None, ["a", "b", "c"], [0, 0, 1e3], [0, True, 0]])
def test_wrong_vectors_are_told(bad):
    assert "gravity" in VECTOR.problem(bad)


NAMES = Parameter("xacro_args", "string_array", [], "Arguments.", "always")


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (["a:=1", "b:=2"], ["a:=1", "b:=2"]),
        ("a:=1 b:=2", ["a:=1", "b:=2"]),
        ("['a:=1', 'b:=2']", ["a:=1", "b:=2"]),
        ("[a:=1,b:=2]", ["a:=1", "b:=2"]),
        ("at:='0 0 1' b:=", ["at:=0 0 1", "b:="]),
        ("[at:=0 0 1, b:=]", ["at:=0 0 1", "b:="]),
        ("a:=[1,2]", ["a:=[1,2]"]),
        ("a:=#1", ["a:=#1"]),
        ("['']", []),
        ("", []),
        ([""], []),
    ],
)
def test_names_are_a_list_or_one_text(given, read):
    assert NAMES.problem(given) is None
    assert NAMES.read(given) == read


@pytest.mark.parametrize("bad", [1.0, [1, 2], None, True, "a:='1"])
def test_what_is_no_list_of_names_is_told(bad):
    assert "xacro_args: expected a list of names" in NAMES.problem(bad)


def test_parameters_that_nobody_reads_are_told_with_the_nearest_name():
    said = []
    node = SimpleNamespace(
        _parameter_overrides=dict.fromkeys(("kp", "kpp", "use_sim_time", "qos_overrides./a", "x")),
        has_parameter=lambda name: name == "kp",
        get_logger=lambda: SimpleNamespace(warning=said.append),
    )
    tell_unknown(node, {"kp": GAIN})
    assert said == [
        "parameter 'kpp' is unknown, and ignored; did you mean 'kp'?",
        "parameter 'x' is unknown, and ignored",
    ]
