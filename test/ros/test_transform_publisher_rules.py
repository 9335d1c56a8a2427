"""What the node makes of states, parameters and time; a real node, its ends in hand."""

import time

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("tf2_msgs", reason="tf2_msgs is not built")

import rclpy
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Quaternion, Transform, Vector3
from sensor_msgs.msg import JointState, MultiDOFJointState
from std_msgs.msg import Header

import robcogen_ros
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.load import load
from robcogen_ros.ros import transform_publisher
from test.ros.harness import ARM, PATIENCE
from test.ros.transform_publisher_in_process import Local
from test.support.poses import pose

LINKAGES = ARM.parents[2] / "examples" / "linkages"
LEG = ARM.parents[2] / "examples" / "quadruped.kindsl"


@pytest.fixture
def local(probe):
    made = []

    def make(file="", **parameters):
        made.append(Local(parameters, file))
        return made[-1]

    yield make
    for one in made:
        one.node.destroy_node()


def test_qualities_of_service_are_those_of_robot_state_publisher(local):
    node = local(ARM)
    assert node.topics["/tf"].qos == 100
    for name in ("/tf_static", "robot_description"):
        assert node.topics[name].qos.depth == 1
        assert node.topics[name].qos.durability == rclpy.qos.DurabilityPolicy.TRANSIENT_LOCAL
    heard = node.subscriptions["/joint_states"].qos_profile
    assert heard.reliability == rclpy.qos.ReliabilityPolicy.BEST_EFFORT
    assert heard.depth == 5
    assert node.get("qos_overrides./joint_states.subscription.depth") == 5
    for name, policies in (("/tf", 4), ("/tf_static", 3)):
        assert len(node.topics[name].options["qos_overriding_options"].policy_kinds) == policies


def test_it_logs_under_its_own_name_below_that_of_its_node(local):
    assert local(ARM).log.names == ["transform_publisher"]


def test_loops_that_cannot_be_closed_are_cut_and_told(local):
    text = ARM.read_text()
    ends = '<predecessor link="base"/><successor link="tool"/>'
    looped = text.replace("</robot>", f'<loop name="rod">{ends}</loop></robot>')
    node = local(robot_description=looped)
    cut, why = node.log.about("<loop> 'rod'")
    assert cut.startswith("robot_description:")
    assert why.startswith("warning: loops are cut, for they cannot be closed: robot_description:")
    assert node.set(robot_description=text).successful
    assert node.set(robot_description=looped).successful


def test_links_of_loops_are_placed_by_states_of_motors(local):
    node = local(LINKAGES / "ankle.urdf", loops=str(LINKAGES / "ankle.yaml"))
    robot = robcogen_ros.build(
        LINKAGES / "ankle.urdf",
        loops=LINKAGES / "ankle.yaml",
        functions=["default", "joint_positions"],
        backend="numpy",
    )
    moving = robot.moving_joint_names
    motors = [moving.index(name) for name in ("left_motor", "right_motor")]
    for k, q in enumerate(([0.1, -0.2], [0.12, -0.15], [0.2, 0.1])):
        joints = robot.joint_positions(q)
        sent = node.sends([moving[i] for i in motors], list(joints[motors]), 1000.0 + k)
        links = {child: parent for _, parent, child, fixed in robot.attachments if not fixed}
        assert sent.keys() == links.keys()
        for child, parent in links.items():
            X = matrix(sent[child].transform)
            np.testing.assert_allclose(X, robot.transform(parent, child, q), atol=1e-12)
        state = node.topics["all_joint_states"].sent[-1]
        told = dict(zip(state.name, state.position, strict=True))
        np.testing.assert_allclose([told[name] for name in moving], joints, atol=1e-12)
        assert state.header.stamp.sec == 1000 + k
    far = [moving[i] for i in motors]
    assert node.sends(far, [2.0, -2.0], 1010.0).keys() == {"left_crank", "right_crank"}
    (said,) = node.log.about("loops do not close")
    assert "left_motor" in said


def test_states_are_thinned_by_their_own_times(local):
    node = local(ARM, publish_frequency=50.0)
    published = [i for i in range(100) if node.sends(["elbow"], [0.1], 900 + i / 1000)]
    assert published == [0, 20, 40, 60, 80]
    assert len(node.log.about("publish_frequency = 50 Hz")) == 1
    assert node.set(publish_frequency=0.0).successful
    assert all(node.sends(["elbow"], [0.1], 901 + i / 1e6) for i in range(10))


def test_a_state_without_time_is_published_only_on_request(local):
    node = local(ARM)
    assert not any(node.sends(["elbow"], [0.1], 0) for _ in range(3))
    assert len(node.log.about("ignore_timestamp")) == 1
    assert node.set(ignore_timestamp=True).successful
    assert all(node.sends(["elbow"], [0.1], 0) for _ in range(3))


