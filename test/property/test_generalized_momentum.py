"""The generalized momentum of any robot is H v, and changes as its motion says."""

from __future__ import annotations

from decimal import Context, Decimal, localcontext
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import strategies as st

import robcogen_ros
from robcogen_ros.control.simulation import Simulation
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.program.interpret import interpret_exactly
from robcogen_ros.program.library import Library
from test.property.test_joint_terms import TERMS, text
from test.support.model_of import model_of
from test.support.random_robots import for_random, trees

TWO_LEGS = Path(__file__).parents[1] / "control" / "two_legs.urdf"
STEP = Decimal("1e-15")


def exactly(robot):
    """Momentum and bias beside H v and dH/dt v - C v - g, and the share that may be lost."""
    inverse = "inverse_dynamics" + "_fully_actuated" * robot.floating_base
    library = Library(robot, ["generalized_momentum", "inertia_matrix", inverse])
    random = Random(3)

    def call(name, given):
        program = library.entry(name).general
        inputs = {a.name: given.get(a.name, [Decimal(0)] * a.size) for a in program.inputs}
        return interpret_exactly(program, inputs)

    given = {
        a.name: [Decimal(random.uniform(-3, 3)) for _ in range(a.size)]
        for a in library.function("generalized_momentum").inputs
    }
    v = np.array([*given.get("base_velocity", []), *given["qd"]])

    def momentum(time):
        at = [q + time * qd for q, qd in zip(given["q"], given["qd"], strict=True)]
        H = np.array(call("inertia_matrix", {"q": at})["H"])
        return H.reshape(len(v), len(v)) @ v

    found = call("generalized_momentum", given)
    forces = call(inverse, given)
    held = np.array([*forces.get("base_wrench", []), *forces["tau"]])
    rate = (momentum(STEP) - momentum(-STEP)) / (2 * STEP)
    yield np.array(found["momentum"]), momentum(Decimal(0)), Decimal("1e-40")
    yield np.array(found["bias"]), rate - held, Decimal("1e-25")


def check(robot):
    with localcontext(Context(prec=50)):
        for found, expected, share in exactly(robot):
            assert np.abs(found - expected).max() <= share * (1 + np.abs(expected).max())


@for_random(trees(), st.booleans(), examples=8)
def test_it_is_the_inertia_matrix_times_the_rates_and_changes_with_it(tree, floating):
    check(model_of(tree.urdf(), floating_base=floating))


@pytest.mark.parametrize("mimic", [False, True])
@pytest.mark.parametrize("floating", [False, True])
def test_rotors_have_momentum_and_friction_takes_it(floating, mimic):
    check(model_of(text(mimic), floating_base=floating, terms=TERMS))


def missing_along_a_motion(robot, steps):
    """What the momentum gained in half a second in space, less the sum of what changes it."""
    moving = {"base_velocity": [0.8, -2.5, 1.1, 0.3, 0.2, 2.0], "qd": [1.5, -2.0]}
    simulation = Simulation(robot, [0.4, -0.7], stops=False, **moving)
    tau, gravity = np.array([2.0, -1.0]), np.array([0.0, 0.0, -9.81])
    momenta, rates = [], []
    for step in range(steps + 1):
        if step:
            simulation.advance(tau, 0.5 / steps)
        down = rotation(simulation.orientation).T @ gravity
        state = simulation.q, simulation.qd, simulation.base_velocity, down
        momentum, bias = robot.generalized_momentum(*state)
        momenta.append(momentum)
        rates.append(bias + np.concatenate([np.zeros(6), tau]))
    simpson = np.array([1, *[4, 2] * (steps // 2 - 1), 4, 1]) / (6 * steps)
    return momenta[-1] - momenta[0] - simpson @ rates, momenta[-1] - momenta[0]


def test_it_changes_by_the_bias_and_the_joint_forces_along_a_motion_in_space():
    robot = robcogen_ros.build(TWO_LEGS, floating_base=True, backend="numpy", functions=["all"])
    (coarse, gain), (fine, _) = (missing_along_a_motion(robot, steps) for steps in (100, 200))
    assert (np.abs(gain) > 0.05).all()
    assert np.abs(fine).max() < 1e-5
    assert 12 < np.abs(coarse).max() / np.abs(fine).max() < 20
