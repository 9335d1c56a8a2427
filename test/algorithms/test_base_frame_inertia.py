"""The inertia matrix by forces in the base's coordinates is that by forces from link to link."""

import numpy as np
from hypothesis import strategies as st

from robcogen_ros.algorithms.base_frame_inertia import inertia_matrix_by_base, is_deep
from robcogen_ros.algorithms.composite_inertia import inertia_matrix
from robcogen_ros.algorithms.joints import joint_transforms
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library, operation_counts
from robcogen_ros.program.trace import trace
from test.support.random_robots import Joint, Link, Tree, for_random, trees


def read_tree(tree, directory, floating=False):
    """The robot of a tree."""
    path = directory / "robot.urdf"
    path.write_text(tree.urdf(), encoding="utf-8")
    return read(path, floating_base=floating).robot


@for_random(trees(most=4), st.booleans())
def test_both_ways_give_the_same(tmp_path_factory, tree, floating):
    robot = read_tree(tree, tmp_path_factory.mktemp("tree"), floating).map(float)
    transforms = joint_transforms(robot, np.random.default_rng(2).uniform(-3, 3, robot.n))
    expected = np.array(inertia_matrix(robot, transforms), float)
    found = np.array(inertia_matrix_by_base(robot, transforms), float)
    np.testing.assert_allclose(found, expected, atol=1e-12 * np.abs(expected).max())


def chain(length):
    """Joints in general directions, one after the other."""
    random = np.random.default_rng(length)
    joints = [
        Joint(f"j{i}", "revolute", f"l{i}", f"l{i + 1}", *map(tuple, random.uniform(-1, 1, (3, 3))))
        for i in range(length)
    ]
    tensor = (0.01, 0.001, -0.002, 0.012, 0.0015, 0.014)
    return Tree(tuple(Link(f"l{i}", 1.0, tensor=tensor) for i in range(length + 1)), tuple(joints))


def test_long_chains_take_the_shorter_way(tmp_path):
    robot = read_tree(chain(18), tmp_path)
    library = Library(robot, ["inertia_matrix"])
    usual = sum(operation_counts(trace(library.function("inertia_matrix"), robot)).values())
    assert sum(operation_counts(library.entry("inertia_matrix").fastest).values()) < 0.9 * usual


def test_short_limbs_are_not_tried(tmp_path):
    assert not is_deep(read_tree(chain(7), tmp_path))