def test_all_is_published_again_when_the_clock_jumps_back(local):
    node = local(ARM)
    assert node.sends(["elbow"], [0.1])
    assert not node.sends(["elbow"], [0.1])
    node.clock.seconds = 3.0
    assert node.sends(["elbow"], [0.1])
    assert len(node.log.about("time moved backwards")) == 1


@pytest.mark.parametrize(
    ("names", "positions", "stamp", "said"),
    [
        (["elbow"], [], 1000, "1 names and 0 positions"),
        (["elbow"], [1.0, 2.0], 1000, "1 names and 2 positions"),
        ([], [1.0], 1000, "0 names and 1 positions"),
        (["elbow"], [1.0], -5, "negative"),
    ],
)
def test_malformed_states_are_ignored(local, names, positions, stamp, said):
    node = local(ARM)
    assert not any(node.sends(names, positions, stamp) for _ in range(3))
    assert len(node.log.about(said)) == 1
    assert node.sends(["elbow"], [1.0])


def test_a_joint_without_a_number_harms_no_other(local):
    node, text = local(ARM), "positions that are no finite numbers are left out"
    for i in range(2):
        states = ["wheel", "shoulder", "elbow"], [np.nan, np.inf, 0.4], 900 + i
        assert set(node.sends(*states)) == {"lower"}
    assert node.log.about("no finite") == [f"{text}: shoulder"]
    assert set(node.sends(["shoulder"], [0.1])) == {"upper"}


def test_a_prefix_is_put_before_all_frames_and_may_change(local):
    node = local(ARM, frame_prefix="a/")
    assert node.fixed == {"a/base": "a/world", "a/tool": "a/lower"}
    assert node.sends(["elbow"], [0.1])["a/lower"].header.frame_id == "a/upper"
    assert node.set(frame_prefix="b_").successful
    assert node.fixed == {"b_base": "b_world", "b_tool": "b_lower"}
    node.clock.seconds += 1
    assert node.sends(["elbow"], [0.1])["b_lower"].header.frame_id == "b_upper"


def test_missing_joints_are_at_their_defaults(local):
    node = local(ARM, default_positions=["finger:=0.02", "elbou:=1.0"])
    assert len(node.log.about("no moving joint 'elbou'; did you mean 'elbow'?")) == 1
    assert set(node.sends(["elbow"], [0.1])) == {"lower", "left_finger", "right_finger"}
    assert node.set(default_positions=["*:=0.0"]).successful
    node.clock.seconds += 1
    assert set(node.sends(["elbow"], [0.1])) == {"lower", "upper", "left_finger", "right_finger"}
    refused = node.set(default_positions=["elbow:=far"])
    assert "expected a number for 'elbow', found 'far'" in refused.reason
    for wrong in ("elbow:=nan", "elbow:=-inf", "elbow:=1e999", "elbow:="):
        assert "expected a number for 'elbow'" in node.set(default_positions=[wrong]).reason
    refused = node.set(default_positions=["finger:=0.05"])
    assert "'finger' cannot be at 0.05, its range is 0 to 0.04" in refused.reason


def test_one_default_for_all_joints_is_brought_into_their_ranges(local):
    node = local(ARM, default_positions=["*:=1.0"])
    sent = node.sends(["elbow"], [0.1])
    moved = sent["left_finger"].transform.translation
    node = local(ARM, default_positions=["finger:=0.04", "shoulder:=1.0"])
    again = node.sends(["elbow"], [0.1])
    assert moved == again["left_finger"].transform.translation
    assert sent["upper"].transform == again["upper"].transform


def test_a_mimicking_joint_comes_and_goes_with_the_description(local):
    text = ARM.read_text()
    alone = text.replace('<mimic joint="finger" multiplier="-1" offset="-0.001"/>', "")
    node = local(robot_description=text)
    for description, follows in ((alone, False), (text, True), (alone, False)):
        assert node.set(robot_description=description).successful
        assert node.description == description
        node.clock.seconds += 1
        placed = node.sends(["finger"], [0.03])
        assert ("right_finger" in placed) == follows


def test_a_wrong_description_leaves_the_robot_as_it_is(local):
    text = ARM.read_text()
    node = local(robot_description=text)
    latched = len(node.topics["/tf_static"].sent)
    refused = node.set(robot_description=text.replace('<child link="upper"/>', "", 1))
    assert not refused.successful
    assert "robot_description:10:3: error: joint 'shoulder' lacks <child>" in refused.reason
    assert node.get("robot_description") == node.description == text
    assert len(node.topics["/tf_static"].sent) == latched
    assert node.sends(["shoulder"], [0.3])


