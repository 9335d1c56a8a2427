"""What the measuring program calls gives the results of the function, of one state or of many."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.bench.compilers import Compiler
from robcogen_ros.bench.generated import compile_function, write_sources
from robcogen_ros.bench.meter import Meter, Subject
from robcogen_ros.formats.read import read
from robcogen_ros.runtime.evaluators.columns import column_distance
from test.support.examples import example_path

GXX = Compiler("g++", ("g++",))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
@pytest.mark.parametrize(
    ("states", "parameters"), [(0, ()), (0, ("upperleg.mass",)), (3, ("upperleg.mass",))]
)
def test_results(states, parameters, tmp_path):
    path = example_path("hyl")
    robot = read(path, parameters=parameters).robot
    rows = np.random.default_rng(0).normal(size=(2, max(states, 1), 2, robot.n))
    room = column_distance(states) if states else 1
    given = np.zeros((2, 2, room * robot.n))
    given[:, :, : rows[0, :, 0].size] = rows.swapaxes(1, 2).reshape(2, 2, -1)
    write_sources(robot, "coriolis_torques", tmp_path, states)
    library, compiled = compile_function(tmp_path, GXX, tmp_path, ["-O1"])
    given.tofile(tmp_path / "states")
    subject = Subject(library, "robot", "torques", tmp_path / "states", tmp_path / "results")
    numbers = Meter(GXX, tmp_path).results(subject).reshape(2, -1)[:, : rows[0, :, 0].size]
    found = numbers.reshape(2, -1, robot.n)
    reference = robcogen_ros.build(path, backend="numpy")
    expected = reference.coriolis_torques(rows[:, :, 0], rows[:, :, 1])
    assert np.allclose(found, expected, rtol=1e-12, atol=1e-12)
    assert compiled.seconds > 0
