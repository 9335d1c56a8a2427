"""Cones of forces, against forces at the corners of a sole."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from robcogen_ros.backends.render import include_directory
from robcogen_ros.runtime.compiling.toolchain import eigen_directory

pytestmark = pytest.mark.slow
Array = NDArray[np.float64]
FRICTION = 0.7
CORNERS = np.array([[0.11, 0.05, 0], [-0.07, 0.05, 0], [-0.07, -0.04, 0], [0.11, -0.04, 0]])
PROGRAM = """
#include <algorithm>
#include <iostream>
#include "robcogen_ros/whole_body/cones.hpp"
using namespace robcogen_ros::whole_body;
int main()
{
  Eigen::Matrix<double, 3, 4> corners;
  corners << 0.11, -0.07, -0.07, 0.11, 0.05, 0.05, -0.04, -0.04, 0, 0, 0, 0;
  const Eigen::Vector3d up = Eigen::Vector3d::UnitZ();
  std::cout.precision(17);
  std::cout << sole_cone(Sole(corners, up, 1.0), 0.7) << "\\n" << point_cone(up, 0.7) << "\\n";
  int order[] = {0, 1, 2, 3};
  do
  {
    Eigen::Matrix<double, 3, 4> other;
    for (int i = 0; i < 4; ++i) other.col(i) = corners.col(order[i]);
    const Sole sole(other, up, 1.0);
    const double x = std::abs(sole.x.x()) > 0.5 ? sole.half_x : sole.half_y;
    std::cout << x << " " << sole.half_x + sole.half_y << " " << sole.center.transpose() << " "
              << sole.x.cross(sole.y).z() << " " << Sole::is_rectangle(other) << "\\n";
  } while (std::next_permutation(order, order + 4));
  for (double edge : {0.0508, 0.04, 0.03, -0.04})
  {
    corners(1, 0) = edge;
    std::cout << Sole::is_rectangle(corners) << " ";
  }
  corners.setZero();
  std::cout << Sole::is_rectangle(corners) << "\\n";
}
"""


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[list[float]]:
    """What the program prints."""
    folder: Path = tmp_path_factory.mktemp("cones")
    (folder / "cones.cpp").write_text(PROGRAM, encoding="utf-8")
    include = [f"-I{include_directory()}", "-isystem", str(eigen_directory())]
    command = ["c++", "-std=c++17", *include, "cones.cpp", "-o", "cones"]
    subprocess.run(command, cwd=folder, check=True)
    text = subprocess.run([folder / "cones"], capture_output=True, text=True, check=True).stdout
    return [[float(word) for word in line.split()] for line in text.splitlines()]


@pytest.fixture(scope="module")
def cones(lines: list[list[float]]) -> tuple[Array, Array]:
    """(17, 6) rows of a sole, and (5, 3) of a point."""
    return np.array(lines[:17]), np.array(lines[17:22])


def test_corners_of_a_sole_may_come_in_any_order(lines: list[list[float]]) -> None:
    """Half sides, middle and normal are the same; what is no rectangle is told."""
    for order in lines[22:46]:
        np.testing.assert_allclose(order, [0.09, 0.09 + 0.045, 0.02, 0.005, 0.0, 1.0, 1.0])
    assert lines[46] == [1.0, 0.0, 0.0, 0.0, 0.0]


def test_point_is_in_the_pyramid_inside_the_cone(cones: tuple[Array, Array]) -> None:
    """Forces in it are in the cone, which its edges touch."""
    force = np.random.default_rng(0).normal(size=(20000, 3))
    inside = force[np.all(force @ cones[1].T >= 0, axis=1)]
    steepness = np.hypot(inside[:, 0], inside[:, 1]) / inside[:, 2]
    assert 0.95 * FRICTION < steepness.max() <= FRICTION * (1 + 1e-12)


def test_sole_takes_what_its_corners_can_give(cones: tuple[Array, Array]) -> None:
    """Each extreme wrench of corner forces is inside, and each row is a face of their cone."""
    slope = FRICTION / np.sqrt(2)
    edges = [np.array([x * slope, y * slope, 1.0]) for x in (-1, 1) for y in (-1, 1)]
    wrenches = np.array([np.append(np.cross(c, f), f) for c in CORNERS for f in edges])
    values = wrenches @ cones[0].T
    assert values.min() > -1e-12
    touched = np.sum(np.abs(values[:, :-1]) < 1e-12, axis=0)
    assert np.all(touched >= 4), touched
    for row in cones[0][:-1]:
        on = wrenches[np.abs(wrenches @ row) < 1e-12]
        assert np.linalg.matrix_rank(on, tol=1e-9) == 5
