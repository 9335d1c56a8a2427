"""Parameters of nodes: what is left out is the model's, what is given counts."""

import math

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.control import arm_settings
from robcogen_ros.control.controller import Controller
from robcogen_ros.nodes import simulation_parameters
from robcogen_ros.parameters.table import table

PENDULUM = """<robot name="pendulum">
<link name="wall"/>
<link name="arm"><inertial><origin xyz="0.4 0 0"/><mass value="2"/>
<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="wall"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-3" upper="3" effort="50" velocity="9"/></joint></robot>"""
WEIGHT = 2 * 9.81 * 0.4


@pytest.fixture(scope="module")
def on_ceiling(tmp_path_factory):
    """A robot whose base hangs upside down: gravity is +z in it."""
    file = tmp_path_factory.mktemp("ceiling") / "pendulum.urdf"
    file.write_text(PENDULUM)
    return robcogen_ros.build(file, gravity=(0.0, 0.0, 9.81), backend="numpy")


def defaults(name, **changes):
    values = {parameter.name: parameter.read(parameter.default) for parameter in table(name)}
    return {**values, **changes}


def held(robot, **changes):
    """Efforts of the controller of an arm that it finds at rest."""
    values = defaults("inverse_dynamics_node", **changes)
    settings = arm_settings.settings(robot, values)
    controller = Controller(robot, settings, state_timeout=0.1, reference_timeout=0.1)
    return controller.receive(["hinge"], [0.0], [0.0], 0.0, 0.0).effort


@pytest.mark.slow
@pytest.mark.parametrize(
    ("gravity", "weight"), [([], WEIGHT), ([0.0, 0.0, 9.81], WEIGHT), ([0.0, 0.0, -9.81], -WEIGHT)]
)
def test_a_gravity_that_is_given_counts_whatever_it_is(on_ceiling, gravity, weight):
    np.testing.assert_allclose(held(on_ceiling, gravity=gravity), [weight], atol=1e-12)
    simulation = simulation_parameters.simulation(
        on_ceiling, defaults("simulated_robot", gravity=gravity)
    )
    np.testing.assert_allclose(simulation.inverse_dynamics(np.zeros(1)), [weight], atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "expected"), [([], 50.0), ([math.inf], 50.0), ([20.0], 20.0), ([80.0], 50.0)]
)
def test_effort_limits_only_lower_those_of_the_model(on_ceiling, asked, expected):
    efforts = held(on_ceiling, effort_limits=asked, gravity=[0.0, 0.0, 100.0])
    np.testing.assert_allclose(efforts, [expected])  # the weight is 80 N m
