"""The law of a tool beside textbook formulas on Pinocchio's quantities."""

from functools import cache

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.spatial.transform import Rotation

from robcogen_ros.control.task_space_controller import TaskSpaceController
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.interpreted import InterpretedEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.support.pinocchio_oracle import PinocchioOracle
from test.support.robots import robot_path

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::UserWarning")]

FUNCTIONS = ["inverse_dynamics", "inertia_matrix_inverse", "kinematics"]
PANDA = "panda_description/urdf/panda.urdf", "panda_link0", "panda_link8"
UR5 = "ur_description/urdf/ur5_robot.urdf", "base_link", "tool0"
Z1 = "z1_description/urdf/z1.urdf", "link00", "link06"
SO101 = "so_arm_description/urdf/so101.urdf", "base_link", "gripper_link"
ELBOW = PANDA[0], "panda_link3", "panda_link8"
ARMS = [PANDA, UR5, SO101, ELBOW]
MODES, AXES = ("impedance", "motion"), ("base", "tool")
STEP = 1e-3
STIFFNESS = np.array([20.0, 30.0, 40.0, 300.0, 400.0, 500.0])
WAY = np.array([0.6, 0.0, 0.8])
DAMPING = np.array([0.1, 0.2, 0.3, 4.0, 5.0, 6.0])
LEVER = np.array([0.1, 0.1, 0.1, 1.0, 1.0, 1.0])
PLAIN = {
    "activation_time": 0.0,
    "limit_rate": 0.0,
    "max_angular_velocity": 100.0,
    "max_linear_velocity": 100.0,
    "compensate_friction": 0.0,
}


@cache
def built(file):
    robot = robot_of(InterpretedEvaluator(Library(read(robot_path(file)).robot, FUNCTIONS)))
    return robot, PinocchioOracle(robot_path(file))


class Arm:
    """An arm under its controller, one cycle at a time."""

    def __init__(self, which, **settings):
        self.robot, self.oracle = built(which[0])
        self.base, self.tool = which[1:]
        self.control = TaskSpaceController(
            self.robot, self.base, self.tool, settings, state_timeout=0.1
        )
        self.time = 0.0

    def cycle(self, q, qd=None):
        self.time += STEP
        qd = np.zeros(self.robot.n) if qd is None else qd
        return self.control.receive(self.robot.joint_names, q, qd, self.time, self.time)

    def begin(self, q):
        """Finds the robot at rest; the pose that it holds."""
        self.cycle(q)
        return self.control.report()["pose"].copy()

    def jacobian(self, q):
        return self.oracle.jacobian(self.base, self.tool, q)

    def drift(self, q, qd, h=1e-6):
        ahead, behind = (self.jacobian(q + x * qd) for x in (h, -h))
        return (ahead - behind) @ qd / (2 * h)

    def weight(self, q):
        zero = np.zeros(self.robot.n)
        return self.oracle.inverse_dynamics(q, zero, zero)


def bounded_inertia(compliance, most):
    """(W A W + damping of the singular directions alone)^-1, in our coordinates."""
    scaled = compliance * np.outer(LEVER, LEVER)
    a, U = np.linalg.eigh(scaled)
    damping = (U * np.maximum(0.0, 1 / most - a)) @ U.T
    return np.linalg.inv(scaled + damping) * np.outer(LEVER, LEVER)


def textbook(arm, q, qd, pose, target, twist, posture, mode, axes, most):
    """Efforts by Khatib's and Albu-Schaeffer's formulas, without a wrench of the reference."""
    oracle, zero = arm.oracle, np.zeros(arm.robot.n)
    J, H = arm.jacobian(q), oracle.inertia_matrix(q)
    inverse = np.linalg.inv(H)
    L = bounded_inertia(J @ inverse @ J.T, most)
    turned, wanted = (Rotation.from_quat(x[3:]) for x in (pose, target))
    error = np.concatenate([(wanted * turned.inv()).as_rotvec(), target[:3] - pose[:3]])
    R = np.kron(np.eye(2), turned.as_matrix()) if axes == "tool" else np.eye(6)
    K, D0 = (R @ np.diag(gains) @ R.T for gains in (STIFFNESS, DAMPING))
    slip = twist - J @ qd
    if mode == "motion":
        D = R @ np.diag(2 * 0.7 * np.sqrt(STIFFNESS) + DAMPING) @ R.T
        f = L @ (K @ error + D @ slip - arm.drift(q, qd))
    else:
        rates, Q = eigh(K, L)  # Q' L Q = 1, Q' K Q = rates
        D = 0.7 * 2 * L @ Q @ np.diag(np.sqrt(rates)) @ Q.T @ L + D0
        f = K @ error + D @ slip - L @ arm.drift(q, qd)
    null = np.eye(len(q)) - J.T @ L @ J @ inverse
    moving = np.abs(arm.jacobian(q)).max(axis=0) > 1e-9
    spring = 9.0 if moving.sum() > 6 else np.where(moving, 0.0, 9.0)
    a = spring * (posture - q) - 5.0 * qd
    return oracle.inverse_dynamics(q, qd, zero) + J.T @ f + null @ H @ a


