"""Files that close loops: what is read, and what is said where one is wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.errors import ModelError
from robcogen_ros.formats.load import load
from robcogen_ros.model.description import LoopDescription
from test.support.linkage_oracle import Linkage
from test.support.linkages import (
    ANKLE,
    ANKLE_LOOPS,
    FOUR_BAR,
    FOUR_BAR_LOOPS,
    PARALLELOGRAM,
    SLIDER,
    SLIDER_LOOPS,
    joint,
    links,
    reading,
)


def test_loops_and_frames_are_read(tmp_path: Path) -> None:
    model, file = tmp_path / "robot.urdf", tmp_path / "loops.yaml"
    model.write_text(FOUR_BAR)
    file.write_text(FOUR_BAR_LOOPS)
    description = load(model, loops=file)
    assert description.loops is not None
    assert description.files == (str(model.resolve()), str(file.resolve()))
    (loop,) = description.loops.loops
    ends = ("closing_rod_1", "closing_rod_2")
    assert loop == LoopDescription("rod", ends, "axis_y", loop.location)
    assert [(f.name, f.link, float(f.pose.translation.x)) for f in description.frames] == [
        ("closing_rod_1", "coupler", 0.8),
        ("closing_rod_2", "rocker", 0.6),
    ]
    assert [(name, value) for name, value, _ in description.loops.positions] == [
        ("drive", -1.0),
        ("pin", 0.9),
        ("swing", 1.2),
    ]


def test_files_of_gepetto_are_read(tmp_path: Path) -> None:
    urdf = PARALLELOGRAM.format(elbow="", second="").replace(
        "</robot>",
        '<link name="rod_a"/><link name="rod_b"/>'
        '<joint name="a" type="fixed"><parent link="front"/><child link="rod_a"/>'
        '<origin xyz="0 0 -0.1"/></joint>'
        '<joint name="b" type="fixed"><parent link="lower"/><child link="rod_b"/>'
        '<origin xyz="0.5 0 0"/></joint></robot>',
    )
    text = "closed_loop: [['rod_a', 'rod_b']]\ntype: ['3d']\nname_mot: ['second']\n"
    found = reading(tmp_path, text, urdf)
    assert found.robot.joint_names == ("second",)
    assert found.description.linked == ("loop1",)
    followers = {joint.name: float(joint.multiplier) for joint in found.robot.joints}
    assert followers == {"shoulder": 1, "elbow": -1, "second": 1}


TWICE = """\
  again:
    frames: [{link: rocker, xyz: [0.6, 0, 0]}, {link: coupler, xyz: [0.8, 0, 0]}]
    fixed: axis_y
