"""The entries of sparse matrices as compressed columns, on the header's own types."""

from __future__ import annotations

import pytest

from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from test.support.cpp_program import CppRobot
from test.support.examples import example
from test.support.random_robots import Joint, Link, Tree

pytestmark = pytest.mark.slow

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
DERIVATIVES = """
#include <Eigen/SparseCore>
#include <cstdio>

#include "demo/arm.hpp"

using namespace demo::arm;

int main()
{
  const JointVector q = JointVector::LinSpaced(-1.0, 2.0), qd = JointVector::LinSpaced(0.3, -0.7);
  const JointVector qdd = JointVector::LinSpaced(2.0, 0.5);
  constexpr int n = Types<double>::freedoms;
  const Vector6 v = (Vector6() << 1.0, -2.0, 3.0, 0.5, 0.25, -0.5).finished();
  const Vector6 a = (Vector6() << 0.3, 0.2, 0.1, -1.0, 2.0, 1.0).finished();
  const Eigen::Vector3d gravity(1.0, 2.0, -9.0);
  const auto whole = inverse_dynamics_derivatives(q, qd, qdd, v, a, gravity);
  const auto found = inverse_dynamics_derivatives_entries(q, qd, qdd, v, a, gravity);
  using Sparse = Eigen::Map<const Eigen::SparseMatrix<double>>;
  const auto check = [](const auto & entries, const int * starts, const int * rows, const auto & M)
  {
    const Eigen::MatrixXd other = Sparse(n, n, entries.size(), starts, rows, entries.data());
    std::printf("%g\\n", (other - Eigen::MatrixXd(M)).norm() / M.norm());
  };
  check(found.dtau_dq_entries, Model::dtau_dq_column_starts, Model::dtau_dq_rows, whole.dtau_dq);
  check(
    found.dtau_dqd_entries, Model::dtau_dqd_column_starts, Model::dtau_dqd_rows, whole.dtau_dqd);
  const Eigen::MatrixXd upper = whole.dtau_dqdd.template triangularView<Eigen::Upper>();
  check(found.dtau_dqdd_entries, Model::inertia_column_starts, Model::inertia_rows, upper);
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


def test_those_of_derivatives(tmp_path):
    robot = example("quadruped", floating_base=True)
    names = ["inverse_dynamics_derivatives", "inverse_dynamics_derivatives_entries"]
    cpp = CppRobot(Library(robot, names), tmp_path)
    cpp.compile("-O0")
    assert max(map(float, cpp.run(DERIVATIVES, "-O0").split())) < 1e-15
