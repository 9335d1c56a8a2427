"""examples/leg_design: jumps of a leg whose proportions are parameters."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow

STUDY = Path(__file__).resolve().parents[2] / "examples" / "leg_design" / "study.py"


@pytest.fixture(scope="module")
def study():
    spec = importlib.util.spec_from_file_location("study", STUDY)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def leg(study):
    return study.leg()


def test_a_massless_leg_turns_all_its_work_into_height(study, leg):
    shank, force, mass = 0.3, 300.0, 12.0
    study.set_proportions(leg, shank, density=1e-6)
    height = study.jump(leg, shank, force, torque=math.inf)
    straight = math.hypot(
        study.THIGH + shank * math.cos(study.STRAIGHT), shank * math.sin(study.STRAIGHT)
    )
    push = straight - study.crouch(shank)[0]
    assert height == pytest.approx((force / (mass * study.GRAVITY) - 1) * push, rel=0.02)


def test_the_ground_carries_what_the_trunk_is_pushed_with(study, leg):
    shank = 0.35
    study.set_proportions(leg, shank, density=1e-6)
    q, zero = study.crouch(shank), np.zeros(3)
    _, ground = study.stance(leg, q, zero, 200.0, math.inf)
    np.testing.assert_allclose(ground, [0.0, 200.0], rtol=1e-4, atol=1e-2)


def test_the_sweep_has_its_optimum_between_short_and_long_shanks(study, leg):
    short, middle, long = study.sweep(leg, [0.2, 0.3, 0.5])
    assert middle > short and middle > long


def test_a_picture(study, tmp_path):
    pytest.importorskip("matplotlib")
    study.plot([0.2, 0.3], [0.8, 0.9], str(tmp_path / "sweep.png"))
    assert (tmp_path / "sweep.png").stat().st_size
