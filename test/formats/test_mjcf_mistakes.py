"""What is wrong, or left out, of an MJCF is told with its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from robcogen_ros.errors import ModelError
from robcogen_ros.formats.read import read
from test.formats.mjcf_texts import LIMB, body, model, reading


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


def test_a_tree_with_joints_is_proposed_and_a_part_of_a_file_is_told() -> None:
    ball, arm = body("ball", "<freejoint/>"), body("arm", "<freejoint/>" + LIMB)
    with pytest.raises(ModelError, match='choose one by its root, root="arm"'):
        reading(model(ball + arm))
    with pytest.raises(ModelError, match="<mujocoinclude> is a part of an MJCF: read the file"):
        reading("<mujocoinclude/>")


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
