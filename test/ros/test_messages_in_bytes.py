import itertools
import struct

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("tf2_msgs", reason="tf2_msgs is not built")

from builtin_interfaces.msg import Time
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

from robcogen_ros.ros.messages import filled_bytes, joint_state_reader
from robcogen_ros.ros.messages.joint_state_reader import JointStateReader
from robcogen_ros.ros.messages.joint_state_writer import JointStateWriter
from robcogen_ros.ros.messages.transform import TransformMessage
from robcogen_ros.runtime.robots.joint_poses import Joint

RANDOM = np.random.default_rng(7)


def state(names, positions, sec=12, frame="base", extra=0):
    message = JointState(
        name=names, position=positions, velocity=[0.5] * extra, effort=[2.0] * extra
    )
    message.header.stamp = Time(sec=sec, nanosec=34)
    message.header.frame_id = frame
    return serialize_message(message)


@pytest.fixture(params=["bytes", "objects"])
def how(request, monkeypatch):
    """Both ways to read and write: by layout, and where the layout is none we know."""
    if request.param == "objects":
        for module in (joint_state_reader, filled_bytes):
            monkeypatch.setattr(module, "serialize_message", lambda message: b"unknown")


def test_states_are_read_as_rclpy_reads_them(how):
    reader = JointStateReader()
    for _ in range(3):
        for count in (0, 1, 2, 7):
            for letters in (1, 2, 3, 4, 5, 8):
                names = [chr(97 + i) * letters for i in range(count)]
                for frame in ("", "b", "world"):
                    q = RANDOM.normal(size=count).tolist()
                    read = reader.read(state(names, q, 5, frame, extra=count))
                    assert (read.names, read.time) == (tuple(names), (5, 34))
                    assert read.positions.tolist() == q


def test_names_of_equal_length_are_told_apart(how):
    reader = JointStateReader()
    for _ in range(2):
        for names in (["ab", "cd"], ["ab", "ce"], ["cd", "ab"]):
            read = reader.read(state(names, [1.0, float(ord(names[1][1]))]))
            assert read.names == tuple(names)
            assert read.positions[1] == ord(names[1][1])


def test_what_lies_between_the_numbers_does_not_matter():
    """Other publishers leave anything in the bytes that only align."""
    data, reader = state(["abc", "de", "f"], [1.0, 2.0, 3.0], frame="base0"), JointStateReader()
    for text in (b"base0\0", b"de\0", b"f\0"):
        place = data.index(text) + len(text)
        other = bytes([*data[:place], data[place] ^ 0x5A, *data[place + 1 :]])
        assert other != data
        assert deserialize_message(other, JointState) == deserialize_message(data, JointState)
        for known in (data, other, other):
            read = reader.read(known)
            assert read.names == ("abc", "de", "f")
            assert read.positions.tolist() == [1.0, 2.0, 3.0]


def test_numbers_of_the_other_byte_order_are_read(how):
    data = b"\0\0\0\0" + struct.pack(">iIIB3xII2s2xIdII", 5, 6, 1, 0, 1, 2, b"a", 1, 0.25, 0, 0)
    read = JointStateReader().read_whole(data)
    assert (read.names, read.time, read.positions.tolist()) == (("a",), (5, 6), [0.25])


def test_states_that_are_not_whole_are_read_as_they_are(how):
    reader = JointStateReader()
    reader.read(state(["a", "b"], [1.0, 2.0]))
    for names, positions in ((["a", "b"], []), (["a", "b"], [1.0]), ([], [1.0, 2.0])):
        for _ in range(2):
            read = reader.read(state(names, positions))
            assert read.names == tuple(names)
            assert read.positions.tolist() == positions


@pytest.mark.parametrize("names", [["a"], ["ab", "cdefg", "h"], []])
def test_whole_states_are_read_as_rclpy_reads_them(how, names):
    reader, lists = JointStateReader(), ("position", "velocity", "effort")
    for _ in range(2):
        for counts in itertools.product((0, len(names), 2), repeat=3):
            numbers = [RANDOM.normal(size=count).tolist() for count in counts]
            message = JointState(name=names, **dict(zip(lists, numbers, strict=True)))
            message.header.stamp = Time(sec=5, nanosec=6)
            read = reader.read_whole(serialize_message(message))
            assert (read.names, read.time) == (tuple(names), (5, 6))
            found = (read.positions, read.velocities, read.efforts)
            assert [values.tolist() for values in found] == numbers


@pytest.mark.parametrize("fields", [("effort",), ("position", "velocity", "effort")])
@pytest.mark.parametrize("names", [["a"], ["ab", "cdefg", "h"], []])
def test_joint_states_arrive_as_they_were_written(how, names, fields):
    writer = JointStateWriter(names)
    for sec in (1, 2_000_000_000, -5):
        values = {field: RANDOM.normal(size=len(names)) for field in fields}
        filled = writer.filled((sec, 7), **values)
        if isinstance(filled, bytes):
            filled = deserialize_message(filled, JointState)
        expected = JointState(name=names, **{f: v.tolist() for f, v in values.items()})
        expected.header.stamp = Time(sec=sec, nanosec=7)
        assert filled == expected


def test_no_number_is_left_out():
    reader = JointStateReader()
    for _ in range(2):
        read = reader.read(state(["a", "b", "c"], [1.0, np.nan, np.inf]))
        assert read.finite().names == ("a",)
        assert read.finite().positions.tolist() == [1.0]
    whole = reader.read(state(["a", "b", "c"], [1.0, 2.0, 3.0]))
    assert whole.finite() is whole


def test_names_without_end_fill_no_memory():
    reader = JointStateReader()
    for i in range(500):
        assert reader.read(state([f"joint{i}"], [float(i)])).names == (f"joint{i}",)
    assert len(reader._known) < 100


@pytest.mark.parametrize("count", [0, 1, 2, 9])
def test_transforms_arrive_as_they_were_written(how, count):
    joints = [Joint(f"j{i}", "parent" * i, "child"[: i + 1]) for i in range(count)]
    message = TransformMessage(joints, "left/")
    for sec in (1, 2_000_000_000, -5):
        poses = RANDOM.normal(size=(count, 7))
        filled = message.filled((sec, 7), poses)
        if isinstance(filled, bytes):
            filled = deserialize_message(filled, TFMessage)
        assert len(filled.transforms) == count
        for joint, pose, stamped in zip(joints, poses, filled.transforms, strict=True):
            assert stamped.header.stamp == Time(sec=sec, nanosec=7)
            assert stamped.header.frame_id == f"left/{joint.parent}"
            assert stamped.child_frame_id == f"left/{joint.child}"
            p, r = stamped.transform.translation, stamped.transform.rotation
            assert [p.x, p.y, p.z, r.x, r.y, r.z, r.w] == pose.tolist()


def test_the_bytes_are_used_where_they_can_be():
    message = TransformMessage([Joint("j", "a", "b")])
    assert isinstance(message.filled((1, 2), np.zeros((1, 7))), bytes)
    reader = JointStateReader()
    texts = {"names": ["abc"], "frame": "abc"}  # aligned: what fills up others may be anything
    first = reader.read(state(positions=[1.0], **texts))
    assert reader.read(state(positions=[2.0], **texts)).names is first.names
    assert isinstance(JointStateWriter(["a"]).filled((1, 2), effort=np.zeros(1)), bytes)