@pytest.mark.parametrize("which", ARMS, ids=lambda which: which[1])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("axes", AXES)
def test_efforts_are_those_of_the_textbook(which, mode, axes):
    rng = np.random.default_rng(5)
    robot, n = built(which[0])[0], built(which[0])[0].n
    lower, upper = (np.clip(x, -2, 2) for x in (robot.lower_limits, robot.upper_limits))
    for most in (30.0, 3.0):
        q, posture = rng.uniform(lower, upper, (2, n))
        qd, twist = rng.uniform(-0.3, 0.3, n), rng.uniform(-0.2, 0.2, 6)
        settings = {
            **PLAIN,
            "mode": mode,
            "axes": axes,
            "stiffness": STIFFNESS,
            "damping": DAMPING,
            "damping_ratio": 0.7,
            "posture": posture,
            "posture_stiffness": 9.0,
            "posture_damping": 5.0,
            "apparent_mass_limit": most,
            "characteristic_length": 0.1,
        }
        arm = Arm(which, **settings)
        pose = arm.begin(q)
        way = np.array([0.03, -0.05, 0.02])
        turn = Rotation.from_rotvec([0.04, -0.06, 0.05]) * Rotation.from_quat(pose[3:])
        target = np.concatenate([pose[:3] + way, turn.as_quat()])
        arm.control.ask(pose=target, twist=twist)
        command = arm.cycle(q, qd)
        expected = textbook(arm, q, qd, pose, target, twist, posture, mode, axes, most)
        found, gravity = command.effort, arm.weight(q)
        beyond = gravity + command.scale * (expected - gravity)
        assert command.scale > 0.01
        np.testing.assert_allclose(found, beyond, rtol=0, atol=2e-7 * np.abs(expected).max())
        matrix = arm.oracle.frame_pose(arm.tool, q)
        if arm.base == arm.oracle.root:
            np.testing.assert_allclose(pose[:3], matrix[:3, 3], atol=1e-12)


READY = {PANDA: [0.2, -0.6, 0.1, -2.2, 0.1, 1.8, 0.7, 0.02], UR5: [0.3, -1.2, 1.6, -1.9, 1.2, 0.4]}


@pytest.mark.parametrize("most", [30.0, 100.0])
def test_efforts_are_bounded_at_a_singularity(most):
    # the wrist of a UR5 stretched out: its last axis and the one before the last but one align
    shifted = np.array([0.3, -1.2, 1.6, -1.9, 1e-7, 0.4])
    for limit in (most, np.inf):
        settings = {**PLAIN, "mode": 1, "stiffness": np.ones(6), "posture_stiffness": 0.0}
        arm = Arm(
            UR5,
            **settings,
            apparent_mass_limit=limit,
            max_angular_error=3.0,
            max_linear_error=10.0,
            effort_limits=np.full(6, 1e9),
        )
        pose = arm.begin(shifted)
        turn = Rotation.from_rotvec([0.05, 0.04, -0.03]) * Rotation.from_quat(pose[3:])
        arm.control.ask(pose=[*(pose[:3] + 0.02), *turn.as_quat()])
        arm.cycle(shifted)
        report = arm.control.report()
        beyond = report["effort"] - arm.weight(shifted)
        H, x = arm.oracle.inertia_matrix(shifted), LEVER * report["error"]
        energy = beyond @ np.linalg.solve(H, beyond)
        if limit == most:
            assert energy <= most * x @ x * (1 + 1e-9)
            assert report["damped"][0] == 1 and report["apparent_mass"][0] > 1e6
            assert report["scale"][0] == 1
    assert report["scale"][0] < 1e-3  # undamped, efforts are a thousand times what motors give


def change_by_posture(which, most):
    """What another posture changes of the efforts; the arm, and where it is."""
    q, found = np.array(READY[which]), []
    for posture in (q, q + 0.3):
        arm = Arm(which, **PLAIN, posture=posture, apparent_mass_limit=most)
        arm.begin(q)
        found.append(arm.cycle(q).effort.copy())
    return found[1] - found[0], arm, q


def test_the_posture_moves_joints_but_not_the_tool():
    change, arm, q = change_by_posture(PANDA, 1e3)
    qdd = np.linalg.solve(arm.oracle.inertia_matrix(q), change)
    assert np.abs(qdd).max() > 0.1
    np.testing.assert_allclose(arm.jacobian(q) @ qdd, 0.0, atol=1e-9)


@pytest.mark.parametrize("most", [1e3, 3.0])
def test_six_joints_have_no_posture(most):
    change, _, _ = change_by_posture(UR5, most)
    np.testing.assert_allclose(change, 0.0, atol=1e-9)


