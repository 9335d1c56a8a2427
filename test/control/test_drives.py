import numpy as np
import pytest

from robcogen_ros.control.drives import Drives
from test.control.arms import DoublePendulum, Pendulum
from test.control.test_simulation import simulated

pytestmark = pytest.mark.slow

BOTH = np.array([0, 1])


def run(simulation, drives, duration, step=1e-3):
    for _ in range(round(duration / step)):
        efforts = drives.efforts(simulation.q, simulation.qd, simulation.inverse_dynamics)
        simulation.advance(efforts, step)
    return simulation


def test_efforts_go_through():
    drives = Drives(DoublePendulum(), 50.0)
    drives.take(np.array([1]), np.array([3.0]))
    efforts = drives.efforts(np.zeros(2), np.ones(2), lambda qdd: np.full(2, 99.0))
    np.testing.assert_array_equal(efforts, [0.0, 3.0])


def test_a_drive_goes_to_its_position_critically_damped():
    arm, w, start = DoublePendulum(), 20.0, np.array([0.4, -0.8])
    simulation, drives = simulated(arm, start), Drives(arm, w)
    goal = np.array([0.9, 0.1])
    drives.take(BOTH, None, goal)
    run(simulation, drives, 0.1)
    left = (1 + w * 0.1) * np.exp(-w * 0.1)
    np.testing.assert_allclose(goal - simulation.q, left * (goal - start), rtol=0.02)
    run(simulation, drives, 0.9, 5e-3)
    np.testing.assert_allclose(simulation.q, goal, atol=1e-5)


def test_a_drive_is_no_faster_than_its_joint():
    arm = Pendulum(velocity_limits=1.0)
    simulation, drives = simulated(arm, [0.0]), Drives(arm, 50.0)
    drives.take(np.array([0]), None, np.array([3.0]))
    run(simulation, drives, 0.3)
    assert simulation.qd[0] == pytest.approx(1.0, rel=1e-3)


def test_a_continuous_joint_takes_the_short_way():
    arm = Pendulum(continuous=True)
    simulation, drives = simulated(arm, [3.0]), Drives(arm, 50.0)
    drives.take(np.array([0]), None, np.array([-3.0]))
    run(simulation, drives, 0.6)
    assert simulation.q[0] == pytest.approx(2 * np.pi - 3.0, abs=1e-6)


def test_what_is_fed_forward_is_all_that_a_drive_knows_of_the_robot():
    arm, w = Pendulum(), 10.0
    simulation, drives = simulated(arm, [1.0]), Drives(arm, w)
    drives.take(np.array([0]), np.array([0.0]), np.array([1.0]), np.array([0.0]))
    run(simulation, drives, 3.0, 1e-2)
    sag = 1.0 - simulation.q[0]
    weight = arm.gravity_torques(simulation.q)[0]
    assert sag == pytest.approx(weight / (arm.inertia * w**2), rel=1e-3)


def test_efforts_and_positions_may_be_mixed():
    arm = DoublePendulum()
    simulation, drives = simulated(arm, [0.4, -0.8]), Drives(arm, 50.0)
    drives.take(np.array([0]), np.array([0.7]))
    drives.take(np.array([1]), None, np.array([0.5]))
    efforts = drives.efforts(simulation.q, simulation.qd, simulation.inverse_dynamics)
    assert efforts[0] == 0.7
    wanted = arm.inverse_dynamics(simulation.q, simulation.qd, np.array([0.0, 50.0**2 * 1.3]))
    assert efforts[1] == pytest.approx(wanted[1])


def test_switched_off_drives_give_nothing():
    drives = Drives(Pendulum(), 50.0)
    drives.take(np.array([0]), None, np.array([1.0]))
    drives.off()
    assert drives.efforts(np.ones(1), np.ones(1), lambda qdd: qdd)[0] == 0.0
