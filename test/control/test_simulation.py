import numpy as np
import pytest

from robcogen_ros.control.simulation import Simulation, SimulationError
from test.control.arms import DoublePendulum, Pendulum, interpreted

pytestmark = pytest.mark.slow

ZERO = np.zeros(1)
WEIGHTLESS = np.zeros(3)


def simulated(arm, q, **settings):
    """An arm at rest; without stops where it has no limits."""
    stops = {"stops": bool(np.isfinite(arm.lower_limits).any()), **settings}
    return Simulation(interpreted(arm), np.array(q), **stops)


def run(simulation, effort, duration, step=1e-3):
    for _ in range(round(duration / step)):
        simulation.advance(effort, step)
    return simulation


@pytest.mark.slow
def test_a_free_double_pendulum_keeps_its_energy():
    """Chaotic motion, up to 37 rad/s: within 1e-7 J of the 20 J there are, and without drift."""
    arm = DoublePendulum()
    simulation = simulated(arm, [2.5, 0.5])
    start = arm.energy(simulation.q, simulation.qd)
    errors = []
    for _ in range(10_000):
        simulation.advance(np.zeros(2), 1e-3)
        errors.append(arm.energy(simulation.q, simulation.qd) - start)
    assert np.abs(errors).max() < 1e-7
    assert abs(np.mean(errors[-1000:])) < 2e-8


def test_the_error_falls_with_the_fourth_power_of_the_step():
    def end(step):
        return run(simulated(DoublePendulum(), [1.5, 0.3]), np.zeros(2), 0.48, step).q

    exact = end(0.00025)
    coarse, fine = (np.abs(end(step) - exact).max() for step in (0.004, 0.002))
    assert 12 < coarse / fine < 20


def test_energy_grows_by_the_work_of_the_efforts():
    arm = DoublePendulum()
    simulation = simulated(arm, [0.3, 0.2])
    start, effort = arm.energy(simulation.q, simulation.qd), np.array([1.0, -0.4])
    begin = simulation.q.copy()
    run(simulation, effort, 2.0)
    work = effort @ (simulation.q - begin)
    assert arm.energy(simulation.q, simulation.qd) - start == pytest.approx(work, abs=1e-8)


def test_a_damped_joint_slows_down_exponentially():
    arm = Pendulum(damping=3.0)
    simulation = simulated(arm, [0.0], gravity=WEIGHTLESS)
    simulation.place(simulation.q, qd=[4.0])
    run(simulation, ZERO, 0.5)
    assert simulation.qd[0] == pytest.approx(4.0 * np.exp(-0.5 * 3.0 / arm.inertia), rel=1e-6)


@pytest.mark.parametrize("damping", [10.0, 1e3, 1e6])
def test_damping_of_any_strength_is_stable_and_reaches_the_right_speed(damping):
    arm = Pendulum(damping=damping)
    simulation = run(simulated(arm, [0.0], gravity=WEIGHTLESS), np.array([5.0]), 1.0)
    assert simulation.qd[0] == pytest.approx(5.0 / damping, rel=1e-6)


def test_dry_friction_holds_what_it_can():
    simulation = run(simulated(Pendulum(friction=9.0), [1.0]), ZERO, 1.0)
    assert simulation.q[0] == pytest.approx(1.0, abs=1e-9)


def test_dry_friction_slows_down_what_slides():
    arm = Pendulum(friction=2.0)
    simulation = simulated(arm, [0.0], gravity=WEIGHTLESS)
    simulation.place(simulation.q, qd=[3.0])
    run(simulation, ZERO, 0.1)
    assert simulation.qd[0] == pytest.approx(3.0 - 0.1 * 2.0 / arm.inertia, abs=1e-9)
    run(simulation, ZERO, 1.0)
    assert simulation.qd[0] == pytest.approx(0.0, abs=1e-12)


def test_friction_only_ever_takes_energy():
    arm = DoublePendulum(friction=[0.2, 0.1], damping=[0.02, 0.5])
    simulation = simulated(arm, [2.0, -1.0])
    energies = []
    for _ in range(1500):
        simulation.advance(np.zeros(2), 1e-3)
        energies.append(arm.energy(simulation.q, simulation.qd))
    assert np.diff(energies).max() < 1e-9


