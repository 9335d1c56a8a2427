"""Robots stand where Pinocchio has their feet on the plane, below their center of mass."""

import re
from pathlib import Path

import numpy as np
import pinocchio
import pytest

from robcogen_ros import build
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.contacts import Foot
from robcogen_ros.standing import srdf
from robcogen_ros.standing.posture import Legs
from test.support.examples import example_path
from test.support.humanoid import BEND, ROLL, SOLE_ROLL, YAW, write_humanoid
from test.support.robots import robot_path

HYQ = ("hyq_description/robots/hyq_no_sensors.urdf", "lf_foot rf_foot lh_foot rh_foot", Foot(0.02))
TWO_LEGS = Path(__file__).parents[1] / "control" / "two_legs.urdf"
SOLE = Foot(corners=np.array([[-0.1, -0.06, 0], [0.1, -0.06, 0], [0.1, 0.06, 0], [-0.1, 0.06, 0]]))
TALOS = (
    "talos_data/robots/talos_reduced.urdf",
    "left_sole_link:pose right_sole_link:pose",
    SOLE,
)


def robot_of(path, contacts):
    return build(
        path,
        floating_base=True,
        contacts=contacts.split(),
        functions=["kinematics", "center_of_mass", "total_mass"],
        backend="numpy",
    )


def seen(path, robot, posture, frames):
    """Poses of frames, and the center of mass, as Pinocchio has them in the base."""
    model = pinocchio.buildModelFromUrdf(str(path), pinocchio.JointModelFreeFlyer())
    data, q = model.createData(), pinocchio.neutral(model)
    for joint, value in zip(robot.joint_names, posture.q, strict=True):
        q[model.joints[model.getJointId(joint)].idx_q] = value
    pinocchio.framesForwardKinematics(model, data, q)
    center = pinocchio.centerOfMass(model, data, q)
    return [data.oMf[model.getFrameId(frame)] for frame in frames], center


def test_legs_are_bent_where_feet_are_far_beside_their_hips():
    """ANYmal's feet are 0.19 m beside the first joints: they are as near to the next as usual."""
    path = robot_path("anymal_b_simple_description/robots/anymal.urdf")
    robot = robot_of(path, "LF_FOOT RF_FOOT LH_FOOT RH_FOOT")
    legs = Legs(robot, [Foot()] * 4)
    q = legs.standing().q
    model = pinocchio.buildModelFromUrdf(str(path), pinocchio.JointModelFreeFlyer())
    data = model.createData()

    def lengths(positions):
        full = pinocchio.neutral(model)
        for joint, value in zip(robot.joint_names, positions, strict=True):
            full[model.joints[model.getJointId(joint)].idx_q] = value
        pinocchio.framesForwardKinematics(model, data, full)
        ends = [(data.oMi[model.getJointId(f"{leg}_HFE")], leg) for leg in ("LF", "RH")]
        feet = [data.oMf[model.getFrameId(f"{leg}_FOOT")] for _, leg in ends]
        return [
            np.linalg.norm(f.translation - e.translation)
            for (e, _), f in zip(ends, feet, strict=True)
        ]

    knees = np.array([name.endswith("KFE") for name in robot.joint_names])
    longest = np.max([lengths(knees * bent) for bent in np.linspace(-1, 1, 401)], axis=0)
    np.testing.assert_allclose(lengths(q), 0.8 * longest, rtol=0.01)
    frames, reaches = legs.thighs()
    assert [robot.frame_names[i] for i in frames] == [f"{f[:2]}_THIGH" for f in legs.frames]
    np.testing.assert_allclose(reaches[[0, 3]], longest, rtol=1e-3)


