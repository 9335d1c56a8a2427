"""Which bounds hold a gait, and what they cost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("casadi")
pytest.importorskip("pinocchio")

from robcogen_ros.cli.gait import _held
from robcogen_ros.gait import find_gait
from robcogen_ros.gait.bounds import Bound
from robcogen_ros.model.contacts import Foot
from test.gait.judge import TROT, height, robot
from test.support.hyq import FEET
from test.support.robots import robots_directory

COARSE = replace(TROT, intervals=4, accuracy=1.0, refinements=0)


def found(**settings):
    gait = find_gait(robot(), [Foot() for _ in FEET], replace(COARSE, **settings))
    assert gait.solution.succeeded, gait.solution
    return gait


@pytest.mark.slow
@pytest.mark.skipif(robots_directory() is None, reason="no example-robot-data")
def test_prices_of_bounds_are_what_the_merit_falls_by_where_they_are_wider():
    gait, wider = found(), 1e-3
    bounds = {bound.name: bound for bound in gait.bounds}
    assert list(gait.bounds) == sorted(gait.bounds, key=lambda bound: -bound.price)
    high, short = bounds["height of the base"], bounds["duration of a stride"]
    low, most = COARSE.height
    assert high.value == pytest.approx(most * height())
    assert short.value == pytest.approx(gait.duration) == COARSE.stride[0]
    assert short.share == 1.0
    for bound, settings in (
        (high, {"height": (low, most + wider)}),
        (short, {"stride": (COARSE.stride[0] - wider, COARSE.stride[1])}),
    ):
        fall = gait.merit - found(**settings).merit
        assert fall == pytest.approx(wider * bound.price, rel=0.05), bound
    half = gait.position[: len(gait.times) // 2, 2]
    weights = np.array([1.0, *[4.0, 2.0] * (len(half) // 2 - 1), 4.0, 1.0])
    at_bound = weights @ (half > high.value - 1e-3 * height()) / weights.sum()
    assert high.share == pytest.approx(at_bound)
    assert "tilt" not in " ".join(bounds) and "acceleration" not in " ".join(bounds)
    assert "friction 0.6 of" in " ".join(bounds)


def test_the_dearest_are_told_and_the_others_counted():
    bounds = [
        Bound("duration of a stride", 0.3, 1.0, 2.0),
        Bound("reach 0.9 of lf", None, 0.5, 1.0),
    ]
    assert _held(bounds) == ["held by duration of a stride 0.3, reach 0.9 of lf (50 % of the time)"]
    (line,) = _held(bounds * 5)
    assert line.count("reach") == 3 and line.endswith(", and 4 that cost less")
    assert _held([]) == []
