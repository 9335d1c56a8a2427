"""What a URDF means."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.cli.main import main
from robcogen_ros.errors import Location, ModelError
from robcogen_ros.formats.angles import Angles
from robcogen_ros.formats.read import read
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.urdf import reader as urdf
from robcogen_ros.model.description import Limits
from robcogen_ros.model.joint_kinds import REVOLUTE
from robcogen_ros.model.scalars.expression import expression
from robcogen_ros.model.spatial import Vector


def description(body: str):
    return urdf.read(Source("robot.urdf", f'<robot name="robot">{body}</robot>'))


def joint(name: str, parent: str, child: str, extra: str = "", kind: str = "revolute") -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{extra}</joint>'


def links(*names: str) -> str:
    return "".join(f'<link name="{name}"/>' for name in names)


def only_joint(extra: str, kind: str = "revolute"):
    (result,) = description(links("a", "b") + joint("j", "a", "b", extra, kind)).joints
    return result


def matrix(pose) -> np.ndarray:
    return np.array([[float(entry) for entry in row] for row in pose.rotation])


def fixed_axes(roll: float, pitch: float, yaw: float) -> np.ndarray:
    def rotation(i: int, j: int, angle: float) -> np.ndarray:
        result = np.eye(3)
        result[i, i] = result[j, j] = math.cos(angle)
        result[j, i], result[i, j] = math.sin(angle), -math.sin(angle)
        return result

    return rotation(0, 1, yaw) @ rotation(2, 0, pitch) @ rotation(1, 2, roll)


def test_joints_and_links_are_depth_first_in_document_order():
    robot = description(
        links("d", "c", "b", "a", "root")
        + joint("to_c", "a", "c")
        + joint("to_b", "root", "b")
        + joint("to_a", "root", "a")
        + joint("to_d", "b", "d")
    )
    assert [j.name for j in robot.joints] == ["to_b", "to_d", "to_a", "to_c"]
    assert [link.name for link in robot.links] == ["root", "b", "d", "a", "c"]


def test_rpy_turns_about_fixed_axes():
    pose = only_joint('<origin rpy="0.3 -0.7 1.9" xyz="1 2 3"/>').pose
    assert np.allclose(matrix(pose), fixed_axes(0.3, -0.7, 1.9), atol=1e-15, rtol=0)
    assert [float(entry) for entry in pose.translation] == [1, 2, 3]


@pytest.mark.parametrize("written", ["1.5707963267948966", "1.57079632679", "1.5707963268"])
def test_right_angles_are_exact(written):
    pose = only_joint(f'<origin rpy="{written} 0 -{written}"/>').pose
    assert {entry.value for row in pose.rotation for entry in row} <= {-1, 0, 1}


ROUNDED = ["1.5708", "3.1416", "3.14159", "4.71239", "1.570796", "1.57079", "-1.57080", "6.28318"]
ROUNDED += ["1.5707963705062866", "-3.141592741", "1.570796327", "157080e-5"]
WRITTEN = ["1.57", "1.571", "3.142", "1.6", "3", "1.5707", "1.57081", "4.7124", "6.2832", "0.7854"]
WRITTEN += ["9.4248", "1.0000e-6", "-4.64506e-08", "1.570796179632679"]


def turned(angle: str, **options: object):
    """What is read of a robot with an angle of its joint and of its link's inertia."""
    origin = f'<origin xyz="1 2 3" rpy="{angle} 0 0"/>'
    inertia = '<mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2"/>'
    body = f'<link name="b"><inertial>{origin}{inertia}</inertial></link>'
    body += links("a") + joint("j", "a", "b", origin)
    return read(Source("r.urdf", f'<robot name="r">{body}</robot>'), **options)


