"""URDF 1.1: orientations as quaternions, beside Pinocchio, which reads them by urdfdom."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import robcogen_ros
from robcogen_ros.cli.main import main
from robcogen_ros.errors import ModelError
from robcogen_ros.formats import source
from robcogen_ros.formats.urdf import reader as urdf

INERTIA = '<inertia ixx="0.1" ixy="0.01" ixz="0.02" iyy="0.2" iyz="0.03" izz="0.25"/>'


def text(quaternion: str, version: str | None = "1.1", more: str = "") -> str:
    """A robot whose joint, whose link's inertia and whose tool are turned by a quaternion."""
    given = "" if version is None else f' version="{version}"'
    turned = f'quat_xyzw="{quaternion}" {more}'
    return f"""<robot name="r"{given}>
<link name="a"/><link name="tool"/>
<link name="b"><inertial><origin xyz="0.1 0.2 0.3" {turned}/>
<mass value="2"/>{INERTIA}</inertial></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><origin xyz="1 2 3" {turned}/>
<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="f" type="fixed"><parent link="b"/><child link="tool"/><origin {turned}/></joint>
</robot>"""


def described(document: str):
    return urdf.read(source.of_text(document, "r.urdf"))


def rotation(document: str, snap_angles: float = 0.0) -> np.ndarray:
    robot = urdf.read(source.of_text(document, "r.urdf"), snap_angles)
    return np.array([[float(entry) for entry in row] for row in robot.joints[0].pose.rotation])


def pinocchio(document: str):
    model = pin.buildModelFromXML(document)
    return model, model.createData()


components = st.tuples(*[st.floats(-1, 1).map(lambda x: round(x, 7))] * 4)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*is taken for the unit quaternion")
@settings(max_examples=30, deadline=None)
@given(components, st.sampled_from(["1.1", "1.2"]))
def test_poses_and_dynamics_are_those_of_pinocchio(quaternion, version):
    assume(np.linalg.norm(quaternion) > 0.1)
    document = text(" ".join(f"{x:.7f}" for x in quaternion), version)
    robot = robcogen_ros.build(text=document, backend="numpy")
    model, data = pinocchio(document)
    q = np.array([0.7])
    pin.framesForwardKinematics(model, data, q)
    expected = data.oMf[model.getFrameId("tool")].homogeneous
    assert np.allclose(robot.transform("a", "tool", q), expected, atol=2e-15, rtol=0)
    assert np.allclose(robot.inertia_matrix(q), pin.crba(model, data, q), atol=2e-15, rtol=0)
    gravity = pin.computeGeneralizedGravity(model, data, q)
    assert np.allclose(robot.gravity_torques(q), gravity, atol=1e-13, rtol=0)


RIGHT = [
    ("0 0 0.7071067811865475 0.7071067811865476", [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
    ("0.70710678 0 0 0.70710678", [[1, 0, 0], [0, 0, -1], [0, 1, 0]]),
    ("0 2 0 -2", [[0, 0, -1], [0, 1, 0], [1, 0, 0]]),
    ("1 0 0 6.123e-17", [[1, 0, 0], [0, -1, 0], [0, 0, -1]]),
    ("0.5 -0.5 0.49999999999999994 0.5", [[0, -1, 0], [0, 0, -1], [1, 0, 0]]),
]


@pytest.mark.filterwarnings("ignore:.*is taken for the unit quaternion")
@pytest.mark.parametrize(("quaternion", "expected"), RIGHT)
def test_right_angles_are_exact(quaternion, expected):
    assert rotation(text(quaternion)).tolist() == expected


def test_a_right_angle_on_top_of_another_angle_is_exact():
    half = np.cos(np.pi / 4)
    s, c = np.sin(0.15), np.cos(0.15)
    turned = rotation(text(f"{half * c:.17g} {half * s:.17g} {half * s:.17g} {half * c:.17g}"))
    assert turned[2, 2] == 0 and turned[2, 0] == 0 and turned[2, 1] == 1


def test_snapping_takes_nearly_right_angles_for_right_ones():
    document = text("0 0 0.70711 0.7071")
    assert rotation(document, 1e-3).tolist() == RIGHT[0][1]
    assert rotation(document)[0, 0] == pytest.approx(-1.4142e-5, rel=1e-4)


@pytest.mark.parametrize("version", [None, "1.0"])
def test_where_the_version_has_none_they_are_ignored_as_urdfdom_does_and_told(version):
    document = text("0 0 1 0", version, 'rpy="0 0 0.3"')
    (told,) = described(document).warnings
    assert 'quat_xyzw of <origin> is ignored; it needs <robot version="1.1">' in told.message
    model, _ = pinocchio(document)
    assert np.allclose(rotation(document), model.jointPlacements[1].rotation, atol=1e-15, rtol=0)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (text("0 0 1 0", more='rpy="0 0 0"'), "<origin> has both rpy and quat_xyzw; leave out one"),
        (text("0 0 0 0"), "quat_xyzw of <origin>: all four numbers are zero"),
        (text("0 0 1"), "expected 4 numbers, x y z w, found 3"),
        (text("0,0,0,1"), "'0,0,0,1' has more than spaces between its numbers; write '0 0 0 1'"),
        (text("0 0 0,7 0"), "decimals follow a point: '0.7'"),
        (text("0 0 nan 1"), "'nan' is not a finite number"),
    ],
)
def test_what_is_no_orientation_is_an_error_at_its_place(document, expected):
    with pytest.raises(ModelError) as caught:
        described(document)
    assert expected in str(caught.value)
    assert {problem.location.line for problem in caught.value.problems} == {3, 5, 7}


def test_a_length_that_is_not_one_is_told():
    assert described(text("0 0 0.707 0.707")).warnings == ()
    (told,) = described(text("0 0 2 2")).warnings
    assert "quat_xyzw of <origin> has the length 2.828" in told.message


@pytest.mark.parametrize(
    ("version", "read_as"),
    [("1.3", "1.2"), ("2.0", "1.2"), ("0.9", "1.0"), ("1", "1.0"), ("v2", "1.0"), ("", "1.0")],
)
def test_other_versions_are_told_with_how_they_are_read(version, read_as):
    told = str(described(text("0 0 0 1", version)).warnings[0])
    assert f"'{version}' is no version of URDF" in told and f"read as {read_as}" in told
    assert told.startswith("r.urdf:1:")


def test_converters_place_the_links_alike(tmp_path):
    document = text("0.1 -0.2 0.3 0.9273618495495703")
    path = tmp_path / "r.urdf"
    path.write_text(document)
    other, again = tmp_path / "r.kindsl", tmp_path / "again.urdf"
    assert main(["urdf2kindsl", "--keep-fixed", str(path), "-o", str(other)]) == 0
    assert main(["kindsl2urdf", str(other), "-o", str(again)]) == 0
    q = np.array([0.4])
    expected = robcogen_ros.build(text=document, backend="numpy").transform("a", "tool", q)
    written = robcogen_ros.build(again, backend="numpy")
    assert np.allclose(written.transform("a", "tool", q), expected, atol=1e-15, rtol=0)
