"""A joint's offset is kept apart where its rounded sum with a coordinate would lose digits."""

from decimal import Decimal

import numpy as np
import pytest

from robcogen_ros.algorithms.angle_sums import with_careful_angles
from robcogen_ros.algorithms.link_frames import with_chosen_frames
from robcogen_ros.formats.load import parse
from robcogen_ros.formats.source import Source
from robcogen_ros.model import number
from robcogen_ros.model.reduce import reduce
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from test.support.random_robots import Joint, Link, Tree

AXIAL, ACROSS, YAWING = 1e-5, 0.06, 2e-5
"""Moments of inertia of a rod along and across it, and of what carries it [kg m^2]."""

NEAR_UPRIGHT = np.concatenate([np.linspace(-0.1, 0.1, 41), np.pi + np.linspace(-0.1, 0.1, 41)])


def pitching_rod(offset, yawing=YAWING):
    """A rod along z that pitches about y, by an offset at zero, on a link that turns about z."""
    rod = Link("rod", 1.0, tensor=(ACROSS, 0.0, 0.0, ACROSS, 0.0, AXIAL))
    carrier = Link("carrier", 1e-3, tensor=(yawing, 0.0, 0.0, yawing, 0.0, yawing))
    pitch = Joint(
        "pitch", "revolute", "carrier", "rod", rpy=(0.0, offset, 0.0), axis=(0.0, 1.0, 0.0)
    )
    joints = (Joint("yaw", "revolute", "base", "carrier"), pitch)
    return reduce(parse(Source("rod.urdf", Tree((Link("base"), carrier, rod), joints).urdf())))


def about_z(offset, position):
    """Moment of inertia about z of the rod and of what carries it."""
    angle = number.add(number.number(offset), Decimal(position))
    axial, across, yawing = (number.number(value) for value in (AXIAL, ACROSS, YAWING))
    return yawing + number.cos(angle) ** 2 * axial + number.sin(angle) ** 2 * across


def factor(robot):
    return with_careful_angles(with_chosen_frames(robot)).joints[1].factor


@pytest.mark.parametrize("offset", [0.4, 1.3, -1.2, -0.3])
def test_a_rod_near_upright_leaves_the_joint_before_all_digits_of_its_inertia(offset):
    q = np.concatenate([NEAR_UPRIGHT, NEAR_UPRIGHT - 2 * np.pi]) - offset
    library = Library(pitching_rod(offset), ["inertia_matrix"])
    inertia = interpret(library.entry("inertia_matrix").fastest, {"q": [0 * q, q]})["H"][0]
    exact = np.array([float(about_z(offset, position)) for position in q.tolist()])
    assert inertia == pytest.approx(exact, rel=3e-15, abs=0)


def test_the_larger_one_of_cosine_and_sine_is_the_common_factor():
    """The frame's x axis is along the rod, a right angle from where it is upright."""
    assert [factor(pitching_rod(offset)) for offset in (0.4, 1.3)] == ["sin", "cos"]


def test_sums_are_kept_where_they_are_good_enough():
    assert factor(pitching_rod(0.4, yawing=1.0)) == ""


def test_right_angles_are_no_offsets():
    assert factor(pitching_rod(0.0)) == ""
    assert factor(pitching_rod(np.pi / 2)) == ""