@pytest.mark.parametrize("written", ROUNDED)
def test_rounded_right_angles_are_exact_and_told(written):
    reading = turned(written, strict=True)
    joint, link = reading.description.joints[0], reading.description.links[1]
    for pose in (joint.pose, link.inertial.pose):
        assert {abs(entry.value) for row in pose.rotation for entry in row} == {0, 1}
        assert float(pose.rotation.y.y) == pytest.approx(math.cos(float(written)), abs=1e-5)
    (note,) = reading.warnings
    assert note.severity == "note" and note.location.line == 1
    assert note.message.startswith("2 rounded angles are taken for multiples of pi/2")
    away = abs(float(written) - round(float(written) / math.pi * 2) * math.pi / 2)
    assert f"changes none by more than {away:.1e} rad; snap_angles=0 keeps" in note.message


@pytest.mark.parametrize("written", [*WRITTEN, *ROUNDED])
def test_other_angles_are_taken_as_written(written):
    options = {"snap_angles": 0.0} if written in ROUNDED else {}
    reading = turned(written, **options)
    pose = reading.description.joints[0].pose
    assert float(pose.rotation.y.y) == pytest.approx(math.cos(float(written)), abs=1e-15)
    assert float(pose.rotation.z.y) == pytest.approx(math.sin(float(written)), abs=1e-15)
    assert {abs(entry.value) for row in pose.rotation for entry in row} != {0, 1}
    assert reading.warnings == ()


def test_limits_mimics_and_locked_positions_are_no_angles_that_a_file_has_rounded():
    more = '<limit lower="-1.5708" upper="3.1416" effort="1" velocity="1"/>'
    body = links("a", "b", "c") + joint("i", "a", "b", more)
    body += joint("j", "b", "c", '<mimic joint="i" offset="1.5708"/>' + more)
    text = Source("r.urdf", f'<robot name="r">{body}</robot>')
    reading = read(text, lock={"i": 1.5708})
    assert reading.description.joints[0].limits.lower == -1.5708
    assert float(reading.description.joints[1].mimic.offset) == 1.5708
    assert not [each for each in reading.warnings if each.severity == "note"]
    frame = next(each for each in reading.robot.frames if each.name == "b")
    assert float(frame.pose.rotation.y.y) == pytest.approx(math.cos(1.5708), abs=1e-15)


@pytest.mark.parametrize("noise", ["6.12323e-17", "-1.2246467991473532e-16", "3e-12"])
def test_what_only_rounding_keeps_from_an_axis_is_zero(noise):
    made = only_joint(f'<axis xyz="{noise} -2 0"/>')
    assert made.axis == Vector(0, -2, 0).map(expression)
    assert only_joint('<axis xyz="1e-9 -2 0"/>').axis.x.value == expression("1e-9").value


def test_numbers_are_the_decimals_written():
    pose = only_joint('<origin xyz="0.1 1e-3 +.5"/>').pose
    assert pose.translation.x == expression("0.1")
    assert pose.translation.y.value == expression("0.001").value
    assert pose.translation.z.value == expression("0.5").value


def test_what_is_missing_has_its_default():
    joint = only_joint("")
    assert np.array_equal(matrix(joint.pose), np.eye(3))
    assert [float(entry) for entry in joint.axis] == [1, 0, 0]
    assert joint.limits == Limits()
    assert joint.mimic is None
    assert (joint.damping, joint.friction) == (0, 0)


def test_limits_and_dynamics():
    joint = only_joint(
        '<limit lower="-1" upper="2" velocity="3"/><dynamics damping="0.5" friction="0.25"/>'
    )
    assert joint.limits == Limits(lower=-1, upper=2, velocity=3, effort=None)
    assert (joint.damping, joint.friction) == (0.5, 0.25)


def test_a_continuous_joint_has_no_position_limits():
    limits = only_joint('<limit lower="-1" upper="2" effort="4"/>', "continuous").limits
    assert limits == Limits(effort=4)


def test_mimic_follows_one_to_one_unless_written():
    body = links("a", "b", "c") + joint("j", "a", "b")
    plain = description(body + joint("k", "a", "c", '<mimic joint="j"/>')).joints[1].mimic
    assert (plain.leader, float(plain.multiplier), float(plain.offset)) == ("j", 1, 0)
    scaled = '<mimic joint="j" multiplier="-2" offset="0.1"/>'
    other = description(body + joint("k", "a", "c", scaled)).joints[1].mimic
    assert (float(other.multiplier), float(other.offset)) == (-2, 0.1)


