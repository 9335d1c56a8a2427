"""Where a study is run: grids, lists, samples."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import qmc

from robcogen_ros.errors import RobcogenError
from robcogen_ros.study.points import Range, from_csv, grid, samples

TWO = [("a", Range(0.0, 2.0)), ("b", Range(-1.0, 1.0))]


def test_a_grid_has_all_combinations_the_last_name_first():
    points = grid([("a", Range(0.0, 1.0, 3)), ("b", (5.0, 6.0))])
    assert points.names == ("a", "b")
    expected = [[0, 5], [0, 6], [0.5, 5], [0.5, 6], [1, 5], [1, 6]]
    np.testing.assert_array_equal(points.values, expected)
    assert points.described(2) == "a=0.5, b=5"


@pytest.mark.parametrize("sampler, engine", [("sobol", qmc.Sobol), ("lhs", qmc.LatinHypercube)])
def test_samples_are_those_of_scipy_between_the_bounds(sampler, engine):
    points = samples(TWO, sampler, 64, 7)
    unit = engine(2, seed=7).random(64)
    np.testing.assert_allclose(points.values, qmc.scale(unit, [0, -1], [2, 1]), rtol=1e-15)
    np.testing.assert_array_equal(points.values, samples(TWO, sampler, 64, 7).values)
    assert not np.array_equal(points.values, samples(TWO, sampler, 64, 8).values)


def test_a_list_is_read_with_its_names(tmp_path):
    (tmp_path / "points.csv").write_text("\ufeffa, b\n1,2\n\n3e0,-4.5\n")
    points = from_csv(str(tmp_path / "points.csv"))
    assert points.names == ("a", "b")
    np.testing.assert_array_equal(points.values, [[1, 2], [3, -4.5]])


@pytest.mark.parametrize(
    "text, message",
    [
        ("a,b\n1,2\n3,x\n", r"points.csv:3:1: error: expected a finite number, found 'x'"),
        ("a,b\n1,nan\n", r"points.csv:2:1: error: expected a finite number, found 'nan'"),
        ("a,b\n1\n", r"points.csv:2:1: error: expected 2 numbers, found 1"),
        ("a,b\n", r"points.csv:1:1: error: there is no point"),
        ("", r"points.csv:1:1: error: the file is empty; expected points of a study"),
        ("a,a\n1,2\n", r"points.csv:1:1: error: 'a' is there twice"),
    ],
)
def test_what_is_wrong_in_a_list_is_told_with_its_line(tmp_path, text, message):
    (tmp_path / "points.csv").write_text(text)
    with pytest.raises(RobcogenError, match=message):
        from_csv(str(tmp_path / "points.csv"))


def test_ranges_are_sampled_or_counted():
    with pytest.raises(RobcogenError, match="--vary a=0:2: expected FROM:TO:COUNT"):
        grid(TWO)
    with pytest.raises(RobcogenError, match="--vary a: expected FROM:TO where --sample"):
        samples([("a", Range(0.0, 1.0, 5))], "sobol", 8, 0)
