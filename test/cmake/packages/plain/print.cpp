// Prints a robot's inertia.
#include <cstdio>

#include "inertia.hpp"
#include "plain/arm.hpp"

int main() { std::printf("%g\n", inertia(*robcogen_model_plain__arm())); }