@pytest.mark.parametrize("robot", [HYQ, TALOS], ids=["hyq", "talos"])
@pytest.mark.parametrize("given", [True, False], ids=["srdf", "bent"])
def test_feet_are_on_the_plane_and_carry_the_robot(robot, given):
    name, contacts, foot = robot
    path = robot_path(name)
    robot = robot_of(path, contacts)
    legs = Legs(robot, [foot] * len(robot.contacts))
    state = srdf.standing_state(srdf.beside(path, robot.name)).positions if given else None
    posture = legs.standing(state)
    assert (posture.q >= robot.lower_limits).all() and (posture.q <= robot.upper_limits).all()
    poses, center = seen(path, robot, posture, legs.frames)
    for pose in poses:
        assert pose.translation[2] + posture.height == pytest.approx(foot.radius, abs=1e-8)
        if foot.corners is not None:
            np.testing.assert_allclose(pose.rotation[2], [0, 0, 1], atol=1e-8)
    if not given:
        middle = np.mean([pose.translation for pose in poses], axis=0)
        np.testing.assert_allclose(center[:2], middle[:2], atol=1e-3)
        assert (np.ptp(posture.q.reshape(4, 3)[:, 2] ** 2) if len(poses) == 4 else 0) < 1e-2


def test_a_humanoid_whose_ankles_do_not_roll_stands(tmp_path):
    """Its center of mass is 4 mm aside, where flat feet of five joints cannot follow. Its arm,
    whose zero is its limit, is off it."""
    path = write_humanoid(tmp_path, (YAW, ROLL, *BEND))
    robot = robot_of(path, "lankle:pose rankle:pose")
    posture = Legs(robot, [SOLE, SOLE]).standing()
    feet, center = seen(path, robot, posture, ("lankle", "rankle"))
    for pose in feet:
        np.testing.assert_allclose(pose.rotation, np.eye(3), atol=1e-8)
        assert pose.translation[2] == pytest.approx(-posture.height, abs=1e-8)
    middle = sum(pose.translation for pose in feet) / 2
    assert center[:2] - middle[:2] == pytest.approx([0.0, 0.004], abs=1e-3)
    assert posture.q[robot.joint_names.index("arm_joint")] == pytest.approx(-0.02)


@pytest.mark.parametrize("more", [(), (SOLE_ROLL,)], ids=["five", "six"])
def test_legs_whose_axes_are_not_quite_parallel_stand_on_flat_soles_with_knees_ahead(
    tmp_path, more
):
    """Five joints cannot put such feet where they are at zero; ranges let knees bend both ways."""
    hip, knee, ankle = BEND
    bend = (hip, (knee[0], "0.002 1 -0.001", -0.4), (ankle[0], "-0.001 1 0.003", -0.4))
    path = write_humanoid(tmp_path, (ROLL, YAW, *bend, *more))
    soles = [side + ("sole" if more else "ankle") for side in "lr"]
    robot = robot_of(path, " ".join(f"{sole}:pose" for sole in soles))
    posture = Legs(robot, [SOLE, SOLE]).standing()
    (left, right, *knees), center = seen(path, robot, posture, (*soles, "lknee", "rknee"))
    for sole, knee, y in zip((left, right), knees, (0.1, -0.1), strict=True):
        np.testing.assert_allclose(sole.rotation[2], [0, 0, 1], atol=1e-7)
        assert sole.translation[2] == pytest.approx(-posture.height, abs=1e-7)
        assert sole.translation[1] == pytest.approx(y, abs=5e-3)
        assert knee.translation[0] > sole.translation[0] + 0.1
    assert left.translation[0] == pytest.approx(center[0], abs=1e-3)


