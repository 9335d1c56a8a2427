"""Robots that are described in MJCF are those that MuJoCo reads."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.cli import urdf2mjcf
from robcogen_ros.cli.main import main
from robcogen_ros.errors import ModelError
from robcogen_ros.formats import mjcf_writer
from robcogen_ros.formats.read import Reading, read
from robcogen_ros.formats.source import Source
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robot_of import robot_of

ROOT = Path(__file__).parents[2]

INERTIAL = '<inertial pos="0.1 0.02 -0.03" mass="1.5" diaginertia="0.02 0.03 0.04"/>'
HINGE = '<joint name="{}" axis="{}"/>'


def body(name: str, inside: str, place: str = 'pos="0.1 0.2 0.3"') -> str:
    """A body with inertia that a joint moves."""
    return f'<body name="{name}" {place}>{INERTIAL}{inside}</body>'


def model(world: str, before: str = "", after: str = "") -> str:
    """An MJCF of what stands in its world."""
    return f"<mujoco>{before}<worldbody>{world}</worldbody>{after}</mujoco>"


def chain(place: str) -> str:
    """Two joints, the second body placed as is said."""
    return body("a", '<joint name="j" axis="0 1 1"/>' + body("b", '<joint name="k"/>', place))


def reading(text: str, **options: object) -> Reading:
    """What an MJCF describes."""
    return read(Source("robot.xml", text), **options)


def finger(side: str, way: int) -> str:
    """A four-bar without its closure, to the left or to the right of the palm."""
    joint = f'<joint name="{side}_{{}}" axis="{way} 0 0"/>'
    tip = body(f"{side}_tip", joint.format("rod"), f'pos="0 {0.1 * way} 0.3"')
    crank = body(f"{side}_crank", joint.format("drive") + tip, f'pos="0 {0.1 * way} 0"')
    return crank + body(f"{side}_rocker", joint.format("rocker"), f'pos="0 {0.5 * way} 0"')


def closure(side: str, way: int) -> str:
    anchor = f'anchor="0 {0.25 * way} 0.05"'
    return f'<connect body1="{side}_tip" body2="{side}_rocker" {anchor}/>'


ROBOTS = {
    "quaternion": model(chain('pos="1 2 3" quat="1 2 3 4"')),
    "euler": model(chain('euler="10 20 30"')),
    "extrinsic": model(chain('euler="0.1 0.2 0.3"'), '<compiler angle="radian" eulerseq="ZYx"/>'),
    "axisangle": model(chain('axisangle="1 2 3 40"')),
    "xyaxes": model(chain('xyaxes="1 2 3 -1 0.5 2"')),
    "zaxis": model(chain('zaxis="1 -2 -3"')),
    "upside down": model(chain('zaxis="0 0 -1"')),
    "off the origin": model(
        body(
            "a", '<joint name="j" axis="1 2 0" pos="0.3 0.1 0.2"/>' + body("b", '<joint name="k"/>')
        )
    ),
    "several joints": model(
        body(
            "a",
            '<joint name="x" type="slide" axis="1 0 0"/><joint name="j" pos="0.1 0.3 0"/>'
            '<joint name="k" axis="1 1 0" pos="0 0.2 0.1" ref="20"/>'
            '<joint name="z" type="slide" axis="0 1 1" ref="0.3"/>' + body("b", ""),
        )
    ),
    "fullinertia": model(
        '<body name="a"><joint name="j" axis="1 0 0"/><inertial pos="0.1 0.2 0.3" mass="2" '
        'fullinertia="0.3 0.4 0.5 0.01 0.02 0.03"/></body>'
    ),
    "turned inertia": model(
        '<body name="a"><joint name="j" axis="1 0 0"/><inertial pos="0.1 0.2 0.3" mass="2" '
        'euler="10 20 30" diaginertia="0.3 0.4 0.5"/></body>'
    ),
    "geoms": model(
        '<body name="a"><joint name="j" axis="1 1 1"/>'
        '<geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0" euler="10 20 30"/>'
        '<geom type="ellipsoid" size="0.1 0.2 0.3" density="500"/>'
        '<geom type="sphere" size="0.1" mass="2" pos="0 0.2 0"/>'
        '<geom type="cylinder" size="0.1 0.3" zaxis="1 0 1"/>'
        '<geom type="capsule" size="0.1 0.3" fromto="0 0 0.1 0.3 0.2 0.1"/>'
        '<geom type="box" size="0.1" fromto="0 0 0.1 0.3 0.2 0.1"/>'
        '<geom type="capsule" size="0.1 0.2" group="4"/>'
        "</body>",
        '<compiler inertiagrouprange="0 3"/>',
    ),
    "total mass": model(chain(""), '<compiler settotalmass="10"/>'),
    "classes": model(
        '<body name="a" childclass="limb"><joint name="j"/><geom/><body name="b">'
        '<geom class="foot"/>'
        '<joint name="k" axis="1 0 0"/><frame childclass="foot"><geom pos="0.3 0 0"/></frame>'
        "</body></body>",
        '<default><geom type="sphere" size="0.1"/><default class="limb"><joint axis="0 1 0"/>'
        '<geom density="200"/><default class="foot"><geom size="0.2"/>'
        "</default></default></default>",
    ),
    "frames": model(
        '<frame euler="10 0 30" pos="1 0 0"><frame pos="0 1 0">'
        + body("a", '<joint name="j"/><frame euler="0 20 0"><geom size="0.2"/></frame>')
        + "</frame></frame>"
    ),
    "copies": model(
        '<replicate count="11" offset="0.1 0.2 0.3" euler="10 20 30" sep="_">'
        + body("a", '<joint name="j" axis="1 0 0"/>')
        + "</replicate>"
    ),
    "followers": model(
        chain(""),
        after='<equality><joint joint1="k" joint2="j" polycoef="0.1 -2"/></equality>',
    ).replace('name="j"', 'name="j" ref="30"'),
    "gripper": model(
        finger("left", 1) + finger("right", -1),
        after=f"<equality>{closure('left', 1)}{closure('right', -1)}"
        '<joint joint1="left_drive" joint2="right_drive" polycoef="0 1"/></equality>',
    ),
    "floating": model(
        '<body name="base"><freejoint/>' + INERTIAL + chain('euler="10 20 30"') + "</body>"
        '<body name="table"><geom size="1"/></body>'
    ),
}


@pytest.mark.parametrize("name", ROBOTS)
def test_robots_are_those_of_mujoco(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mujoco = pytest.importorskip("mujoco")
    monkeypatch.chdir(tmp_path)  # MuJoCo writes its warnings into a file
    from test.support.beside_mujoco import Beside

    found = reading(ROBOTS[name])
    Beside(mujoco.MjModel.from_xml_string(ROBOTS[name]), found).agree()


def test_balls_are_three_joints() -> None:
    mujoco = pytest.importorskip("mujoco")
    from test.support.beside_mujoco import Beside

    ball = model(body("a", '<joint name="j" type="ball" pos="0.1 0.2 0"/>' + body("b", "")))
    found = reading(ball)
    assert found.robot.joint_names == ("j_yaw", "j_pitch", "j_roll")
    (note,) = found.warnings
    assert note.severity == "note"
    assert "'j' is a ball: it is three joints" in note.message
    Beside(mujoco.MjModel.from_xml_string(ball), found).agree()


def test_includes_and_attached_models_are_read(tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    from test.support.beside_mujoco import Beside

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


LIMB = body("a", '<joint name="j"/>' + body("b", '<joint name="k"/>'))
"""What stands around a mistake: the world of a chain of two joints."""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<joint name="j" axis="0 0"/>', "axis of <joint>: expected 3 numbers, found 2"),
        ('<joint name="j" axs="0 0 1"/>', "<joint> has no attribute 'axs'; did you mean"),
        ('<joint name="j" axis="0 0 0"/>', "the axis has no direction"),
        ('<joint name="j" type="hing"/>', "expected one of hinge, slide, ball, free"),
        ('<joint name="j" range="1 -1"/>', "expected the lower limit first"),
        ('<joint name="j" limited="true"/>', "limited of <joint>: range is expected with it"),
        ('<joint type="ball"/>' * 2 + "<joint/>", "at most 6 degrees of freedom, found 7"),
        ('<joint name="j"/><geom type="ellipsoid" size="1"/>', "numbers for an ellipsoid"),
        ('<inertial pos="0 0 0" mass="1" fullinertia="1 1 1 2 0 0"/>', "the least of these is -1"),
        ('<joint name="j" class="limb"/>', "there is no class 'limb'"),
        ('<joint name="j" damping="1 2"/>', "expected one number, of what is linear"),
        ('<joint name="j"/><geom mesh="m"/>', "the inertia of a mesh is not read; give"),
        ('<joint name="j"/><geom size="0"/>', "expected 1 positive numbers for a sphere"),
        ('<joint name="j"/>', "body 'a' moves and has no mass: give it an <inertial>"),
        ('<geom size="1" quat="0 0 0 0"/>', "all four numbers are zero"),
        ('<geom size="1" quat="1 0 0 0" euler="1 2 3"/>', "there is quat too"),
        ('<geom size="1"/><body><freejoint/></body>', "a free joint is only possible"),
        ('<include file="no.xml"/>', "there is no file 'no.xml'"),
        ('<attach model="no"/>', "there is no model 'no' in <asset>"),
        ('<inertial pos="0 0 0" mass="1"/><joint/>', "diaginertia of <inertial>: expected"),
        ('<geom size="1"/><joint range="0 90"/><flexcomp/>', "<flexcomp> is not read"),
    ],
)
def test_mistakes_are_told(text: str, message: str) -> None:
    with pytest.raises(ModelError) as error:
        reading(f'<mujoco><worldbody><body name="a">{text}</body></worldbody></mujoco>')
    found = [problem.message for problem in error.value.problems]
    assert any(message in text for text in found) and len({*found}) == len(found)
    assert str(error.value).startswith("robot.xml:1:")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<worldbdy/>", "<mujoco> has no element 'worldbdy'; did you mean 'worldbody'?"),
        ("<body/>", "<mujoco> has no element 'body'; it stands in <worldbody>"),
        ("<worldbody><joint/></worldbody>", "<worldbody> has no element 'joint'"),
        ("<worldbody><body><inertal/></body></worldbody>", "no element 'inertal'; did you mean"),
        (
            "<worldbody/><equality><conect/></equality>",
            "no element 'conect'; did you mean 'connect",
        ),
        ("<worldbody/><actuator><motr/></actuator>", "no element 'motr'; did you mean 'motor'?"),
        ("<default><jiont/></default><worldbody/>", "<default> has no element 'jiont'"),
    ],
)
def test_elements_that_do_not_belong_there_are_told(text: str, message: str) -> None:
    with pytest.raises(ModelError, match=re.escape(message)):
        reading(f"<mujoco>{text}</mujoco>")


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('<compiler angle="grad"/>', "", "angle of <compiler>: expected one of degree, radian"),
        ('<compiler eulerseq="xy"/>', "", "expected three of the letters x, y, z, found 'xy'"),
        ('<compiler boundmass="2"/>', "", "it changes the inertia of body 'a'"),
        ('<default class="limb"/>', "", "the outermost default is class main, not 'limb'"),
        ("", '<equality><joint joint1="j" joint2="m"/></equality>', "there is no joint 'm'"),
        ("", '<equality><connect body1="a" body2="c" anchor="0 0 0"/></equality>', "no link 'c'"),
        ("", '<equality><tendon tendon1="t"/></equality>', "<tendon> is not read"),
        ("", '<actuator><motor joint="m"/></actuator>', "joint of <motor>: there is no joint 'm'"),
        ("", "<deformable><flex/></deformable>", "<flex> is not read"),
        ("", "<body>" * 300 + "</body>" * 300, "elements nest more than 200 deep"),
    ],
)
def test_mistakes_beside_the_world_are_told(before: str, after: str, message: str) -> None:
    with pytest.raises(ModelError, match=re.escape(message)):
        reading(model(LIMB, before, after))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('name="j"', 'name="j" springdamper="1 1"'), "springdamper of joint 'j' is left"),
        (("<joint", '<joint type="ball" range="0 90"'), "range of ball joint 'j' is left out"),
        (("<worldbody>", '<option density="1"/><worldbody>'), "forces of a fluid"),
        (("<worldbody>", '<option gravity="0 0 0"/><worldbody>'), "gravity=(0, 0, 0) gives it"),
        (('name="b"', 'name="b" gravcomp="1"'), "gravcomp of body 'b' is left out"),
        (
            (
                "<worldbody>",
                '<compiler angle="radian"/><worldbody>',
                'name="j"',
                'name="j" range="-9 90"',
            ),
            "range reaches 90 rad, more than two turns",
        ),
        (
            ('name="j"', 'name="j" range="-1.5 1.5"', 'name="k"', 'name="k" range="-1 2"'),
            "are its ranges in radians?",
        ),
        (
            (
                "<worldbody>",
                '<equality><weld body1="m" body2="b"/></equality><worldbody>'
                '<body name="m" mocap="true"/>',
            ),
            "<weld> is left out: body 'm' is where a simulation puts it (mocap)",
        ),
    ],
)
def test_what_is_left_out_is_told(change: tuple[str, ...], message: str) -> None:
    text = model(LIMB)
    for old, new in zip(change[::2], change[1::2], strict=True):
        text = text.replace(old, new, 1)
    told = [problem for problem in reading(text).warnings if problem.severity == "warning"]
    assert [message in problem.message for problem in told] == [True]
    assert told[0].location and told[0].location.line == 1


def test_of_several_trees_one_is_chosen() -> None:
    arm = body("arm", '<joint name="j"/>')
    motor = '<actuator><motor joint="j"/></actuator><equality><joint joint1="j"/></equality>'
    text = model(arm + body("cube", "<freejoint/>") + body("ball", "<freejoint/>"), after=motor)
    with pytest.raises(ModelError, match=r'3 trees, of cube, ball, world.*root="world"'):
        reading(text)
    assert reading(text, root="world").robot.joint_names == ()
    cube = reading(text, root="cube").robot
    assert (cube.floating_base, cube.n, cube.links[0].name) == (True, 0, "cube")
    assert reading(text, root="arm").robot.floating_base is False


def test_motors_give_limits_and_rotors() -> None:
    text = model(
        LIMB,
        after='<actuator><motor name="m" joint="j" gear="-10" ctrlrange="-2 1" armature="0.01"/>'
        '<position joint="k" forcerange="-3 3" kp="100"/></actuator>',
    )
    narrower = text.replace('name="j"', 'name="j" actuatorfrcrange="-15 15"', 1)
    wider = text.replace('name="j"', 'name="j" actuatorfrcrange="-50 50"', 1)
    limits = [reading(each).description.joints[0].limits.effort for each in (narrower, wider)]
    assert limits == [15.0, 20.0]
    found = reading(text)
    first, second = found.description.joints
    assert (first.limits.effort, first.armature, second.limits.effort) == (20.0, 1.0, 3.0)
    assert ["the gear 10" in problem.message for problem in found.warnings] == [True]


def test_actuators_in_another_order_than_joints_are_told() -> None:
    motors = '<motor joint="{}"/><motor joint="{}"/>'
    told = []
    for order in (("j", "k"), ("k", "j")):
        text = model(LIMB, after=f"<actuator>{motors.format(*order)}</actuator>")
        told += [str(problem.message) for problem in reading(text).warnings]
    expected = "actuators move, in their order, k, j; motors are listed in the order of joints"
    assert told == [expected]


def test_a_file_that_includes_itself_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "robot.xml"
    file.write_text('<mujoco>\n <include file="robot.xml"/></mujoco>')
    with pytest.raises(ModelError, match=r"robot.xml:2:17: error: 'robot.xml' is included a sec"):
        read(file)
    other = tmp_path / "other.xml"
    other.write_text(
        '<mujocoinclude>\n<worldbody><body name="a"><joint axis="1"/></body>'
        "</worldbody></mujocoinclude>"
    )
    file.write_text('<mujoco>\n <include file="other.xml"/></mujoco>')
    with pytest.raises(ModelError, match=r"other.xml:2:40: error: axis of <joint>: expected 3"):
        read(file)


def test_mistakes_in_classes_are_told_where_they_are() -> None:
    text = model(LIMB, '<default>\n<joint axis="1 0"/></default>')
    with pytest.raises(ModelError, match=r"robot.xml:2:14: error: axis of <joint>: expected 3"):
        reading(text)


@pytest.mark.parametrize("name", [name for name in ROBOTS if name not in ("copies", "gripper")])
def test_written_as_mjcf_a_robot_is_the_same(name: str) -> None:
    first = reading(ROBOTS[name])
    text, _, _ = mjcf_writer.write(first.robot, first.description)
    second = reading(text)
    assert first.robot.joint_names == second.robot.joint_names
    assert first.robot.floating_base == second.robot.floating_base
    robots = [robot_of(NumpyEvaluator(Library(r.robot))) for r in (first, second)]
    q = np.random.default_rng(0).normal(size=(3, first.robot.n))
    one, other = (robot.inertia_matrix(q) for robot in robots)
    np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
    poses = [dict(zip(r.frame_names, r.frame_poses(q[0]), strict=True)) for r in robots]
    assert {*poses[0]} - {*first.robot.joint_names} <= {*poses[1]} | {"k_link", "j_link", "x_link"}
    for frame in poses[0].keys() & poses[1].keys():
        np.testing.assert_allclose(poses[0][frame], poses[1][frame], atol=1e-12)


def test_written_as_urdf_a_robot_is_the_same(tmp_path: Path, capsys) -> None:
    """Of a tree that is chosen; what a URDF cannot have is refused."""
    file, urdf = tmp_path / "robot.xml", tmp_path / "robot.urdf"
    text = """<mujoco><compiler angle="radian"/><worldbody>
      <body name="stand"><joint name="turn" axis="0 1 0" damping="2" stiffness="3"
          springref="0.1" armature="0.5"/><geom type="box" size="1 2 3" pos="0 1 0"/>
        <body name="arm" pos="0 0 1"><joint name="slide" type="slide" axis="1 1 0" ref="0.4"/>
          <geom size="0.4" pos="1 0 0"/></body></body>
      <body name="thing"><freejoint/><geom size="1"/></body></worldbody></mujoco>"""
    file.write_text(text)
    given = ["mjcf2urdf", str(file), "-o", str(urdf), "--root"]
    assert main([*given, "arm"]) == 1
    assert "--root arm: a part of a robot cannot be written" in capsys.readouterr().err
    assert main([*given, "world"]) == 0
    terms = ["armature", "damping", "springs"]
    one, other = (
        robot_of(NumpyEvaluator(Library(read(path, terms=terms, **more).robot)))
        for path, more in ((file, {"root": "world"}), (urdf, {}))
    )
    assert one.joint_names == other.joint_names == ("turn", "slide")
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, 2))
    forces = (each.inverse_dynamics(q, qd, qdd) for each in (one, other))
    np.testing.assert_allclose(*forces, rtol=1e-12)


@pytest.mark.parametrize("name", ["leg", "ankle"])
def test_loops_are_written_and_read(name: str, tmp_path: Path) -> None:
    folder, file = ROOT / "examples" / "linkages", tmp_path / "robot.xml"
    loops = str(folder / f"{name}.yaml")
    given = [str(folder / f"{name}.urdf"), "--loops", loops, "-o", str(file)]
    assert urdf2mjcf.main(given) == 0
    first, second = read(folder / f"{name}.urdf", loops=loops).robot, read(file).robot
    assert first.joint_names == second.joint_names
    q = np.random.default_rng(0).uniform(-0.1, 0.1, (3, first.n))
    one, other = (robot_of(NumpyEvaluator(Library(r))).inertia_matrix(q) for r in (first, second))
    np.testing.assert_allclose(one, other, rtol=1e-10)
    if importlib.util.find_spec("mujoco"):
        import mujoco

        from test.support.beside_mujoco import Beside

        Beside(mujoco.MjModel.from_xml_path(str(file)), read(file)).agree()


def test_a_tree_with_joints_is_proposed_and_a_part_of_a_file_is_told() -> None:
    ball, arm = body("ball", "<freejoint/>"), body("arm", "<freejoint/>" + LIMB)
    with pytest.raises(ModelError, match='choose one by its root, root="arm"'):
        reading(model(ball + arm))
    with pytest.raises(ModelError, match="<mujocoinclude> is a part of an MJCF: read the file"):
        reading("<mujocoinclude/>")


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


def test_coordinates_and_motors_are_listed(tmp_path: Path, capsys) -> None:
    file = tmp_path / "robot.xml"
    text = LIMB.replace('name="j"', 'name="j" range="-90 90" armature="0.1" stiffness="3"')
    file.write_text(
        model(text, "", '<actuator><motor joint="j" gear="20" ctrlrange="-2 2"/></actuator>')
    )
    assert main(["inspect", str(file), "--joints"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[1:4] == [
        ["#", "joint", "unit", "lower", "upper", "effort", "armature", "stiffness"],
        ["0", "j", "rad", "-1.5708", "1.5708", "40", "0.1", "3"],
        ["1", "k", "rad", "-", "-", "-", "0", "0"],
    ]
    assert ["j", "20", "2", "inf", "j"] in lines
