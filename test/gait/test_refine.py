"""Grids: where they are too coarse, and trajectories and multipliers on finer ones."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

casadi = pytest.importorskip("casadi")

from robcogen_ros.gait.refine import finer  # noqa: E402


def test_intervals_are_split_as_the_fifth_power_of_their_errors_tells():
    problem = SimpleNamespace(knots=[np.array([0.0, 0.1, 0.3]), np.array([0.3, 0.5])])
    error = [np.array([0.9e-3, 2.0**5 * 0.99e-3]), np.array([1e3])]
    first, second = finer(problem, error, 1e-3)
    np.testing.assert_allclose(first, [0, 0.1, 0.2, 0.3])
    np.testing.assert_allclose(second, np.linspace(0.3, 0.5, 5))
