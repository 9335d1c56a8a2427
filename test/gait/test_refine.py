"""Grids: where they are too coarse, and trajectories and multipliers on finer ones."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("casadi")

from robcogen_ros.gait.pattern import Pattern
from robcogen_ros.gait.problem import Problem
from robcogen_ros.gait.refine import finer
from robcogen_ros.gait.track import carried, carried_multipliers
from test.gait.judge import TROT, traced
from test.support.robots import robots_directory


def test_intervals_are_split_as_the_fifth_power_of_their_errors_tells():
    problem = SimpleNamespace(knots=[np.array([0.0, 0.1, 0.3]), np.array([0.3, 0.5])])
    error = [np.array([0.9e-3, 2.0**5 * 0.99e-3]), np.array([1e3])]
    first, second = finer(problem, error, 1e-3)
    np.testing.assert_allclose(first, [0, 0.1, 0.2, 0.3])
    np.testing.assert_allclose(second, np.linspace(0.3, 0.5, 5))


@pytest.mark.skipif(robots_directory() is None, reason="example-robot-data is not installed")
def test_trajectories_and_multipliers_stay_what_they_are_on_their_own_grid():
    _, _, motion, limits = traced()
    wanted = replace(TROT, intervals=4, stability="static")
    problem = Problem(motion, limits, Pattern((0.6,) * 4, (0.0, 0.5, 0.5, 0.0)), wanted, None)
    program, random = problem.program, np.random.default_rng(0)
    low, high = (np.clip(bound, -1.0, 1.0) for bound in (program.lower, program.upper))
    x = random.uniform(low, high)
    np.testing.assert_allclose(carried(problem, motion, x, problem), x, atol=1e-4)
    given = random.uniform(size=len(x)), random.uniform(size=len(program.row_limits[0]))
    given[0][np.concatenate([grid.steps for grid in problem.grids])] = 0.0
    for own, same in zip(given, carried_multipliers(problem, given, problem), strict=True):
        np.testing.assert_allclose(same, own, rtol=1e-9)
