"""Tensors of slender limbs are turned so that no joint before them loses digits."""

from decimal import Decimal

import numpy as np
import pytest

from robcogen_ros.algorithms.conditioning.tensor_rotations import with_accurate_rotations
from robcogen_ros.model.scalars import number
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from test.support.model_of import model_of
from test.support.random_robots import Joint, Link, Tree

AXIAL, ACROSS, YAWING = 1e-5, 0.06, 2e-5
"""Moments of inertia of a rod along and across it, and of what carries it [kg m^2]."""

ANGLES = np.concatenate([np.linspace(-3, 3, 101), [np.pi / 2, -np.pi / 2]])


def rod(name, direction):
    """A rod about its joint."""
    x, z = (AXIAL, ACROSS) if direction == "x" else (ACROSS, AXIAL)
    return Link(name, 1.0, tensor=(x, 0.0, 0.0, ACROSS, 0.0, z))


def yawing_rods(*directions):
    """Rods that pitch about y, each on a link that turns about z."""
    links, joints = [Link("base", 1.0)], []
    for i, direction in enumerate(directions):
        light = Link(f"hip{i}", 1e-3, tensor=(YAWING, 0.0, 0.0, YAWING, 0.0, YAWING))
        links += [light, rod(f"rod{i}", direction)]
        joints += [
            Joint(f"yaw{i}", "revolute", "base", f"hip{i}", xyz=(0.1 * i, 0.0, 0.0)),
            Joint(f"pitch{i}", "revolute", f"hip{i}", f"rod{i}", axis=(0.0, 1.0, 0.0)),
        ]
    return model_of(Tree(tuple(links), tuple(joints)).urdf())


def about_z(direction, angle):
    """Moment of inertia about z of a rod that has pitched, and of what carries it."""
    squares = number.cos(Decimal(angle)) ** 2, number.sin(Decimal(angle)) ** 2
    upright, lying = squares if direction == "z" else reversed(squares)
    axial, across, yawing = (number.number(value) for value in (AXIAL, ACROSS, YAWING))
    return yawing + upright * axial + lying * across


@pytest.mark.parametrize("direction", ["x", "z"])
def test_an_upright_rod_leaves_the_joint_before_all_digits_of_its_inertia(direction):
    still = np.zeros_like(ANGLES)
    states = {"q": [still, ANGLES], "qd": [still] * 2, "tau": [still + 1, still]}
    library = Library(yawing_rods(direction), ["inertia_matrix", "forward_dynamics"])
    inertia = interpret(library.entry("inertia_matrix").fastest, states)["H"][0]
    qdd = interpret(library.entry("forward_dynamics").fastest, states)["qdd"][0]
    exact = np.array([float(about_z(direction, angle)) for angle in ANGLES.tolist()])
    assert inertia == pytest.approx(exact, rel=2e-15, abs=0)
    assert qdd == pytest.approx(1 / exact, rel=2e-15, abs=0)


def test_limbs_of_equal_shape_are_turned_alike():
    sums = with_accurate_rotations(yawing_rods("x", "z")).conditioning
    assert sums[1] == sums[3]
    single = [with_accurate_rotations(yawing_rods(direction)).conditioning for direction in "xz"]
    assert single[0][1] != single[1][1]
