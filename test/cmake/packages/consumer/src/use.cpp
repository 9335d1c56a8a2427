// Prints the name of a robot's only joint.
#include <cstdio>

#include HEADER

int main() { std::puts(two_arms::ARM::Model::joint_names[0]); }
