"""Inverse kinematics of arms of others: NumPy's forward kinematics judges what the core finds."""

from __future__ import annotations

import numpy as np
import pytest

from robcogen_ros.cli.main import main
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import read
from robcogen_ros.runtime.objects import Fault
from test.drivers.arms import calibrated, computed, errors, examined, positions
from test.support.model_of import model_of
from test.support.robots import robot_path

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::UserWarning")]

UR5 = "ur_description/urdf/ur5_robot.urdf", "base_link", "tool0"
PANDA = "panda_description/urdf/panda.urdf", "panda_link0", "panda_link8"
G1_LEG = "g1_description/urdf/g1_29dof_rev_1_0.urdf", "pelvis", "left_ankle_roll_link"
WAYS = {
    UR5: "shoulder_lift_joint, elbow_joint, wrist_1_joint are parallel",
    PANDA: "panda_joint3, panda_joint2, panda_joint1 meet; given panda_joint7",
    ("kinova_description/robots/kinova.urdf", "j2s6s200_link_base", "j2s6s200_link_6"): "closed",
    ("so_arm_description/urdf/so101.urdf", "base_link", "gripper_link"): "5 joints in closed",
    ("icub_description/robots/icub.urdf", "chest", "l_hand"): "given arm angle",
    ("hyq_description/robots/hyq_no_sensors.urdf", "trunk", "rh_foot"): "3 joints in closed",
    ("baxter_description/urdf/baxter.urdf", "torso", "left_gripper"): "elimination; given left_w2",
    G1_LEG: "6 joints by elimination",
}


def arm(which):
    return computed(read(robot_path(which[0])).robot), *which[1:]


@pytest.mark.parametrize("which", WAYS, ids=lambda which: which[0].split("_")[0])
def test_no_position_is_lost_and_no_pose_is_wrong(which):
    verdict = examined(*arm(which), 60, np.random.default_rng(2))
    assert WAYS[which] in verdict.way
    assert (verdict.wrong, verdict.lost) == (0, 0), verdict
    promised = int(verdict.way.partition("; at most ")[2].split()[0])
    assert 1 < verdict.most <= promised and verdict.error < 1e-12


@pytest.mark.parametrize("count", [5, 6, 7])
def test_no_position_of_an_arm_of_any_axes_is_lost(count):
    rng = np.random.default_rng(count)
    text = "<robot name='any'><link name='link0'/>"
    for k in range(count):
        x, turn, axis = (" ".join(map(str, rng.normal(size=3))) for _ in range(3))
        text += f"""<link name='link{k + 1}'/><joint name='joint{k}' type='continuous'>
            <origin xyz='{x}' rpy='{turn}'/><axis xyz='{axis}'/>
            <parent link='link{k}'/><child link='link{k + 1}'/></joint>"""
    robot = computed(model_of(text + "</robot>"))
    verdict = examined(robot, "link0", f"link{count}", 100, rng)
    assert f"{count} joints by elimination" in verdict.way
    assert (verdict.wrong, verdict.lost) == (0, 0), verdict
    assert verdict.most == (1 if count == 5 else 8)


@pytest.mark.parametrize("calibration", range(4))
def test_a_calibrated_ur_loses_nothing_away_from_singular_positions(calibration):
    rng = np.random.default_rng(calibration)
    robot = computed(model_of(calibrated(robot_path(UR5[0]).read_text(), rng, 1e-3)))
    solver = robot.inverse_kinematics_between(*UR5[1:])
    assert "improved by Newton" in solver.way
    own = rng.uniform(-3, 3, (200, 6))
    found = [solver.solve(pose, limits=False) for pose in robot.transform(*UR5[1:], own)]
    for q, solutions in zip(own, found, strict=True):
        apart = np.abs(np.angle(np.exp(1j * (solutions.positions - q)))).max(axis=1, initial=0)
        J = robot.jacobian(*UR5[1:], q)
        assert np.linalg.svd(J)[1][-1] < 1e-2 or apart.min(initial=9) < 1e-9, q
    places = robot.transform(*UR5[1:], own)
    every = [each.positions for each in found]
    assert errors(robot, *UR5[1:], solver, places, every).max() < 1e-12


@pytest.mark.parametrize(("off", "bent"), [(0.0, 3e-5), (3e-7, 3e-3)])
def test_near_two_singular_positions_at_once_nothing_is_lost(off, bent):
    """A UR's elbow and wrist are nearly straight; numbers of its file are rounded."""
    rng = np.random.default_rng(1)
    robot = computed(model_of(calibrated(robot_path(UR5[0]).read_text(), rng, off)))
    solver = robot.inverse_kinematics_between(*UR5[1:])
    own = rng.uniform(-3, 3, (200, 6))
    own[:, [2, 4]] = rng.choice([-1, 1], (200, 2)) * bent * 10.0 ** rng.uniform(0, 1, (200, 2))
    for q, pose in zip(own, robot.transform(*UR5[1:], own), strict=True):
        solutions = solver.solve(pose, limits=False)
        apart = np.abs(np.angle(np.exp(1j * (solutions.positions - q)))).max(axis=1, initial=0)
        near = np.minimum(1e-9 / np.maximum(solutions.margins, 1e-9), 0.1)
        assert (apart <= np.maximum(near, 1e-12)).any(), q


