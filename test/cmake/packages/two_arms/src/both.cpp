// Prints the inertia of two configurations of one robot that live in one process.
#include <cstdio>

#include "two_arms/heavy.hpp"
#include "two_arms/light.hpp"

#include "inertia.hpp"

int main()
{
  std::printf(
    "%g %g\n", inertia(*robcogen_model_two_arms__light()),
    inertia(*robcogen_model_two_arms__heavy()));
}
