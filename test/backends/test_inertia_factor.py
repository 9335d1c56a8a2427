"""Solving in place with the sparse factor of the inertia matrix, on the header's own types."""

from __future__ import annotations

import numpy as np
import pytest

from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from test.support.cpp_program import CppRobot
from test.support.examples import example

FUNCTIONS = ["inertia_factor", "inertia_matrix"]
PROGRAM = """
#include <cstdio>

#include "demo/arm.hpp"

using namespace demo::arm;

int main()
{
  JointVector q = JointVector::LinSpaced(-1.0, 2.0);
  constexpr int n = Types<double>::freedoms;
  const InertiaMatrix H = inertia_matrix(q), L = inertia_factor(q);
  const Eigen::Matrix<double, n, 1> b = Eigen::Matrix<double, n, 1>::LinSpaced(3.0, -2.0);
  Eigen::Matrix<double, n, 1> x = b;
  solve_in_place(L, x);
  Eigen::VectorXd longer = Eigen::VectorXd::Constant(n + 2, 7.0);
  longer.segment(1, n) = b;
  solve_in_place(L, longer.segment(1, n));
  std::printf("%.17g\\n%.17g\\n", (H * x - b).norm(), (longer.segment(1, n) - x).norm());
  std::printf("%g %g\\n", longer(0), longer(n + 1));
  int entries = 0, used = 0;
  constexpr auto parents = robcogen_ros::expanded_parents<Model>();
  for (int i = 0; i < n; ++i)
  {
    for (int j = 0; j <= i; ++j) entries += L(i, j) != 0.0;
    for (int j = i; j >= 0; j = parents[j]) ++used;
  }
  std::printf("%d %d\\n", entries, used);
}
"""
FOLLOWER = """<robot name="gripper">
  <link name="palm"/>
  <joint name="left" type="continuous"><parent link="palm"/><child link="a"/>
    <origin xyz="0 0.1 0"/><axis xyz="1 0 0"/></joint>
  <joint name="right" type="continuous"><parent link="palm"/><child link="b"/>
    <origin xyz="0 -0.1 0"/><axis xyz="1 0 0"/></joint>
  <joint name="tip" type="continuous"><parent link="b"/><child link="c"/>
    <origin xyz="0 0 0.1"/><axis xyz="1 0 0"/>
    <mimic joint="left" multiplier="0.5"/></joint>
  LINKS
</robot>"""
LINK = """<link name="%s"><inertial><origin xyz="0 0.01 0.05"/><mass value="0.3"/>
  <inertia ixx="0.002" iyy="0.002" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["quadruped", "hyl", "gripper"])
def test_a_vector_is_solved_where_it_lies(tmp_path, name):
    """Over a floating base, a fixed one, and joints that follow those of another branch."""
    if name == "gripper":
        path = tmp_path / "gripper.urdf"
        path.write_text(FOLLOWER.replace("LINKS", "".join(LINK % link for link in "abc")))
        robot = read(path).robot
    else:
        robot = example(name, floating_base=name == "quadruped")
    cpp = CppRobot(Library(robot, FUNCTIONS), tmp_path)
    cpp.compile("-O0")
    numbers = np.array(cpp.run(PROGRAM, "-O0").split(), float)
    assert numbers[0] < 1e-10
    assert numbers[1] == 0.0
    assert list(numbers[2:4]) == [7.0, 7.0]
    entries, used = numbers[4:]
    assert used == entries if name != "gripper" else used >= entries