def test_joints_that_are_in_two_legs_stay_as_they_are(tmp_path):
    """A ToddlerBot, whose root is its torso, was put on one foot and taken off it by the other."""
    path = write_humanoid(tmp_path, (YAW, ROLL, *BEND, SOLE_ROLL))
    waist = '<link name="waist"/><joint name="waist_joint" type="revolute"><parent link="trunk"/>'
    waist += '<child link="waist"/><axis xyz="1 0.2 0.3"/><origin xyz="0 0.01 -0.1"/><limit '
    waist += 'lower="-1" upper="1" effort="90" velocity="9"/></joint></robot>'
    legs = re.sub(r'"trunk"(/>\s*<child link=".yaw")', r'"waist"\1', path.read_text())
    path.write_text(legs.replace("</robot>", waist))
    robot = robot_of(path, "lsole:pose rsole:pose")
    legs = Legs(robot, [SOLE, SOLE])
    posture = legs.standing()
    poses, center = seen(path, robot, posture, ("lsole", "rsole"))
    for pose in poses:
        np.testing.assert_allclose(pose.rotation[2], [0, 0, 1], atol=1e-8)
        assert pose.translation[2] == pytest.approx(-posture.height, abs=1e-8)
    middle = sum(pose.translation for pose in poses) / 2
    np.testing.assert_allclose(center[:2], middle[:2], atol=1e-3)
    assert posture.q[robot.joint_names.index("waist_joint")] == 0.0
    assert legs.reaches()[0][:, 2] == pytest.approx(-0.1)


def test_feet_that_the_same_joints_move_are_told(tmp_path):
    path = write_humanoid(tmp_path, (YAW, ROLL, *BEND, SOLE_ROLL))
    legs = Legs(robot_of(path, "lankle lsole:pose rsole:pose"), [Foot(), SOLE, SOLE])
    told = r"foot lankle is \d+ mm out of reach, for all joints that move it move other feet, too"
    with pytest.raises(RobcogenError, match=told):
        legs.standing()


@pytest.mark.parametrize(("limit", "reach"), [(-0.71, 0.8), (-0.68, 0.856), (-0.4, 0.96)])
def test_legs_are_straighter_where_an_ankle_would_be_near_its_limit(tmp_path, limit, reach):
    """A shank leans by arccos(0.8) = 0.6435 rad, less where the sole is ahead, at 0.96 by 0.28."""
    path = write_humanoid(tmp_path, (YAW, ROLL, *BEND), knee=0.0, ankle=limit)
    robot = robot_of(path, "lankle:pose rankle:pose")
    posture = Legs(robot, [SOLE, SOLE]).standing()
    ankle = posture.q[robot.joint_names.index("lankle_joint")]
    shank = np.hypot(0.8 * reach, 0.03) / 0.8  # soles are below the center of mass, 3 cm ahead
    assert posture.height == pytest.approx(0.8 * reach, abs=1e-3)
    assert ankle == pytest.approx(-np.arccos(shank) + np.arctan(0.03 / posture.height), abs=0.01)
    assert ankle > limit + 0.1


def test_soles_below_their_frames_bend_no_leg_further(tmp_path):
    """A JVRC-1, whose feet are known by their ankles, fell as it stepped, in a deep crouch."""
    path = write_humanoid(tmp_path, (YAW, ROLL, *BEND))
    robot, low = robot_of(path, "lankle:pose rankle:pose"), Foot(corners=SOLE.corners - [0, 0, 0.1])
    stands, higher = (Legs(robot, [foot, foot]).standing() for foot in (SOLE, low))
    assert higher.q == pytest.approx(stands.q, abs=1e-6)
    assert higher.height == pytest.approx(stands.height + 0.1, abs=1e-6)


@pytest.mark.parametrize(
    ("knees", "ankles", "ahead", "reach"),
    [(60, 90, 0.0, 0.8), (57, 90, 0.0, 0.856), (27, 90, 0.0, 0.96), (40, 7, 0.05, 0.8)],
)
def test_legs_are_straighter_where_one_knee_could_not_carry_the_robot(
    tmp_path, knees, ankles, ahead, reach
):
    """At 0.8, 20 kg are 0.225 m behind the knee: 0.4 m times the sine of the shank's lean of
    arccos(0.801) less atan(0.03 / 0.64) on the way to below the center of mass. These 44 N m are
    three quarters of 58.8. Soles ahead of ankles are ahead in any posture."""
    path = write_humanoid(tmp_path, (YAW, ROLL, *BEND))
    text = path.read_text()
    for name, effort in (("knee", knees), ("ankle", ankles)):
        text = re.sub(f'({name}_joint".*?effort=)"90"', rf'\1"{effort}"', text, flags=re.DOTALL)
    path.write_text(text)
    robot = robot_of(path, "lankle:pose rankle:pose")
    legs = Legs(robot, [Foot(corners=SOLE.corners + np.array([ahead, 0, 0]))] * 2)
    assert legs.standing().height == pytest.approx(0.8 * reach, abs=1e-3)


