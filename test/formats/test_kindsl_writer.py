"""The Kinematics-DSL as we write it."""

from __future__ import annotations

import math
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robcogen_ros.formats.kindsl import reader as kindsl
from robcogen_ros.formats.kindsl import writer as kindsl_writer
from robcogen_ros.formats.kindsl.form import lumped
from robcogen_ros.formats.kindsl.numbers import Terms, decimal
from robcogen_ros.formats.load import load
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.urdf import reader as urdf
from robcogen_ros.model.checks.tree import check
from robcogen_ros.model.reduce import reduce
from robcogen_ros.model.scalars.expression import PI, expression
from robcogen_ros.model.scalars.quantities import fixed_axes_rotation
from robcogen_ros.model.spatial import Pose, rotation_x, rotation_y, rotation_z
from test.formats.compare import distance, entries

EXAMPLES = Path(__file__).parents[2] / "examples"
angles = st.one_of(
    st.floats(-7, 7),
    st.sampled_from([0.0, math.pi / 2, -math.pi / 2, math.pi, math.pi / 2 + 1e-9, 1e-9]),
)


def urdf_description(body: str):
    return urdf.read(Source("r.urdf", f'<robot name="r">{body}</robot>'))


def written(description) -> str:
    return kindsl_writer.write(lumped(description, reduce(description)))


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
    again = turned(Terms().rotation(rotation))
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
    assert Terms().rotation(rotation_z(angle)) == f"(0.0, 0.0, {text})"


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.1, "0.1"), (1, "1.0"), (-0.0, "0.0"), (1e-7, "0.0000001"), (1e22, "1" + 22 * "0" + ".0")],
)
def test_numbers_are_short_and_have_no_exponent(number, text):
    assert decimal(float(number)) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_read_back_as_the_same_double(number):
    assert float(decimal(number)) == number


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


@pytest.mark.parametrize("write", [written, kindsl_writer.write])
def test_any_axis_and_fixed_links_are_the_same_robot(write):
    description = urdf_description(ARM)
    again = kindsl_robot(write(description))
    assert again.joint_names == ("shoulder",)
    assert distance(reduce(description), again) < 5e-16


@pytest.mark.parametrize("write", [written, kindsl_writer.write])
def test_frames_of_the_original_links_stay(write):
    description = urdf_description(ARM)
    robot, again = reduce(description), kindsl_robot(write(description))
    for frame in robot.frames:
        same = again.frames[again.frame_index(frame.name)]
        assert np.abs(entries(frame.pose) - entries(same.pose)).max() < 5e-16


def test_fixed_joints_may_be_kept():
    again = kindsl.read(Source("r.kindsl", kindsl_writer.write(urdf_description(ARM))))
    assert [(joint.name, joint.kind) for joint in again.joints] == [
        ("shoulder", "revolute"),
        ("mount", "fixed"),
    ]


def test_names_become_names_of_the_language():
    body = ARM.replace('"arm"', '"left-arm"').replace('"tool"', '"mass"')
    text = written(urdf_description(body))
    assert "// link left_arm is 'left-arm' in the original" in text
    (note,) = kindsl_writer.renamed(text)
    assert note.message.endswith("are others: link left_arm is 'left-arm'")
    assert not kindsl_writer.renamed(written(urdf_description(ARM)))
    assert "link left_arm {" in text
    assert "^mass {" in text
    assert kindsl_robot(text).link_names == ("base", "left_arm")


def test_names_never_collide():
    body = ARM.replace('"arm"', '"a-b"').replace('"base"', '"a_b"').replace('"tool"', '"fr_a_b"')
    text = written(urdf_description(body))
    assert "// link a_b_2 is 'a-b' in the original" in text
    assert "// frame fr_a_b_3 is 'fr_a_b' in the original" in text
    assert check(kindsl.read(Source("r.kindsl", text))) == []


def test_no_name_leaves_its_comment():
    body = ARM.replace('"arm"', '"a&#10;b */ \u00e9"')
    text = written(urdf_description(body))
    assert "is 'a\\nb */ \\u00e9' in the original\n" in text
    assert len(kindsl_robot(text).link_names) == 2