def test_a_file_of_any_kind_is_shown_as_urdf(local, tmp_path):
    node = local(LEG)
    path = tmp_path / "shown.urdf"
    path.write_text(node.description)
    assert node.get("robot_description") == node.description
    joints = load(path).joints
    placed = node.sends([joint.name for joint in joints], [0.1] * len(joints))
    assert {*node.fixed, *placed} == {joint.child for joint in joints}
    pytest.importorskip("xacro", reason="xacro is not installed")
    path = tmp_path / "arm.urdf.xacro"
    path.write_text(
        ARM.read_text()
        .replace('name="small_arm"', 'name="r" xmlns:xacro="http://ros.org/wiki/xacro"')
        .replace('<link name="world"/>', '<xacro:arg name="at" default=""/><link name="world"/>')
        .replace("0.1 0 0.4", "$(arg at)")
        .replace("</robot>", '<ros2_control name="s" type="system"><a>1</a></ros2_control></robot>')
    )
    node = local(model_file=str(path), xacro_args=["at:=5 0 0"])
    assert "<a>1</a>" in node.description
    assert node.topics["/tf_static"].sent[0].transforms[0].transform.translation.x == 5.0


def test_a_description_may_come_from_its_topic(local):
    from std_msgs.msg import String

    node = local(use_robot_description_topic=True)
    assert node.sends(["shoulder"], [0.3]) is None
    hear = node.subscriptions["/robot_description"].callback
    hear(String(data="<robot"))
    assert len(node.log.about("robot_description ignored: robot_description:1:")) == 1
    hear(String(data=ARM.read_text()))
    assert set(node.fixed) == {"base", "tool"}
    assert node.sends(["shoulder"], [0.3])
    assert "topic" in node.set(robot_description="<robot/>").reason
    assert "robot_description" not in node.topics


FREE = """<robot name="carried"><link name="floor"/><link name="cart"/><link name="drone"/>
<joint name="drive" type="planar"><parent link="floor"/><child link="cart"/>
<axis xyz="0 0 1"/></joint>
<joint name="fly" type="floating"><parent link="cart"/><child link="drone"/></joint></robot>"""


def test_planar_and_floating_joints_are_placed_by_their_own_topic(local):
    """Until then a planar joint is at zero, as in robot_state_publisher, a floating one nowhere."""
    node = local(robot_description=FREE)
    assert len(node.log.about("floating joints")) == 1
    still = node.sends(["wheel"], [0.0])
    assert [still[link].header.frame_id for link in ("drive_x", "drive_y", "cart")] == [
        "floor",
        "drive_x",
        "drive_y",
    ]
    assert "drone" not in still
    there = Transform(translation=Vector3(x=1.0, y=2.0), rotation=Quaternion(z=0.6, w=0.8))
    placed = node.hears(["fly", "drive", "else"], [there] * 3)
    parents = {child: t.header.frame_id for child, t in placed.items()}
    assert parents.pop("drone") == "fly_pitch"
    assert all(parents[link] == still[link].header.frame_id for link in still)
    node.clock.seconds += 1
    assert node.sends(["wheel"], [0.0]) is None
    short = MultiDOFJointState(joint_names=["fly"], transforms=[])
    node.subscriptions["/multi_dof_joint_states"].callback(short)
    assert len(node.log.about("1 names and 0 transforms")) == 1


def matrix(transform):
    p, r = transform.translation, transform.rotation
    return pose_of([p.x, p.y, p.z], [r.x, r.y, r.z, r.w])


def pose_of(position, quaternion):
    """A homogeneous matrix, by rotating the axes."""
    *v, w = np.array(quaternion) / np.linalg.norm(quaternion)
    result = np.eye(4)
    for k, axis in enumerate(np.eye(3)):
        result[:3, k] = axis + 2 * np.cross(v, np.cross(v, axis) + w * axis)
    result[:3, 3] = position
    return result


TURNTABLE = """<robot name="turntable"><link name="floor"/><link name="table"/><link name="ball"/>
<joint name="slide" type="planar"><parent link="floor"/><child link="table"/>
<origin xyz="0.1 -0.2 0.8" rpy="0.3 -0.4 1.5707963267948966"/><axis xyz="{axis}"/></joint>
<joint name="toss" type="floating"><parent link="table"/><child link="ball"/>
<origin xyz="0.3 0 0.1" rpy="1 -2 0.5"/></joint></robot>"""


