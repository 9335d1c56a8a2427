"""Robots on spread legs, as insects are: they lie flat on the ground where joints are at zero."""

import numpy as np
import pinocchio
import pytest

from robcogen_ros import build
from robcogen_ros.formats.read import read
from robcogen_ros.model.contacts import Foot
from robcogen_ros.standing.footing import find_footing
from robcogen_ros.standing.legs import find_feet
from robcogen_ros.standing.posture import Legs

INERTIAL = """<inertial><mass value="{m}"/>
<inertia ixx="{i}" iyy="{i}" izz="{i}" ixy="0" ixz="0" iyz="0"/></inertial>"""
JOINT = """<link name="{name}">{inertial}</link><joint name="{name}_joint" type="revolute">
<parent link="{of}"/><child link="{name}"/><axis xyz="{axis}"/><origin xyz="{xyz}" rpy="0 0 {yaw}"/>
<limit lower="{low}" upper="{high}" effort="9" velocity="9"/></joint>"""
FOOT = """<link name="{name}"/><joint name="{name}_joint" type="fixed"><parent link="{of}"/>
<child link="{name}"/><origin xyz="{xyz}"/></joint>"""
PARTS = ("coxa", "femur", "tibia")


GAUGE = """<link name="{name}"/><joint name="{name}_joint" type="prismatic"><parent link="{of}"/>
<child link="{name}"/><axis xyz="1 0 0"/><origin xyz="{xyz}"/>
<limit lower="-1e-4" upper="1e-4" effort="9" velocity="9"/></joint>"""


def insect(parts=PARTS, foot=FOOT, low=(-1.0, -1.5, -2.4), high=(1.0, 1.5, 2.4)):
    """A body on six legs that reach aside at zero, each with a joint up and two across."""
    text = f'<robot name="insect"><link name="body">{INERTIAL.format(m=2.0, i=0.01)}</link>'
    for i, angle in enumerate(np.deg2rad([30, 90, 150, 210, 270, 330])):
        of, xyz, yaw = "body", f"{0.15 * np.cos(angle)} {0.1 * np.sin(angle)} 0", angle
        for j, (part, length) in enumerate(zip(parts, (0.05, 0.1, 0.15), strict=True)):
            text += JOINT.format(
                name=f"{part}{i}",
                inertial=INERTIAL.format(m=0.1, i=1e-4),
                of=of,
                axis="0 1 0" if j else "0 0 1",
                xyz=xyz,
                yaw=yaw,
                low=low[j],
                high=high[j],
            )
            of, xyz, yaw = f"{part}{i}", f"{length} 0 0", 0.0
        text += foot.format(name=f"end{i}", of=of, xyz=xyz)
    return text + "</robot>"


@pytest.fixture
def written(tmp_path):
    def write(text):
        path = tmp_path / "insect.urdf"
        path.write_text(text)
        return path

    return write


def test_feet_are_found_where_legs_reach_down(written):
    feet = find_feet(read(written(insect())).robot)
    assert [contact.name for contact in feet.contacts] == [f"end{i}" for i in range(6)]
    assert feet.reason.endswith("legs stretched down")
    assert feet.length == pytest.approx(0.3)


def test_fingers_that_reach_down_are_no_feet(written):
    assert not find_feet(read(written(insect(("a", "b", "c")))).robot).contacts


def test_legs_that_cannot_reach_down_are_none(written):
    flat = insect(low=(-1.0, -1.5, -0.1), high=(1.0, -0.1, 0.1))
    assert not find_feet(read(written(flat)).robot).contacts


def test_legs_without_a_frame_of_a_foot_do_not_stand_on_their_knees(written):
    feet = find_feet(read(written(insect(foot=""))).robot)
    assert not feet.contacts
    assert '<parent link="tibia0"/>' in feet.reason


@pytest.mark.parametrize(
    "text",
    [insect(), insect(low=(-1.0, -1.5, 0.4)), insect(foot=GAUGE)],
    ids=["straight at zero", "never straight", "feet on gauges that hardly move"],
)
def test_spread_legs_stand_on_one_plane_around_the_center_of_mass(written, text):
    path = written(text)
    footing = find_footing(path)
    robot = build(
        path,
        floating_base=True,
        contacts=footing.names,
        functions=["kinematics", "center_of_mass"],
        backend="numpy",
    )
    posture = Legs(robot, [Foot(0.01)] * 6).standing()
    assert (posture.q >= robot.lower_limits).all() and (posture.q <= robot.upper_limits).all()
    model = pinocchio.buildModelFromUrdf(str(path), pinocchio.JointModelFreeFlyer())
    data, q = model.createData(), pinocchio.neutral(model)
    for joint, value in zip(robot.joint_names, posture.q, strict=True):
        q[model.joints[model.getJointId(joint)].idx_q] = value
    pinocchio.framesForwardKinematics(model, data, q)
    ends = np.array([data.oMf[model.getFrameId(name)].translation for name in footing.names])
    np.testing.assert_allclose(ends[:, 2] + posture.height, 0.01, atol=1e-8)
    np.testing.assert_allclose(
        pinocchio.centerOfMass(model, data, q)[:2], ends.mean(axis=0)[:2], atol=1e-3
    )
    assert posture.height > 0.05
    assert np.hypot(*ends[:, :2].T).min() > 0.2
