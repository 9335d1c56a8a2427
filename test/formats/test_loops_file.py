"""Files that close loops: what is read, and what is said where one is wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.cli.urdf2kindsl import main as urdf2kindsl
from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.formats.load import load
from robcogen_ros.formats.read import Reading, read
from robcogen_ros.model.description import LoopDescription
from test.support.linkages import (
    ANKLE,
    ANKLE_LOOPS,
    FOUR_BAR,
    FOUR_BAR_LOOPS,
    PARALLELOGRAM,
    PARALLELOGRAM_LOOPS,
    Linkage,
    joint,
    links,
)


def reading(folder: Path, loops: str, urdf: str = FOUR_BAR, **options: object) -> Reading:
    model, file = folder / "robot.urdf", folder / "loops.yaml"
    model.write_text(urdf)
    file.write_text(loops)
    return read(model, loops=file, **options)


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


def test_small_gap_is_closed_and_told(tmp_path: Path) -> None:
    urdf = PARALLELOGRAM.format(elbow="", second="")
    found = reading(tmp_path, PARALLELOGRAM_LOOPS.replace("0.5", "0.5001"), urdf)
    (warning,) = (w for w in found.warnings if "apart" in w.message)
    assert "0.0001 (m or rad) apart; they are closed" in warning.message
    with pytest.raises(ModelError, match="check the frames"):
        reading(tmp_path, PARALLELOGRAM_LOOPS.replace("0.5", "0.502"), urdf)


def test_dead_centre_takes_a_position(tmp_path: Path) -> None:
    urdf = PARALLELOGRAM.format(elbow="", second="").replace('xyz="0 0 0.2"', 'xyz="0.1 0 0.3"')
    text = PARALLELOGRAM_LOOPS.replace("[0, 0, -0.1]", "[0.1, 0, 0]")
    with pytest.raises(ModelError, match="at a dead centre where they are written"):
        reading(tmp_path, text, urdf)
    text += "position: {shoulder: 0.4, elbow: -0.4, second: 0.4}\n"
    assert reading(tmp_path, text, urdf).description.closures == ()


def test_limits_of_dependent_joints_become_the_drivers(tmp_path: Path) -> None:
    limits = '<limit lower="-0.2" upper="0.7" effort="9" velocity="9"/>'
    urdf = PARALLELOGRAM.format(elbow=limits, second="").replace(
        '"elbow" type="continuous"', '"elbow" type="revolute"'
    )
    (coordinate,) = reading(tmp_path, PARALLELOGRAM_LOOPS, urdf).robot.coordinates
    assert (coordinate.limits.lower, coordinate.limits.upper) == (-0.7, 0.2)
    assert not coordinate.continuous


def test_driver_ends_where_the_loop_binds(tmp_path: Path) -> None:
    robot = reading(tmp_path, FOUR_BAR_LOOPS + "independent: [swing]\n").robot
    limits = robot.coordinates[robot.joint_names.index("swing")].limits
    # the rocker turns back where crank and coupler lie in one line: 1.1 and 0.5 apart, by the
    # law of cosines; the coupler is longer than 0.8, the crank than 0.3
    assert limits.lower is not None
    assert limits.upper is not None
    assert 0.5 < limits.upper - limits.lower < 1.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"parameters": ["pin.origin.x"]}, "cannot be combined with loops yet: pin.origin.x"),
    ],
)
def test_what_cannot_be_combined_yet_is_refused(
    tmp_path: Path, options: dict[str, object], message: str
) -> None:
    with pytest.raises(RobcogenError, match=message):
        reading(tmp_path, FOUR_BAR_LOOPS, **options)


def test_joint_that_loops_hold_is_fixed(tmp_path: Path) -> None:
    urdf = PARALLELOGRAM.format(elbow="", second="").replace(
        "</robot>",
        links("held") + joint("across", "front", "held", 'xyz="0 0 -0.1"', "1 0 0") + "</robot>",
    )
    text = PARALLELOGRAM_LOOPS.replace("{link: front, xyz: [0, 0, -0.1]}", "held")
    found = reading(tmp_path, text, urdf)
    assert found.robot.joint_names == ("shoulder",)
    assert [each.name for each in found.robot.joints] == ["shoulder", "elbow", "second"]


def test_palletiser_of_two_motors_has_constant_rates(tmp_path: Path) -> None:
    urdf = PARALLELOGRAM.format(elbow="", second="").replace(
        "</robot>",
        links("crank", "pusher")
        + joint("drive", "base", "crank", 'xyz="0 0 0.3"')
        + joint("push", "crank", "pusher", 'xyz="-0.1 0 0"')
        + "</robot>",
    )
    text = """\
