"""The generated C++ header as users call it: states, transforms, Jacobians, names."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest

from robcogen_ros.program.library import Library
from test.support.compiler import clang
from test.support.cpp_program import CppRobot
from test.support.examples import example
from test.support.parametric import VALUES, parametric_leg

pytestmark = pytest.mark.slow

START = """
#include <array>
#include <cstdio>

#include "demo/arm.hpp"

using namespace demo::arm;

/// Prints how far two results are apart.
template <typename A, typename B>
void compare(const A & a, const B & b)
{
  std::printf("%.3g\\n", static_cast<double>((a - b).norm()));
}
"""
FLOATING = """
int main()
{
  const JointVector q(0.1, -0.4, 0.9), qd(1.0, -2.0, 3.0), qdd(0.3, 0.2, -0.1);
  const Vector3 g(1.0, 2.0, -9.0);
  Vector6 v;
  v << 0.1, 0.2, 0.3, 0.4, 0.5, 0.6;

  State state;
  update(q, qd, v, state);
  const auto inverse = inverse_dynamics(q, qd, qdd, v, g);
  compare(inverse_dynamics(state, qdd, g).tau, inverse.tau);
  compare(inverse_dynamics(state, qdd, g).base_acceleration, inverse.base_acceleration);
  compare(inertia_matrix(state), inertia_matrix(q));
  compare(gravity_torques(state, g).tau, gravity_torques(q, g).tau);
  compare(coriolis_torques(state).tau, coriolis_torques(q, qd, v).tau);
  compare(forward_dynamics(state, qdd, g).qdd, forward_dynamics(q, qd, qdd, v, g).qdd);
  Wrenches forces = Wrenches::Constant(0.5);
  forces(3, 2) = 7.0;
  compare(
    forward_dynamics(state, qdd, g, forces).qdd, forward_dynamics(q, qd, qdd, v, g, forces).qdd);
  compare(kinematics(state).axes, kinematics(q).axes);
  const Vector6 w = -2.0 * v;
  update_velocities(-qd, w, state);
  compare(Traits::coriolis_torques(state).tau, coriolis_torques(q, -qd, w).tau);

  const Transform X = fr_base_X_fr_foot(q);
  const MotionTransform XM = fr_base_XM_fr_foot(q);
  const ForceTransform XF = fr_base_XF_fr_foot(q);
  const Eigen::Isometry3d isometry = X;
  const Matrix6 dense = XM, dense_force = XF;
  compare(isometry.matrix(), X.matrix());
  compare(X * g, isometry * g);
  compare(XM * v, dense * v);
  compare(XF * v, dense_force * v);
  compare(dense_force.transpose() * dense, Matrix6::Identity());
  compare((XM.inverse() * XM).matrix(), Matrix6::Identity());
  compare((XF * XF).matrix(), dense_force * dense_force);
  compare((X.inverse() * X).matrix(), Eigen::Matrix4d::Identity());
  compare(XM.force().matrix(), dense_force);
  compare(X.matrix(), kinematics(q).pose(Frame::fr_foot).matrix());
  compare(
    kinematics(q).transform(Frame::fr_KFE, Frame::fr_foot).matrix(),
    (fr_base_X_fr_KFE(q).inverse() * X).matrix());

  const auto J = fr_base_J_fr_foot(q);
  const auto chain = fr_base_JC_fr_foot(q);
  static_assert(chain.joints[1] == Joint::HFE && chain.size == 3);
  compare(chain.full(), J);
  compare(chain * chain.select(qd), J * qd);
  compare(J, kinematics(q).jacobian(Frame::fr_base, Frame::fr_foot));
  const auto ankle = fr_upperleg_JC_fr_foot(q);
  static_assert(ankle.size == 1 && ankle.joints[0] == Joint::KFE);
  compare(ankle.full(), kinematics(q).jacobian(Frame::fr_upperleg, Frame::fr_foot));

  const InertiaMatrixAndCenterOfMassResult both = inertia_matrix_and_center_of_mass(q);
  compare(both.H, inertia_matrix(q));
  compare(both.center, center_of_mass(q));

  static_assert(find_joint("KFE") == Joint::KFE && !find_joint("knee"));
  static_assert(find_link("base") == Link::base && find_frame("fr_foot") == Frame::fr_foot);
  JointMap<double> limits{{1.0, 2.0, 3.0}};
  for (auto [joint, name, limit] : limits)
  {
    limit *= name == "HFE" && joint == Joint::HFE ? 10.0 : 1.0;
  }
  std::printf("%g\\n", limits[Joint::HFE] - 20.0 + limits[Joint::KFE] - 3.0);
}
"""
PARAMETRIC = """
int main()
{
  Parameters parameters;
  %s
  const Constants constants = update_parameters(parameters);
  const JointVector q(0.3, -0.8), qd(1.0, 2.0), qdd(-0.5, 0.2);
  State state;
  update(q, qd, constants, state);
  compare(inertia_matrix(state, constants), inertia_matrix(q, parameters));
  compare(inverse_dynamics(state, qdd, constants), inverse_dynamics(q, qd, qdd, constants));
}
"""


@pytest.fixture(scope="module")
def hyl(tmp_path_factory):
    desired = ["fr_base_X_fr_foot", "fr_base_J_fr_foot", "fr_upperleg_J_fr_foot"]
    desired.append("inertia_matrix_and_center_of_mass")
    library = Library(example("hyl", floating_base=True), desired=desired)
    robot = CppRobot(library, tmp_path_factory.mktemp("hyl"), shared=("default",))
    sources = ("inverse_dynamics", "forward_dynamics", "inertia_matrix", "kinematics")
    robot.compile("-O0", only=(*sources, "state", "more"))
    return robot


def test_states_transforms_jacobians_and_names(hyl):
    """All with another alignment of Eigen's types than that of the library."""
    flags = ("-O0", "-DEIGEN_MAX_ALIGN_BYTES=64")
    apart = np.array(hyl.run(START + FLOATING, *flags).split(), float)
    assert len(apart) == 27
    assert apart.max() < 1e-12


