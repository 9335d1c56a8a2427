"""The example of sampling: the arm reaches its goal, and tools follow their actions."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("jax", reason="JAX is not installed")
pytestmark = pytest.mark.slow
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "sampling"


def loaded(name, monkeypatch):
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", "-O0 -march=native")
    spec = importlib.util.spec_from_file_location(name, EXAMPLE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


def test_the_arm_reaches_its_goal(monkeypatch):
    mppi = loaded("mppi", monkeypatch)
    distances = mppi.run(mppi.ARM, "tool", samples=128, seconds=1.0)
    assert distances[0] > 0.3
    assert max(distances[-5:]) < 0.05


def test_tools_follow_their_actions(monkeypatch):
    actions = loaded("operational_space", monkeypatch)
    robot, base = actions.build(actions.ARM, "tool")
    random = np.random.default_rng(2)
    q, qd = random.uniform(-1, 1, size=(2, 50, robot.n))
    action = random.normal(size=(50, 6))
    tau = actions.controller(robot, base, "tool")(q, qd, action)
    qdd = robot.forward_dynamics(q, qd, np.asarray(tau))
    J = robot.evaluate(f"{base}_J_tool", q=q)["J"]
    moved = (J @ qdd[..., None])[..., 0] + robot.evaluate(f"{base}_JdQd_tool", q=q, qd=qd)["JdQd"]
    assert np.median(np.abs(moved - action).max(axis=-1)) < 1e-2
