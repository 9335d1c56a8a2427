"""Shapes of links: those that urdfdom reads, where it has them; what it drops is told."""

from __future__ import annotations

import numpy as np
import pytest

from robcogen_ros.cli.main import main
from robcogen_ros.formats import source
from robcogen_ros.formats.urdf import reader as urdf
from robcogen_ros.model.quaternions import matrix

LINK = """<robot name="r" version="{version}">
<material name="red"><color rgba="1 0 0 1"/></material>
<link name="a">
<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<{part}>{origin}<geometry>{form}</geometry>{material}</{part}>
</link></robot>
"""
BOX = '<box size="1 2 3"/>'


def written(form=BOX, origin="", material="", part="collision", version="1.2") -> str:
    return LINK.format(form=form, origin=origin, material=material, part=part, version=version)


def read(text: str):
    return urdf.read(source.of_text(text, "r.urdf"))


def told(text: str) -> list[str]:
    return [str(problem) for problem in read(text).warnings]


def of_urdfdom(text: str) -> list:
    pinocchio = pytest.importorskip("pinocchio", reason="Pinocchio is not installed")
    model = pinocchio.buildModelFromXML(text)
    kind = pinocchio.GeometryType.COLLISION
    return [*pinocchio.buildGeomFromUrdfString(model, text, kind).geometryObjects]


ORIGINS = [
    '<origin xyz="1 -2 3"/>',
    '<origin xyz="1 -2 3" rpy="0.1 -0.7 2"/>',
    '<origin rpy="1.5707963267948966 0 -3.141592653589793"/>',
    '<origin xyz="0 0 1" quat_xyzw="0.1 -0.2 0.3 0.9"/>',
]


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.filterwarnings("ignore:.*is taken for the unit quaternion")
def test_poses_are_those_of_urdfdom(origin):
    text = written(origin=origin)
    (shape,), (expected,) = read(text).shapes, of_urdfdom(text)
    np.testing.assert_allclose(matrix(shape.pose), expected.placement.homogeneous, atol=1e-15)
    assert shape.sizes == (1, 2, 3)
    np.testing.assert_array_equal(2 * expected.geometry.halfSide, shape.sizes)


def test_right_angles_are_exact_and_others_as_written():
    (shape,) = read(written(origin='<origin rpy="1.5707963267948966 0 0"/>')).shapes
    assert matrix(shape.pose)[1, 1] == 0
    (shape,) = read(written(origin='<origin rpy="1.5708 0 0"/>')).shapes
    np.testing.assert_allclose(matrix(shape.pose)[1, 1], np.cos(1.5708), rtol=1e-10)


DROPPED = [
    ('<box size="1 2"/>', "size of <box>: expected 3 numbers, found 2: '1 2'"),
    ('<box size="1 2 3 4"/>', "size of <box>: expected 3 numbers, found 4"),
    ('<box sise="1 2 3"/>', "<box> lacks the attribute 'size'"),
    ('<box size="a b c"/>', "size of <box>: 'a' is not a number"),
    ('<box size="1, 2, 3"/>', "'1, 2, 3' has more than spaces between its numbers; write '1 2 3'"),
    ('<box size="[1 2 3]"/>', "'[1 2 3]' has more than spaces between its numbers; write '1 2 3'"),
    ('<sphere radius="0,05"/>', "'0,05' is not a number; decimals follow a point: '0.05'"),
    ('<sphere radius="nan"/>', "radius of <sphere>: 'nan' is not a finite number"),
    ('<sphere radius="1e999"/>', "radius of <sphere>: '1e999' is larger than"),
    ('<sphere radius=""/>', "radius of <sphere>: '' is not a number"),
    ('<cylinder radius="1" lenght="2"/>', "<cylinder> lacks the attribute 'length'"),
    ('<mesh filename="a.stl" scale="0.001"/>', "scale of <mesh>: expected 3 numbers, found 1"),
    ('<mesh scale="1 1 1"/>', "<mesh> lacks the attribute 'filename'"),
    ('<ellipsoid radii="1 2 3"/>', "<geometry> has none of <box>, <sphere>,"),
    ("", "<geometry> has none of"),
]


@pytest.mark.parametrize(("form", "why"), DROPPED)
def test_what_urdfdom_drops_is_left_out_and_told(form, why):
    text = written(form)
    assert read(text).shapes == () and of_urdfdom(text) == []
    (message,) = [each for each in told(text) if why in each]
    assert message.startswith("r.urdf:5:") and "warning" in message
    assert message.endswith("this collision is left out")
    assert read(text).links[0].inertial is not None


