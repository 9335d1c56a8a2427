// Prints the inertia of two configurations of one robot that live in one process.
#include <cstdio>

#include "two_arms/heavy.hpp"
#include "two_arms/light.hpp"

using namespace two_arms;

int main()
{
  light::State state;
  light::update(light::JointVector::Zero(), light::JointVector::Zero(), state);
  std::printf(
    "%g %g\n", light::inertia_matrix(state)(0),
    heavy::inertia_matrix(heavy::JointVector::Zero())(0));
  const heavy::JointVector rate(2.0);
  const auto J = heavy::base_JC_bob(rate);
  std::printf("%g %g\n", (J * rate).head<3>().norm(), heavy::bob_X_base(rate).matrix()(3, 3));
}
