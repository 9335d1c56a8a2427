"""Robots whose motors are told and commanded, beside the same robots by their coordinates."""

from __future__ import annotations

import numpy as np
import pytest

from robcogen_ros.control.controller import Controller
from robcogen_ros.control.motor_space import FOR_DRIVES, SPACES, Motors
from robcogen_ros.control.simulation import Simulation
from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.runtime.test_transmission import FORMS, GEARED, NAMES
from test.support.linkage_oracle import Linkage
from test.support.linkages import ANKLE_LOOPS

pytestmark = pytest.mark.slow

Q, U = np.array([0.1, -0.2]), np.array([0.3, -2.0])
STEP, MOVED = 1e-3, np.array([0.05, 0.02])
LAW = {"mode": 3.0, "kp": np.full(2, 400.0), "kd": np.full(2, 40.0), "activation_time": 0.0}


def built(tmp_path, urdf, loops, motors=("left_motor", "right_motor")):
    robot = Linkage.of(tmp_path, urdf, loops, actuated=list(motors)).robot
    names = [*NAMES, FOR_DRIVES, "potential_energy", "kinetic_energy"]
    return robot_of(NumpyEvaluator(Library(robot, ["default"], names)))


@pytest.fixture
def ankle(tmp_path):
    """Its coordinates are pitch and roll, its two motors have gears."""
    return built(tmp_path, *FORMS["from the foot"][:2])


def limited(tmp_path, effort):
    limit = f'<limit lower="-3" upper="3" velocity="9" effort="{effort}"/></joint>'
    head, tail = GEARED.split('name="left_motor" type="continuous"')
    tail = tail.replace("</joint>", limit, 1)
    loops = FORMS["from the foot"][1]
    return built(tmp_path, f'{head}name="left_motor" type="revolute"{tail}', loops)


def simulated(robot, q=Q):
    return Simulation(robot, q, motors=Motors(robot), stops=False)


def test_energy_grows_by_the_work_of_motors(ankle):
    motors, simulation = Motors(ankle), simulated(ankle)

    def energy():
        q = simulation.q
        work = U @ motors.positions(q)
        return ankle.kinetic_energy(q, simulation.qd) + ankle.potential_energy(q) - work

    start = energy()
    for _ in range(100):
        simulation.advance(U, STEP)
    assert np.abs(simulation.q - Q).max() > 0.2
    assert energy() == pytest.approx(start, abs=1e-7)


def test_it_moves_as_the_robot_whose_coordinates_are_the_motors(ankle, tmp_path):
    other = built(tmp_path, GEARED, ANKLE_LOOPS)
    one = simulated(ankle)
    two = Simulation(other, Motors(ankle).positions(Q) / other.gears, stops=False)
    for _ in range(100):
        one.advance(U, STEP)
        two.advance(other.gears * U, STEP)
    np.testing.assert_allclose(Motors(ankle).positions(one.q) / other.gears, two.q, atol=1e-8)


def cycle(controller, simulation, time):
    """A state of what the controller measures, and its command."""
    side, q, qd = controller.measured, simulation.q, simulation.qd
    told = (side.positions(q), side.rates(q) @ qd) if isinstance(side, Motors) else (q, qd)
    return controller.receive(side.joint_names, *told, time, time)


def controller_of(robot, space, **settings):
    settings = {**LAW, "space": float(SPACES.index(space)), **settings}
    return Controller(robot, settings, state_timeout=0.1, reference_timeout=0.1)


def test_a_controller_does_the_same_in_either_space(ankle):
    simulation, motors = simulated(ankle), Motors(ankle)
    controllers = [controller_of(ankle, space) for space in SPACES]
    for k in range(60):
        joint, motor = (cycle(each, simulation, k * STEP) for each in controllers)
        np.testing.assert_allclose(motors.joint_efforts(simulation.q, motor.effort), joint.effort)
        np.testing.assert_allclose(motor.position, motors.positions(joint.position), rtol=1e-10)
        simulation.advance(motor.effort + (U if k < 30 else 0), STEP)
    assert np.abs(simulation.q - Q).max() > 1e-3


