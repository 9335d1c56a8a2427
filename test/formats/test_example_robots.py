"""Real robots' files: they load, and survive being written in the Kinematics-DSL."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.errors import ModelError
from robcogen_ros.formats.kindsl import reader as kindsl
from robcogen_ros.formats.kindsl import writer as kindsl_writer
from robcogen_ros.formats.kindsl.form import lumped
from robcogen_ros.formats.read import read
from robcogen_ros.formats.source import Source
from robcogen_ros.model.checks.tree import check
from robcogen_ros.model.reduce import reduce
from test.formats.compare import distance
from test.support.robots import all_robots, oracle_robots, robot_path

pytestmark = pytest.mark.slow

REFUSED = {
    "alex_description/urdf/alex_psyonic_hands.urdf": "joint 'index_q1', which does not exist",
    "ur_description/urdf/ur3.urdf": "<robot> lacks the attribute 'name'",
}

WRITTEN = {"alex_nub_hands", "hyq_no_sensors", "icub", "iris", "kinova", "panda", "so100", "z1"}
WRITTEN |= {"simple_humanoid", "talos_left_arm", "ur5_robot", "xarm7"}


@pytest.mark.parametrize("name", all_robots())
def test_loads_in_silence(name, capfd):
    path = robot_path(name)
    if name in REFUSED:
        with pytest.raises(ModelError) as caught:
            read(path)
        assert REFUSED[name] in str(caught.value)
    else:
        assert read(path).robot.links
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("keep_fixed", [False, True])
@pytest.mark.parametrize("name", [n for n in oracle_robots() if Path(n).stem in WRITTEN])
def test_the_written_model_is_the_same_robot(name, keep_fixed):
    reading = read(robot_path(name))
    original = reading.description
    text = kindsl_writer.write(original if keep_fixed else lumped(original, reading.robot))
    description = kindsl.read(Source("written.kindsl", text))
    assert not [problem for problem in check(description) if problem.severity == "error"]
    assert distance(reading.robot, reduce(description)) < 5 * np.finfo(float).eps
    start = text.index("Robot ")
    assert kindsl_writer.write(description).endswith(text[start:])
