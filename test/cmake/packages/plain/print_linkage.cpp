// Prints the forces of a linkage, and its inertia matrix.
#include <cstdio>

#include "plain/linkage.hpp"

int main()
{
  using plain::linkage::inertia_matrix;
  using plain::linkage::inverse_dynamics;
  const Eigen::Vector2d q{0.3, -0.2}, qd{0.7, -0.4}, qdd{0.5, 0.6};
  const auto tau = inverse_dynamics(q, qd, qdd);
  const auto H = inertia_matrix(q);
  std::printf("%.17g %.17g %.17g %.17g %.17g\n", tau(0), tau(1), H(0, 0), H(1, 0), H(1, 1));
}
