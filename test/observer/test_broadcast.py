"""What a broadcaster publishes: wrenches in the frames of contacts, without allocations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from test.support.cpp_program import CppRobot

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:.*unknown limit")]

LEGS = Path(__file__).parents[1] / "control" / "two_legs.urdf"
OPTIONS = {"floating_base": True, "contacts": ["left:pose", "right:pose"]}
PROGRAM = """
#define EIGEN_RUNTIME_NO_MALLOC
#include <cstdio>
#include "demo/arm.hpp"
#include "robcogen_ros/observer/broadcast.hpp"

using Robot = demo::arm::Traits;

int main()
{
  Eigen::internal::set_is_malloc_allowed(false);
  robcogen_ros::observer::Broadcast<Robot> broadcast;
  robcogen_ros::observer::Measurement<Robot> now;
  now.q << 0.4, -0.3;
  now.tau << 2.0, -3.0;
  if (!broadcast.update(now, 0.01))
  {
    std::puts("no gravity");
  }
  now.gravity = Eigen::Vector3d(1.0, 2.0, -9.0);
  for (int i = 0; i < 200; ++i)
  {
    broadcast.update(now, 0.01);
  }
  for (int i = 0; i < 2; ++i)
  {
    std::printf("%s %d", Robot::frame_names[Robot::contacts[i].frame], broadcast.closed(i));
    for (const double value : broadcast.contact_wrench(i))
    {
      std::printf(" %.17g", value);
    }
    std::puts("");
  }
  for (const double value : broadcast.observer().estimate().contact_forces)
  {
    std::printf("%.17g ", value);
  }
  std::puts("");
  for (const double value : broadcast.base_wrench())
  {
    std::printf("%.17g ", value);
  }
  std::printf("%d\\n", broadcast.pushed());
}
"""


def test_wrenches_are_in_the_axes_of_their_frames(tmp_path):
    functions = ["generalized_momentum", "contact_jacobian", "kinematics"]
    built = CppRobot(Library(read(LEGS, **OPTIONS).robot, functions), tmp_path)
    built.compile("-O0", only=("momentum", "kinematics", "more"))
    lines = built.run(PROGRAM, "-Wextra", "-Wshadow", "-fno-exceptions").splitlines()
    assert lines[0] == "no gravity"
    robot = robcogen_ros.build(LEGS, backend="numpy", functions=["all"], **OPTIONS)
    q, gravity = np.array([0.4, -0.3]), np.array([1.0, 2.0, -9.0])
    forces = np.array(lines[3].split(), dtype=float)
    assert np.abs(forces).max() > 1.0
    for line, name, wrench in zip(lines[1:3], ("left", "right"), forces.reshape(2, 6), strict=True):
        rotation = robot.transform("trunk", name, q)[:3, :3]
        frame, _, *values = line.split()
        assert frame == name
        expected = np.concatenate([rotation.T @ wrench[:3], rotation.T @ wrench[3:]])
        np.testing.assert_allclose(np.array(values, dtype=float), expected, atol=1e-12)
    tau, held = robot.gravity_torques(q, gravity)
    J = robot.contact_jacobian(q)
    *base, pushed = lines[4].split()
    left = held - J[:, :6].T @ forces
    np.testing.assert_allclose(
        np.array(base, dtype=float), left * -np.expm1(-100 * 1.99), atol=1e-9
    )
    assert pushed == "1"
    np.testing.assert_allclose(J[:, 6:].T @ forces, tau - [2.0, -3.0], atol=1e-3)
