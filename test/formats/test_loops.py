"""Loops are refused with what cutting them would give; cut on purpose, the tree is what is left."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

import robcogen_ros
from robcogen_ros.cli.main import main
from robcogen_ros.errors import ModelError
from robcogen_ros.formats import source
from robcogen_ros.formats.read import read

INERTIAL = (
    '<inertial><origin xyz="0.3 0.1 0"/><mass value="2"/>'
    '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.25"/></inertial>'
)
LINKS = '<link name="base"/>' + "".join(f'<link name="{n}">{INERTIAL}</link>' for n in "abcd")
"""Each in the middle of the last: base - a - b, base - c, and d fixed on c."""


def joint(name: str, parent: str, child: str, kind: str = "revolute", more: str = "") -> str:
    if kind != "fixed":
        more += '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="1 0.2 0"/>{more}</joint>'
    )


TREE = (
    joint("ja", "base", "a")
    + joint("jb", "a", "b")
    + joint("jc", "base", "c")
    + joint("jd", "c", "d", "fixed")
)
UNREAD = {
    "loop": '<loop name="k" type="universal"><predecessor link="b"/><successor link="c"/></loop>',
    "coupling": '<coupling name="k"><predecessor link="b"/><successor link="c"/></coupling>',
    "constraint": '<constraint name="k"><parent link="b"/><child link="c"/></constraint>',
    "loop_joint": '<loop_joint name="k"><link1 link="b"/><link2 link="c"/></loop_joint>',
    "drake:ball_constraint": (
        '<drake:ball_constraint name="k"><drake:ball_constraint_body_A name="b"/>'
        '<drake:ball_constraint_body_B name="c"/></drake:ball_constraint>'
    ),
    "joint": '<gazebo><joint name="k"><parent>b</parent><child> c </child></joint></gazebo>',
    "weld": '<mujoco><equality><weld name="k" body1="b" body2="c"/></equality></mujoco>',
    "connect": '<mujoco><equality><connect name="k" body1="b" body2="c"/></equality></mujoco>',
}


def text(*parts: str) -> str:
    return f'<robot name="robot">\n{LINKS}\n' + "\n".join([TREE, *parts]) + "\n</robot>"


def reading(document: str, **options):
    return read(source.of_text(document, "robot.urdf"), **options)


def findings(document: str) -> list[str]:
    with pytest.raises(ModelError) as caught:
        reading(document)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize("tag", UNREAD)
def test_what_is_not_read_is_an_error_with_its_place_and_the_robot_without_it(tag):
    (found,) = findings(text(UNREAD[tag]))
    assert found.startswith("robot.urdf:4:")
    assert f"error: <{tag}> 'k'" in found
    assert "between links 'b' and 'c' is not read" in found
    assert "without it joints 'ja', 'jb', 'jc' move independently" in found
    assert "cut_loops=True" in found


def mass_matrix(document: str, q: np.ndarray) -> np.ndarray:
    model = pin.buildModelFromXML(document)
    return pin.crba(model, model.createData(), q)


@pytest.mark.parametrize("tag", UNREAD)
def test_cut_on_purpose_the_tree_is_that_of_programs_that_ignore_it(tag):
    document = text(UNREAD[tag])
    with pytest.warns(UserWarning, match="is not read"):
        robot = robcogen_ros.build(text=document, cut_loops=True, backend="numpy")
    q = np.array([0.3, -0.7, 1.1])
    expected = mass_matrix(text(), q)
    assert np.allclose(robot.inertia_matrix(q), np.triu(expected) + np.triu(expected, 1).T)


def test_of_two_parents_the_later_in_the_document_is_cut():
    later = joint("jz", "b", "d")
    (found,) = findings(text(later))
    assert "joint 'jd' moves it and so does joint 'jz'; without the later, 'jz'," in found
    assert "joints 'ja', 'jb', 'jc' move independently" in found
    cut = reading(text(later), cut_loops=True)
    assert cut.robot == reading(text()).robot
    first = text().replace(TREE, later + TREE)
    assert "without the later, 'jd'," in findings(first)[0]
    kept = reading(first, cut_loops=True).description.joints
    assert [each.name for each in kept] == ["ja", "jb", "jz", "jc"]


def test_links_that_do_not_move_against_one_another_close_nothing():
    rigid = '<loop name="k" type="fixed"><predecessor link="c"/><successor link="d"/></loop>'
    world = '<gazebo><joint name="w"><parent>world</parent><child>base</child></joint></gazebo>'
    assert not reading(text(rigid, world)).warnings


def test_where_mimic_stands_for_the_loop_that_is_told():
    follow = "".join(
        joint(name, parent, child, more='<mimic joint="ja"/>')
        for name, parent, child in (("jb", "a", "b"), ("jc", "base", "c"))
    )
    document = text(UNREAD["joint"]).replace(TREE, joint("ja", "base", "a") + follow)
    document = document.replace(f'<link name="d">{INERTIAL}</link>', "")
    (warning,) = reading(document).warnings
    assert "all joints there follow joint 'ja'" in warning.message


def test_ends_that_are_not_links_are_told_too():
    (found,) = findings(text('<loop name="k"><predecessor link="b"/></loop>'))
    assert "<loop> 'k' is not read" in found


def test_names_in_a_xacro_are_expanded():
    document = text('<xacro:property name="of" value="b"/>', UNREAD["joint"])
    (found,) = findings(document.replace("<parent>b<", "<parent>${of}<"))
    assert "between links 'b' and 'c'" in found


@pytest.mark.parametrize("command", ["check", "urdf2kindsl"])
def test_the_commands_have_the_option(command, tmp_path, capfd):
    path = tmp_path / "robot.urdf"
    path.write_text(text(UNREAD["loop"]))
    assert main([command, str(path)]) == 1
    assert main([command, str(path), "--cut-loops"]) == 0
    assert "warning: <loop> 'k'" in capfd.readouterr().err


def test_a_joint_that_leads_back_to_the_root_is_cut():
    back = joint("jz", "b", "base")
    (found,) = findings(text(back))
    assert "base -> a -> b -> base; no joint leads there from elsewhere: without 'jz'," in found
    assert "joints 'ja', 'jb' move independently" in found
    assert reading(text(back), cut_loops=True).robot == reading(text()).robot
    first = reading(text().replace(TREE, back + TREE), cut_loops=True).robot
    assert first.links[0].name == "b"


def test_a_joint_that_is_there_twice_is_told_as_that():
    twice = text(joint("jb", "a", "b", more='<dynamics damping="1"/>'))
    with pytest.raises(ModelError) as told:
        reading(twice)
    (problem,) = told.value.problems
    assert problem.message.startswith("joint 'jb' moves link 'b' twice, first in line ")
    assert "remove one" in problem.message
    read_with_cut = reading(twice, cut_loops=True)
    assert any("the later is left out" in each.message for each in read_with_cut.warnings)
    assert read_with_cut.robot.joint_names == reading(text()).robot.joint_names
