"""Robots that are described in MJCF are those that MuJoCo reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from robcogen_ros.formats.read import read
from test.formats.mjcf_texts import HINGE, INERTIAL, LIMB, ROBOTS, body, model, reading


@pytest.mark.parametrize("name", ROBOTS)
def test_robots_are_those_of_mujoco(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mujoco = pytest.importorskip("mujoco")
    monkeypatch.chdir(tmp_path)  # MuJoCo writes its warnings into a file
    from test.drivers.beside_mujoco import Beside

    found = reading(ROBOTS[name])
    Beside(mujoco.MjModel.from_xml_string(ROBOTS[name]), found).agree()


def test_balls_are_three_joints() -> None:
    mujoco = pytest.importorskip("mujoco")
    from test.drivers.beside_mujoco import Beside

    ball = model(body("a", '<joint name="j" type="ball" pos="0.1 0.2 0"/>' + body("b", "")))
    found = reading(ball)
    assert found.robot.joint_names == ("j_yaw", "j_pitch", "j_roll")
    (note,) = found.warnings
    assert note.severity == "note"
    assert "'j' is a ball: it is three joints" in note.message
    Beside(mujoco.MjModel.from_xml_string(ball), found).agree()


SLIDE, BALL = '<joint type="slide" axis="{}"{}/>', '<joint type="ball"{}/>'
WAYS = ("1 0 0", "0 1 0", "0 1 1")


@pytest.mark.parametrize(
    ("joints", "after", "floats"),
    [
        ("".join(SLIDE.format(way, "") for way in WAYS) + BALL.format(""), "", True),
        (
            BALL.format("") + "".join(SLIDE.format(way, ' limited="false"') for way in WAYS),
            "",
            True,
        ),
        (SLIDE.format("0 1 0", "") * 3 + BALL.format(""), "", False),
        ("".join(SLIDE.format(w, ' range="0 1"') for w in WAYS) + BALL.format(""), "", False),
        ("".join(SLIDE.format(w, "") for w in WAYS) + BALL.format(' damping="1"'), "", False),
        (
            "".join(SLIDE.format(way, f' name="{way[4]}{way[0]}"') for way in WAYS)
            + BALL.format(""),
            '<actuator><motor joint="01"/></actuator>',
            False,
        ),
        ("".join(SLIDE.format(way, "") for way in WAYS), "", False),
    ],
    ids=["free", "ball first", "in line", "limited", "damped", "driven", "three"],
)
def test_three_slides_and_a_ball_are_a_free_joint(joints: str, after: str, floats: bool) -> None:
    """As the bases of humanoid-gym have them."""
    text = '<body name="base">{}' + INERTIAL + LIMB + "</body>"
    found = reading(model(text.format(joints), after=after))
    assert found.robot.floating_base == floats
    assert any("three slides and a ball" in note.message for note in found.warnings) == floats
    if floats:
        free = reading(model(text.format("<freejoint/>")))
        assert found.robot.joint_names == free.robot.joint_names
        assert found.robot.links == free.robot.links


def test_includes_and_attached_models_are_read(tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    from test.drivers.beside_mujoco import Beside

    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "arm.xml").write_text(
        "<mujocoinclude>" + body("a", HINGE.format("j", "1 0 0")) + "</mujocoinclude>"
    )
    (tmp_path / "tool.xml").write_text(
        model(
            body("tool", '<joint name="j" axis="1 0 0"/>' + body("tip", '<joint name="k"/>')),
            '<compiler angle="radian"/>',
            '<equality><joint joint1="k" joint2="j" polycoef="0 0.5"/></equality>',
        ).replace('name="tip"', 'name="tip" euler="0.1 0.2 0.3"')
    )
    robot = tmp_path / "robot.xml"
    text = model(
        '<include file="parts/arm.xml"/>'
        + body("b", '<frame pos="1 0 0"><attach model="tool" body="tool" prefix="left_"/></frame>'),
        '<asset><model name="tool" file="tool.xml"/></asset>',
    )
    robot.write_text(text)
    found = read(robot)
    assert [Path(file).name for file in found.description.files] == [
        "robot.xml",
        "arm.xml",
        "tool.xml",
    ]
    assert found.robot.joint_names == ("j", "left_j")
    Beside(mujoco.MjModel.from_xml_path(str(robot)), found).agree()


def test_what_refers_to_copies_is_copied() -> None:
    """As MuJoCo does it."""
    mujoco = pytest.importorskip("mujoco")
    copies = f'<replicate count="3" sep="_" offset="1 0 0">{LIMB}</replicate>'
    text = model(copies, "", '<equality><joint joint1="k" joint2="j" polycoef="0.1 2"/></equality>')
    joints = reading(text).description.joints
    found = {j.name: j.mimic.leader for j in joints if j.mimic}
    there = mujoco.MjModel.from_xml_string(text)
    names = [
        (there.joint(i).name, there.joint(k).name)
        for i, k in zip(there.eq_obj1id, there.eq_obj2id, strict=True)
    ]
    assert found == dict(names)
