import gc
import weakref

import numpy as np
import pytest

from robcogen_ros.control.controller import Controller
from robcogen_ros.control.cycles import PARTINGS
from robcogen_ros.control.reference import Waypoints
from robcogen_ros.runtime.objects import object_of
from test.control.arms import DoublePendulum, Pendulum, interpreted
from test.control.cpp_controller import MODES
from test.control.test_simulation import simulated

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning"),
]

NAMES = ["joint1", "joint2"]


def controller(arm, limit=50.0, **changes):
    numbers = {"kp": 400.0, "kd": 40.0, "effort_limits": limit}
    settings = {name: np.full(arm.n, number) for name, number in numbers.items()}
    settings |= {"mode": MODES.index("computed_torque"), "activation_time": 0.0, **changes}
    return Controller(interpreted(arm), settings, state_timeout=0.1, reference_timeout=0.1)


def waypoints(times, rows):
    positions = np.array(rows, float)
    open_ = np.full_like(positions, np.nan)
    return Waypoints(tuple(times), positions, open_, open_, np.zeros_like(positions))


def drive(control, simulation, start, end):
    """Closed loop at 1 kHz; the largest error of position."""
    worst = 0.0
    for k in range(round(start * 1000), round(end * 1000)):
        time = k / 1000
        command = control.receive(NAMES, simulation.q, simulation.qd, time, time)
        worst = max(worst, np.abs(control._reference.sample(time).position - simulation.q).max())
        simulation.advance(command.effort, 1e-3)
    return worst


def test_it_holds_what_it_finds_and_follows_what_it_is_asked():
    arm = DoublePendulum()
    simulation, control = simulated(arm, [0.4, -0.8]), controller(arm)
    assert not control.ready
    assert drive(control, simulation, 0.0, 0.2) < 1e-9
    control.follow(waypoints([0.3, 0.8], [[1.0, 0.0], [-0.5, 0.5]]), start=0.2)
    assert drive(control, simulation, 0.2, 1.4) < 5e-3
    np.testing.assert_allclose(simulation.q, [-0.5, 0.5], atol=1e-4)


def test_friction_of_the_model_does_not_spoil_tracking():
    arm = DoublePendulum(damping=[0.5, 0.1], friction=[0.3, 0.1])
    simulation, control = simulated(arm, [0.4, -0.8]), controller(arm)
    drive(control, simulation, 0.0, 0.1)
    control.follow(waypoints([0.6], [[1.0, 0.5]]), start=0.1)
    assert drive(control, simulation, 0.1, 1.0) < 5e-3


def test_losing_states_leaves_gravity_support_at_the_last_position():
    arm = DoublePendulum()
    control = controller(arm)
    control.receive(NAMES, [0.7, 0.2], [1.0, 1.0], 0.0, 0.0)
    commands = [control.look(0.02 * k) for k in range(1, 12)]
    assert commands[0] is None
    support = arm.gravity_torques(np.array([0.7, 0.2]))
    np.testing.assert_allclose(commands[-1].effort, support)
    assert control.lost


def test_zero_effort_only_where_it_was_asked_for():
    control = controller(DoublePendulum(), failure_effort=PARTINGS.index("zero"))
    control.receive(NAMES, [0.7, 0.2], [0.0, 0.0], 0.0, 0.0)
    commands = [control.look(0.02 * k) for k in range(1, 12)]
    np.testing.assert_array_equal(commands[-1].effort, [0.0, 0.0])


def test_after_a_loss_it_holds_where_the_robot_is_found():
    arm = DoublePendulum()
    control = controller(arm)
    control.receive(NAMES, [0.0, 0.0], [0.0, 0.0], 0.0, 0.0)
    control.follow(waypoints([1.0], [[3.0, 3.0]]), start=0.0)
    for k in range(1, 12):
        control.look(0.02 * k)
    found = [0.1, 0.2]
    command = control.receive(NAMES, found, [0.0, 0.0], 2.0, 2.0)
    np.testing.assert_allclose(command.effort, arm.gravity_torques(np.array(found)))


def test_a_bad_state_is_no_state():
    control = controller(DoublePendulum())
    control.receive(NAMES, [0.7, 0.2], [0.0, 0.0], 0.0, 0.0)
    for k in range(1, 12):
        command = control.receive(NAMES, [np.nan, 0.2], [0.0, 0.0], 0.02 * k, 0.02 * k)
        assert command is None
        assert "not finite" in control.problem
        looked = control.look(0.02 * k)
    assert np.isfinite(looked.effort).all()