LIMITED = """
  <link name="base"/><link name="a"/><link name="b"/><link name="c"/>
  <joint name="j" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/>
    <limit lower="-1.1" upper="2.3" velocity="3.7" effort="41"/>
    <dynamics damping="0.1" friction="0.3"/></joint>
  <joint name="k" type="prismatic"><parent link="a"/><child link="b"/>
    <limit lower="0" upper="0.4" velocity="1" effort="9"/>
    <mimic joint="j" multiplier="-0.25" offset="0.1"/></joint>
  <joint name="w" type="continuous"><parent link="b"/><child link="c"/>
    <limit velocity="5" effort="6"/></joint>"""


@pytest.mark.parametrize("write", [written, kindsl_writer.write])
def test_limits_friction_and_mimic_are_kept(write):
    description = urdf_description(LIMITED)
    again = kindsl.read(Source("r.kindsl", write(description)))
    for before, after in zip(description.joints, again.joints, strict=True):
        for what in ("name", "kind", "limits", "mimic", "damping", "friction"):
            assert getattr(before, what) == getattr(after, what)


@pytest.mark.parametrize("name", ["fancy.kindsl", "hyl.kindsl", "quadruped.kindsl"])
def test_examples_are_written_as_they_are_read(name):
    description = load(EXAMPLES / name)
    text = kindsl_writer.write(description)
    again = kindsl.read(Source("r.kindsl", text))
    assert distance(reduce(description), reduce(again)) == 0
    assert [frame.name for frame in again.frames] == [frame.name for frame in description.frames]
    assert again.parameters == description.parameters
    assert kindsl_writer.write(again) == text


def formatted(text: str) -> str:
    return kindsl_writer.write(kindsl.read(Source("r.kindsl", text)))


def document(x: str, angle: str = "0.0") -> str:
    return f"""Robot R {{
        RobotBase b {{ children {{ l via j }} }}
        virtual link l {{ id = 1 children {{}} }}
        r_joint j {{ ref_frame {{
            translation = ({x}, 0.0, 0.0) rotation = ({angle}, 2.0, 0.3) }} }} }}"""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("2.0*x", "2.0 x"),
        ("x*2", "2.0 x"),
        ("-2.0 x", "-2.0 x"),
        ("-(-2.0*x)", "2.0 x"),
        ("x/2", "x/2.0"),
        ("-x", "-x"),
        ("x[1e-3]", "x[0.001]"),
        ("x[1.5]*x", "x[1.5]*x"),
        ("1*(1 - x)", "-x + 1.0"),
        ("x - (y - 1)", "x - (y - 1.0)"),
        ("x/(2*y)/z", "x/(2.0 y)/z"),
        ("sqrt(x*x + sin(y))", "sqrt(x*x + sin(y))"),
        ("PI/2*x", "PI/2.0*x"),
        ("-(x + y)*-z", "-(x + y)*(-z)"),
        ("2*PI/3", "2.0*PI/3.0"),
        ("^pi + ^mass", "^pi + ^mass"),
        ("0.30000000000000004", "0.30000000000000004"),
    ],
)
def test_values_are_written_so_that_they_read_back(value, text):
    once = formatted(document(value))
    assert f"translation = ({text}, 0.0, 0.0)" in once
    assert formatted(once) == once


@pytest.mark.parametrize("angle", ["4.0", "a", "-PI/2 + 2*a", "PI/2.0", "3*PI/2"])
def test_angles_stay_as_they_are_written(angle):
    once = formatted(document("0", angle))
    before, after = (kindsl.read(Source("r", text)) for text in (document("0", angle), once))
    assert before.joints[0].pose == after.joints[0].pose
    assert formatted(once) == once


def test_inertia_stays_in_its_frame():
    inertia = """inertia_params { mass = m CoM = (c/2.0, 0, 0) Ix = i Iy = 1 Iz = 1
        Ixy = -2*k Ixz = 0 Iyz = k ref_frame = com }"""
    frame = "frames { com { translation = (a, 0, 0) rotation = (0, 0, PI/2) } }"
    text = document("0").replace(
        "virtual link l { id = 1 children {}", f"link l {{ id = 1 {inertia} children {{}} {frame}"
    )
    given = {name: Decimal(number) for number, name in enumerate("mcika", 2)}
    before, after = (
        [entry.evaluate(given) for entry in kindsl.read(Source("r", each)).links[1].inertial.tensor]
        for each in (text, formatted(text))
    )
    assert before == after == [4, 10, 0, 1, -5, 1]
    assert "ref_frame = com" in formatted(text)
    assert formatted(formatted(text)) == formatted(text)
