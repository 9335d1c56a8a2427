"""Arms that stop when they are pushed, beside Pinocchio's efforts and the simulation in C++."""

from __future__ import annotations

import numpy as np
import pytest

from robcogen_ros.control.controller import Controller
from robcogen_ros.control.simulation import Simulation
from robcogen_ros.control.task_space_controller import TaskSpaceController
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.interpreted import InterpretedEvaluator
from robcogen_ros.runtime.objects import object_of
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.support.fault_table import fault
from test.support.pinocchio_oracle import PinocchioOracle
from test.support.robots import robot_path

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::UserWarning")]

UR5 = robot_path("ur_description/urdf/ur5_robot.urdf")
STEP, PUSH, THRESHOLD = 1e-3, 5.0, 3.0
START = np.array([0.3, -1.0, 1.2, -0.6, 1.0, 0.2])
KINDS = "joint", "tool"


@pytest.fixture(scope="module")
def robot(tmp_path_factory):
    """A UR5 with dry friction of 1.5 N m and damping of 1 N m s/rad."""
    file = tmp_path_factory.mktemp("stop") / "ur5.urdf"
    without, given = 'damping="0.0" friction="0.0"', 'damping="1.0" friction="1.5"'
    file.write_text(UR5.read_text().replace(without, given))
    functions = ["inverse_dynamics", "generalized_momentum", "inertia_matrix_inverse", "kinematics"]
    functions += ["inertia_matrix", "forward_dynamics"]
    return robot_of(InterpretedEvaluator(Library(read(file).robot, functions)))


