"""Dual numbers know the derivatives of what is computed with them."""

from __future__ import annotations

import numpy as np
import pytest

from robcogen_ros.model.scalars.dual import Dual, dual, jacobian, variables
from robcogen_ros.model.scalars.operation import OPERATIONS, apply, cos, is_zero, select, sin, sqrt


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=str)
def test_every_operation_has_its_derivatives(operation):
    at = [0.7, 1.3, 0.4][: operation.arity]
    found = apply(operation, *variables(at, "x"))
    assert found.value == operation.numeric(*at)
    for k in range(operation.arity):
        step = [1e-6 if i == k else 0.0 for i in range(operation.arity)]
        ahead, behind = (
            operation.numeric(*(x + sign * h for x, h in zip(at, step, strict=True)))
            for sign in (1, -1)
        )
        assert found.by.get(("x", k), 0) == pytest.approx((ahead - behind) / 2e-6, abs=1e-9)


def test_a_formula_has_the_derivatives_of_its_closed_form():
    x, y = variables([0.4, 2.0], "x")
    results = [sin(x * y) / y, sqrt(x + y * y), 3 - cos(x)]
    a, b = 0.4, 2.0
    root = np.sqrt(a + b * b)
    expected = [
        [np.cos(a * b), a * np.cos(a * b) / b - np.sin(a * b) / b**2],
        [1 / (2 * root), b / root],
        [np.sin(a), 0],
    ]
    assert np.array(jacobian(results, [("x", 0), ("x", 1)])) == pytest.approx(np.array(expected))


def test_what_does_not_depend_on_a_variable_has_no_derivative():
    (x,) = variables([0.5], "x")
    assert (x - x).by == {} or not any((x - x).by.values())
    assert dual(2.0).by == {}
    assert is_zero(Dual(0)) and not is_zero(x)


@pytest.mark.parametrize("condition", [1.0, 0.0, -1.0, np.nan])
def test_a_choice_has_the_derivative_of_what_is_taken(condition):
    x, y = variables([4.0, 0.0], "x")
    with np.errstate(divide="ignore", invalid="ignore"):
        found = select(condition, x * x, sqrt(np.float64(0) * y))
        other = select(-1.0, x, y / np.float64(0))
    if np.isnan(condition):
        assert np.isnan(found.value) and np.isnan(found.by["x", 0])
    elif condition >= 0:
        assert (found.value, found.by["x", 0], found.by["x", 1]) == (16.0, 8.0, 0.0)
    assert other.by["x", 0] == 0.0
