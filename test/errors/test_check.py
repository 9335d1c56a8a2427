"""What is an error in a description, what a warning, and what is neither."""

from __future__ import annotations

from dataclasses import replace

import pytest

from robcogen_ros.model.checks.tree import check
from robcogen_ros.model.description import (
    Description,
    FrameDescription,
    Inertial,
    JointDescription,
    Limits,
    LinkDescription,
    Mimic,
)
from robcogen_ros.model.scalars.expression import Expression, Parameter, expression
from robcogen_ros.model.spatial import Symmetric3, Vector

FREE = JointDescription("j", "revolute", "a", "b")


def robot(*joints: JointDescription, **changes) -> Description:
    links = tuple(LinkDescription(name) for name in "abcd"[: len(joints) + 1])
    return replace(Description("robot", links, joints), **changes)


def inertial(mass, xx, yy, zz, center=(0, 0, 0), about_center=True) -> Inertial:
    tensor = Symmetric3(xx, 0, 0, yy, 0, zz).map(expression)
    return Inertial(expression(mass), Vector(*center).map(expression), tensor, about_center)


def severities(description: Description) -> list[str]:
    return [problem.severity for problem in check(description)]


def of_body(*moments, **options) -> list[str]:
    return severities(Description("r", (LinkDescription("a", inertial(*moments, **options)),), ()))


def test_a_sound_robot_has_no_findings():
    assert check(robot(FREE)) == []


@pytest.mark.parametrize(
    ("moments", "expected"),
    [
        ((1, 0.2, 0.3, 0.5), []),
        ((1, 0.2, 0.3, 0.5000001), []),
        ((1, 0.001, 0.001, 0.01), ["warning"]),
        ((1, 0.1, 0.1, 0.9), ["warning"]),
        ((1, -0.001, 0.1, 0.1), ["warning"]),
        ((-1, 0.1, 0.1, 0.1), ["error"]),
        ((0, 0.1, 0.1, 0.1), ["warning"]),
        ((0, 0, 0, 0), []),
        ((1, -1e-20, 1e-20, 1e-20), []),
    ],
)
def test_inertia(moments, expected):
    assert of_body(*moments) == expected


def test_moments_about_the_frame_are_moved_to_the_center_of_mass():
    assert of_body(1, 1.1, 1.1, 0.1, center=(0, 0, 1), about_center=False) == []
    assert of_body(1, 0.9, 0.9, 0.1, center=(0, 0, 1), about_center=False) == ["warning"]


def test_parameters_without_a_default_are_taken_on_trust_and_nothing_else():
    open_value = Expression(parameter=Parameter("m", "inertia"))

    def found(body: Inertial) -> list[str]:
        return severities(Description("r", (LinkDescription("a", body),), ()))

    sound = inertial(1, 1, 1, 1)
    assert found(replace(sound, mass=open_value)) == []
    assert found(replace(sound, tensor=Symmetric3(open_value, 0, 0, 1, 0, 10))) == []
    assert found(replace(inertial(1, 1, 1, 10), mass=open_value)) == ["warning"]
    assert found(replace(inertial(-1, 1, 1, 1), center=Vector(open_value, 0, 0))) == ["error"]


def test_a_chain_of_mimics_is_fine():
    second = JointDescription("k", "revolute", "b", "c", mimic=Mimic("j"))
    third = JointDescription("l", "revolute", "c", "d", mimic=Mimic("k"))
    assert check(robot(FREE, second, third)) == []


def test_a_fixed_joint_needs_no_axis():
    assert check(robot(replace(FREE, kind="fixed", axis=Vector(0, 0, 0)))) == []


def test_limits_the_wrong_way_round_are_a_warning():
    assert severities(robot(replace(FREE, limits=Limits(1, -1)))) == ["warning"]


def test_frames_need_their_link_and_a_name_of_their_own():
    frames = (FrameDescription("tool", "b"), FrameDescription("tool", "b"))
    assert severities(robot(FREE, frames=frames)) == ["error"]
    assert severities(robot(FREE, frames=(FrameDescription("a", "b"),))) == ["error"]
    (problem,) = check(robot(FREE, frames=(FrameDescription("tool", "bb"),)))
    assert (
        problem.message == "frame 'tool' is on link 'bb', which does not exist; did you mean 'b'?"
    )
