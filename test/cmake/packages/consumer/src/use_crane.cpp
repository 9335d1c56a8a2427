// Prints how high the hook of a crane is.
#include <cstdio>

#include "cranes/crane.hpp"

int main()
{
  cranes::crane::base_X_hook<> X;
  cranes::crane::Variables<> v;
  v.rope = 4.0;
  std::printf("%g\n", X(v, {})(2, 3));
}
