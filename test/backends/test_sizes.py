"""Arguments whose sizes only the running program knows, and what the including file has defined."""

from __future__ import annotations

import pytest

from robcogen_ros.program.library import Library
from test.support.cpp_program import CppRobot
from test.support.examples import example

pytestmark = pytest.mark.slow

FUNCTIONS = (
    "inverse_dynamics",
    "inertia_matrix",
    "inertia_factor",
    "kinematics",
    "fr_base_X_fr_foot",
    "fr_base_J_fr_foot",
)
SIZES = r"""
#include <cstdio>
#include <functional>
#include <stdexcept>

#include "demo/arm.hpp"

using namespace demo::arm;

void refused(const char * what, const std::function<void()> & call)
{
  try {
    call();
    std::printf("%s: taken\n", what);
  } catch (const std::invalid_argument & error) {
    std::printf("%s: %s\n", what, error.what());
  }
}

int main()
{
  const JointVector fixed(0.1, -0.4, 0.9);
  const Eigen::VectorXd q = fixed, two = fixed.head(2);
  const Eigen::MatrixXd row = fixed.transpose(), flat = Eigen::MatrixXd::Zero(4, 6);
  const Eigen::MatrixXd L = inertia_factor(q);
  const Vector3 g(0.0, 0.0, -9.81);
  State state;
  static_assert(noexcept(inertia_matrix(fixed)) && noexcept(Traits::inertia_matrix(fixed)));
  static_assert(noexcept(fr_base_X_fr_foot(fixed) * fixed));
  static_assert(noexcept(update(fixed, fixed, state)));
  static_assert(!noexcept(inertia_matrix(q)) && !noexcept(Traits::inertia_matrix(q)));

  refused("right", [&] { inverse_dynamics(q, q, q); });
  refused("short", [&] { inverse_dynamics(q, two, q); });
  refused("none", [&] { inertia_matrix(Eigen::VectorXd()); });
  refused("row", [&] { inertia_matrix(row); });
  refused("traits", [&] { Traits::inertia_matrix(two); });
  refused("forces", [&] { inverse_dynamics(q, q, q, g, flat); });
  refused("state", [&] { update(q, two, state); });
  refused("pose", [&] { fr_base_XM_fr_foot(two); });
  refused("Jacobian", [&] { fr_base_JC_fr_foot(two); });
  refused("kinematics", [&] { kinematics(two); });
  refused("select", [&] { fr_base_JC_fr_foot(q).select(two); });
  refused("points", [&] { fr_base_X_fr_foot(q) * two; });
  refused("motions", [&] { fr_base_XM_fr_foot(q) * q; });
  refused("forces", [&] { fr_base_XF_fr_foot(q) * q; });
  Eigen::VectorXd x = two;
  refused("solve", [&] { solve_in_place(L, x); });
  x = q;
  refused("factor", [&] { solve_in_place(L.leftCols(2), x); });
  refused("solve", [&] { solve_in_place(L, x); });
}
"""
TOLD = """\
right: taken
short: qd: expected 3 x 1, found 2 x 1
none: q: expected 3 x 1, found 0 x 1
row: q: expected 3 x 1, found 1 x 3
traits: q: expected 3 x 1, found 2 x 1
forces: external_forces: expected 6 x 4, found 4 x 6
state: qd: expected 3 x 1, found 2 x 1
pose: q: expected 3 x 1, found 2 x 1
Jacobian: q: expected 3 x 1, found 2 x 1
kinematics: q: expected 3 x 1, found 2 x 1
select: all: expected 3 x 1, found 2 x 1
points: points: expected 3 x 1, found 2 x 1
motions: motions: expected 6 x 1, found 3 x 1
forces: forces: expected 6 x 1, found 3 x 1
solve: x: expected 3 x 1, found 2 x 1
factor: L: expected 3 x 3, found 3 x 2
solve: taken
"""
ABORTS = r"""
#include "demo/arm.hpp"

int main(int count, char **)
{
  return demo::arm::inertia_matrix(Eigen::VectorXd::Zero(count))(0, 0) > 0.0;
}
"""
ORDER = r"""
#include <cstdio>
#include <type_traits>

#include "demo/arm.hpp"

using namespace demo::arm;

/// Entries, row by row, whatever the order in memory.
template <typename M>
void show(const Eigen::MatrixBase<M> & m)
{
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < m.cols(); ++j) {
      std::printf("%.12g ", static_cast<double>(m(i, j)));
    }
  }
  std::puts("");
}

int main()
{
  static_assert(!Jacobian::IsRowMajor && !InertiaMatrix::IsRowMajor && !Wrenches::IsRowMajor);
  JointVector q(0.1, -0.4, 0.9);
  Eigen::MatrixXd forces(6, 4);
  for (int i = 0; i < 24; ++i) {
    forces(i / 4, i % 4) = i;
  }
  show(inertia_matrix(q));
  show(inertia_factor(q));
  show(inverse_dynamics(q, q, q, Vector3(1.0, 2.0, -9.0), forces));
  const Eigen::Matrix4d homogeneous = fr_base_X_fr_foot(q);
  show(homogeneous);
  show(fr_base_X_fr_foot(q).inverse().matrix());
  show(Eigen::Matrix<double, 6, 6>(fr_base_XM_fr_foot(q)));
  show(fr_base_XF_fr_foot(q) * forces);
  show(Eigen::MatrixXd(fr_base_J_fr_foot(q)));
  show(fr_base_JC_fr_foot(q).full());
  show(kinematics(q).jacobian(Frame::fr_upperleg, Frame::fr_foot));
  show(kinematics(q).transform(Frame::fr_upperleg, Frame::fr_foot).matrix());
  const Eigen::Isometry3d isometry = fr_base_X_fr_foot(q);
  show(isometry.matrix());
  const JointVector separate = inverse_dynamics(q, q, q);
  q = inverse_dynamics(q, q, q);  // a result in place of its arguments
  show(q - separate);
}
"""
MACROS = (
    ("-DEIGEN_DEFAULT_TO_ROW_MAJOR", "-DEIGEN_INITIALIZE_MATRICES_BY_NAN"),
    ("-DEIGEN_DONT_ALIGN", "-DEIGEN_DEFAULT_DENSE_INDEX_TYPE=int", "-DEIGEN_NO_AUTOMATIC_RESIZING"),
)


@pytest.fixture(scope="module")
def leg(tmp_path_factory: pytest.TempPathFactory) -> CppRobot:
    library = Library(example("hyl"), FUNCTIONS)
    folder = tmp_path_factory.mktemp("leg")
    robot = CppRobot(library, folder, shared=("default",))
    robot.compile("-O1")
    return robot


def test_sizes_are_checked_in_release_and_fixed_ones_by_the_compiler(leg: CppRobot) -> None:
    assert leg.run(SIZES, "-O2", "-DNDEBUG") == TOLD


def test_without_exceptions_a_wrong_size_ends_the_program(leg: CppRobot) -> None:
    assert leg.ended(ABORTS, "-fno-exceptions") == "q: expected 3 x 1, found 1 x 1\n"


@pytest.fixture(scope="module")
def usual(leg: CppRobot) -> str:
    return leg.run(ORDER)


@pytest.mark.parametrize("macros", MACROS)
def test_results_do_not_depend_on_macros_of_eigen(
    leg: CppRobot, usual: str, macros: tuple[str, ...]
) -> None:
    assert leg.run(ORDER, *macros) == usual
    assert usual.splitlines()[-1] == "0 0 0 "
