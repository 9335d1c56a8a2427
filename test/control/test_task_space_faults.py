"""What the controller of a tool does where references, states or settings are wrong."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from robcogen_ros.control.task_space_controller import TaskSpaceController
from robcogen_ros.errors import RobcogenError
from test.control.test_task_space import PLAIN, READY, STEP, UR5, WAY, Arm, built

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::UserWarning")]


def test_after_a_jump_of_five_meters_the_target_goes_slowly_and_waits_for_the_tool():
    q = np.array(READY[UR5])
    settings = {"max_linear_velocity": 0.5, "max_linear_error": 0.1, "max_angular_velocity": 1.0}
    arm = Arm(UR5, **{**PLAIN, **settings})
    pose = arm.begin(q)
    far = [*(pose[:3] + 5 * WAY), *(pose[3:] * [-1, 1, -1, 1])]
    arm.control.ask(pose=far)
    last = pose
    for k in range(300):
        arm.cycle(q)
        target = arm.control.report()["target"].copy()
        assert np.linalg.norm(target[:3] - last[:3]) <= 0.5 * STEP + 1e-12
        turn = Rotation.from_quat(target[3:]) * Rotation.from_quat(last[3:]).inv()
        assert turn.magnitude() <= STEP + 1e-9
        if k < 199:
            expected = pose[:3] + 0.5 * STEP * (k + 1) * WAY
            np.testing.assert_allclose(target[:3], expected, atol=1e-12)
        last = target
    np.testing.assert_allclose(target[:3], pose[:3] + 0.1 * WAY, atol=1e-12)
    assert arm.control.report()["scale"][0] > 0


def test_a_twist_moves_the_target_until_it_falls_silent():
    q, twist = np.array(READY[UR5]), np.array([0.0, 0.0, 0.5, 0.2, 0.0, 0.0])
    arm = Arm(UR5, **PLAIN)
    pose = arm.begin(q)
    arm.control.ask(twist=twist)
    for _ in range(200):
        arm.cycle(q)
    report = arm.control.report()
    gone = np.linalg.norm(report["target"][:3] - pose[:3])
    assert gone == pytest.approx(0.2 * 0.1, abs=3 * 0.2 * STEP)
    turn = Rotation.from_quat(report["target"][3:]) * Rotation.from_quat(pose[3:]).inv()
    np.testing.assert_allclose(turn.as_rotvec(), [0, 0, 0.05], atol=3 * 0.5 * STEP)
    for _ in range(3000):  # held up, it does not run ahead
        arm.control.ask(twist=twist)
        arm.cycle(q)
    arm.control.ask(twist=-twist)
    arm.cycle(q)
    arm.control.ask(twist=-twist)
    arm.cycle(q)
    assert np.linalg.norm(arm.control.report()["target"][:3] - pose[:3]) < 0.1


BAD = {
    "no number": [np.nan, 0, 0, 0, 0, 0, 1],
    "endless": [np.inf, 0, 0, 0, 0, 0, 1],
    "no unit quaternion": [0.3, 0, 0.3, 0, 0, 0, 0.5],
    "beyond any robot": [1e7, 0, 0, 0, 0, 0, 1],
}


@pytest.mark.parametrize("what", BAD)
def test_a_pose_that_is_none_is_as_if_it_were_not_there(what):
    q = np.array(READY[UR5])
    arm = Arm(UR5, **PLAIN)
    pose = arm.begin(q)
    arm.control.ask(pose=BAD[what])
    effort = arm.cycle(q).effort
    np.testing.assert_array_equal(arm.control.report()["target"], pose)
    np.testing.assert_allclose(effort, arm.weight(q), atol=1e-9)


def test_lost_states_leave_the_weight_carried_and_hold_what_is_found_again():
    q = np.array(READY[UR5])
    arm = Arm(UR5, **PLAIN)
    pose = arm.begin(q)
    arm.control.ask(pose=np.concatenate([pose[:3] + 0.02, pose[3:]]), wrench=np.ones(6))
    assert np.abs(arm.cycle(q).effort - arm.weight(q)).max() > 1
    commands = [arm.control.look(arm.time + 0.02 * k) for k in range(1, 12)]
    assert commands[0] is None and arm.control.lost
    np.testing.assert_allclose(commands[-1].effort, arm.weight(q), atol=1e-12)
    arm.time += 0.3
    command = arm.cycle(q + 0.1)
    np.testing.assert_allclose(command.effort, arm.weight(q + 0.1), atol=1e-9)
    np.testing.assert_allclose(arm.control.parting("zero").effort, 0.0)
    np.testing.assert_allclose(
        arm.control.parting("hold_gravity").effort, command.effort, atol=1e-9
    )


def test_an_effort_that_is_not_finite_ends_control():
    q = np.array(READY[UR5])
    arm = Arm(UR5, **PLAIN, apparent_mass_limit=np.inf, posture_stiffness=0.0)
    arm.begin(q)
    command = arm.cycle(q, np.full(6, 1e200))
    assert not command.sound
    np.testing.assert_allclose(command.effort, arm.weight(q), atol=1e-12)


def test_the_law_rises_after_activation():
    q = np.array(READY[UR5])
    arm = Arm(UR5, **{**PLAIN, "activation_time": 0.5})
    pose = arm.begin(q)
    target = np.concatenate([pose[:3] + 0.03, pose[3:]])
    arm.control.ask(pose=target)
    found = np.array([arm.cycle(q).effort - arm.weight(q) for _ in range(600)])
    share = np.linalg.norm(found, axis=1) / np.linalg.norm(found[-1])
    np.testing.assert_allclose(share[[0, 100, 248, 500]], [0.0, 0.2, 0.5, 1.0], atol=5e-3)


@pytest.mark.parametrize(
    ("base", "tool", "message"),
    [
        ("base_link", "hand", "no frame 'hand'"),
        ("base_link", "", "tool_frame: expected the name of a frame, found none"),
        ("tool0", "wrist_3_link", "no joint leads from 'tool0' to 'wrist_3_link'"),
    ],
)
def test_frames_that_cannot_be_controlled_are_told(base, tool, message):
    with pytest.raises(RobcogenError, match=message):
        TaskSpaceController(built(UR5[0])[0], base, tool, PLAIN, state_timeout=0.1)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"mode": "force"}, "mode: expected one of impedance, motion, found 'force'"),
        ({"stiffness": [100.0, -1.0, 1.0, 1.0, 1.0, 1.0]}, "stiffness: expected 0 to .* found -1"),
        ({"stiffness": 6 * [np.nan]}, "stiffness: expected 0 to .* found nan"),
        ({"damping_ratio": "1"}, "damping_ratio: expected numbers, found '1'"),
        ({"posture": [0.0] * 3}, "posture: expected one value or 6, found 3"),
        ({"effort_limits": [1.0, 2.0]}, "effort_limits: expected one value or 6, found 2"),
    ],
)
def test_settings_that_cannot_be_are_told(setting, message):
    with pytest.raises(RobcogenError, match=message):
        TaskSpaceController(built(UR5[0])[0], *UR5[1:], setting, state_timeout=0.1)
    with pytest.raises(RobcogenError, match=message):  # a node refuses it and goes on
        Arm(UR5, **PLAIN).control.use({**PLAIN, **setting})


def test_one_limit_is_that_of_all_joints():
    q, found = np.array(READY[UR5]), []
    for limits in ([40.0], [40.0] * 6, []):
        arm = Arm(UR5, **PLAIN, effort_limits=limits)
        arm.begin(q)
        arm.control.ask(wrench=[0.0, 0.0, 0.0, 0.0, 0.0, 50.0])
        found.append(arm.cycle(q).effort.copy())
    np.testing.assert_array_equal(found[0], found[1])
    assert np.abs(found[0]).max() <= 40.0 < np.abs(found[2]).max()