loops:
  rod: {frames: [{link: pusher, xyz: [0.5, 0, 0]}, {link: front, xyz: [-0.1, 0, 0]}], fixed: axis_y}
  arm: {frames: [{link: lower, xyz: [0.5, 0, 0]}, {link: upper, xyz: [0.5, 0, -0.1]}], fixed: point}
independent: [shoulder, drive]
position: {shoulder: 0.3, drive: 0.5, push: -0.2, elbow: 0.2, second: 0.3}
"""
    with pytest.raises(ModelError):  # the lower arm is no parallelogram of the upper
        reading(tmp_path, text, urdf)
    text = text.replace("  arm", "#  arm")
    robot = reading(tmp_path, text, urdf).robot
    rates = {
        each.name: [(robot.joint_names[k], float(x)) for k, x in each.rates]
        for each in robot.joints
    }
    assert rates["elbow"] == [("shoulder", -1), ("drive", 1)]
    assert rates["push"] == [("shoulder", 1), ("drive", -1)]
    assert robot.closures == ()


def test_a_position_far_from_where_the_loops_are_closed_is_told(tmp_path: Path) -> None:
    assert not reading(tmp_path, FOUR_BAR_LOOPS).warnings
    (told,) = reading(tmp_path, FOUR_BAR_LOOPS.replace("swing: 1.2", "swing: 2.6")).warnings
    assert "the loops are closed with joint 'swing' at 1." in told.message
    assert told.location is not None and told.location.line == 5


EQUALITIES = """\
<mujoco>
  <worldbody><body name="right_rod"><site name="end" pos="0 0 -0.25"/></body>
    <body name="tool"><site name="heel" pos="-0.06 -0.05 0"/></body></worldbody>
  <equality>
    <connect name="left" body1="left_rod" body2="tool" anchor="0 0 -0.25"/>
    <connect site1="end" site2="heel"/>
  </equality>
  <actuator><motor joint="left_motor"/><motor joint="right_motor"/></actuator>