def test_a_joint_that_is_never_heard_of_means_no_command():
    control = controller(DoublePendulum())
    assert control.receive(["joint1"], [0.7], [0.0], 0.0, 0.0) is None
    assert control.look(10.0) is None
    assert control.parting("hold_gravity") is None


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_the_order_of_names_does_not_matter(order):
    arm = DoublePendulum()
    q, qd = np.array([0.3, -0.9]), np.array([2.0, 1.0])
    command = controller(arm).receive([NAMES[i] for i in order], q[order], qd[order], 0.0, 0.0)
    feedback = -40.0 * qd
    expected = arm.inverse_dynamics(q, qd, feedback)
    np.testing.assert_allclose(command.effort, expected)


def test_efforts_beyond_gravity_come_up_slowly_but_brake_at_once_after_a_loss():
    arm, qd = DoublePendulum(), np.array([0.5, -0.2])
    control = controller(arm, activation_time=0.1)
    q = np.array([0.3, -0.9])
    weight, whole = arm.gravity_torques(q), arm.inverse_dynamics(q, qd, -40.0 * qd)

    def shares(start, count):
        for k in range(count):
            time = start + 0.01 * k
            effort = control.receive(NAMES, q, qd, time, time).effort
            yield (effort - weight) @ (whole - weight) / np.sum((whole - weight) ** 2)

    rise = np.minimum(np.arange(15) / 10, 1.0)
    np.testing.assert_allclose(list(shares(0.0, 15)), rise, atol=1e-9)
    np.testing.assert_allclose(list(shares(9.0, 3)), 1.0, atol=1e-9)
    control.restart()
    np.testing.assert_allclose(list(shares(10.0, 15)), rise, atol=1e-9)


@pytest.mark.parametrize("leap", [3.0, -3.0])
def test_after_a_leap_of_time_it_holds_where_the_robot_is_found(leap):
    arm = DoublePendulum()
    control = controller(arm)
    control.receive(NAMES, [0.0, 0.0], [0.0, 0.0], 5.0, 5.0)
    control.follow(waypoints([1.0], [[3.0, 3.0]]), start=5.0)
    found = np.array([0.1, 0.2])
    command = control.receive(NAMES, found, [0.0, 0.0], 5.01, 5.0 + leap)
    np.testing.assert_allclose(command.effort, arm.gravity_torques(found))
    assert control.leaps == 1


def wrapping(q):
    """Readings of hardware that begins each turn anew."""
    return (q + np.pi) % (2 * np.pi) - np.pi


@pytest.mark.parametrize("read", [wrapping, np.array], ids=["wrapping", "counting"])
@pytest.mark.parametrize("count", [1, 2, 7])
def test_a_continuous_joint_turns_as_often_as_is_written(read, count):
    arm = Pendulum(continuous=True)
    simulation, control = simulated(arm, [1.0]), controller(arm, limit=np.inf)
    times = np.linspace(0.0, 2.0, count + 1)
    goals = iter([(160.0, 1.0), (-3.0, 160.0)])
    for k in range(4600):
        time = k / 1000
        command = control.receive(["joint1"], read(simulation.q), simulation.qd, time, time)
        simulation.advance(command.effort, 1e-3)
        if k in (0, 2300):
            goal, begin = next(goals)
            rows = [[angle] for angle in np.linspace(begin, goal, count + 1)]
            control.follow(waypoints(times[1:], rows[1:]), start=time)
        if k in (2290, 4590):
            assert simulation.q[0] == pytest.approx(goal, abs=1e-2)


def test_a_joint_whose_velocity_is_never_told_is_controlled_by_its_estimate():
    arm = DoublePendulum()
    simulation, control = simulated(arm, [0.4, -0.8]), controller(arm)
    for k in range(1500):
        told = [simulation.qd[0], np.nan]
        command = control.receive(NAMES, simulation.q, told, k / 1000, k / 1000)
        assert control.problem is None
        simulation.advance(command.effort, 1e-3)
        if k == 100:
            control.follow(waypoints([0.6], [[1.0, 0.0]]), start=0.1)
    np.testing.assert_allclose(simulation.q, [1.0, 0.0], atol=1e-4)


def test_what_was_known_before_a_restart_is_known_no_more():
    control = controller(DoublePendulum())
    control.receive(NAMES, [0.7, 0.2], [0.0, 0.0], 0.0, 0.0)
    control.restart()
    assert control.parting("hold_gravity") is None
    assert control.look(10.0) is None
    assert control.receive(NAMES[1:], [0.2], [0.0], 10.0, 10.0) is None
    control.receive(NAMES, [0.7, 0.2], [np.nan, 0.0], 10.0, 10.0)
    assert control.problem is None


def test_the_tables_of_a_robot_live_as_long_as_what_was_made_of_it():
    robot = interpreted(Pendulum())
    evaluator = weakref.ref(robot._evaluator)
    made = object_of(robot, "inverse_dynamics_controller", {})
    del robot
    gc.collect()
    assert evaluator() is not None
    del made
    gc.collect()
    assert evaluator() is None