def test_legs_that_cannot_reach_the_plane_are_told():
    robot = robot_of(example_path("quadruped"), "LF_foot RF_foot LH_foot RH_foot")
    legs = Legs(robot, [Foot()] * 4)
    with pytest.raises(RobcogenError, match=r"foot LF_foot is \d+ mm out of reach.*; give one"):
        legs.standing(reach=1.2)


def test_it_is_told_which_foot_does_not_get_there_by_how_much_and_which_joint_forbids_it():
    name, contacts, foot = HYQ
    robot = robot_of(robot_path(name), contacts)
    legs = Legs(robot, [foot] * 4)
    q = legs.standing().q
    places = legs.poses(q)
    assert legs.placed(q, places)[1] == ""
    places[0, 2, 3] -= 0.5
    words = r"foot lf_foot is (\d+) mm out of reach, with joint lf_kfe_joint at its limit"
    told = re.fullmatch(words, legs.placed(q, places)[1])
    knee = robot.upper_limits[robot.joint_names.index("lf_kfe_joint")]
    lower, upper = robot.lower_limits, robot.upper_limits
    tried = np.random.default_rng(0).uniform(lower, upper, (40000, robot.n))
    tried[:, robot.joint_names.index("lf_kfe_joint")] = knee
    ends = robot.frame_poses(tried)[:, robot.frame_names.index("lf_foot"), :3, 3]
    nearest = 1e3 * np.linalg.norm(ends - places[0, :3, 3], axis=1).min()
    assert float(told[1]) == pytest.approx(nearest, abs=20.0)


@pytest.mark.parametrize(
    ("origin", "reach", "told"),
    [
        ('rpy="-1.5708 0 0"', 0.8, r"the y axis of its root 'cad' is upwards.*<link"),
        ('xyz="0 1 0"', 1.2, r"stands on .*: foot lf_foot is \d+ mm out of reach"),
    ],
)
def test_of_a_turned_root_it_is_told_how_to_stand_it_up(tmp_path, origin, reach, told):
    """Not of one whose origin is aside, as the corner of a HexNav's body."""
    name, contacts, foot = HYQ
    above = '<link name="cad"/><joint name="c" type="fixed"><parent link="cad"/>'
    above += f'<child link="base_link"/><origin {origin}/></joint></robot>'
    path = tmp_path / "turned.urdf"
    path.write_text(robot_path(name).read_text().replace("</robot>", above))
    legs = Legs(robot_of(path, contacts), [foot] * 4)
    with pytest.raises(RobcogenError, match=told):
        legs.standing(reach=reach)


@pytest.mark.parametrize("frames", ["left right", "fr_left fr_right"])
def test_feet_are_named_by_their_frames_in_any_way(frames):
    legs = Legs(robot_of(TWO_LEGS, frames), [Foot(0.02)] * 2)
    assert legs.frames == ["left", "right"]
    np.testing.assert_allclose(legs.poses(np.zeros(2))[:, :2, 3], [[0, 0.1], [0.1, -0.1]])


def test_frames_of_links_are_found_whether_they_have_a_prefix_or_not():
    robot = robot_of(example_path("quadruped"), "LF_foot RF_foot")
    names = [robot.frame_names[robot.link_frames[link]] for link in robot.link_names]
    assert names == [f"fr_{link}" for link in robot.link_names]
    robot = robot_of(TWO_LEGS, "left right")
    assert [robot.frame_names[robot.link_frames[link]] for link in ("left", "right")] == [
        "left",
        "right",
    ]
