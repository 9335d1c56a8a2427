"""examples/linkages: what its page says of motors and springs."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import robcogen_ros

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "examples" / "linkages" / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """What the page computes."""

    def build(file: str, loops: str | None = None, **options: Any) -> Any:
        folders = {} if loops is None else {"loops": ROOT / loops}
        return robcogen_ros.build(ROOT / file, backend="numpy", **folders, **options)

    found: dict[str, Any] = {"robcogen_ros": SimpleNamespace(build=build), "np": np}
    for text in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(text, found)
    return found


def test_motors_hold_the_foot(names: dict[str, Any]) -> None:
    ankle, q = names["ankle"], names["q"]
    np.testing.assert_allclose(names["positions"], names["measured"], atol=1e-12)
    rates = np.array([0.3, -0.7])
    power = names["efforts"] @ (names["G"] @ rates)
    assert power == pytest.approx(ankle.gravity_torques(q) @ rates, rel=1e-12)
    assert names["share"] == 1.0


def test_fingers_close_and_give_way(names: dict[str, Any]) -> None:
    first, middle, last = names["tips"]
    assert first == pytest.approx(0.0604, abs=1e-4)
    assert first > middle > last == pytest.approx(0.0301, abs=1e-4)
    gripper, q = names["gripper"], names["rest"](0.4)
    energy = gripper.potential_energy(q)
    for step in (*0.02 * np.eye(3)[1:], *-0.02 * np.eye(3)[1:]):
        assert gripper.potential_energy(q + step) > energy
    assert np.abs(gripper.gravity_torques(q)[1:]).max() < 1e-12
