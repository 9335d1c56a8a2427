"""The Kinematics-DSL as we write it."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats import kindsl, kindsl_numbers, kindsl_writer, urdf
from robcogen_ros.formats.read import read
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.urdf import fixed_axes_rotation
from robcogen_ros.model.expression import PI, expression
from robcogen_ros.model.reduce import reduce
from robcogen_ros.model.spatial import Pose, rotation_x, rotation_y, rotation_z
from test.formats.compare import distance, entries

EXAMPLES = Path(__file__).parents[2] / "examples"
angles = st.one_of(
    st.floats(-7, 7),
    st.sampled_from([0.0, math.pi / 2, -math.pi / 2, math.pi, math.pi / 2 + 1e-9, 1e-9]),
)


def urdf_robot(body: str):
    return reduce(urdf.read(Source("r.urdf", f'<robot name="r">{body}</robot>')))


def kindsl_robot(text: str):
    return reduce(kindsl.read(Source("r.kindsl", text)))


def turned(text: str):
    x, y, z = (expression(_value(part)) for part in text.strip("()").split(", "))
    return rotation_x(x) @ rotation_y(y) @ rotation_z(z)


def _value(text: str):
    if "PI" not in text:
        return text
    sign, text = (-1, text[1:]) if text.startswith("-") else (1, text)
    factor, _, divisor = text.partition("PI")
    return sign * expression(factor.strip() or 1) * PI / expression(divisor.strip("/") or 1)


@given(roll=angles, pitch=angles, yaw=angles)
def test_angles_give_the_rotation_back_to_the_last_digit(roll, pitch, yaw):
    rotation = fixed_axes_rotation(*map(expression, (roll, pitch, yaw)))
    again = turned(kindsl_numbers.rotation(rotation))
    assert np.abs(entries(Pose(rotation)) - entries(Pose(again))).max() < 1e-15


@pytest.mark.parametrize(
    ("angle", "text"),
    [
        (PI, "PI"),
        (-PI / 2, "-PI/2.0"),
        (PI / 3, "PI/3.0"),
        (PI * 3 / 4, "0.75 PI"),
        (expression("1.5707963267948966"), "1.5707963267948966"),
        (expression("0.1"), "0.1"),
        (expression(0), "0.0"),
    ],
)
def test_pi_is_written_only_where_it_is_exact(angle, text):
    assert kindsl_numbers.rotation(rotation_z(angle)) == f"(0.0, 0.0, {text})"


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.1, "0.1"), (1, "1.0"), (-0.0, "0.0"), (1e-7, "0.0000001"), (1e22, "1" + 22 * "0" + ".0")],
)
def test_numbers_are_short_and_have_no_exponent(number, text):
    assert kindsl_numbers.decimal(float(number)) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_read_back_as_the_same_double(number):
    assert float(kindsl_numbers.decimal(number)) == number


ARM = """
  <link name="base"/>
  <link name="arm"><inertial><origin xyz="0.1 0 0" rpy="0 0 0.3"/><mass value="2"/>
    <inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0.01" ixz="0" iyz="0"/></inertial></link>
  <link name="tool"><inertial><mass value="0.5"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><origin xyz="0 0 1"/><parent link="base"/>
    <child link="arm"/><axis xyz="1 2 3"/></joint>
  <joint name="mount" type="fixed"><origin xyz="0 0.4 0" rpy="1 0 0"/><parent link="arm"/>
    <child link="tool"/></joint>"""


def test_any_axis_and_fixed_links_are_the_same_robot():
    robot = urdf_robot(ARM)
    again = kindsl_robot(kindsl_writer.write(robot))
    assert again.joint_names == ("shoulder",)
    assert distance(robot, again) < 5e-16


def test_frames_of_the_original_links_stay():
    robot = urdf_robot(ARM)
    again = kindsl_robot(kindsl_writer.write(robot))
    frames = {frame.name: frame for frame in again.frames}
    for frame in robot.frames:
        if frame.name != "base":
            difference = entries(frame.pose) - entries(frames[frame.name].pose)
            assert np.abs(difference).max() < 5e-16


def test_names_become_names_of_the_language():
    body = ARM.replace('"arm"', '"left-arm"').replace('"tool"', '"mass"')
    text = kindsl_writer.write(urdf_robot(body))
    assert "// link left_arm is 'left-arm' in the original" in text
    assert "link left_arm {" in text
    assert "^mass {" in text
    assert kindsl_robot(text).link_names == ("base", "left_arm")


def test_mimic_joints_are_refused():
    body = ARM.replace("</joint>", '<mimic joint="shoulder"/></joint>')
    body = body.replace('name="mount" type="fixed"', 'name="mount" type="revolute"')
    body = body.replace('<mimic joint="shoulder"/></joint>', "</joint>", 1)
    with pytest.raises(RobcogenError, match=r"no mimic joints \(mount\)"):
        kindsl_writer.write(urdf_robot(body))


@pytest.mark.parametrize("name", ["fancy.kindsl", "hyl.kindsl"])
def test_examples_are_written_as_they_are_read(name):
    robot = read(EXAMPLES / name).robot
    again = kindsl_robot(kindsl_writer.write(robot))
    assert distance(robot, again) == 0
    assert again.frame_names == robot.frame_names
    assert [p.name for p in again.parameters] == [p.name for p in robot.parameters]