</mujoco>
"""


def with_equalities(folder: Path, equalities: str, urdf: str = ANKLE) -> Reading:
    model, file = folder / "robot.urdf", folder / "robot.xml"
    model.write_text(urdf)
    file.write_text(equalities)
    return read(model, loops=file)


def test_equalities_of_mjcf_are_loops(tmp_path: Path) -> None:
    found = with_equalities(tmp_path, EQUALITIES)
    assert found.robot.joint_names == ("left_motor", "right_motor")
    assert found.description.linked == ("left", "loop2")
    expected = reading(tmp_path, ANKLE_LOOPS, ANKLE).robot
    assert found.robot.joints == expected.joints
    for name in ("closing_left_1", "closing_left_2"):
        places = [r.frames[r.frame_index(name)].pose.translation for r in (found.robot, expected)]
        np.testing.assert_allclose(*([float(x) for x in place] for place in places), atol=1e-15)


def test_robots_with_equalities_are_those_of_mujoco(tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    linkage = Linkage.of(tmp_path, ANKLE, EQUALITIES)
    spec = mujoco.MjSpec.from_string(ANKLE)
    sites = (("right_rod", "end", [0, 0, -0.25]), ("tool", "heel", [-0.06, -0.05, 0]))
    for body, name, place in sites:
        spec.body(body).add_site(name=name, pos=place)
    kinds = mujoco.mjtObj.mjOBJ_BODY, mujoco.mjtObj.mjOBJ_SITE
    for kind, first, second in zip(kinds, ("left_rod", "end"), ("tool", "heel"), strict=True):
        closing = spec.add_equality(type=mujoco.mjtEq.mjEQ_CONNECT, name1=first, name2=second)
        closing.objtype = kind
        closing.data[:3] = [0, 0, -0.25] if first == "left_rod" else [0, 0, 0]
    model = spec.compile()
    data = mujoco.MjData(model)
    own = [model.joint(name).qposadr[0] for name in linkage.tree.joint_names]
    for t in linkage.positions(5):
        data.qpos[own] = t
        mujoco.mj_forward(model, data)
        K = data.efc_J.reshape(-1, model.nv)[:6, own]
        H = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, H)
        G = np.zeros((len(t), 2))
        G[linkage.free] = np.eye(2)
        G[linkage.dependent] = -np.linalg.solve(K[:, linkage.dependent], K[:, linkage.free])
        expected = G.T @ H[np.ix_(own, own)] @ G
        found = linkage.of_robot("inertia_matrix", q=t[linkage.free])
        np.testing.assert_allclose(found, expected, rtol=1e-10)


@pytest.mark.parametrize(
    ("change", "place", "message"),
    [
        (('body1="left_rod"', 'body1="left_rd"'), "5:33", "no link 'left_rd'; did you mean"),
        ((' anchor="0 0 -0.25"', ""), "5:5", "anchor expected, found none"),
        (('anchor="0 0 -0.25"', 'anchor="0 0"'), "5:64", "expected 3 numbers, found '0 0'"),
        (('site1="end"', 'site1="ends"'), "6:21", "no site 'ends'; did you mean 'end'?"),
        (("<connect site1", "<tendon site1"), "6:5", "<tendon> is not read"),
        (('body2="tool"', 'body2="left_rod"'), "5:5", "both ends of loop 'left' are on link"),
        (("<mujoco>", "<robot>"), "1:1", "expected <mujoco> or a YAML file, found <robot>"),
        (("<equality>", "<inequality>"), "1:1", "expected an <equality>, found none"),
        (
            ('<connect site1="end" site2="heel"/>', '<joint joint1="roll" joint2="pitsch"/>'),
            "6:34",
            "there is no joint 'pitsch'; did you mean 'pitch'?",
        ),
        (
            (
                '<connect site1="end" site2="heel"/>',
                '<joint joint1="roll" joint2="pitch" polycoef="0 1 2"/>',
            ),
            "6:51",
            "expected a linear function",
        ),
    ],
)
def test_mistakes_in_equalities_are_told(
    tmp_path: Path, change: tuple[str, str], place: str, message: str
) -> None:
    text = EQUALITIES
    for old, new in (change, tuple(c.replace("<", "</", 1) for c in change)):
        text = text.replace(old, new)
    with pytest.raises(ModelError) as error:
        with_equalities(tmp_path, text)
    (problem,) = error.value.problems
    assert str(problem.location) == f"{tmp_path / 'robot.xml'}:{place}"
    assert message in problem.message


def test_joint_equalities_are_mimics(tmp_path: Path) -> None:
    joint = '<joint joint1="pin" joint2="drive" polycoef="0.1 -2"/>'
    text = f"<mujoco><equality>{joint}</equality></mujoco>"
    found = with_equalities(tmp_path, text, FOUR_BAR)
    assert "pin" not in found.robot.joint_names
    pin = next(each for each in found.robot.joints if each.name == "pin")
    assert (float(pin.multiplier), float(pin.offset)) == (-2, 0.1)


def as_kindsl(folder: Path, urdf: str, loops: str, *more: str) -> Path:
    model, file, written = (folder / f"robot.{x}" for x in ("urdf", "yaml", "kindsl"))
    model.write_text(urdf)
    file.write_text(loops)
    assert urdf2kindsl([str(model), "--loops", str(file), "-o", str(written), *more]) == 0
    return written


@pytest.mark.parametrize("more", [(), ("--keep-fixed",)])
def test_kinematics_dsl_has_loops(tmp_path: Path, more: tuple[str, ...]) -> None:
    loops = FOUR_BAR_LOOPS + "independent: [swing]\n"
    written = as_kindsl(tmp_path, FOUR_BAR, loops, *more)
    text = written.read_text()
    assert "predecessor = closing_rod_1\n" in text
    assert "independent { swing }" in text
    again = load(written).loops
    assert again is not None
    (loop,) = again.loops
    assert (loop.name, loop.fixed, loop.location.line) == (
        "rod",
        "axis_y",
        1 + text[: text.index("loop rod")].count("\n"),
    )
    assert [(name, value) for name, value, _ in again.positions] == [
        ("drive", -1),
        ("pin", 0.9),
        ("swing", 1.2),
    ]
    found, expected = read(written).robot, reading(tmp_path, loops).robot
    assert found.joint_names == expected.joint_names == ("wrist", "swing")
    y, yd, ydd = np.array([0.3, 1.1]), np.array([0.7, -0.4]), np.array([1.5, 0.6])
    torques = [
        Linkage(robot, robot, []).of_robot("inverse_dynamics", q=y, qd=yd, qdd=ydd)
        for robot in (found, expected)
    ]
    np.testing.assert_allclose(*torques, rtol=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("= closing_rod_1", "= closing_rod_3"), "there is no frame 'closing_rod_3'; did you mean"),
        (("fixed = axis_y", "fixed = hinge"), "expected one of point, axis_x"),
        (("fixed = axis_y", ""), "expected 'fixed', found '}'"),
        (("drive = -1", "drvie = -1"), "joint 'drvie' is not defined; did you mean 'drive'?"),
        (("pin = 0.9", "drive = 0.9"), "joint 'drive' is there twice"),
        (("independent { swing }", "independent { wrist }"), "'wrist' is in no loop"),
        (("independent { swing }", "independent { }"), "expected a name, found '}'"),
        (
            (
                "    loop rod",
                "    loop rod { predecessor = fr_crank successor = fr_tool fixed = all }\nloop rod",
            ),
            "there is a second loop named 'rod'",
        ),
    ],
)
def test_mistakes_in_loops_of_kinematics_dsl_are_told(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    written = as_kindsl(tmp_path, FOUR_BAR, FOUR_BAR_LOOPS + "independent: [swing]\n")
    text = written.read_text()
    assert change[0] in text
    written.write_text(text.replace(*change))
    with pytest.raises(ModelError) as error:
        read(written)
    (problem, *_) = error.value.problems
    assert message in problem.message
    changed = written.read_text().splitlines()
    assert problem.location is not None
    assert any(word in changed[problem.location.line - 1] for word in (*change[1].split(), "}"))


def urdf_plus(more: str) -> str:
    return FOUR_BAR.replace('"drive" type', '"drive" independent="true" type').replace(
        "</robot>", more + "</robot>"
    )


PLUS_LOOP = """
<loop name="rod" type="revolute"><predecessor link="coupler"><origin xyz="0.8 0 0"/></predecessor>
<successor link="rocker"><origin xyz="0.6 0 0"/></successor><axis xyz="0 1 0"/></loop>
"""


def test_loops_of_urdf_plus_are_read(tmp_path: Path) -> None:
    model = tmp_path / "plus.urdf"
    model.write_text(urdf_plus(PLUS_LOOP))
    found = read(model)
    place = next(w.location for w in found.warnings if "closed at the nearest" in w.message)
    assert place is not None and place.line == 2
    assert found.robot.joint_names == ("drive", "wrist")
    (closure,) = found.robot.closures
    (loop,) = closure.loops
    assert loop.fixed == (0, 1, 3, 4, 5)
    ends = [found.robot.frames[k].pose for k in loop.frames]
    expected = reading(tmp_path, FOUR_BAR_LOOPS).robot
    theirs = [expected.frames[expected.frame_index(f"closing_rod_{k}")].pose for k in (1, 2)]
    for mine, other in zip(ends, theirs, strict=True):
        assert [float(x) for x in mine.translation] == [float(x) for x in other.translation]
        y = other.rotation.transposed().y  # what is y there is z here
        assert [float(x) for x in mine.rotation.transposed().z] == [float(x) for x in y]


def test_couplings_of_urdf_plus_are_mimics(tmp_path: Path) -> None:
    more = '<coupling name="c"><predecessor link="crank"/><successor link="rocker"/>'
    model = tmp_path / "plus.urdf"
    model.write_text(urdf_plus(more + '<ratio value="-6.5"/></coupling>'))
    found = read(model).robot
    swing = next(each for each in found.joints if each.name == "swing")
    assert found.joint_names == ("drive", "pin", "wrist")
    assert (found.joint_names[swing.coordinate], float(swing.multiplier)) == ("drive", -6.5)
    with pytest.raises(
        ModelError, match="<coupling> 'c' between links 'coupler' and 'rocker' is not"
    ):
        model.write_text(model.read_text().replace('r link="crank"', 'r link="coupler"'))
        read(model)


def test_a_file_says_where_loops_of_the_description_are_closed(tmp_path: Path) -> None:
    position = FOUR_BAR_LOOPS[FOUR_BAR_LOOPS.index("position") :]
    found = reading(tmp_path, position, urdf_plus(PLUS_LOOP))
    assert not any("nearest" in warning.message for warning in found.warnings)
    assert found.robot.joint_names == ("drive", "wrist")
    with pytest.raises(ModelError, match="expected at least one loop, found none"):
        reading(tmp_path, position)


def test_frames_named_as_those_of_a_loop_are_told_with_a_file(tmp_path: Path) -> None:
    ends = '<link name="closing_rod_1"/>\n<link name="closing_rod_2"/>'
    for k, parent, x in ((1, "coupler", 0.8), (2, "rocker", 0.6)):
        ends += f'<joint name="e{k}" type="fixed"><parent link="{parent}"/>'
        ends += f'<child link="closing_rod_{k}"/><origin xyz="{x} 0 0"/></joint>'
    urdf, model = FOUR_BAR.replace("</robot>", "\n" + ends + "</robot>"), tmp_path / "robot.urdf"
    model.write_text(urdf)
    (told,) = read(model).warnings
    assert told.location is not None and told.location.line == 2
    text = told.message[told.message.index("loops: {") :].split(" does, ")[0]
    position = FOUR_BAR_LOOPS[FOUR_BAR_LOOPS.index("position") :]
    found = reading(tmp_path, f"{text}\n{position}", urdf)
    assert found.robot.joint_names == ("drive", "wrist")
    assert not read(model, cut_loops=True).warnings