@pytest.mark.parametrize(
    ("origin", "why"),
    [
        ('<origin rpy="0 1"/>', "rpy of <origin>: expected 3 numbers, found 2: '0 1'"),
        ('<origin rpy=""/>', "rpy of <origin>: expected 3 numbers, found 0"),
        ('<origin xyz="1 2 x"/>', "xyz of <origin>: 'x' is not a number"),
        ('<origin quat_xyzw="0 0 1"/>', "quat_xyzw of <origin>: expected 4 numbers"),
        ('<origin quat_xyzw="0 0 0 0"/>', "all four numbers are zero"),
        ('<origin rpy="0 0 0" quat_xyzw="0 0 0 1"/>', "has both rpy and quat_xyzw"),
    ],
)
def test_a_shape_that_is_nowhere_is_left_out_and_told(origin, why):
    text = written(origin=origin)
    assert read(text).shapes == () and (of_urdfdom(text) == [] or "zero" in why)
    assert any(why in each and "this collision is left out" in each for each in told(text))


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ('<mesh filename="a.stl" scale="0 0 0"/>', "scale of <mesh>: '0 0 0' leaves nothing of it"),
        ('<mesh filename="a.stl" scale="1 -0 1"/>', "scale of <mesh>: '1 -0 1' leaves nothing of"),
        ('<box size="1 -2 3"/>', "size of <box>: expected no less than 0, found '1 -2 3'"),
        ('<sphere radius="-0.1"/>', "radius of <sphere>: expected no less than 0, found '-0.1'"),
        ('<capsule radius="1" length="-1"/>', "length of <capsule>: expected no less than 0"),
    ],
)
def test_sizes_that_nothing_has_are_told(form, why):
    (message,) = told(written(form))
    assert why in message and message.endswith("this collision is left out")
    column = len("<collision><geometry>") + form.index(f'{why.split()[0]}="') + len(why.split()[0])
    assert message.startswith(f"r.urdf:5:{column + 3}: warning: ")
    assert read(written(form)).shapes == ()


@pytest.mark.parametrize(
    "form",
    ['<mesh filename="a.stl" scale="1 -1 1"/>', '<sphere radius="0"/>', '<box size="1 1 0"/>'],
)
def test_mirrored_meshes_points_and_plates_are_shapes(form):
    assert told(written(form)) == [] and len(read(written(form)).shapes) == 1


def test_a_quaternion_of_urdf_1_0_is_ignored_as_urdfdom_does_and_told():
    text = written(origin='<origin quat_xyzw="0 0 1 0"/>', version="1.0")
    assert 'it needs <robot version="1.1">' in told(text)[0]
    np.testing.assert_array_equal(matrix(read(text).shapes[0].pose), np.eye(4))


@pytest.mark.parametrize(
    ("text", "second"),
    [
        (written('<box size="1 2 3"/><sphere radius="1"/>'), "shape"),
        (written('<box size="1 2 3"/><mesh/>'), "shape"),
        (written('<box size="1 2 3"/></geometry><geometry><mesh/>'), "<geometry>"),
        (written(BOX, '<origin xyz="1 0 0"/><origin xyz="a"/>'), "<origin>"),
    ],
)
def test_the_first_of_two_counts_as_urdfdom_has_it(text, second):
    (shape,), (expected,) = read(text).shapes, of_urdfdom(text)
    assert shape.form == "box"
    np.testing.assert_array_equal(matrix(shape.pose), expected.placement.homogeneous)
    (message,) = told(text)
    assert message.endswith(f"warning: a second {second} is ignored")


def test_misspelt_names_of_tags_and_attributes_are_told():
    (message,) = told(written('<mesh filename="a.stl" scal="2 2 2"/>'))
    assert "unknown attribute 'scal' of <mesh> is ignored; did you mean 'scale'?" in message
    (message,) = told(written(origin='<orgin xyz="1 2 3"/>'))
    assert "unknown tag <orgin> is ignored; did you mean <origin>?" in message
    (message,) = told(written().replace("<collision>", '<collision nmae="c">'))
    assert "unknown attribute 'nmae' of <collision> is ignored; did you mean 'name'?" in message


@pytest.mark.parametrize(
    ("material", "color"),
    [
        ('<material name="red"/>', (1, 0, 0, 1)),
        ('<material name="own"><color rgba="0 1 0 0.5"/></material>', (0, 1, 0, 0.5)),
        ('<material name="none"/>', None),
    ],
)
def test_colors_are_those_of_materials(material, color):
    text = written(material=material, part="visual")
    assert read(text).shapes[0].color == color and told(text) == []


def test_a_material_of_one_visual_has_a_name_for_those_of_others():
    own = '<material name="m"><color rgba="0 1 0 1"/></material>'
    text = written(part="visual", material=own)
    named = text[text.index("<visual>") : text.index("</visual>")].replace(own, own[:18] + "/>")
    text = text.replace("</link>", f"{named}</visual></link>")
    assert [shape.color for shape in read(text).shapes] == [(0, 1, 0, 1)] * 2


def test_a_color_of_three_numbers_is_left_out_but_not_its_shape():
    material = '<material name="own"><color rgba="0 1 0"/></material>'
    text = written(material=material, part="visual")
    assert read(text).shapes[0].color is None
    (message,) = told(text)
    assert message.endswith(
        "rgba of <color>: expected 4 numbers, found 3: '0 1 0'; this color is left out"
    )


@pytest.mark.parametrize("command", ["check", "urdf2mjcf", "urdf2sdf", "inspect"])
def test_commands_tell_of_shapes_and_go_on_unless_strict(command, tmp_path, capsys):
    (tmp_path / "r.urdf").write_text(written('<mesh filename="a.stl" scale="0.001"/>'))
    assert main([command, str(tmp_path / "r.urdf")]) == 0
    assert "r.urdf:5:52: warning: scale of <mesh>: expected 3 numbers" in capsys.readouterr().err
    assert main([command, "--strict", str(tmp_path / "r.urdf")]) == 1
    assert "error: scale of <mesh>" in capsys.readouterr().err
