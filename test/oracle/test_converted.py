"""Robots survive the way to the Kinematics-DSL and back; `test.oracle.converted` tries them all."""

from __future__ import annotations

import pytest

pytest.importorskip("pinocchio")

from test.oracle.converted import errors, wrong

ROBOTS = [
    ("panda_description/urdf/panda.urdf", False, False),
    ("panda_description/urdf/panda.urdf", True, True),
    ("ur_description/urdf/ur5_robot.urdf", False, True),
    ("hyq_description/robots/hyq_no_sensors.urdf", True, False),
    ("romeo_description/urdf/romeo_laas_small.urdf", False, False),
    ("kinova_description/robots/kinova.urdf", True, True),
    ("simple_humanoid_description/urdf/simple_humanoid.urdf", True, False),
    ("talos_data/robots/talos_left_arm.urdf", False, True),
]


@pytest.mark.parametrize(("name", "floating", "keep_fixed"), ROBOTS)
def test_the_converted_robot_equals_pinocchio_on_the_original(name, floating, keep_fixed):
    assert wrong(errors(name, floating, keep_fixed)) == {}
