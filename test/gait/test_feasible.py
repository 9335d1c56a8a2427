"""What a robot cannot do is told with the line of the setting, before anything is solved."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("casadi")
pytest.importorskip("pinocchio")

from robcogen_ros.errors import ModelError
from robcogen_ros.gait.feasible import check
from robcogen_ros.gait.pattern import Pattern, pattern_by_name
from robcogen_ros.gait.settings import read_settings
from robcogen_ros.model.robot import FREE_FALL
from test.gait.judge import Instant, robot, traced
from test.support.hyq import FEET
from test.support.robots import robots_directory

pytestmark = pytest.mark.skipif(robots_directory() is None, reason="no example-robot-data")


def checked(tmp_path, text):
    file, (legs, posture, motion, limits) = tmp_path / "gait.yaml", traced()
    file.write_text(text)
    wanted = read_settings(file)
    pattern = pattern_by_name(wanted.gait, FEET, legs.poses(posture.q)[:, :3, 3].tolist())
    if wanted.duty is not None:
        pattern = Pattern((wanted.duty,) * 4, pattern.phase)
    check(robot(), wanted, pattern, legs, motion, limits, posture.q)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gait: trot\nspeed: 6\n", r":2:8: error: speed: .* at most 5 m/s, found 6"),
        ("gait: trot\nspeed: 4\nstride: 1\n", r":2:8: error: speed: the base moves 2 m while"),
        ("gait: trot\nspeed: 4\nvelocity: 0.1\n", r":3:11: error: velocity: foot .* 4 m/s beside"),
        ("gait: trot\nduty: 0.2\nstride: 3\n", r":2:7: error: duty: no foot stands for 0.9 s"),
        ("gait: walk\nstep_height: 2\n", r":2:14: error: step_height: no foot reaches higher"),
        ("gait: walk\nclearance: 3\n", r":2:12: error: clearance: feet come no further apart"),
        (
            "gait: trot\nheight: [3, 4]\n",
            r":2:9: error: height: the leg of foot \w+ does not reach",
        ),
        (
            "gait: trot\nheight: [0.7, 0.8]\neffort: 0.1\n",
            r":3:9: error: effort: joints cannot hold the robot up: .* 0.15\d* times their limits",
        ),
    ],
)
def test_what_cannot_be_is_told(tmp_path, text, words):
    with pytest.raises(ModelError, match=words):
        checked(tmp_path, text)


def test_all_that_cannot_be_is_told_at_once(tmp_path):
    with pytest.raises(ModelError) as caught:
        checked(tmp_path, "gait: walk\nstep_height: 2\nclearance: 3\n")
    assert len(caught.value.problems) == 2


@pytest.mark.parametrize("gait", ["walk", "trot", "pace", "bound", "rack"])
def test_gaits_that_are_found_pass(tmp_path, gait):
    checked(tmp_path, f"gait: {gait}\nspeed: 0.5\n")


def test_the_easiest_posture_takes_less_than_the_one_in_which_the_robot_stands(tmp_path):
    """There each foot carries a quarter of the weight, judged by Pinocchio."""
    posture = traced()[1]
    still = np.zeros(6 + robot().n)
    stands = Instant(
        robot().joint_names, FEET, [0, 0, posture.height], [0] * 3, posture.q, still, still
    )
    push = np.array([0, 0, FREE_FALL * robot().total_mass() / 4])
    tau = (stands.forces - sum(J.T @ push for J in stands.jacobians))[stands.columns]
    usual = np.abs(tau / robot().effort_limits).max()
    easiest = _told(tmp_path, "gait: trot\nheight: 1\neffort: 0.01\n")
    assert 0.01 < easiest < usual
    assert _told(tmp_path, "gait: trot\nheight: [0.8, 1]\neffort: 0.01\n") <= easiest


def _told(tmp_path, text):
    with pytest.raises(ModelError) as caught:
        checked(tmp_path, text)
    words = str(caught.value).split()
    return float(words[words.index("times") - 1])