@pytest.mark.parametrize("axis", ["0 0 1", "0 1 0", "-1 0 0", "1 2 -3"])
def test_poses_of_joints_are_taken_at_their_origins(local, axis):
    """floor_X_ball is origin, pose of the planar joint, origin, pose of the floating joint."""
    node = local(robot_description=TURNTABLE.format(axis=axis))
    random = np.random.default_rng(4)
    normal = np.array([float(word) for word in axis.split()])
    normal /= np.linalg.norm(normal)
    slide = random.normal(size=3)
    slide -= normal * (normal @ slide)
    first = pose((0.1, -0.2, 0.8), (0.3, -0.4, np.pi / 2))
    second = pose((0.3, 0, 0.1), (1, -2, 0.5))
    turns = [*random.normal(size=(5, 4)), [0, np.sqrt(0.5), 0, np.sqrt(0.5)], [0, 0, 0, 2]]
    for turn in turns:
        half = random.uniform(-np.pi, np.pi)
        planar = [*(np.sin(half) * normal), np.cos(half)]
        tossed = random.normal(size=3)
        poses = [(slide, planar), (tossed, turn)]
        messages = [
            Transform(
                translation=Vector3(**dict(zip("xyz", p, strict=True))),
                rotation=Quaternion(**dict(zip("xyzw", map(float, r), strict=True))),
            )
            for p, r in poses
        ]
        placed = node.hears(["slide", "toss"], messages)
        found, link = np.eye(4), "ball"
        while link != "floor":
            found = matrix(placed[link].transform) @ found
            link = placed[link].header.frame_id
        expected = first @ pose_of(*poses[0]) @ second @ pose_of(*poses[1])
        np.testing.assert_allclose(found, expected, atol=1e-14)
    assert not node.log.about("planes")


def test_what_a_joint_cannot_do_is_told_once(local):
    node = local(robot_description=TURNTABLE.format(axis="0 0 1"))
    lifted = Transform(translation=Vector3(x=1.0, z=0.3))
    flat = Transform(translation=Vector3(x=1.0))
    assert node.hears(["slide"], [lifted]) == node.hears(["slide"], [flat])
    assert node.hears(["slide", "slide"], [flat, lifted]) == node.hears(["slide"], [flat])
    tilted = Transform(rotation=Quaternion(x=0.1, w=1.0))
    node.hears(["slide"], [tilted])
    assert node.log.about("planes") == ["planar joints stay in their planes, poses do not: slide"]
    none = Transform(rotation=Quaternion(w=0.0))
    unknown = Transform(translation=Vector3(y=np.nan))
    placed = node.hears(["toss", "slide"], [none, flat])
    assert "ball" not in placed
    assert placed["table"]
    assert node.hears(["slide", "toss"], [unknown, none]) is None
    assert node.log.about("no poses") == [
        "transforms that are no poses are left out: toss",
        "transforms that are no poses are left out: slide",
    ]


def test_a_floating_base_is_placed_in_the_frame_of_its_topic(local):
    node = local(LEG, frame_prefix="a/")
    there = Transform(translation=Vector3(z=0.5), rotation=Quaternion(w=1.0))
    state = MultiDOFJointState(joint_names=["LF_HAA", "base"], transforms=[there, there])
    state.header.frame_id = "odom"
    node.subscriptions["/multi_dof_joint_states"].callback(state)
    (placed,) = node.topics["/tf"].sent[-1].transforms
    assert (placed.header.frame_id, placed.transform) == ("a/odom", there)
    assert placed.child_frame_id == f"a/{load(LEG).links[0].name}"


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({}, "set one of the parameters model, model_file and robot_description"),
        ({"model_file": str(ARM), "xacro_args": ["a:=1"]}, "is not a xacro"),
        ({"model_file": str(ARM), "default_positions": ["elbow"]}, "expected name:=value"),
        ({"model_file": "missing.urdf"}, "missing.urdf"),
    ],
)
def test_without_a_robot_it_does_not_start(local, parameters, said):
    with pytest.raises(RobcogenError, match=said):
        local(**parameters)


def test_joint_states_are_answered_while_a_description_is_read(local, probe, monkeypatch):
    node, read = local(ARM), transform_publisher.from_description
    publisher = probe.node.create_publisher(JointState, "/joint_states", 10)
    probe.until(publisher.get_subscription_count)
    published = node.topics["/tf"].sent
    end = time.monotonic() + PATIENCE

    def read_when_one_is_answered(text, **options):
        while not published and time.monotonic() < end:
            publisher.publish(JointState(name=["elbow"], position=[0.1], header=at_time))
            time.sleep(0.01)
        return read(text, **options)

    at_time = Header(stamp=Time(sec=1000))
    monkeypatch.setattr(transform_publisher, "from_description", read_when_one_is_answered)
    assert node.set(robot_description=f"{ARM.read_text()} ").successful
    assert published