def test_inertia_is_about_the_center_of_mass_in_the_inertial_frame():
    inertial = (
        '<inertial><origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/><mass value="2"/>'
        '<inertia ixx="3" iyy="4" izz="5" ixy="0.1" ixz="0.2" iyz="0.3"/></inertial>'
    )
    (link,) = description(f'<link name="a">{inertial}</link>').links
    whole = link.inertial.spatial()
    assert [float(entry) for entry in whole.moment] == [2, 0, 0]
    expected = [[4, -0.1, -0.3], [-0.1, 3 + 2, 0.2], [-0.3, 0.2, 5 + 2]]
    assert np.allclose([[float(e) for e in row] for row in whole.tensor.matrix()], expected)


def test_a_link_without_inertial_is_massless():
    assert description(links("a")).links[0].inertial is None


def test_a_floating_joint_below_a_massless_root_makes_the_base_float():
    robot = description(
        links("world", "body", "leg")
        + joint("free", "world", "body", kind="floating")
        + joint("hip", "body", "leg")
    )
    assert robot.floating_base
    assert [link.name for link in robot.links] == ["body", "leg"]
    assert [j.name for j in robot.joints] == ["hip"]


def test_a_root_with_mass_is_no_dummy():
    inertia = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    world = f'<link name="world"><inertial><mass value="{{}}"/>{inertia}</inertial></link>'
    tree = links("body") + joint("free", "world", "body", kind="floating")
    assert not description(world.format("5") + tree).floating_base
    massless = world.format("0").replace('"1"', '"0"')
    assert description(massless + tree).floating_base


def test_foreign_tags_are_nobody_s_business(capfd):
    robot = description(
        '<link name="a"><sensor foo="bar"/><self_collision_checking/></link>'
        '<gazebo reference="a"><mu1>x</mu1></gazebo><transmission/><ros2_control/><material/>'
    )
    assert robot.warnings == ()
    assert capfd.readouterr() == ("", "")


def test_a_misspelt_tag_is_warned_about():
    (warning,) = description(links("a", "b") + joint("j", "a", "b", "<orgin/>")).warnings
    assert warning.severity == "warning"
    assert warning.message == "unknown tag <orgin> is ignored; did you mean <origin>?"


def test_a_tag_in_a_wrong_place_is_told_where_it_belongs() -> None:
    """A body placed by the link itself would stay at its joint."""
    (warning,) = description('<link name="a"><origin xyz="0 0 1"/></link>').warnings
    expected = "<collision>, <inertial>, <joint>, <visual>"
    assert warning.message == f"<origin> is ignored here; it belongs in {expected}"


def test_angles_cut_off_sooner_still_are_right_ones_only_if_asked(tmp_path, capsys):
    path = tmp_path / "r.urdf"
    body = links("a", "b", "c")
    for name, parent, child in (("i", "a", "b"), ("j", "b", "c")):
        origin = '<origin xyz="0.1 0.2 0.3" rpy="1.571 0 -3.1416"/><limit effort="1" velocity="1"/>'
        body += joint(name, parent, child, origin)
    path.write_text(f'<robot name="r">{body}</robot>')
    plain, snapped = (read(path, snap_angles=tolerance).robot for tolerance in (0.0, 1e-3))
    entries = [float(x) for row in plain.joints[0].pose.rotation for x in row]
    exact = [float(x) for row in snapped.joints[0].pose.rotation for x in row]
    assert {abs(x) for x in exact} == {0.0, 1.0}
    assert 1e-4 < np.abs(np.subtract(entries, exact)).max() < 1e-3
    assert main(["inspect", str(path)]) == 0
    printed = capsys.readouterr().out
    assert "joints turned by nearly a multiple of pi/2: 2" in printed
    assert "poses by up to 2.0e-04" in printed
    assert main(["inspect", str(path), "--snap-angles", "1e-3"]) == 0
    assert "nearly" not in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["inspect", str(path), "--snap-angles", "1"])


