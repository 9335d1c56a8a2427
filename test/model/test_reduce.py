"""From descriptions to kinematic trees."""

import pytest

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.axis import rotation_onto
from robcogen_ros.model.description import (
    Description,
    Inertial,
    JointDescription,
    LinkDescription,
    Mimic,
)
from robcogen_ros.model.reduce import reduce
from robcogen_ros.model.scalars.expression import expression as e
from robcogen_ros.model.spatial import Pose, Symmetric3, Vector


def link(name, mass=1.0):
    unit = Symmetric3(e(1), e(0), e(0), e(1), e(0), e(1))
    center = Vector(e(0), e(0), e("0.5"))
    return LinkDescription(name, Inertial(e(mass), center, unit, about_center=True))


def joint(name, parent, child, kind="revolute", **more):
    pose = Pose(translation=Vector(e(0), e(0), e(1)))
    return JointDescription(name, kind, parent, child, pose, **more)


def chain(*joints):
    names = list(dict.fromkeys([j.parent for j in joints] + [j.child for j in joints]))
    return Description("chain", tuple(link(name) for name in names), joints)


@pytest.mark.parametrize(
    "axis", [(0, 0, 1), (0, 0, -1), (1, 0, 0), (-2, 0, 0), (0, 3, 0), (0, -1, 0), (1, 2, -3)]
)
def test_the_axis_becomes_z(axis):
    rotation = rotation_onto(Vector(*axis))
    size = sum(x * x for x in axis) ** 0.5
    column = [float(row.z) for row in rotation]
    assert column == pytest.approx([x / size for x in axis], abs=1e-16)
    product = rotation @ rotation.transposed()
    for i, row in enumerate(product):
        assert [float(x) for x in row] == pytest.approx(
            [float(i == j) for j in range(3)], abs=1e-30
        )


def test_fixed_links_are_lumped_with_their_frames_kept():
    robot = reduce(chain(joint("j", "base", "arm"), joint("weld", "arm", "tool", "fixed")))
    assert robot.joint_names == ("j",)
    assert robot.link_names == ("base", "arm")
    assert float(robot.links[1].inertia.mass) == 2
    assert [float(x) for x in robot.links[1].inertia.moment] == [0, 0, 0.5 + 1.5]
    assert robot.frame_names == ("base", "arm", "tool")


def test_a_frame_answers_to_its_link_with_and_without_prefix():
    robot = reduce(chain(joint("j", "base", "arm")))
    assert robot.frame_index("fr_arm") == robot.frame_index("arm")
    with pytest.raises(RobcogenError, match="no frame 'amr'; did you mean 'arm'"):
        robot.frame_index("amr")


def test_chains_of_mimics_lead_to_the_first():
    robot = reduce(
        chain(
            joint("a", "base", "l1"),
            joint("b", "l1", "l2", mimic=Mimic("a", e(2), e("0.1"))),
            joint("c", "l2", "l3", mimic=Mimic("b", e(-3), e(1))),
        )
    )
    assert robot.joint_names == ("a",)
    assert float(robot.joints[2].multiplier) == -6
    assert float(robot.joints[2].offset) == pytest.approx(1 - 0.3)


def test_locking_a_joint_fixes_its_followers():
    description = chain(
        joint("a", "base", "l1"), joint("b", "l1", "l2", mimic=Mimic("a")), joint("c", "l2", "l3")
    )
    assert reduce(description, lock={"a": 0.3}).joint_names == ("c",)


def test_a_chain_between_root_and_tip():
    description = chain(
        joint("a", "base", "l1"),
        joint("b", "l1", "l2"),
        joint("c", "l2", "l3"),
        joint("x", "l1", "y"),
    )
    robot = reduce(description, root="l1", tips=["l2"])
    assert robot.link_names == ("l1", "l2")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"lock": {"q": 0.0}}, "no such joint"),
        ({"root": "nowhere"}, "no link 'nowhere'"),
        ({"root": "l2", "tips": ["l1"]}, "'l1' is not below link 'l2'"),
    ],
)
def test_wrong_names_are_refused(arguments, message):
    with pytest.raises(RobcogenError, match=message):
        reduce(chain(joint("a", "base", "l1"), joint("b", "l1", "l2")), **arguments)
