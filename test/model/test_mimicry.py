"""Joints that follow others, in the end or not at all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.formats.read import read
from test.support.random_robots import Joint, Link, Tree, locked

TENSOR = (0.01, 0.0, 0.0, 0.02, 0.0, 0.03)


def tree(*joints):
    """A chain of links on joints `a`, `b`, ..., each given by kind and mimic."""
    names = "abcdef"[: len(joints)]
    links = [Link(f"link_{name}", 1.0, (0.1, 0.2, 0.3), tensor=TENSOR) for name in ("0", *names)]
    built = [
        Joint(
            name,
            kind,
            links[i].name,
            f"link_{name}",
            (0.3, 0.1, 0.2),
            (0.4, -0.2, 0.1),
            (0.6, 0.0, 0.8) if i % 2 else (0.0, -1.0, 0.0),
            mimic,
        )
        for i, (name, (kind, mimic)) in enumerate(zip(names, joints, strict=True))
    ]
    return Tree(tuple(links), tuple(built))


HINGE = "revolute"
FREE = (HINGE, None)
CASES = {
    "multiplier 0": (tree(FREE, (HINGE, ("a", 0.0, 0.7)), FREE), {}, {"b": 0.7}),
    "multiplier 0, sliding": (tree(FREE, ("prismatic", ("a", 0.0, -0.2))), {}, {"b": -0.2}),
    "of one with multiplier 0": (
        tree(FREE, (HINGE, ("a", 0.0, 0.7)), (HINGE, ("b", 2.0, 0.1))),
        {},
        {"b": 0.7, "c": 1.5},
    ),
    "of a fixed one": (tree(("fixed", None), FREE, (HINGE, ("a", 3.0, 0.4))), {}, {"c": 0.4}),
    "of a fixed one that would follow": (
        tree(FREE, ("fixed", ("a", 1.0, 0.5)), (HINGE, ("b", 3.0, 0.4))),
        {},
        {"c": 0.4},
    ),
    "of a locked one": (
        tree(FREE, (HINGE, ("a", -2.0, 0.1)), FREE),
        {"a": 0.3},
        {"a": 0.3, "b": -0.5},
    ),
    "of a locked one, through another": (
        tree(FREE, (HINGE, ("a", -2.0, 0.1)), (HINGE, ("b", 0.5, 1.0)), FREE),
        {"a": 0.3},
        {"a": 0.3, "b": -0.5, "c": 0.75},
    ),
    "of a follower that is locked": (
        tree(FREE, (HINGE, ("a", -2.0, 0.1)), (HINGE, ("b", 0.5, 1.0))),
        {"b": 0.4},
        {"b": 0.4, "c": 1.2},
    ),
    "forwards": (
        tree((HINGE, ("c", 2.0, 0.0)), FREE, (HINGE, ("b", 0.0, 0.3))),
        {},
        {"a": 0.6, "c": 0.3},
    ),
}


def with_fixed(of: Tree, positions: dict[str, float]) -> Tree:
    """The robot with joints fixed where they are, whatever they follow."""
    free = replace(
        of, joints=tuple(replace(j, mimic=None) if j.name in positions else j for j in of.joints)
    )
    for name, value in positions.items():
        if next(j for j in free.joints if j.name == name).kind != "fixed":
            free = locked(free, name, value)
    return free


@pytest.mark.slow
@pytest.mark.parametrize(("of", "lock", "positions"), CASES.values(), ids=CASES)
def test_joints_that_cannot_move_are_fixed_where_they_are(of, lock, positions):
    found, expected = of.build(lock=lock), with_fixed(of, positions).build()
    assert found.joint_names == expected.joint_names
    assert found.attachments == expected.attachments
    assert found.mimic == expected.mimic
    q = np.random.default_rng(1).normal(size=(4, found.n))
    np.testing.assert_allclose(found.frame_poses(q), expected.frame_poses(q), atol=1e-14)
    np.testing.assert_allclose(found.inertia_matrix(q), expected.inertia_matrix(q), atol=1e-12)
    for link, (parent, pose) in expected.fixed_frames.items():
        assert found.fixed_frames[link][0] == parent
        np.testing.assert_allclose(found.fixed_frames[link][1], pose, atol=1e-14)


TOLD = {
    "multiplier 0": ["joint 'b' mimics joint 'a' with multiplier 0: it stays at 0.7 rad"],
    "multiplier 0, sliding": ["joint 'b' mimics joint 'a' with multiplier 0: it stays at -0.2 m"],
    "of one with multiplier 0": [
        "joint 'b' mimics joint 'a' with multiplier 0: it stays at 0.7 rad",
        "joint 'c' mimics joint 'b', which does not move: it stays at 1.5 rad",
    ],
    "of a fixed one": ["joint 'c' mimics joint 'a', which does not move: it stays at 0.4 rad"],
    "of a fixed one that would follow": [
        "joint 'c' mimics joint 'b', which does not move: it stays at 0.4 rad",
    ],
    "of a locked one": [],
}


@pytest.mark.parametrize(("case", "told"), TOLD.items())
def test_what_the_file_keeps_in_place_is_told(tmp_path, case, told):
    path = tmp_path / "robot.urdf"
    path.write_text(CASES[case][0].urdf())
    assert [problem.message for problem in read(path).warnings] == told


def test_a_chain_of_followers_may_end_outside_what_stays(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(
        tree(FREE, (HINGE, ("a", 2.0, 0.1)), (HINGE, ("b", 0.5, 0.0)), FREE)
        .urdf()
        .replace('<parent link="link_b"/>', '<parent link="link_a"/>')
    )
    robot = robcogen_ros.build(path, tips=["link_d"], backend="numpy")
    assert robot.mimic == {"c": ("a", 1.0, pytest.approx(0.05))}
