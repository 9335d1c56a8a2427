import numpy as np
import pytest

import robcogen_ros

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("tf2_msgs", reason="tf2_msgs is not built")

from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from test.ros.harness import ARM, LATCHED

NODE = "/robot_state_publisher"


@pytest.fixture(scope="module")
def robot():
    return robcogen_ros.build(ARM, backend="numpy")


class Publisher:
    """The node under test, and what goes in and out."""

    def __init__(self, probe, start):
        self.probe = probe
        self.node = start(
            "transform_publisher",
            model_file=ARM,
            publish_frequency=1000.0,
            frame_prefix="left/",
        )
        self.transforms = probe.listen(TFMessage, "/tf", 100)
        self.states = probe.node.create_publisher(JointState, "joint_states", 10)
        probe.until(lambda: self.states.get_subscription_count() > 0)

    def send(self, names, positions):
        state = JointState(name=names, position=positions)
        state.header.stamp = self.probe.stamp()
        self.states.publish(state)
        return state.header.stamp

    def place(self, names, positions):
        """Sends a state until its transforms come; those of that state."""
        stamps = []

        def found():
            return [m for m in self.transforms if m.transforms[0].header.stamp in stamps]

        def send():
            stamps.append(self.send(names, positions))

        self.probe.until(found, meanwhile=send)
        return {t.child_frame_id: t for t in found()[0].transforms}


@pytest.fixture(scope="module")
def publisher(probe, start):
    return Publisher(probe, start)


def pose(stamped):
    p, r = stamped.transform.translation, stamped.transform.rotation
    x, y, z, w = r.x, r.y, r.z, r.w
    matrix = np.eye(4)
    matrix[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    matrix[:3, 3] = p.x, p.y, p.z
    return matrix


def test_tf_tells_where_links_are_whatever_the_order_of_names(publisher, robot):
    values = {"finger": 0.02, "elbow": -2.5, "shoulder": 0.8}
    found = publisher.place(list(values), list(values.values()))
    q = [values[name] for name in robot.joint_names]
    assert len(found) == 4
    for stamped in found.values():
        parent, child = stamped.header.frame_id, stamped.child_frame_id
        assert parent.startswith("left/")
        expected = robot.transform(parent[5:], child[5:], q)
        np.testing.assert_allclose(pose(stamped), expected, atol=1e-14)


def test_only_joints_of_the_message_are_placed(publisher):
    assert set(publisher.place(["elbow"], [1.0])) == {"left/lower"}


def test_fixed_links_and_description_wait_for_late_listeners(publisher, probe, robot):
    static = probe.listen(TFMessage, "/tf_static", LATCHED)
    description = probe.listen(String, "robot_description", LATCHED)
    probe.until(lambda: static and description)
    found = {(t.header.frame_id, t.child_frame_id): pose(t) for t in static[0].transforms}
    assert set(found) == {("left/world", "left/base"), ("left/lower", "left/tool")}
    for (parent, child), matrix in found.items():
        expected = robot.transform(parent[5:], child[5:], np.zeros(robot.n))
        np.testing.assert_allclose(matrix, expected, atol=1e-14)
    assert description[0].data == ARM.read_text()


@pytest.mark.parametrize(
    ("names", "positions"), [(["elbow"], [float("nan")]), (["elbow"], [1.0, 2.0]), (["elbow"], [])]
)
def test_bad_states_are_ignored(publisher, probe, names, positions):
    publisher.place(["elbow"], [0.5])
    publisher.transforms.clear()
    bad = [publisher.send(names, positions) for _ in range(5)]
    publisher.place(["elbow"], [0.5])
    stamps = [t.header.stamp for m in publisher.transforms for t in m.transforms]
    assert not [stamp for stamp in bad if stamp in stamps]


def test_the_rate_is_limited_unless_timestamps_are_to_be_ignored(publisher, probe):
    assert probe.set(NODE, "publish_frequency", 2.0).successful
    publisher.place(["shoulder"], [0.5])
    publisher.transforms.clear()
    for _ in range(20):
        publisher.send(["shoulder"], [0.5])
        probe.spin(0.005)
    assert len(publisher.transforms) <= 3
    assert probe.set(NODE, "publish_frequency", 1000.0).successful


def test_parameters_are_checked(publisher, probe):
    answer = probe.set(NODE, "publish_frequency", -1.0)
    assert not answer.successful
    answer = probe.set(NODE, "robot_description", "<robot")
    assert not answer.successful
    assert answer.reason.startswith("robot_description:1:")
    answer = probe.set(NODE, "robot_description", "")
    assert not answer.successful


def test_it_ends_well(publisher):
    code, said = publisher.node.end()
    assert code == 0
    assert "Traceback" not in said


def test_a_new_description_replaces_the_robot(probe, start):
    node = start("transform_publisher", robot_description=_text("first"))
    static = probe.listen(TFMessage, "/tf_static", LATCHED)
    probe.until(lambda: static)
    assert static[-1].transforms[0].child_frame_id == "first"
    bad = probe.set(NODE, "robot_description", _text("second").replace("child", "kind"))
    assert not bad.successful
    assert "robot_description:" in bad.reason
    assert probe.set(NODE, "robot_description", _text("second")).successful
    probe.until(lambda: static[-1].transforms[0].child_frame_id == "second")
    assert len(static[-1].transforms) == 1
    assert node.end()[0] == 0


def _text(link):
    return (
        f'<robot name="r"><link name="base"/><link name="{link}"/>'
        f'<joint name="j" type="fixed"><parent link="base"/><child link="{link}"/></joint></robot>'
    )


def test_no_robot_is_an_error_with_its_reason(probe, start):
    code, said = start("transform_publisher").wait()
    assert code == 1
    assert "model, model_file and robot_description" in said
    assert "Traceback" not in said
