from pathlib import Path

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.ros.link_transforms import LinkTransforms
from robcogen_ros.ros.rotations import quaternions
from test.support.robots import robots_directory

ARM = Path(__file__).with_name("arm.urdf")
NAMES = ["elbow", "finger", "shoulder"]
VALUES = [2.0, 0.03, -0.7]


@pytest.fixture(scope="module")
def robot():
    return robcogen_ros.build(ARM, backend="numpy")


def matrices(poses):
    """4x4 matrices by child, from translations and quaternions."""
    found = {}
    for child, p, (x, y, z, w) in zip(
        poses.children, poses.translations, poses.quaternions, strict=True
    ):
        found[child] = np.eye(4)
        found[child][:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
        found[child][:3, 3] = p
    return found


def chained(links, names, values):
    """Poses of all links in the root, by chaining what would go to /tf and /tf_static."""
    moving = links.poses(names, values)
    edges = {**matrices(links.fixed), **matrices(moving)}
    parents = dict(zip(links.fixed.children, links.fixed.parents, strict=True))
    parents |= dict(zip(moving.children, moving.parents, strict=True))

    def pose(link):
        return pose(parents[link]) @ edges[link] if link in parents else np.eye(4)

    return {link: pose(link) for link in edges}


def test_quaternions_of_all_kinds_of_rotations():
    random = np.random.default_rng(3)
    expected = random.normal(size=(200, 4))
    expected[:6] = [
        [1, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 1, 0],
        [0, 0, 0, 1],
        [1, 1, 0, 0],
        [1, 1, 1, 1e-9],
    ]
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    x, y, z, w = expected.T
    rotations = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    ).transpose(2, 0, 1)
    found = quaternions(rotations)
    assert (found[:, 3] >= 0).all()
    np.testing.assert_allclose(np.abs(np.sum(found * expected, axis=1)), 1, atol=1e-15)


def test_the_tree_is_that_of_the_file(robot):
    links = LinkTransforms(robot)
    assert links.fixed.parents == ("world", "lower")
    assert links.fixed.children == ("base", "tool")
    moving = links.poses(NAMES, VALUES)
    assert dict(zip(moving.children, moving.parents, strict=True)) == {
        "upper": "base",
        "lower": "upper",
        "left_finger": "tool",
        "right_finger": "tool",
    }


def test_chained_transforms_are_the_poses_of_the_links(robot):
    found = chained(LinkTransforms(robot), NAMES, VALUES)
    q = [VALUES[NAMES.index(name)] for name in robot.joint_names]
    for link, pose in found.items():
        np.testing.assert_allclose(pose, robot.transform("world", link, q), atol=1e-14)


def test_only_joints_that_a_message_names_are_placed(robot):
    assert LinkTransforms(robot).poses(["elbow", "wheel"], [1.0, 5.0]).children == ("lower",)
    assert LinkTransforms(robot).poses([], []).children == ()


def test_a_mimicking_joint_follows_unless_it_is_given(robot):
    links = LinkTransforms(robot)
    followed = links.poses(["finger"], [0.03])
    assert followed.children == ("left_finger", "right_finger")
    np.testing.assert_allclose(followed.translations[1], [0, -0.01 - 0.031, 0.05], atol=1e-15)
    given = links.poses(["finger", "other_finger"], [0.03, -0.002])
    np.testing.assert_allclose(given.translations, [[0, 0.04, 0.05], [0, -0.012, 0.05]], atol=1e-15)
    alone = links.poses(["other_finger"], [-0.002])
    np.testing.assert_allclose(alone.translations, [[0, -0.012, 0.05]], atol=1e-15)


@pytest.mark.parametrize(
    "name", ["panda_description/urdf/panda.urdf", "kinova_description/robots/kinova.urdf"]
)
def test_chained_transforms_are_pinocchios(name):
    pytest.importorskip("pinocchio", reason="Pinocchio is not installed")
    from test.support.pinocchio_oracle import PinocchioOracle

    directory = robots_directory()
    if directory is None:
        pytest.skip("example-robot-data is not installed")
    robot = robcogen_ros.build(directory / name, backend="numpy")
    oracle = PinocchioOracle(directory / name)
    q = np.random.default_rng(1).uniform(-0.5, 0.5, robot.n)
    for link, pose in chained(LinkTransforms(robot), robot.joint_names, q).items():
        np.testing.assert_allclose(pose, oracle.frame_pose(link, q), atol=1e-12)
