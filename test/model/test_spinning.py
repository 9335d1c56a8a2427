"""Rods that spin about themselves are held, and the rest moves as if they could not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from test.support.linkage_oracle import Linkage
from test.support.linkages import (
    ANKLE,
    ANKLE_LOOPS,
    BOOM,
    BOOM_LOOPS,
    FIVE_BAR,
    FIVE_BAR_LOOPS,
    FOUR_BAR,
    FOUR_BAR_LOOPS,
    RSSP,
    RSSP_LOOPS,
    SLIDER,
    SLIDER_LOOPS,
    joint,
    links,
    reading,
    slide,
)

_ROD = joint("left_tilt", "left_cross", "left_rod", 'xyz="0 0 0"', "1 0 0")
_BALL = _ROD.replace('child link="left_rod"', 'child link="left_fork"') + joint(
    "left_spin", "left_fork", "left_rod", 'xyz="0 0 0"', "0 0 1"
)


def massless(urdf: str, *names: str) -> str:
    """The URDF without the inertia of some links."""
    for name in names:
        start = urdf.index(f'<link name="{name}"><inertial>')
        end = urdf.index("</link>", start) + len("</link>")
        urdf = urdf[:start] + f'<link name="{name}"/>' + urdf[end:]
    return urdf


ROBOT = massless(
    ANKLE.replace(_ROD, '<link name="left_fork"/>' + _BALL), "left_cross", "right_cross"
)
"""The ankle, one of whose rods hangs in a ball joint."""


def test_rod_between_ball_joints_is_held_which_is_told_with_its_inertia(tmp_path: Path) -> None:
    found = reading(tmp_path, ANKLE_LOOPS, ROBOT)
    assert found.robot.joint_names == ("left_motor", "right_motor")
    (told,) = [str(x) for x in found.warnings if "spin" in x.message]
    # the line through both ends is the rod's z: izz, for the center of mass is given about itself
    mass, x, y = 1.6, 0.2, 0.02
    expected = 0.06 + mass * (x * x + y * y)
    assert "note: 'left_rod' can spin" in told
    assert f"inertia {expected:.3g} kg m^2): joint 'left_spin' is held at 0" in told
    assert "keep_spinning=True" in told


def test_held_rod_leaves_the_dynamics_of_a_robot_without_that_joint(tmp_path: Path) -> None:
    fixed = ROBOT.replace(
        '<joint name="left_spin" type="continuous">', '<joint name="left_spin" type="fixed">'
    )
    folders = tmp_path / "spinning", tmp_path / "fixed"
    for folder in folders:
        folder.mkdir()
    spinning, still = (
        Linkage.of(folder, urdf, ANKLE_LOOPS)
        for folder, urdf in zip(folders, (ROBOT, fixed), strict=True)
    )
    random = np.random.default_rng(5)
    for _ in range(3):
        q, qd, qdd = random.uniform(-0.3, 0.3, (3, 2))
        values = {"q": q, "qd": qd, "qdd": qdd}
        found = spinning.of_robot("inverse_dynamics", **values)
        np.testing.assert_allclose(found, still.of_robot("inverse_dynamics", **values), rtol=1e-12)


@pytest.mark.parametrize(
    ("loops", "options"),
    [
        (ANKLE_LOOPS, {"keep_spinning": True}),
        (ANKLE_LOOPS.replace("[left_motor,", "[left_spin, left_motor,"), {}),
        (ANKLE_LOOPS, {"actuated": ("left_spin", "left_motor", "right_motor")}),
    ],
    ids=["keep_spinning", "independent", "motor"],
)
def test_rod_that_is_meant_to_spin_stays_free(
    tmp_path: Path, loops: str, options: dict[str, object]
) -> None:
    if options:
        loops = loops[: loops.index("independent")]
    found = reading(tmp_path, loops, ROBOT, **options)
    assert found.robot.n == 3
    assert not any("can spin" in told.message for told in found.warnings)


def test_cylinder_is_held_with_its_piston(tmp_path: Path) -> None:
    piston = links("piston") + slide("stroke", "left_rod", "piston", 'xyz="0 0 -0.1"', "0 0 1")
    loops = ANKLE_LOOPS.replace("left_rod, xyz: [0, 0, -0.25]", "piston, xyz: [0, 0, -0.15]")
    loops = loops.replace("[left_motor,", "[left_motor, stroke,")
    found = reading(tmp_path, loops, ROBOT.replace("</robot>", piston + "</robot>"))
    assert {*found.robot.joint_names} == {"left_motor", "right_motor", "stroke"}
    (told,) = [str(x) for x in found.warnings if "spin" in x.message]
    assert "'left_rod', 'piston' can spin" in told


_DOOR = (
    '<robot name="door">'
    + links("frame", "door", "pin", "handle")
    + joint("lower", "frame", "door", 'xyz="0 0 0"', "0 0 1")
    + joint("upper", "frame", "pin", 'xyz="0 0 2"', "0 0 1")
    + joint("grip", "door", "handle", 'xyz="0.8 0 1"')
    + "</robot>"
)
_HINGES = """
loops:
  hinge: {frames: [{link: door, xyz: [0, 0, 2]}, pin], fixed: all}
"""
_PLAIN = _DOOR.replace(joint("grip", "door", "handle", 'xyz="0.8 0 1"'), "").replace(
    links("frame", "door", "pin", "handle").removeprefix(links("frame", "door", "pin")), ""
)


@pytest.mark.parametrize(
    ("urdf", "loops"),
    [
        (_PLAIN, _HINGES),
        (_DOOR, _HINGES),
        (FOUR_BAR, FOUR_BAR_LOOPS),
        (FIVE_BAR, FIVE_BAR_LOOPS),
        (ANKLE, ANKLE_LOOPS),
        (SLIDER, SLIDER_LOOPS),
        (BOOM, BOOM_LOOPS),
        (RSSP, RSSP_LOOPS),
        (massless(FOUR_BAR, "coupler", "rocker", "tool"), FOUR_BAR_LOOPS),
        (massless(RSSP, "cross", "rod", "tool"), RSSP_LOOPS),
    ],
    ids=[
        "door",
        "door_with_a_handle",
        "four_bar",
        "five_bar",
        "ankle",
        "slider",
        "boom",
        "ram",
        "crank_alone",
        "crank_of_a_ram_alone",
    ],
)
def test_nothing_else_is_taken_for_a_rod_that_spins(tmp_path: Path, urdf: str, loops: str) -> None:
    robot = reading(tmp_path, loops, urdf).robot
    kept = reading(tmp_path, loops, urdf, keep_spinning=True).robot
    assert robot == kept