BODIES = """
#include "demo/arm/any_scalar.hpp"
demo::arm::JointVector use(const demo::arm::JointVector & q)
{
  const demo::arm::Vector3 gravity = q;
  return demo::arm::gravity_torques(q, gravity).tau + demo::arm::forward_dynamics(
    q, q, q, demo::arm::Vector6::Ones(), gravity).qdd;
}
"""


def test_flags_of_a_user_make_no_second_code_for_double(hyl):
    """Code of a user's flags that the linker took for the library's would be wrong elsewhere."""
    source, made = hyl.folder / "bodies.cpp", hyl.folder / "bodies.o"
    source.write_text(BODIES)
    command = ["c++", "-std=c++17", "-O2", *hyl.include, "-c", str(source), "-o", str(made)]
    subprocess.run(command, check=True)
    listed = subprocess.run(["nm", "-C", str(made)], capture_output=True, text=True, check=True)
    defined = [line for line in listed.stdout.splitlines() if " T " in line or " W " in line]
    assert any("use(" in line for line in defined)
    assert not any("functions::" in line and "<double>" in line for line in defined)


def test_a_shared_state_of_a_parametric_robot(tmp_path):
    library = Library(parametric_leg(), ["inverse_dynamics", "inertia_matrix"])
    robot = CppRobot(library, tmp_path, shared=("default",))
    robot.compile("-O0", only=("inverse_dynamics", "inertia_matrix", "state", "more"))
    sets = " ".join(f"parameters.{name} = {value};" for name, value in VALUES.items())
    apart = np.array(robot.run(START + PARAMETRIC % sets, "-O0").split(), float)
    assert len(apart) == 2
    assert apart.max() < 1e-12


COUNTING = """
#include <cstdio>

#include "robcogen_ros/transform.hpp"

struct Counted
{
  static inline int products = 0;
  double value = 0.0;
  Counted() = default;
  Counted(double value) : value(value) {}
  Counted & operator+=(Counted other) { value += other.value; return *this; }
};
Counted operator*(Counted a, Counted b) { ++Counted::products; return a.value * b.value; }
Counted operator+(Counted a, Counted b) { return a.value + b.value; }
Counted operator-(Counted a, Counted b) { return a.value - b.value; }
Counted operator-(Counted a) { return -a.value; }

int main()
{
  const robcogen_ros::Transform<Counted> X;
  const Eigen::Matrix<Counted, 6, 1> v = Eigen::Matrix<Counted, 6, 1>::Constant(Counted(1.0));
  const Eigen::Matrix<Counted, 6, 6> dense = X.motion();
  for (int i = 0; i < 3; ++i)
  {
    Counted::products = 0;
    const Eigen::Matrix<Counted, 6, 1> result =
      i == 0 ? X.motion() * v : i == 1 ? X.force() * v : Eigen::Matrix<Counted, 6, 1>(dense * v);
    std::printf("%d %g\\n", Counted::products, result(0).value);
  }
}
"""


def test_a_transform_takes_fewer_operations_than_its_matrix(hyl):
    counts = [int(word) for word in hyl.run(COUNTING, "-O0").split()[::2]]
    assert counts == [24, 24, 36]


@pytest.mark.skipif(not clang(), reason="clang is not installed")
def test_clang_takes_the_header_too(hyl):
    source = hyl.folder / "clang.cpp"
    source.write_text(START + FLOATING)
    command = [str(clang()), "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
    result = subprocess.run(
        [*command, *hyl.include, str(source)], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