class Arm:
    """An arm under control, moved by the simulation, which has a fifth more friction."""

    def __init__(self, robot, kind="joint", q=START, **settings):
        self.moved = Simulation(
            robot, q, joint_friction=1.2 * robot.friction, damping=1.2 * robot.damping
        )
        given = {"stop_efforts": np.full(6, THRESHOLD), "activation_time": 0.0, **settings}
        self.kind, self.pushed, self.time = kind, np.zeros(6), 0.0
        if kind == "joint":
            gains = {"kp": np.full(6, 400.0), "kd": np.full(6, 40.0)}
            given = {"period": STEP, **gains, **given}
            self.object = object_of(robot, "inverse_dynamics_controller", given)
        else:
            of = "base_link", "tool0"
            self.object = TaskSpaceController(robot, *of, given, state_timeout=0.0)._object

    def cycle(self, speed=0.0, joint=0, **measured):
        """What a cycle found; a reference leads a joint, or the tool upwards, on at a speed."""
        self.time += STEP
        now = {"position": np.array(self.q), "velocity": np.array(self.qd), **measured}
        if self.kind == "joint":
            reference = np.zeros((4, 6))
            reference[0], reference[1, joint] = START, speed
            reference[0, joint] += speed * self.time
            now["reference"] = reference
        elif speed:
            now["twist"] = np.array([0.0, 0.0, 0.0, 0.0, 0.0, speed])
        found = self.object.call("update", step=STEP, **now)
        self.moved.advance(found["effort"] + self.pushed, STEP)
        return found

    def run(self, seconds, **given):
        """Whether it is stopped after a while."""
        stopped = [self.cycle(**given)["stopped"].item() for _ in range(round(seconds / STEP))]
        return any(stopped)

    @property
    def q(self):
        return self.moved.now["q"]

    @property
    def qd(self):
        return self.moved.now["qd"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("joint", [0, 2, 4])
def test_a_push_brings_a_moving_arm_to_rest_within_20_ms_and_it_stands(robot, kind, joint):
    speed = 0.3 if kind == "joint" else 0.1
    arm, stopped = Arm(robot, kind), False
    assert not arm.run(0.6, speed=speed, joint=joint)
    for _ in range(20):
        arm.pushed[joint] = 0.0 if stopped else -PUSH if kind == "joint" else PUSH
        stopped = arm.run(STEP, speed=speed, joint=joint)
    assert stopped
    assert np.abs(arm.qd).max() < 0.01
    place = arm.q.copy()
    arm.pushed[joint] = PUSH
    arm.run(0.2, speed=speed, joint=joint)
    arm.pushed[:] = 0.0
    arm.run(0.6, speed=speed, joint=joint)
    assert np.abs(arm.qd).max() < 0.01
    np.testing.assert_allclose(arm.q, place, atol=0.08)  # friction holds soft springs off


@pytest.mark.parametrize("kind", KINDS)
def test_activation_frees_it_where_it_is(robot, kind):
    arm = Arm(robot, kind)
    arm.run(0.1)
    arm.pushed[1] = 20.0
    assert arm.run(0.05)
    arm.pushed[:] = 0.0
    arm.run(0.2, speed=0.2)
    place = arm.q.copy()
    assert not arm.object.call("activate")["stopped"]
    if kind == "joint":
        held = arm.object.call("update", position=place, velocity=np.zeros(6), step=STEP)
        np.testing.assert_allclose(held["reference"][0], place)
    else:
        assert not arm.run(0.3, speed=0.1)
        assert np.abs(arm.q - place).max() > 0.01


def test_less_than_the_threshold_does_not_stop_it_but_is_told(robot):
    arm = Arm(robot, stop_friction_tolerance=0.0)
    assert not arm.run(0.4, speed=0.3)
    before = arm.cycle(speed=0.3)["external"].copy()
    arm.pushed[0] = 0.8 * THRESHOLD - 0.5  # a fifth of the friction pushes as well
    assert not arm.run(0.1, speed=0.3)
    found = arm.cycle(speed=0.3)["external"] - before
    np.testing.assert_allclose(found, arm.pushed, atol=0.4)  # of joints that rest, friction
    np.testing.assert_allclose(found[0], arm.pushed[0], atol=0.02)


@fault("the arm is pushed, with `stop_efforts`")
def test_it_brakes_with_the_efforts_that_stop_it_in_5_ms(robot):
    """Pinocchio's inverse dynamics of an acceleration of -200 per second of speed."""
    arm = Arm(robot, effort_limits=np.full(6, 1e6))
    q, qd = START, np.array([0.1, -0.2, 0.15, 0.05, -0.1, 0.2])
    for _ in range(60):  # it is seen to move at a constant speed, which no effort explains
        arm.object.call("update", position=q, velocity=qd, step=STEP)
        q = q + STEP * qd
    found = arm.object.call("update", position=q, velocity=qd, step=STEP)
    assert found["stopped"]
    oracle = PinocchioOracle(UR5)
    limits, weight = robot.effort_limits, oracle.inverse_dynamics(q, 0 * q, 0 * q)
    wanted = oracle.inverse_dynamics(q, qd, -200.0 * qd) - weight
    scale = min(1.0, *((np.sign(wanted) * limits - weight) / wanted))
    np.testing.assert_allclose(found["effort"], weight + scale * wanted, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("tolerance", "stops"), [(0.2, False), (0.0, True)])
def test_friction_that_is_a_fifth_off_does_not_stop_it(robot, tolerance, stops):
    """Back and forth, with a threshold below the 0.3 N m that are not known."""
    rng = np.random.default_rng(3)
    arm = Arm(robot, stop_efforts=np.full(6, 0.2), stop_friction_tolerance=tolerance)
    pace, stopped = rng.uniform(1.0, 3.0, 6), False
    for k in range(4000):
        turn = 0.4 * np.exp(1j * (pace * k * STEP - np.pi / 2))
        motion = [START + turn.real, (1j * pace * turn).real, -(pace**2) * turn.real, np.zeros(6)]
        now = {"position": np.array(arm.q), "velocity": np.array(arm.qd)}
        found = arm.object.call("update", **now, reference=np.array(motion), step=STEP)
        stopped |= bool(found["stopped"])
        arm.moved.advance(found["effort"], STEP)
    assert stopped == stops


def test_what_an_end_stop_bears_does_not_stop_it(robot):
    """The elbow runs into its stop and presses on it with 40 N m."""
    limit = robot.upper_limits[2]
    q = np.where(np.arange(6) == 2, limit - 0.1, START)
    arm = Arm(robot, q=q)
    wanted, pressed = np.zeros((4, 6)), np.zeros(6)
    pressed[2] = 40.0
    for k in range(1500):
        wanted[0] = np.where(np.arange(6) == 2, min(limit, limit - 0.1 + 0.4 * k * STEP), START)
        wanted[3] = pressed * min(1.0, k * STEP)
        now = {"position": np.array(arm.q), "velocity": np.array(arm.qd)}
        found = arm.object.call("update", **now, reference=wanted, step=STEP)
        assert not found["stopped"]
        arm.moved.advance(found["effort"], STEP)
    np.testing.assert_allclose(arm.q[2], limit, atol=1e-9)
    assert found["effort"][2] - found["gravity"][2] > 35.0


def test_states_that_are_missing_push_nobody(robot):
    arm = Arm(robot)
    arm.run(0.3, speed=0.5)
    for _ in range(3):
        found = arm.cycle(speed=0.5, velocity=np.full(6, np.nan))
        assert not found["stopped"]
    assert not arm.run(0.3, speed=0.5)


def test_a_robot_without_its_momentum_is_told(robot):
    lacking = ["inverse_dynamics"]
    file = Library(read(UR5).robot, lacking)
    given = {"stop_efforts": np.full(6, 3.0)}
    with pytest.raises(RobcogenError, match="generalized_momentum"):
        Controller(
            robot_of(InterpretedEvaluator(file)), given, state_timeout=0.1, reference_timeout=0.1
        )


def test_motors_are_not_watched(robot):
    given = {"stop_efforts": np.full(6, 3.0), "space": 1.0}
    with pytest.raises(RobcogenError, match="stop_efforts: expected none with space motor"):
        Controller(robot, given, state_timeout=0.1, reference_timeout=0.1)


def test_python_says_which_joint_was_pushed(robot):
    control = Controller(
        robot, {"stop_efforts": np.full(6, 3.0)}, state_timeout=0.1, reference_timeout=0.1
    )
    speed = np.array([0.0, 0.0, 2.0, 0.0, 0.0, 0.0])
    for k in range(50):
        control.receive(robot.joint_names, START + k * STEP * speed, speed, k * STEP, k * STEP)
    assert control.stop.startswith("joint 'elbow_joint' was pushed with")
    control.restart()
    assert control.stop == ""
