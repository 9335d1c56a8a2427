import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.model.quaternions import quaternions
from robcogen_ros.nodes.model_parameter import from_description
from robcogen_ros.program.summary import Summary
from robcogen_ros.runtime.robots.link_transforms import LinkTransforms
from robcogen_ros.runtime.robots.loop_followers import LoopFollowers
from test.support.linkages import FOUR_BAR, FOUR_BAR_LOOPS
from test.support.robots import robots_directory

ARM = Path(__file__).with_name("arm.urdf")
NAMES = ["elbow", "finger", "shoulder"]
VALUES = [2.0, 0.03, -0.7]


@pytest.fixture(scope="module")
def robot():
    return robcogen_ros.build(ARM, backend="numpy")


def matrices(joints, poses):
    """4x4 matrices by child, from translations and quaternions."""
    found = {}
    for joint, (*p, x, y, z, w) in zip(joints, poses, strict=True):
        found[joint.child] = np.eye(4)
        found[joint.child][:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
        found[joint.child][:3, 3] = p
    return found


def placed(links, names, values):
    """Poses on their parents of the links that a state places."""
    chosen = links.selection(names)
    return matrices(chosen.joints, chosen.poses(np.array(values)))


def chained(links, names, values):
    """Poses of all links in the root, by chaining what would go to /tf and /tf_static."""
    edges = {**matrices(links.fixed.joints, links.fixed.poses), **placed(links, names, values)}
    parents = {joint.child: joint.parent for joint in (*links.fixed.joints, *links.joints)}

    def pose(link):
        return pose(parents[link]) @ edges[link] if link in parents else np.eye(4)

    return {link: pose(link) for link in edges}


def slid(matrix):
    return matrix[:3, 3]


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
    assert [(j.parent, j.child) for j in links.fixed.joints] == [
        ("world", "base"),
        ("lower", "tool"),
    ]
    assert [(j.name, j.parent, j.child) for j in links.joints] == [
        ("elbow", "upper", "lower"),
        ("finger", "tool", "left_finger"),
        ("other_finger", "tool", "right_finger"),
        ("shoulder", "base", "upper"),
    ]


def test_chained_transforms_are_the_poses_of_the_links(robot):
    links = LinkTransforms(robot)
    for turns in (0.0, 1.0, -30.0):
        values = [2.0 + 2 * np.pi * turns, 0.03, -0.7]
        q = [values[NAMES.index(name)] for name in robot.joint_names]
        for link, pose in chained(links, NAMES, values).items():
            np.testing.assert_allclose(pose, robot.transform("world", link, q), atol=1e-13)


def test_only_joints_that_a_message_names_are_placed(robot):
    links = LinkTransforms(robot)
    assert set(placed(links, ["elbow", "wheel"], [1.0, 5.0])) == {"lower"}
    assert placed(links, [], []) == {}
    assert placed(links, ["wheel"], [1.0]) == {}


def test_the_first_of_equal_names_counts(robot):
    links = LinkTransforms(robot)
    twice = placed(links, ["finger", "finger"], [0.01, 0.02])
    np.testing.assert_allclose(slid(twice["left_finger"]), [0, 0.02, 0.05], atol=1e-15)


def test_a_mimicking_joint_follows_unless_it_is_given(robot):
    links = LinkTransforms(robot)
    followed = placed(links, ["finger"], [0.03])
    assert set(followed) == {"left_finger", "right_finger"}
    np.testing.assert_allclose(slid(followed["right_finger"]), [0, -0.041, 0.05], atol=1e-15)
    given = placed(links, ["finger", "other_finger"], [0.03, -0.002])
    np.testing.assert_allclose(slid(given["left_finger"]), [0, 0.04, 0.05], atol=1e-15)
    np.testing.assert_allclose(slid(given["right_finger"]), [0, -0.012, 0.05], atol=1e-15)
    alone = placed(links, ["other_finger"], [-0.002])
    assert set(alone) == {"right_finger"}
    np.testing.assert_allclose(slid(alone["right_finger"]), [0, -0.012, 0.05], atol=1e-15)


CHAIN = """<robot name="chain"><link name="base"/><link name="a"/><link name="b"/><link name="c"/>
<joint name="ja" type="prismatic"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
<limit lower="-9" upper="9" effort="1" velocity="1"/></joint>
<joint name="jb" type="prismatic"><parent link="base"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-9" upper="9" effort="1" velocity="1"/>
<mimic joint="ja" multiplier="2" offset="1"/></joint>
<joint name="jc" type="revolute"><parent link="base"/><child link="c"/><axis xyz="1 0 0"/>
<limit lower="-9" upper="9" effort="1" velocity="1"/>
<mimic joint="jb" multiplier="-0.5" offset="0.1"/></joint></robot>"""


@pytest.mark.parametrize(
    ("given", "heights", "angle"),
    [
        ({"ja": 0.3}, {"a": 0.3, "b": 1.6}, -0.7),
        ({"ja": 0.3, "jb": 0.4}, {"a": 0.3, "b": 0.4}, -0.1),
        ({"jb": 0.4}, {"b": 0.4}, -0.1),
        ({"jc": 0.9, "ja": 0.0}, {"a": 0.0, "b": 1.0}, 0.9),
    ],
)
def test_followers_of_followers_follow_whom_the_file_says(given, heights, angle):
    found = from_description(CHAIN)
    links = LinkTransforms(found.robot, found.mimics)
    poses = placed(links, list(given), list(given.values()))
    assert set(poses) == {*heights, "c"}
    for link, height in heights.items():
        np.testing.assert_allclose(slid(poses[link]), [0, 0, height], atol=1e-15)
    c, s = np.cos(angle), np.sin(angle)
    np.testing.assert_allclose(poses["c"][1:3, 1:3], [[c, -s], [s, c]], atol=1e-15)


def test_defaults_count_until_a_joint_is_heard(robot):
    links = LinkTransforms(robot, defaults={"finger": 0.02, "elbow": 1.0})
    first = placed(links, ["shoulder"], [0.5])
    assert set(first) == {"upper", "lower", "left_finger", "right_finger"}
    np.testing.assert_allclose(slid(first["left_finger"]), [0, 0.03, 0.05], atol=1e-15)
    np.testing.assert_allclose(slid(first["right_finger"]), [0, -0.031, 0.05], atol=1e-15)
    assert set(placed(links, ["finger"], [0.01])) == {"lower", "left_finger", "right_finger"}
    assert set(placed(links, ["shoulder"], [0.5])) == {"upper", "lower"}
    everywhere = LinkTransforms(robot, defaults={"*": 0.0, "finger": 0.01})
    assert len(placed(everywhere, ["shoulder"], [0.5])) == 4
    np.testing.assert_allclose(
        slid(placed(everywhere, ["shoulder"], [0.5])["left_finger"]), [0, 0.02, 0.05], atol=1e-15
    )


@pytest.mark.parametrize(
    "name",
    [
        "panda_description/urdf/panda.urdf",
        "kinova_description/robots/kinova.urdf",
        "talos_data/robots/talos_reduced.urdf",
    ],
)
def test_chained_transforms_are_pinocchios(name):
    pytest.importorskip("pinocchio", reason="Pinocchio is not installed")
    from test.support.pinocchio_oracle import PinocchioOracle

    directory = robots_directory()
    if directory is None:
        pytest.skip("example-robot-data is not installed")
    robot = robcogen_ros.build(directory / name, backend="numpy")
    oracle = PinocchioOracle(directory / name)
    q = np.random.default_rng(1).uniform(-3, 3, robot.n)
    for link, pose in chained(LinkTransforms(robot), robot.joint_names, q).items():
        np.testing.assert_allclose(pose, oracle.frame_pose(link, q), atol=1e-12)


FAR = """<robot name="surveyed"><link name="earth"/><link name="mast"/><link name="arm"/>
<link name="cup"/><link name="tip"/>
<joint name="site" type="fixed"><parent link="earth"/><child link="mast"/>
<origin xyz="388096.125 5572094.155411 431.7" rpy="0.3 0.2 2.1"/></joint>
<joint name="lift" type="revolute"><parent link="mast"/><child link="arm"/>
<origin xyz="0.123456789012 0.05 1.2" rpy="0.1 0.2 0.3"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2" effort="50" velocity="1"/></joint>
<joint name="reach" type="prismatic"><parent link="arm"/><child link="cup"/>
<origin xyz="0.7 0 0.0333333333333"/><axis xyz="3 4 0"/>
<limit lower="0" upper="1" effort="50" velocity="1"/></joint>
<joint name="end" type="fixed"><parent link="cup"/><child link="tip"/>
<origin xyz="0.0123456789 0 0.001"/></joint></robot>"""


def about(axis, angle):
    """A rotation about x, y or z."""
    i, k = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[[i, i, k, k], [i, k, i, k]] = np.cos(angle), -np.sin(angle), np.sin(angle), np.cos(angle)
    return matrix


def test_transforms_have_the_digits_of_the_file_however_far_the_root_is():
    """Through the root, 5500 km away, nine digits behind the point would be lost."""
    links = LinkTransforms(from_description(FAR).robot)
    still = matrices(links.fixed.joints, links.fixed.poses)
    assert slid(still["mast"]).tolist() == [388096.125, 5572094.155411, 431.7]
    assert slid(still["tip"]).tolist() == [0.0123456789, 0.0, 0.001]
    np.testing.assert_array_equal(still["tip"][:3, :3], np.eye(3))
    moved = placed(links, ["lift", "reach"], [0.4, 0.25])
    assert slid(moved["arm"]).tolist() == [0.123456789012, 0.05, 1.2]
    turned = about(2, 0.3) @ about(1, 0.2) @ about(0, 0.1) @ about(2, 0.4)
    np.testing.assert_allclose(moved["arm"][:3, :3], turned, atol=5e-16)
    np.testing.assert_allclose(slid(moved["cup"]), [0.85, 0.2, 0.0333333333333], atol=2e-16)


def test_memory_grows_with_the_number_of_frames_and_not_faster():
    def peak(count):
        joints = "".join(
            f'<link name="l{i}"/><joint name="j{i}" type="fixed"><parent link="base"/>'
            f'<child link="l{i}"/><origin xyz="0 0 {i}"/></joint>'
            for i in range(count)
        )
        robot = from_description(f'<robot name="r"><link name="base"/>{joints}</robot>').robot
        tracemalloc.start()
        LinkTransforms(robot)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(800) < 6 * peak(200)


def test_transforms_of_random_trees_are_those_of_the_generated_kinematics():
    """Two ways: from the file's origins joint by joint, and by the poses of all frames."""
    from test.support.random_robots import for_random, state_of, trees

    @for_random(trees())
    def agree(tree):
        robot = from_description(tree.urdf()).robot
        q = state_of(robot).q[0]
        for link, pose in chained(LinkTransforms(robot), robot.joint_names, q).items():
            np.testing.assert_allclose(pose, robot.transform("link0", link, q), atol=1e-13)

    agree()


def test_a_compiled_robot_knows_as_much_of_its_joints(robot):
    told = Summary.from_json(robot._evaluator.summary.to_json())
    assert told.origins == robot.origins
    assert {type(origin.position) for origin in told.origins} == {tuple}


@pytest.mark.parametrize(
    ("multiplier", "leader"),
    [("0", "shoulder"), ("2", "mount")],
    ids=["multiplier 0", "of a fixed joint"],
)
def test_joints_that_mimicry_keeps_in_place_are_static(multiplier, leader):
    text = ARM.read_text().replace(
        '<limit velocity="5" effort="15"/>',
        f'<limit velocity="5" effort="15"/><mimic joint="{leader}" multiplier="{multiplier}" '
        'offset="0.3"/>',
    )
    found = from_description(text)
    links = LinkTransforms(found.robot, found.mimics)
    static = matrices(links.fixed.joints, links.fixed.poses)
    free = LinkTransforms(from_description(ARM.read_text()).robot)
    assert static["lower"] == pytest.approx(placed(free, ["elbow"], [0.3])["lower"], abs=1e-15)
    assert "lower" not in placed(links, ["shoulder", "elbow", "finger"], [0.5, 1.0, 0.01])


def test_joints_that_follow_through_loops_are_placed(tmp_path):
    (tmp_path / "bar.urdf").write_text(FOUR_BAR)
    (tmp_path / "loops.yaml").write_text(FOUR_BAR_LOOPS)
    options = {"loops": tmp_path / "loops.yaml", "backend": "numpy"}
    names = ["default", "joint_positions", "coordinate_jacobian"]
    bar = robcogen_ros.build(tmp_path / "bar.urdf", functions=names, **options)
    followers, links = LoopFollowers(bar), LinkTransforms(bar)
    assert (followers.names, followers.known) == (("pin", "swing"), True)
    given, q = ("wrist", "else", "drive"), np.array([0.2, 7.0, 0.5])
    names, positions = followers.added(given, q)
    assert names == (*given, "pin", "swing")
    poses = chained(links, names, positions)
    for link in ("coupler", "rocker", "tool"):
        right = bar.transform("world", link, np.array([0.5, 0.2]))
        np.testing.assert_allclose(poses[link], right, atol=1e-12)
    alone = LoopFollowers(bar).added(("drive",), q[2:])
    assert alone[0] == ("drive", "pin", "swing")  # all but the wrist, which the loop does not need
    np.testing.assert_array_equal(alone[1][1:], positions[3:])
    motor = LoopFollowers(bar).added(("swing",), positions[-1:] + 2 * np.pi)
    assert motor[0] == ("swing", "drive", "pin")
    np.testing.assert_allclose(motor[1][1:], [0.5, positions[3]], atol=1e-12)
    assert followers.added((*given, "pin"), np.append(q, 9.0))[0] == (*given, "pin", "swing")
    assert LoopFollowers(robcogen_ros.build(ARM, backend="numpy")).names == ()