@pytest.mark.parametrize("sign", [1, -1])
def test_joints_brake_before_their_limits_by_efforts_of_those_alone_that_would_not(sign):
    loose = {**PLAIN, "posture_damping": 0.0, "damping_ratio": 0.0, "apparent_mass_limit": 30.0}
    arm, free = (Arm(PANDA, **{**loose, "limit_rate": rate}) for rate in (8.0, 0.0))
    upper, lower = arm.robot.upper_limits, arm.robot.lower_limits
    q = np.array(READY[PANDA])
    q[[3, 5]] = upper[3] - 0.05, lower[5] + 0.02
    qd = np.zeros(8)
    qd[[3, 5]] = 1.5, -0.4
    for each in (arm, free):
        pose = each.begin(q)
        each.control.ask(pose=[*(pose[:3] + sign * 0.05), *pose[3:]])
    kept, left = (each.cycle(q, qd).effort for each in (arm, free))
    H = arm.oracle.inertia_matrix(q)
    added = kept - left
    qdd = np.linalg.solve(H, kept - arm.oracle.inverse_dynamics(q, qd, np.zeros(8)))
    most = np.minimum(64 * (upper - q) - 16 * qd, 16 * (arm.robot.velocity_limits - qd))
    least = np.maximum(64 * (lower - q) - 16 * qd, 16 * (-arm.robot.velocity_limits - qd))
    assert arm.control.report()["scale"][0] == free.control.report()["scale"][0] == 1
    brakes, pushes = added < -1e-9, added > 1e-9
    assert brakes[3] and (pushes if sign < 0 else brakes)[5]
    np.testing.assert_allclose(qdd[brakes], most[brakes], atol=1e-6)
    np.testing.assert_allclose(qdd[pushes], least[pushes], atol=1e-6)
    assert (qdd <= most + 1e-6).all() and (qdd >= least - 1e-6).all()


def test_a_wrench_is_what_the_tool_exerts():
    q, wrench = np.array(READY[UR5]), np.array([0.5, -1.0, 0.7, 4.0, -3.0, 10.0])
    arm = Arm(UR5, **PLAIN)
    arm.begin(q)
    arm.control.ask(wrench=wrench)
    effort = arm.cycle(q).effort
    np.testing.assert_allclose(effort, arm.weight(q) + arm.jacobian(q).T @ wrench, atol=1e-9)
    arm.control.ask(wrench=[*wrench[:3] * 100, *wrench[3:] * 100])
    effort, sizes = arm.cycle(q).effort, (wrench[:3], wrench[3:])
    cut = np.concatenate([x * y / np.linalg.norm(x) for x, y in zip(sizes, (10, 50), strict=True)])
    np.testing.assert_allclose(effort, arm.weight(q) + arm.jacobian(q).T @ cut, atol=1e-9)
    for _ in range(2):  # and no longer than 0.1 s after it was told
        arm.time += 0.06
        effort = arm.cycle(q).effort
    np.testing.assert_allclose(effort, arm.weight(q), atol=1e-9)


def test_friction_is_that_of_the_motion_asked_for():
    q, twist = np.resize([0.3, 1.2, -1.0, 0.6, 0.4, 0.2], built(Z1[0])[0].n), 0.1 * STIFFNESS / 400
    found = []
    for compensated in (0.0, 1.0):
        arm = Arm(Z1, **{**PLAIN, "compensate_friction": compensated}, apparent_mass_limit=1e6)
        arm.begin(q)
        arm.control.ask(twist=twist)
        found.append(arm.cycle(q).effort.copy())
    qd = np.append(np.linalg.solve(arm.jacobian(q)[:, :6], twist), 0.0)
    lost = arm.robot.damping * qd + arm.robot.friction * np.tanh(qd / 0.01)
    assert lost.any()
    np.testing.assert_allclose(found[1] - found[0], lost, atol=1e-8)


def test_efforts_keep_limits_and_rates_and_the_weight():
    q = np.array(READY[UR5])
    limits, rate = np.array([60.0, 60, 60, 4, 4, 4]), 500.0
    arm = Arm(
        UR5,
        **PLAIN,
        effort_limits=limits,
        effort_rate_limits=np.full(6, rate),
        stiffness=np.full(6, 1e4),
    )
    pose = arm.begin(q)
    arm.control.ask(pose=[*(pose[:3] + 0.1), *pose[3:]])
    before, weight = np.zeros(6), arm.weight(q)
    for _ in range(300):
        command = arm.cycle(q)
        beyond = command.effort - weight
        assert (np.abs(command.effort) <= limits + 1e-9).all()
        assert (np.abs(beyond - before) <= rate * STEP + 1e-9).all()
        before = beyond.copy()
    assert np.isclose(np.abs(command.effort / limits).max(), 1.0)
    assert 0 < command.scale < 1
