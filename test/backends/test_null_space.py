"""The null-space projector of the C++ snippet in the 2012 paper's appendix, on a quadruped.

N' = 1 - J' (J H^-1 J')^-1 J H^-1, with J the linear rows of a foot's Jacobian.
"""

from __future__ import annotations

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.program.library import Library
from test.support.cpp_program import CppRobot
from test.support.examples import example, example_path

pytestmark = pytest.mark.slow

PROGRAM = """
#include <Eigen/LU>
#include <iostream>

#include "demo/arm.hpp"

namespace hyq = demo::arm;

int main()
{
  hyq::JointVector q;
  for (int i = 0; i < q.size(); ++i) {
    q(i) = 0.1 * (i + 1);
  }
  using Matrix = Eigen::MatrixXd;
  const Matrix J = hyq::full_J_LF_foot(q).bottomRows<3>();
  const Matrix L = hyq::inertia_factor(q);
  const Matrix Linv = L.triangularView<Eigen::Lower>().solve(Matrix::Identity(18, 18));
  const Matrix Minv = Linv * Linv.transpose();
  const Matrix I = Matrix::Identity(18, 18);
  const Matrix N = I - J.transpose() * (J * Minv * J.transpose()).inverse() * J * Minv;
  std::cout.precision(17);
  std::cout << N << '\\n' << hyq::full_position_null_space_LF_foot(q) << '\\n';
  Matrix damped = hyq::full_position_null_space_LF_foot(q, hyq::Vector3(0.1, 0.2, 0.3));
  std::cout << damped << '\\n' << hyq::inertia_matrix(q) << '\\n' << J << '\\n';
}
"""
FUNCTIONS = ["full_J_LF_foot", "full_position_null_space_LF_foot", "inertia_factor"]


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """The projector of the snippet, the generated one, the damped one, H and J."""
    library = Library(example("quadruped", floating_base=True), [*FUNCTIONS, "inertia_matrix"])
    robot = CppRobot(library, tmp_path_factory.mktemp("quadruped"))
    robot.compile("-O0", only=("more", "inertia_matrix"))
    numbers = np.array(robot.run(PROGRAM, "-O0").split(), dtype=float)
    return np.split(numbers.reshape(-1, 18), [18, 36, 54, 72])


def projector(H, J, damping=0.0):
    """By the symmetric root of H: the null space of J in coordinates where H is 1."""
    values, vectors = np.linalg.eigh(H)
    root, inverse_root = (vectors * values**k @ vectors.T for k in (0.5, -0.5))
    scaled = J @ inverse_root
    if not np.any(damping):
        _, _, rows = np.linalg.svd(scaled)
        free = rows[len(J) :]
        return inverse_root @ free.T @ free @ root
    moved = scaled.T @ np.linalg.solve(scaled @ scaled.T + np.diag(damping), scaled)
    return np.eye(len(H)) - inverse_root @ moved @ root


def test_the_papers_snippet_and_the_generated_projector_agree_with_numpy(printed):
    snippet, generated, damped, _, _ = printed
    robot = robcogen_ros.build(example_path("quadruped"), floating_base=True, backend="numpy")
    q = 0.1 * np.arange(1, 13)
    H, J = robot.inertia_matrix(q), robot.full_jacobian("LF_foot", q)[3:]
    expected = projector(H, J)
    np.testing.assert_allclose(snippet.T, expected, atol=1e-10)
    np.testing.assert_allclose(generated, expected, atol=1e-10)
    np.testing.assert_allclose(damped, projector(H, J, [0.1, 0.2, 0.3]), atol=1e-10)


def test_torques_in_the_null_space_do_not_accelerate_the_foot(printed):
    _, generated, _, H, J = printed
    tau = generated.T @ np.random.default_rng(0).normal(size=18)
    np.testing.assert_allclose(J @ np.linalg.solve(H, tau), 0.0, atol=1e-9)
