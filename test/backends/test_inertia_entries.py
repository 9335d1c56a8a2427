"""The entries of the inertia matrix as compressed columns, on the header's own types."""

from __future__ import annotations

import pytest

from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from test.support.cpp_program import CppRobot
from test.support.examples import example
from test.support.random_robots import Joint, Link, Tree

PROGRAM = """
#include <Eigen/SparseCore>
#include <cstdio>

#include "demo/arm.hpp"

using namespace demo::arm;

int main()
{
  const JointVector q = JointVector::LinSpaced(-1.0, 2.0);
  constexpr int n = Types<double>::freedoms;
  const InertiaMatrix H = inertia_matrix(q);
  const auto entries = inertia_matrix_entries(q);
  const Eigen::Map<const Eigen::SparseMatrix<double>> upper(
    n, n, entries.size(), Model::inertia_column_starts, Model::inertia_rows, entries.data());
  const Eigen::MatrixXd whole =
    upper.selfadjointView<Eigen::Upper>() * Eigen::MatrixXd::Identity(n, n);
  std::printf("%.17g %d %d\\n", (whole - H).norm() / H.norm(), int((H.array() != 0).count()),
    int((whole.array() != 0).count()));
  const auto same = TraitsOf<double>::inertia_matrix_entries(q);
  std::printf("%g\\n", (same - entries).norm());
}
"""
INERTIA = (1.0, (0.1, 0.02, 0.03), (0.0, 0.0, 0.0), (0.01, 0.001, 0.002, 0.02, 0.0, 0.03))


def fork():
    """Two branches on a stem; the tip of one follows the joint that begins the other."""
    places = {"stem": (0, 1), "left": (1, 2), "right": (1, 3), "tip": (3, 4)}
    joints = [
        Joint(
            name,
            "revolute",
            f"link{before}",
            f"link{after}",
            (0.1, 0.2, 0.3),
            (0.4, 0.5, 0.6),
            mimic=("left", 0.5, 0.1) if name == "tip" else None,
        )
        for name, (before, after) in places.items()
    ]
    return Tree(tuple(Link(f"link{i}", *INERTIA) for i in range(5)), tuple(joints))


@pytest.mark.parametrize("name", ["quadruped", "hyl", "fork"])
def test_eigen_takes_them_for_a_sparse_matrix(tmp_path, name):
    """Over a floating base, a fixed one, and joints that follow those of another branch."""
    if name == "fork":
        path = tmp_path / "fork.urdf"
        path.write_text(fork().urdf())
        robot = read(path).robot
    else:
        robot = example(name, floating_base=name == "quadruped")
    cpp = CppRobot(Library(robot, ["inertia_matrix", "inertia_matrix_entries"]), tmp_path)
    cpp.compile("-O0")
    difference, dense, sparse, again = map(float, cpp.run(PROGRAM, "-O0").split())
    assert difference < 1e-15 and again == 0.0
    assert dense == sparse
