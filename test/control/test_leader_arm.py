"""The example of a leader arm: MuJoCo's arm weighs nothing in the hand, and another one follows."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import robcogen_ros

pytest.importorskip("mujoco", reason="MuJoCo is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::UserWarning")]
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "leader_arm" / "leader_arm.py"


def test_a_leader_stays_where_the_hand_left_it_and_a_follower_is_there_too():
    spec = importlib.util.spec_from_file_location("leader_arm", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    robot = robcogen_ros.build(example.ARM, backend="interpreter")
    did = example.run(robot, example.ARM, "tool", force=5.0)
    assert did["led"] > 0.1 and did["fell"] > 1.0
    assert did["went on"] < 1e-3 and did["off"] < 0.03
