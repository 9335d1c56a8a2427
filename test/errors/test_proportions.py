"""Masses, inertia and efforts in different systems of units are told; robots have one."""

from __future__ import annotations

import re

import pytest

import robcogen_ros
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import read
from test.support.pinocchio_oracle import PinocchioOracle
from test.support.robots import robot_path

UR5 = "ur_description/urdf/ur5_robot.urdf"
ROBOTS = (
    UR5,
    "allegro_hand_description/urdf/allegro_left_hand.urdf",
    "hyq_description/robots/hyq_no_sensors.urdf",
    "panda_description/urdf/panda.urdf",
    "talos_data/robots/talos_reduced.urdf",
    "tiago_description/robots/tiago.urdf",
)


def told(path):
    words = (" m, and the limit of its effort", "kg m^2, and the whole robot")
    return [w.message for w in read(path).warnings if any(word in w.message for word in words)]


def scaled(tmp_path, **factors):
    """The UR5 with attributes multiplied."""
    text = robot_path(UR5).read_text(encoding="utf-8")
    for attribute, factor in factors.items():
        text = re.sub(
            rf'\b{attribute}="([^"]+)"',
            lambda m, name=attribute, factor=factor: f'{name}="{float(m[1]) * factor!r}"',
            text,
        )
    (tmp_path / "arm.urdf").write_text(text, encoding="utf-8")
    return tmp_path / "arm.urdf"


@pytest.mark.parametrize("name", ROBOTS)
def test_robots_are_of_one_system_of_units(name):
    assert told(robot_path(name)) == []


def test_masses_in_grams_are_told_with_the_joint_that_could_bear_least(tmp_path):
    path = scaled(tmp_path, value=1000.0)
    (message,) = told(path)
    joint, mass, reach = re.search(r"joint '(\w+)' moves (\S+) kg within (\S+) m", message).groups()
    bodies = list(PinocchioOracle(path).model.inertias)[1:]  # the first does not move
    assert joint == "shoulder_pan_joint"
    assert float(mass) == pytest.approx(sum(body.mass for body in bodies), rel=0.01)
    assert 0.85 < float(reach) < 1.5  # from the base; the maker's reach is 0.85 m


def test_efforts_in_kilonewtons_are_told(tmp_path):
    (message,) = told(scaled(tmp_path, effort=0.001))
    assert "the limit of its effort is 0." in message


def test_inertia_in_kilogram_square_millimeters_is_told(tmp_path):
    (message,) = told(scaled(tmp_path, ixx=1e6, ixy=1e6, ixz=1e6, iyy=1e6, iyz=1e6, izz=1e6))
    assert message.startswith("link 'upper_arm_link' has a rotational inertia of 2.27e+05 kg m^2")
    assert message.endswith("is it in kg m^2? 6 other links have too much, too")


def test_a_robot_without_limits_of_effort_is_not_asked_about_its_weight(tmp_path):
    assert told(scaled(tmp_path, value=1000.0, effort=0.0)) == []


def test_gravity_in_millimeters_is_refused():
    with pytest.raises(RobcogenError, match=r"gravity: expected -100 to 100 m/s\^2, found -9810"):
        robcogen_ros.build(robot_path(UR5), backend="numpy", gravity=(0.0, 0.0, -9810.0))
