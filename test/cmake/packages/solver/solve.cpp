// Loads the program file of a pendulum, and prints its inertia and its acceleration under a torque
// of 1 N m: free, with a heavier bob, and held by its contact; its inertia by a solver of its own.
#include <cstdio>
#include <string_view>
#include <vector>

#include "robcogen_ros/interpreter/solver.hpp"

namespace
{

void print(robcogen_ros::interpreter::Solver & solver, const std::vector<std::string_view> & closed)
{
  solver.set_contacts(closed);
  solver.evaluate();
  std::printf("%.12g %.12g\n", solver.result("H")(0, 0), solver.result("qdd")[0]);
}

}  // namespace

int main(int, char ** words)
{
  using namespace robcogen_ros::interpreter;
  const Builder builder(Specification::read(words[1]));
  Solver solver = builder.create({"inertia_matrix", "contact_forward_dynamics"}, {"contact"});
  solver.input("tau")[0] = 1;
  print(solver, {});
  solver.set_parameter("bob.mass", 7);
  print(solver, {});
  print(solver, {"bob:orientation_y"});
  Solver alone = builder.create({"inertia_matrix"});
  alone.evaluate();
  std::printf("%.12g\n", alone.result("H")[0]);
}
