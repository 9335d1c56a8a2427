"""The inertia matrix in loops over a table: the same matrix, and only where it is worth it."""

from random import Random

import numpy as np
import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from test.support.examples import example
from test.support.random_robots import Joint, Link, Tree


def tree(parents, slides=()):
    """A robot of joints in general places: joint i moves link i + 1, on the link of that number."""
    random = Random(len(parents))

    def three(scale):
        return tuple(round(random.uniform(-scale, scale), 3) for _ in range(3))

    links = [
        Link(f"link{i}", 1.0 + i / 10, three(0.1), three(1), (0.01, 0.001, 0.002, 0.02, 0.0, 0.03))
        for i in range(len(parents) + 1)
    ]
    joints = [
        Joint(
            f"joint{i}",
            "prismatic" if i in slides else "revolute",
            f"link{parent}",
            f"link{i + 1}",
            three(0.3),
            three(3),
            three(1),
        )
        for i, parent in enumerate(parents)
    ]
    return Tree(tuple(links), tuple(joints))


BUSH = tree([i // 2 for i in range(11)], slides=(0, 3, 7))
"""Level after level, so that subtrees are not in one piece as they are in q."""

CHAINS = tree([max(0, i - (5 if i % 4 == 3 else 0)) for i in range(17)], slides=(2, 16))
"""Chains, from one of which the others branch off; numbered one after the other."""


def robot_of(robot, tmp_path, **options):
    """A robot as it is read."""
    path = tmp_path / "robot.urdf"
    path.write_text(robot.urdf(), encoding="utf-8")
    return read(path, **options).robot


def is_in_loops(robot):
    """Whether the inertia matrix is written as loops."""
    files = cpp_files(Library(robot, ["inertia_matrix"]), Target("demo", "robot", "robot.urdf"))
    return any("Tree<" in text for text in files.values())


@pytest.mark.parametrize(
    ("robot", "floating", "flags"),
    [
        (BUSH, False, "-O1"),
        (BUSH, True, "-O1 -march=native"),
        (CHAINS, True, "-O1"),
        (CHAINS, False, "-O1 -march=native"),
    ],
)
def test_in_loops_it_is_the_same_matrix(robot, floating, flags, monkeypatch):
    options = {"floating": floating, "functions": ["inertia_matrix"], "terms": ["armature"]}
    expected = robot.build(**options)
    monkeypatch.setattr(Library, "looped", lambda library, name: name == "inertia_matrix")
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", flags)
    compiled = robot.build(backend="cpp", **options)
    random = np.random.default_rng(1)
    for _ in range(5):
        q = random.uniform(-2, 2, compiled.n)
        H, other = compiled.inertia_matrix(q), expected.inertia_matrix(q)
        scale = np.sqrt(np.diag(other))
        np.testing.assert_allclose(
            H / np.outer(scale, scale), other / np.outer(scale, scale), atol=1e-14
        )
        assert (H == H.T).all()
        assert ((H == 0) == (other == 0)).all()


def test_loops_are_for_many_joints_in_general_places(tmp_path):
    general = tree([max(0, i - (5 if i % 4 == 3 else 0)) for i in range(24)])
    assert is_in_loops(robot_of(general, tmp_path))
    assert is_in_loops(robot_of(general, tmp_path, floating_base=True))
    assert not is_in_loops(robot_of(tree(range(6)), tmp_path))
    assert not is_in_loops(example("hyl", floating_base=True))


def test_open_parameters_and_followers_stay_out_of_loops(tmp_path):
    robot = tree(range(14))
    assert is_in_loops(robot_of(robot, tmp_path))
    assert not is_in_loops(robot_of(robot, tmp_path, parameters=["link7.mass"]))
    (*others, last) = robot.joints
    follows = Joint(
        last.name, last.kind, last.parent, last.child, last.xyz, mimic=("joint2", 2.0, 0.1)
    )
    follower = Tree(robot.links, (*others, follows))
    assert not is_in_loops(robot_of(follower, tmp_path))
