"""examples/linkages: what its page says of motors and springs."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.standing.footing import find_footing
from robcogen_ros.standing.posture import Legs

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


@pytest.mark.slow
def test_the_quadruped_has_a_posture_in_which_its_loops_are_closed() -> None:
    files = ROOT / "examples" / "linkages" / "quadruped.urdf.xacro"
    loops = files.with_name("quadruped.yaml")
    footing = find_footing(files, loops=str(loops))
    assert footing.names == ("LF_foot", "RF_foot", "LH_foot", "RH_foot")
    robot = robcogen_ros.build(
        files,
        loops=loops,
        floating_base=True,
        contacts=footing.names,
        backend="interpreter",
        functions=["kinematics", "center_of_mass", "joint_positions", "coordinate_jacobian"],
    )
    assert robot.joint_names[:3] == ("LF_hip_roll", "LF_hip_pitch", "LF_motor")
    stands = Legs(robot, footing.feet).standing()
    names = list(robot.moving_joint_names)
    positions = robot.joint_positions(stands.q)
    for leg in ("LF", "RF", "LH", "RH"):
        assert 0.9 < positions[names.index(f"{leg}_knee")] < 1.6
        ends = [f"closing_{leg}_knee_rod_{k}" for k in (1, 2)]
        assert np.abs(robot.transform(*ends, stands.q)[:3, 3]).max() < 1e-12
        height = stands.height + robot.transform("trunk", f"{leg}_foot", stands.q)[2, 3]
        assert height == pytest.approx(0.02, abs=1e-9)
    G = robot.coordinate_jacobian(stands.q)
    assert G[names.index("LF_knee"), 2] == pytest.approx(1.5, abs=0.1)