def test_motors_that_cannot_give_more_still_carry_the_weight(tmp_path):
    ankle = limited(tmp_path, 60.0)
    motors, simulation = Motors(ankle), simulated(ankle)
    assert motors.effort_limits.tolist() == [60.0 / 50.0, np.inf]
    controller = controller_of(ankle, "motor", kp=np.full(2, 4e5))
    cycle(controller, simulation, 0.0)
    weight = np.linalg.solve(motors.rates(Q).T, ankle.gravity_torques(Q))
    assert abs(weight[0]) < motors.effort_limits[0]
    simulation.place(Q + MOVED)
    found = cycle(controller, simulation, STEP)
    whole = cycle(controller_of(ankle, "joint", kp=np.full(2, 4e5)), simulation, 0.0)
    assert whole is not None and abs(found.effort[0]) == pytest.approx(1.2)
    assert 0 < found.scale < 1
    lower = controller_of(ankle, "motor", kp=np.full(2, 4e5), effort_limits=np.array([1.0, 9.0]))
    for time in (0.0, STEP):
        simulation.place(Q + MOVED if time else Q)
        found = cycle(lower, simulation, time)
    assert np.abs(found.effort).max() <= 9.0 and abs(found.effort[0]) <= 1.0


def test_states_of_motors_may_come_one_after_another(ankle):
    motors, controller = Motors(ankle), controller_of(ankle, "motor")
    x = motors.positions(Q)
    assert controller.receive(["left_motor"], x[:1], [0.0], 0.0, 0.0) is None
    assert controller.receive(["right_motor"], x[1:], [0.0], 0.01, 0.01) is not None
    for time in np.arange(0.02, 0.3, 0.02):
        controller.receive(["left_motor"], x[:1], [0.0], time, time)
    assert controller.lost


def test_positions_of_motors_beyond_where_loops_close_are_no_states(ankle):
    controller = controller_of(ankle, "motor")
    names, x = ["left_motor", "right_motor"], Motors(ankle).positions(Q)
    assert controller.receive(names, 3.0 * x + 150.0, [0.0, 0.0], 0.0, 0.0) is None
    assert controller.receive(names, x, [0.0, 0.0], 0.01, 0.01) is not None


def test_drives_of_motors_lead_where_they_are_sent(ankle):
    motors, simulation = Motors(ankle), simulated(ankle)
    accelerations = np.array([40.0, -3.0])
    rates = motors.rates(simulation.q) @ simulation.qd
    effort = motors.inverse_dynamics(simulation, accelerations)
    simulation.advance(effort, 1e-4)
    after = motors.rates(simulation.q) @ simulation.qd
    np.testing.assert_allclose((after - rates) / 1e-4, accelerations, rtol=2e-3)


def test_one_motor_of_two_accelerates_as_it_is_asked_and_the_other_moves_along(tmp_path):
    ankle = built(tmp_path, GEARED, FORMS["from the foot"][1], ["left_motor"])
    motors = Motors(ankle)
    assert not motors.determine
    with pytest.raises(RobcogenError, match=r"left_motor\) do not determine its coordinates"):
        controller_of(ankle, "motor")
    simulation = Simulation(ankle, Q, motors=motors, stops=False)
    effort = motors.inverse_dynamics(simulation, np.array([25.0]))
    for _ in range(2):
        before = motors.rates(simulation.q) @ simulation.qd
        effort = motors.inverse_dynamics(simulation, np.array([25.0]))
        simulation.advance(effort, 1e-4)
        after = motors.rates(simulation.q) @ simulation.qd
        np.testing.assert_allclose((after - before) / 1e-4, [25.0], rtol=2e-3)
    assert np.abs(simulation.qd).min() > 1e-5