def test_motors_give_no_more_than_they_can():
    arm = Pendulum(effort_limits=1.0)
    strong = run(simulated(arm, [0.0]), np.array([100.0]), 0.5)
    fair = run(simulated(arm, [0.0]), np.array([1.0]), 0.5)
    np.testing.assert_array_equal(strong.q, fair.q)


def test_a_joint_stays_within_its_stops_and_rests_there():
    arm = DoublePendulum(lower_limits=-0.5, upper_limits=1.0)
    simulation = simulated(arm, [0.9, 0.9])
    for _ in range(1500):
        simulation.advance(np.array([-20.0, 0.0]), 1e-3)
        assert (simulation.q >= -0.5).all()
        assert (simulation.q <= 1.0).all()
    assert simulation.q[0] == pytest.approx(-0.5, abs=1e-4)
    assert simulation.qd[0] == pytest.approx(0.0, abs=1e-5)


def test_stops_can_be_left_out():
    arm = Pendulum(lower_limits=-0.1, upper_limits=0.1)
    simulation = simulated(arm, [0.0], stops=False)
    assert run(simulation, np.array([5.0]), 1.0).q[0] > 0.1


def test_a_motion_beyond_all_numbers_is_an_error():
    simulation = simulated(DoublePendulum(), [1.0, 1.0])
    simulation.place(simulation.q, qd=[1e200, 0.0])
    with pytest.raises(SimulationError, match="too fast"):
        simulation.advance(np.zeros(2), 1e-3)


@pytest.mark.parametrize("seed", range(3))
def test_energy_never_grows_at_a_stop(seed):
    rng = np.random.default_rng(seed)
    arm = DoublePendulum(lower_limits=-0.5, upper_limits=0.7)
    simulation = simulated(arm, rng.uniform(-0.4, 0.6, 2))
    simulation.place(simulation.q, qd=rng.uniform(-20, 20, 2))
    energies = [arm.energy(simulation.q, simulation.qd)]
    for _ in range(500):
        simulation.advance(np.zeros(2), 1e-3)
        energies.append(arm.energy(simulation.q, simulation.qd))
    assert energies[-1] < energies[0] - 1.0
    assert np.diff(energies).max() < 1e-8 * max(1.0, energies[0])


def test_friction_may_be_other_than_the_models():
    arm = Pendulum(damping=3.0)
    simulation = simulated(arm, [1.0], damping=[0.0], joint_friction=[0.0])
    start = arm.energy(simulation.q, simulation.qd)
    run(simulation, ZERO, 1.0)
    assert arm.energy(simulation.q, simulation.qd) == pytest.approx(start, abs=1e-8)


def test_gravity_may_be_other_than_down():
    simulation = simulated(Pendulum(), [1.0], gravity=WEIGHTLESS)
    simulation.place(simulation.q, qd=[0.5])
    assert run(simulation, ZERO, 1.0).q[0] == pytest.approx(1.5, abs=1e-9)


def test_friction_is_the_same_within_the_dynamics():
    arm = DoublePendulum(friction=[0.2, 0.1], damping=[0.02, 0.5])
    found = [
        run(Simulation(interpreted(arm, **options), [1.0, -1.0]), np.array([0.5, 0.1]), 0.5).q
        for options in ({}, {"terms": ("damping", "friction")})
    ]
    np.testing.assert_allclose(*found, rtol=0, atol=1e-9)


def test_an_effort_that_is_no_number_is_none():
    arm = Pendulum()
    found = [run(simulated(arm, [0.5]), np.array([x]), 0.1).q for x in (np.nan, -np.inf, 0.0)]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("start", [[np.nan, 0.0], [0.0, np.inf]])
def test_a_start_that_is_no_number_is_refused(start):
    with pytest.raises(SimulationError, match="not finite"):
        simulated(DoublePendulum(), start)


@pytest.mark.parametrize("wrong", [{"damping": [-1.0]}, {"joint_friction": [np.nan]}])
def test_friction_that_is_none_is_refused(wrong):
    with pytest.raises(SimulationError, match="setting"):
        simulated(Pendulum(), [0.0], **wrong)
