// Prints a robot's inertia.
#include <cstdio>

#include "plain/arm/functions.hpp"

int main()
{
  const double q = 0;
  double inertia = 0;
  plain::arm::functions::inertia_matrix<double>(&q, &inertia);
  std::printf("%g\n", inertia);
}