def test_whole_turns_within_limits_are_solutions_nearest_to_the_seed_first():
    robot, base, target = arm(UR5)
    solver = robot.inverse_kinematics_between(base, target)
    seed = np.array([3.5, -4.0, 0.7, 6.0, 0.9, -6.1])  # most beyond half a turn
    pose = robot.transform(base, target, seed)
    found = solver.solve(pose, seed=seed)
    lower = np.array([-6.28318530718] * 6)
    lower[2] = -3.14159265359  # as the file has them
    assert found.distinct == 8 and len(found.positions) == 8 * 2**5
    assert (np.abs(found.positions) <= -lower).all()
    far = np.linalg.norm(found.positions - seed, axis=1)
    assert (np.diff(far) > -1e-12).all() and far[0] < 1e-12
    assert len(np.unique(found.positions.round(6), axis=0)) == len(found.positions)
    assert errors(robot, base, target, solver, [pose], [found.positions]).max() < 1e-12
    assert len(solver.solve(pose, seed=seed, limits=False).positions) == 8


def test_limits_exclude_and_say_which_joint():
    robot, base, target = arm(PANDA)
    solver = robot.inverse_kinematics_between(base, target)
    _, own = positions(robot, solver, 20, np.random.default_rng(3))
    excluded = set()
    for q in own:
        pose = robot.transform(base, target, [*q, *np.zeros(robot.n - 7)])
        found = solver.solve(pose, redundancy=q[6])
        arm_joints = robot._summary.coordinates[:7]
        lower, upper = ([getattr(c, side) for c in arm_joints] for side in ("lower", "upper"))
        assert (found.positions >= lower).all() and (found.positions <= upper).all()
        assert len(found.positions) and found.distinct >= len(found.positions)
        excluded |= set(found.excluded)
    assert "panda_joint4" in excluded


def test_a_redundancy_is_found_within_limits():
    robot, base, target = arm(PANDA)
    solver = robot.inverse_kinematics_between(base, target)
    q, _ = positions(robot, solver, 60, np.random.default_rng(4))
    for pose in robot.transform(base, target, q):
        assert len(solver.solve(pose).positions), pose


def test_what_is_no_rotation_is_refused():
    robot, base, target = arm(UR5)
    pose = robot.transform(base, target, np.full(6, 0.4))
    for factor in (np.diag([1, 1, -1]), 1.001 * np.eye(3), np.zeros((3, 3))):
        wrong = pose.copy()
        wrong[:3, :3] = pose[:3, :3] @ factor
        with pytest.raises(Fault, match="its rotation is none"):
            robot.inverse_kinematics(base, target, wrong)
    with pytest.raises(ValueError, match="pose"):
        robot.inverse_kinematics(base, target, np.full((4, 4), np.nan))
    for name, value in (("seed", np.full(6, np.nan)), ("timeout", -1.0), ("redundancy", np.inf)):
        with pytest.raises(Fault, match=f"{name}: "):
            robot.inverse_kinematics(base, target, pose, **{name: value})
    with pytest.raises(
        ValueError, match=r"^seed, of shoulder_pan_joint, .*expected shape \(\.\.\., 6\)"
    ):
        robot.inverse_kinematics(base, target, pose, seed=np.zeros(7))
    with pytest.raises(Fault, match="the chain has none"):
        robot.inverse_kinematics(base, target, pose, redundancy=0.1)
    with pytest.raises(RobcogenError, match=r"from 'tool0' to 'base_link': the second frame"):
        robot.inverse_kinematics(target, base, pose)


def test_what_is_out_of_reach_has_no_solution_but_a_nearest_place():
    robot, base, target = arm(UR5)
    pose = robot.transform(base, target, np.array([0.3, -0.1, 0.0, 0.2, 0.7, 0.1]))
    pose[:3, 3] *= 2
    assert robot.inverse_kinematics(base, target, pose)[0].shape == (0, 6)
    q, angle, distance = robot.inverse_kinematics_between(base, target).nearest(pose)
    there = robot.transform(base, target, q)
    assert np.linalg.norm(there[:3, 3] - pose[:3, 3]) == pytest.approx(distance)
    assert 0.1 < distance < np.linalg.norm(pose[:3, 3]) / 2 and angle > 0


@pytest.mark.parametrize(
    "which", [UR5, PANDA, ("so_arm_description/urdf/so101.urdf", "base_link", "gripper_link")]
)
def test_a_position_and_the_direction_of_an_axis(which):
    robot, base, target = arm(which)
    solver = robot.inverse_kinematics_between(base, target)
    rng = np.random.default_rng(6)
    q, _ = positions(robot, solver, 20, rng)
    for pose in robot.transform(base, target, q):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        found = solver.solve(pose, axis=axis, limits=False, timeout=5.0).positions
        there = robot.transform(base, target, np.pad(found, [(0, 0), (0, robot.n - len(found[0]))]))
        np.testing.assert_allclose(there[:, :3, 3], [pose[:3, 3]] * len(found), atol=1e-12)
        points = there[:, :3, :3] @ axis
        np.testing.assert_allclose(points, [pose[:3, :3] @ axis] * len(found), atol=1e-12)
        assert solver.solve(pose, axis=axis, timeout=5.0).positions.size  # within limits


def test_options_are_told_by_their_names():
    robot, base, target = arm(UR5)
    for name in ("limits", "timeout", "redundancy"):
        with pytest.raises(TypeError, match=f"{name}: expected .*found 'no'"):
            robot.inverse_kinematics(base, target, np.eye(4), **{name: "no"})


def test_check_says_how_positions_are_found(capsys):
    assert main(["check", str(robot_path(PANDA[0])), "--limb", *PANDA[1:]]) == 0
    told = capsys.readouterr().err
    assert "7 joints in closed form" in told and "given panda_joint7" in told
