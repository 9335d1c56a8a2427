// Prints the name of a robot's only joint.
#include <cstdio>

#include HEADER

#define JOIN(a, b) a##b
#define MODEL(arm) JOIN(robcogen_model_two_arms__, arm)

int main() { std::puts(MODEL(ARM)()->joint_names[0]); }
