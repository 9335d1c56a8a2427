"""examples/leg_design: jumps of a leg whose proportions are parameters."""

from __future__ import annotations

import importlib.util
import math
import shutil
from pathlib import Path

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.cli.main import main

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "leg_design"


@pytest.fixture(scope="module")
def study():
    spec = importlib.util.spec_from_file_location("study", EXAMPLE / "study.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def leg(study):
    return robcogen_ros.build(EXAMPLE / "leg.kindsl", functions=study.FUNCTIONS)


def test_a_massless_leg_turns_all_its_work_into_height(study, leg):
    shank, force, mass = 0.3, 300.0, 12.0
    leg.parameters.update({"shank_length": shank, "density": 1e-6})
    thigh = leg.parameters["thigh_length"]
    height = study.jump(leg, force, torque=math.inf)
    straight = math.hypot(
        thigh + shank * math.cos(study.STRAIGHT), shank * math.sin(study.STRAIGHT)
    )
    push = straight - study.crouch(thigh, shank)[0]
    assert height == pytest.approx((force / (mass * study.GRAVITY) - 1) * push, rel=0.02)


def test_the_ground_carries_what_the_trunk_is_pushed_with(study, leg):
    shank = 0.35
    leg.parameters.update({"shank_length": shank, "density": 1e-6})
    q, zero = study.crouch(*study.lengths(leg)), np.zeros(3)
    _, ground = study.stance(leg, q, zero, 200.0, math.inf)
    np.testing.assert_allclose(ground, [0.0, 200.0], rtol=1e-4, atol=1e-2)


def test_the_study_has_its_optimum_between_short_and_long_shanks(study, tmp_path, monkeypatch):
    for name in ("leg.kindsl", "study.py"):
        shutil.copy(EXAMPLE / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    words = ["--vary", "shank_length=0.2,0.3,0.5", "--run", "study.py", "--processes", "1"]
    assert main(["design-study", "leg.kindsl", *words]) == 0
    table = np.genfromtxt("study.csv", delimiter=",", names=True)
    short, middle, long = table["height_per_length"]
    assert middle > short and middle > long
