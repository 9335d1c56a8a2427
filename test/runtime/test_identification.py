"""Base parameters are those of the literature."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import robcogen_ros
from test.support.random_robots import arm_with_everything

LINK = """<link name="{0}"><inertial><origin xyz="0.2 0.01 0.03"/><mass value="2"/>
  <inertia ixx="0.05" ixy="0.001" ixz="0" iyy="0.04" iyz="0.002" izz="0.03"/></inertial></link>"""
JOINT = """<joint name="j{1}" type="revolute"><parent link="{0}"/><child link="{1}"/>
  <origin xyz="0.5 0 0"/><axis xyz="0 1 0"/>
  <limit effort="1" velocity="1" lower="-1" upper="1"/></joint>"""


def arm(tmp_path, *links: str):
    joints = [JOINT.format(*pair) for pair in pairwise(links)]
    path = tmp_path / "arm.urdf"
    path.write_text(f'<robot name="r">{"".join(map(LINK.format, links))}{"".join(joints)}</robot>')
    return robcogen_ros.build(path, backend="numpy")


def test_a_planar_arm_tells_six_combinations(tmp_path):
    """Two links that turn about y, gravity in their plane (Khalil, Dombre 2002, section 9.4.2)."""
    robot = arm(tmp_path, "base", "a", "b")
    base = robot.base_parameters()
    assert base.described == (
        "a.mcx + 0.5 b.m",
        "a.mcz",
        "a.iyy + 0.25 b.m",
        "b.mcx",
        "b.mcz",
        "b.iyy",
    )
    m, x, z = 2.0, 0.2, 0.03
    iyy = 0.04 + m * (x * x + z * z)
    expected = [m * x + 0.5 * m, m * z, iyy + 0.25 * m, m * x, m * z, iyy]
    assert base.values(robot.inertial_parameters()) == pytest.approx(np.array(expected))


def test_a_robot_without_joints_tells_nothing(tmp_path):
    base = arm(tmp_path, "base").base_parameters()
    assert (base.count, base.described) == (0, ())


def test_a_robot_without_the_regressor_says_so():
    robot = arm_with_everything().build(functions=["default"])
    with pytest.raises(robcogen_ros.RobcogenError, match="without inverse_dynamics_regressor"):
        robot.base_parameters()
