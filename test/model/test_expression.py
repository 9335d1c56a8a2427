"""Quantities with parameters."""

from decimal import Decimal

import pytest

from robcogen_ros.model.scalars.expression import ONE, PI, ZERO, Expression, Parameter, expression
from robcogen_ros.model.scalars.operation import cos, sin

a = Expression(parameter=Parameter("a", default=Decimal("0.5")))
b = Expression(parameter=Parameter("b"))


def test_constants_are_computed_at_once():
    assert (expression("0.1") + expression("0.2")).value == Decimal("0.3")
    assert cos(PI / 2) == ZERO
    assert sin(PI / 2) == ONE


def test_zero_and_one_leave_no_trace():
    assert a + 0 is a
    assert a * 1 is a
    assert (a * 0).structurally_zero
    minus = -a
    assert -minus is a


def test_parameters_are_found_once_in_order():
    assert [p.name for p in (b * 2 + a * b).parameters()] == ["b", "a"]


def test_values_are_given_or_defaults():
    assert (a * 2 + b).evaluate({"b": Decimal(3)}) == 4


def test_a_parameter_without_a_value_is_named():
    with pytest.raises(ValueError, match="'b' has no default"):
        (a + b).evaluate()