"""


@pytest.mark.parametrize(
    ("change", "place", "message"),
    [
        (("fixed: axis_y", "fixed: hinge"), "4:12", "fixed: expected one of point, axis_x"),
        (("    fixed: axis_y\n", ""), "3:5", "loop 'rod': fixed expected, found none"),
        (
            ("fixed: axis_y", "fixed: axis_y\n    type: 1"),
            "5:5",
            "unknown key of loop 'rod' 'type'",
        ),
        (("link: coupler", "link: copler"), "3:14", "did you mean 'coupler'?"),
        (("{link: coupler, xyz: [0.8, 0, 0]}", "rod"), "2:3", "has no frame 'rod'"),
        (("[0.6, 0, 0]}", "[0.6, 0]}"), "3:69", "xyz: expected three numbers, found 2 entries"),
        (("[0.6, 0, 0]}", "[0.6, x, 0]}"), "3:75", "xyz: expected a number, found 'x'"),
        (("link: rocker", "link: coupler"), "2:3", "are on one body"),
        (("swing: 1.2", "swung: 1.2"), "5:35", "there is no joint 'swung'; did you mean 'swing'?"),
        (("swing: 1.2", "mount: 1.2"), "5:35", "joint 'mount' does not move"),
        (("loops:", "loop:"), "1:1", "unknown key 'loop'; did you mean 'loops'?"),
        (("[0.8, 0, 0]", "[0.8, 0.01, 0]"), "2:3", "no position near it closes all loops"),
        (("position:", "#"), "2:3", "the nearest is position: {"),
        (("position:", "independent: [wrist]\nposition:"), "5:15", "'wrist' is in no loop"),
        (("position:", "independent: [pin, drive]\nposition:"), "5:20", "'pin' could be"),
        (("position:", f"{TWICE}position:"), "5:3", "'again' joins the same frames as loop 'rod'"),
    ],
)
def test_mistakes_are_told_with_their_places(
    tmp_path: Path, change: tuple[str, str], place: str, message: str
) -> None:
    with pytest.raises(ModelError) as error:
        reading(tmp_path, FOUR_BAR_LOOPS.replace(*change))
    (problem,) = error.value.problems
    assert str(problem.location) == f"{tmp_path / 'loops.yaml'}:{place}"
    assert message in problem.message


def test_of_loops_those_that_never_close_are_named_with_joints_that_may_be_balls(
    tmp_path: Path,
) -> None:
    far = "  far: {frames: [{link: tool, xyz: [0, 0, 0.1]}, {link: rocker, xyz: [0.6, 5, 0]}], "
    loops = FOUR_BAR_LOOPS.replace("position:", f"{far}fixed: point}}\nposition:")
    with pytest.raises(ModelError) as error:
        reading(tmp_path, loops, FOUR_BAR.replace('"wrist"', '"wrist_spherical"'))
    told = str(error.value)
    assert "what is fixed, first of 'far', each open even alone, and whether 'wrist_sph" in told


def test_loops_that_hold_nothing_are_told(tmp_path: Path) -> None:
    """The ends of one are where their links turn."""
    loops = "loops: {rod: {frames: [frame, {link: crank, xyz: [0, 0.1, 0]}], fixed: point}}"
    at = 'xyz="0 0 0"'
    urdf = FOUR_BAR.replace(
        joint("drive", "frame", "crank", at), joint("drive", "frame", "crank", 'xyz="0 -0.1 0"')
    )
    with pytest.raises(ModelError, match="the loops hold nothing: no joint moves their frames"):
        reading(tmp_path, loops, urdf)


def test_ends_of_loops_are_named_by_joints_too(tmp_path: Path) -> None:
    of_link = "loops: {rod: {frames: [{link: coupler, xyz: [0.8, 0, 0]}, tool], fixed: axis_y}}"
    urdf = FOUR_BAR.replace(
        'link="coupler"/><child link="tool"', 'link="rocker"/><child link="tool"'
    )
    urdf = urdf.replace('xyz="0.8 0 0.05" rpy="0.1 0.2 0.3"', 'xyz="0.6 0 0"')
    urdf = urdf.replace('name="wrist" type="continuous"', 'name="wrist" type="fixed"')
    position = FOUR_BAR_LOOPS[FOUR_BAR_LOOPS.index("position") :]
    texts = [f"{each}\n{position}" for each in (of_link, of_link.replace("tool", "wrist"))]
    assert urdf != FOUR_BAR
    by_link, by_joint = (reading(tmp_path, text, urdf).robot for text in texts)
    assert by_joint == by_link
    with pytest.raises(ModelError, match="has no frame 'wirst'"):
        reading(tmp_path, texts[1].replace("wrist", "wirst"), urdf)


def test_joints_that_slide_are_made_no_others(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="joint 'swing' is prismatic; expected one that turns"):
        reading(tmp_path, SLIDER_LOOPS + "joints: {swing: spherical}\n", SLIDER)


@pytest.mark.parametrize(
    ("coupler", "told"), [(0.9, "at a dead centre"), (0.8, "no position near it closes all loops")]
)
@pytest.mark.parametrize("limits", [(-3, -0.2), (0.2, 3)])
def test_where_links_are_written_in_line_a_position_within_limits_is_suggested(
    tmp_path: Path, coupler: float, told: str, limits: tuple[float, float]
) -> None:
    lower, upper = limits
    ends = '"drive" type="continuous"', '"drive" type="revolute"', "</joint>"
    limit = f'<limit lower="{lower}" upper="{upper}" effort="9" velocity="9"/></joint>'
    urdf = FOUR_BAR.replace('xyz="0.8 0.05 0" rpy="0 0.2 0"', 'xyz="1 0 0"')
    urdf = urdf.replace('xyz="0.3 0.05 0.02"', 'xyz="0.3 0 0"').replace(*ends[:2])
    place = urdf.index(ends[2], urdf.index('"drive"'))
    urdf = urdf[:place] + limit + urdf[place + len(ends[2]) :]
    frames = f"{{link: coupler, xyz: [{coupler}, 0, 0]}}, {{link: rocker, xyz: [0.2, 0, 0]}}"
    loops = f"loops: {{rod: {{frames: [{frames}], fixed: axis_y}}}}\n"
    with pytest.raises(ModelError, match=told) as error:
        reading(tmp_path, loops, urdf)
    position = re.search("position: .*", error.value.problems[0].message)
    assert position is not None
    found = reading(tmp_path, loops + position[0], urdf)
    assert found.robot.closures
    assert not found.warnings


def rods(side: str, axis: str = "0 0 1") -> tuple[str, str]:
    """A rod of the ankle by two joints, and by one that the loops file makes universal."""
    cross, origin = f"{side}_cross", 'xyz="-0.06 0 0"'
    by_two = joint(f"{side}_swing", f"{side}_crank", cross, origin)
    by_two += joint(f"{side}_tilt", cross, f"{side}_rod", 'xyz="0 0 0"', "1 0 0")
    return by_two, joint(f"{side}_ball", f"{side}_crank", f"{side}_rod", origin, axis)


def test_universal_joints_are_two_of_one_axis(tmp_path: Path) -> None:
    expected = massless = ANKLE
    for side in ("left", "right"):
        by_two, by_one = rods(side)
        assert by_two in massless
        whole = re.search(f'<link name="{side}_cross">.*?</link>', massless)[0]
        expected = expected.replace(whole, f'<link name="{side}_cross"/>')
        massless = massless.replace(whole, "").replace(by_two, by_one)
    kinds = "joints: {left_ball: universal_yx, right_ball: universal_yx}\n"
    found = reading(tmp_path, ANKLE_LOOPS + kinds, massless).robot
    plain = reading(tmp_path, ANKLE_LOOPS, expected).robot
    names = {"left_swing": "left_ball_y", "left_tilt": "left_ball_x"}
    names |= {"right_swing": "right_ball_y", "right_tilt": "right_ball_x"}
    joints = [replace(j, name=names.get(j.name, j.name)) for j in plain.joints]
    assert list(found.joints) == joints
    assert [x.inertia for x in found.links] == [x.inertia for x in plain.links]
    assert found.closures == plain.closures


def test_rods_that_are_closed_in_their_middle_are_whole(tmp_path: Path) -> None:
    halves, loops, explicit, sides = ANKLE, "", ANKLE, {"left": 0.05, "right": -0.05}
    for side, y in sides.items():
        half, origin = f"{side}_half", f'xyz="-0.06 {y} 0" rpy="0.1 0.3 -0.2"'
        body = links(half) + joint(f"{side}_ball", "tool", half, origin)
        halves = halves.replace("</robot>", body + "</robot>")
        two = "".join(f'<link name="{side}_{x}"/>' for x in "ab") + links(half)
        chain = zip(("tool", f"{side}_a", f"{side}_b", half), "zyx", strict=False)
        axes = {"z": "0 0 1", "y": "0 1 0", "x": "1 0 0"}
        names = [f"{side}_a", f"{side}_b", half]
        for (parent, axis), child in zip(chain, names, strict=True):
            place = origin if parent == "tool" else 'xyz="0 0 0"'
            two += joint(f"{side}_{axis}", parent, child, place, axes[axis])
        explicit = explicit.replace("</robot>", two + "</robot>")
        first = f"{{link: {side}_rod, xyz: [0, 0, -0.15], rpy: [0.1, 0.3, -0.2]}}"
        loops += (
            f"  {side}: {{frames: [{first}, {{link: {half}, xyz: [0, 0, 0.1]}}], fixed: all}}\n"
        )
    loops = f"loops:\n{loops}independent: [left_motor, right_motor]\nposition: {{pitch: 0.1}}\n"
    kinds = "joints: {left_ball: spherical, right_ball: spherical}\n"
    found = Linkage.of(tmp_path, halves, loops + kinds)
    expected = Linkage.of(tmp_path, explicit, loops)
    assert [len(c.dependent) for c in found.robot.closures] == [6]
    assert [len(c.dependent) for c in expected.robot.closures] == [12]
    y, yd, ydd = np.array([0.2, -0.3]), np.array([0.7, -0.4]), np.array([1.5, 0.6])
    for name, values in (
        ("inertia_matrix", {"q": y}),
        ("inverse_dynamics", {"q": y, "qd": yd, "qdd": ydd}),
    ):
        theirs = expected.of_robot(name, **values)
        np.testing.assert_allclose(found.of_robot(name, **values), theirs, rtol=1e-11, atol=1e-11)


def test_spherical_joints_turn_about_three_axes_of_their_frame(tmp_path: Path) -> None:
    text = FOUR_BAR_LOOPS + "joints: {wrist: spherical}\n"
    robot = reading(tmp_path, text).robot
    assert robot.joint_names[-3:] == ("wrist_yaw", "wrist_pitch", "wrist_roll")
    axes = {joint.joint: tuple(map(float, joint.axis)) for joint in robot.attachments}
    assert [axes[f"wrist_{x}"] for x in ("yaw", "pitch", "roll")] == [
        (0, 0, 1),
        (0, 1, 0),
        (1, 0, 0),
    ]
    poses = {joint.joint: joint.pose for joint in robot.attachments}
    plain = reading(tmp_path, FOUR_BAR_LOOPS).robot.attachments
    assert poses["wrist_yaw"] == next(x.pose for x in plain if x.joint == "wrist")
    held = reading(tmp_path, FOUR_BAR_LOOPS + "joints: {wrist: fixed}\n").robot
    assert held.joint_names == ("drive",)


def test_files_of_gepetto_close_next_to_zero(tmp_path: Path) -> None:
    text = FOUR_BAR_LOOPS[: FOUR_BAR_LOOPS.index("position")]
    with pytest.raises(ModelError, match="the nearest is position"):
        reading(tmp_path, text)
    file = tmp_path / "loops.yaml"
    ends = "closed_loop: [[{link: coupler, xyz: [0.8, 0, 0]}, {link: rocker, xyz: [0.6, 0, 0]}]]"
    found = reading(tmp_path, f"{ends}\ntype: [3d]\nname_mot: [drive]\n")
    assert found.robot.joint_names == ("drive", "wrist")
    told = next(w for w in found.warnings if "closed at the nearest, position: {" in w.message)
    assert str(told.location) == f"{file}:1:15"


def test_joints_of_gepetto_are_read(tmp_path: Path) -> None:
    urdf = PARALLELOGRAM.format(elbow="", second="")
    urdf = urdf.replace(
        "</robot>", links("hand") + joint("wrist", "front", "hand", 'xyz="0 0 0"') + "</robot>"
    )
    text = (
        "closed_loop: [[front, front]]\ntype: [3D]\njoint_name: [wrist]\njoint_type: [UJOINT_ZX]\n"
    )
    model, file = tmp_path / "robot.urdf", tmp_path / "loops.yaml"
    model.write_text(urdf)
    file.write_text(text)
    names = [joint.name for joint in load(model, loops=file).joints]
    assert names == ["shoulder", "elbow", "wrist_z", "wrist_x", "second"]


@pytest.mark.parametrize(
    ("more", "place", "message"),
    [
        ("joints: {wrst: spherical}", "6:10", "there is no joint 'wrst'; did you mean 'wrist'?"),
        ("joints: {wrist: ball}", "6:17", "joint 'wrist': expected one of fixed, spherical, univ"),
        ("joints: [wrist]", "6:9", "joints: expected JOINT: KIND on each line, found 1 entries"),
        ("joints: {wrist: {a: 1}}", "6:17", "found 1 entries"),
    ],
)
def test_mistakes_in_joints_are_told(tmp_path: Path, more: str, place: str, message: str) -> None:
    with pytest.raises(ModelError) as error:
        reading(tmp_path, FOUR_BAR_LOOPS + more + "\n")
    (problem,) = error.value.problems
    assert str(problem.location) == f"{tmp_path / 'loops.yaml'}:{place}"
    assert message in problem.message
