from pathlib import Path

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.control.simulation import Simulation, SimulationError
from robcogen_ros.model.quaternions import rotation

pytestmark = pytest.mark.slow

BODY = """<robot name="top"><link name="body"><inertial><mass value="2"/>
  <inertia ixx="0.3" ixy="0" ixz="0" iyy="0.3" iyz="0" izz="0.5"/></inertial></link></robot>"""
TWO_LEGS = Path(__file__).with_name("two_legs.urdf")
G = np.array([0.0, 0.0, -9.81])


def built(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("floating") / "robot.urdf"
    path.write_text(text)
    return robcogen_ros.build(path, floating_base=True, backend="numpy")


@pytest.fixture(scope="module")
def top(tmp_path_factory):
    return built(tmp_path_factory, BODY)


@pytest.fixture(scope="module")
def legs(tmp_path_factory):
    return built(tmp_path_factory, TWO_LEGS.read_text())


def moving(robot, **options):
    base = np.array([0.8, -0.5, 1.1, 0.3, 0.2, 2.0])
    return Simulation(robot, [0.1, -0.2], base_velocity=base, qd=[1.5, -2.0], **options)


def momentum(robot, simulation):
    """Angular about the center of mass, then linear; both in the world."""
    rates = np.concatenate([simulation.base_velocity, simulation.qd])
    in_base = robot.centroidal_momentum_matrix(simulation.q) @ rates
    return (rotation(simulation.orientation) @ in_base.reshape(2, 3).T).T.ravel()


def energy(robot, simulation):
    turned = rotation(simulation.orientation)
    moving = robot.kinetic_energy(simulation.q, simulation.qd, simulation.base_velocity)
    center = simulation.position + turned @ robot.center_of_mass(simulation.q)
    return float(moving - robot.total_mass() * G @ center)


def run(simulation, steps, step=2e-3, effort=None):
    for _ in range(steps):
        simulation.advance(np.zeros(len(simulation.q)) if effort is None else effort, step)
    return simulation


def test_a_thrown_body_flies_a_parabola(top):
    start = {"position": [0.0, 0.0, 1.0], "base_velocity": [0, 0, 0, 2.0, 0.0, 3.0]}
    simulation = Simulation(top, np.zeros(0), **start)
    run(simulation, 50, 1e-2)
    np.testing.assert_allclose(simulation.position, [1.0, 0, 1 + 1.5 - 9.81 / 8], atol=1e-12)


def test_a_spinning_top_precesses(top):
    """Euler's closed form: in the body, the spin turns about the axis at (Iz - Ix) / Ix wz."""
    spin = [0.5, 0.0, 6.0, 0, 0, 0]
    simulation = Simulation(top, np.zeros(0), gravity=np.zeros(3), base_velocity=spin)
    run(simulation, 50, 5e-3)
    angle = (0.5 - 0.3) / 0.3 * 6.0 * 0.25
    spin = [0.5 * np.cos(angle), 0.5 * np.sin(angle), 6.0]
    np.testing.assert_allclose(simulation.base_velocity[:3], spin, atol=1e-6)
    momentum_in_world = rotation(simulation.orientation) @ (np.diag([0.3, 0.3, 0.5]) @ spin)
    np.testing.assert_allclose(momentum_in_world, [0.15, 0.0, 3.0], atol=1e-6)


def test_without_forces_energy_and_momentum_stay(legs):
    simulation = moving(legs, gravity=np.zeros(3), stops=False)
    before, start = momentum(legs, simulation), legs.kinetic_energy
    rest = start(simulation.q, simulation.qd, simulation.base_velocity)
    run(simulation, 30, 4e-3)
    np.testing.assert_allclose(momentum(legs, simulation), before, atol=1e-8)
    after = start(simulation.q, simulation.qd, simulation.base_velocity)
    assert after == pytest.approx(rest, abs=1e-8)


def test_falling_changes_the_momentum_by_the_weight_alone(legs):
    simulation = moving(legs, stops=False)
    before, start = momentum(legs, simulation), energy(legs, simulation)
    run(simulation, 25, 4e-3)
    gained = momentum(legs, simulation) - before
    np.testing.assert_allclose(gained, [0, 0, 0, *(5.5 * 0.1 * G)], atol=1e-8)
    assert energy(legs, simulation) == pytest.approx(start, abs=1e-7)


def test_motors_turn_the_links_but_not_the_whole(legs):
    simulation = moving(legs, gravity=np.zeros(3), stops=False)
    before = momentum(legs, simulation)
    run(simulation, 25, 4e-3, effort=np.array([3.0, -2.0]))
    np.testing.assert_allclose(momentum(legs, simulation), before, atol=1e-8)


def test_stops_and_friction_take_energy_but_no_momentum(legs):
    friction = {"damping": [0.05, 0.0], "joint_friction": [0.0, 0.1]}
    simulation = moving(legs, gravity=np.zeros(3), **friction)
    before, energies = momentum(legs, simulation), []
    for _ in range(60):
        run(simulation, 1, 4e-3)
        moved = (simulation.q, simulation.qd, simulation.base_velocity)
        energies.append(float(legs.kinetic_energy(*moved)))
        assert (np.abs(simulation.q) <= 0.6).all()
    assert np.diff(energies).max() < 1e-6
    assert energies[-1] < energies[0] - 0.1
    np.testing.assert_allclose(momentum(legs, simulation), before, atol=5e-3)


def test_a_push_accelerates_the_whole(legs):
    simulation = Simulation(legs, np.zeros(2), gravity=np.zeros(3))
    simulation.external_forces = np.zeros((3, 6))
    simulation.external_forces[1, 3:] = [2.0, 1.0, -3.0]
    run(simulation, 1, 1e-4)
    np.testing.assert_allclose(momentum(legs, simulation)[3:], [2e-4, 1e-4, -3e-4], atol=1e-7)


def test_a_motion_beyond_all_numbers_is_an_error(legs):
    simulation = Simulation(legs, np.zeros(2))
    simulation.place(np.zeros(2), base_velocity=np.full(6, 1e200))
    with pytest.raises(SimulationError, match="too fast"):
        run(simulation, 1)
