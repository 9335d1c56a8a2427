"""The examples of docs/derivatives.md do what the page says."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from robcogen_ros.recordings.written_bag import write_bag
from test.support.random_robots import arm_with_everything
from test.support.recordings import sines

PAGE = Path(__file__).parents[2] / "docs" / "derivatives.md"


@pytest.fixture(scope="module")
def arm():
    return arm_with_everything().build(False, functions=["default", "derivatives"])


def run(arm, number: int) -> dict:
    """What an example leaves behind; its robot is ours."""
    q, qd, qdd = np.random.default_rng(1).normal(size=(3, arm.n))
    names = {"robcogen_ros": SimpleNamespace(build=lambda *_, **__: arm)}
    names |= {"q": q, "qd": qd, "qdd": qdd, "tau": q, "arm": arm}
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    exec(blocks[number], names)
    return names


def test_the_first_example_unpacks_all_derivatives(arm):
    names = run(arm, 0)
    assert names["H"] @ names["H_inverse"] == pytest.approx(np.eye(arm.n), abs=1e-9)


def test_entries_are_those_of_the_matrix(arm):
    names = run(arm, 1)
    whole = arm.inverse_dynamics_derivatives(names["q"], names["qd"], names["qdd"]).dtau_dq
    columns = np.repeat(np.arange(arm.n), np.diff(names["starts"]))
    assert names["found"].dtau_dq == pytest.approx(whole[names["rows"], columns], abs=1e-12)


def test_the_regulator_brings_the_arm_to_its_goal(arm):
    names = run(arm, 2)
    closed = np.linalg.eigvals(names["A"] - names["B"] @ names["K"])
    assert closed.real.max() < 0
    assert names["q"] == pytest.approx(names["goal"], abs=2e-3)


def test_identification_finds_the_parameters_within_the_noise(arm, capsys):
    names = run(arm, 3)
    found, expected = names["found"], names["expected"]
    assert np.abs(found.values - expected).max() > 0
    assert np.all(np.abs(found.values - expected) < 6 * found.standard_errors)
    assert found.residuals == pytest.approx(np.full(arm.n, 1e-3), rel=0.2)
    assert len(capsys.readouterr().out.splitlines()) == found.base.count


def test_a_recording_is_identified(arm, tmp_path, monkeypatch):
    motion = sines(arm.n, 20_000, step=0.005)
    qd = motion.qd
    friction = 3 * qd + 2 * 1000 * qd / np.sqrt((1000 * qd) ** 2 + 1)
    tau = arm.inverse_dynamics(motion.q, qd, motion.qdd) + friction
    write_bag(tmp_path / "run", replace(motion, tau=tau), arm.joint_names)
    (tmp_path / "run" / "run.mcap").rename(tmp_path / "run.mcap")
    monkeypatch.chdir(tmp_path)
    found = run(arm, 4)["found"]
    expected = found.base.values(arm.inertial_parameters())
    for k, text in enumerate(found.base.described):
        expected[k] += 3 * text.count(".damping") + 2 * text.count(".friction")
    assert found.values == pytest.approx(expected, abs=0.02)