def test_an_axis_of_a_fixed_joint_is_told_once_a_file():
    axes = ("", '<axis xyz="0 0 0"/>', '<axis xyz="0 0 1"/>', '<axis xyz="1 0 0"/>')
    joints = "".join(
        f'<link name="l{i + 1}"/>\n<joint name="j{i}" type="fixed"><parent link="l{i}"/>'
        f'<child link="l{i + 1}"/>{axis}</joint>'
        for i, axis in enumerate(axes)
    )
    text = f'<robot name="r"><link name="l0"/>{joints}</robot>'
    (warning,) = urdf.read(Source("r.urdf", text)).warnings
    assert str(warning) == "r.urdf:4:1: warning: the axis of a fixed joint means nothing: j2, j3"


@pytest.mark.parametrize("kind", ["fixed", "floating"])
@pytest.mark.parametrize("axis", ["1", "", "0 0", "a b c", "1 0", "0,1 0 0", "nan 0 0", "0 0 1"])
def test_an_axis_where_there_is_none_is_told_whatever_it_says(kind, axis):
    text = links("a", "b") + joint("j", "a", "b", f'<axis xyz="{axis}"/>', kind=kind)
    first, *_ = description(text).warnings
    assert first.message == f"the axis of a {kind} joint means nothing: j"
    with pytest.raises(ModelError):
        description(links("a", "b") + joint("j", "a", "b", '<axis xyz="1 0"/>', kind="planar"))


@pytest.mark.parametrize("angle", ["1e39", "-1e300", "1e400"])
def test_no_angle_is_too_far_to_be_read(angle):
    written = Decimal(angle)
    assert Angles().angle(written, Location("far.urdf", 1)).value == written


def screw(pitch: str, kind: str = "revolute") -> str:
    axis = f'<axis xyz="0 0 1" screw_thread_pitch="{pitch}"/>'
    return links("a", "b") + joint("j", "a", "b", axis, kind=kind)


@pytest.mark.parametrize("kind", ["revolute", "continuous"])
def test_a_joint_with_a_pitch_is_helical_and_counts_its_turns(kind, tmp_path):
    """It rises by the pitch in a turn; its position is no angle modulo a turn."""
    path = tmp_path / "r.urdf"
    path.write_text(f'<robot name="r">{screw("0.25", kind)}</robot>')
    robot = robcogen_ros.build(path, backend="numpy")
    assert not robot.continuous[0]
    assert (*robot.units, *robot.effort_units) == ("rad", "N m")
    quarter = np.linalg.inv(robot.frame_poses([0.0])[1]) @ robot.frame_poses([9 * np.pi / 2])[1]
    turned = [[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0.25 * 9 / 4], [0, 0, 0, 1]]
    np.testing.assert_allclose(quarter, turned, atol=1e-14)


@pytest.mark.parametrize("kind", ["prismatic", "planar"])
def test_a_pitch_of_a_joint_that_cannot_have_one_is_an_error(kind, tmp_path):
    path = tmp_path / "r.urdf"
    path.write_text(f'<robot name="r">{screw("0.25", kind)}</robot>')
    with pytest.raises(ModelError, match=f"joint 'j' is {kind}: it has no screw_thread_pitch"):
        read(path)


@pytest.mark.parametrize("pitch", ["nan", "inf", "5mm", "", "1 2", "0x1", "1e999"])
def test_a_pitch_is_a_number(pitch):
    with pytest.raises(ModelError, match="screw_thread_pitch of <axis>"):
        description(screw(pitch))


def test_a_pitch_of_zero_is_a_revolute_joint():
    (j,) = description(screw("0")).joints
    assert j.motion is REVOLUTE


@pytest.mark.parametrize("word", ["helical", "screw"])
def test_what_others_call_a_screw_is_told_how_to_write(word):
    with pytest.raises(ModelError, match="a revolute joint has screw_thread_pitch in its <axis>"):
        description(screw("0.1", word))
