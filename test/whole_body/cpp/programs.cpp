// Reads quadratic programs as numbers: how many variables and rows, then of each program its
// hessian, gradient, rows, lower, upper, bounds. Writes of each whether it is solved, calls of the
// allocator, and x.
#include <cstdio>
#include <vector>

#include "robcogen_ros/realtime/allocations.hpp"
#include "robcogen_ros/whole_body/proxqp.hpp"

using robcogen_ros::realtime::allocations;

static bool read(std::vector<double> & numbers)
{
  return std::fread(numbers.data(), sizeof(double), numbers.size(), stdin) == numbers.size();
}

int main()
{
  std::vector<double> sizes(2);
  read(sizes);
  const int n = static_cast<int>(sizes[0]), m = static_cast<int>(sizes[1]);
  robcogen_ros::whole_body::ProxQpSolver solver(n, m);
  std::vector<double> program(n * n + n + m * n + 2 * m + n), answer(2 + n);
  while (read(program))
  {
    const double * hessian = program.data();
    const double *gradient = hessian + n * n, *rows = gradient + n, *lower = rows + m * n;
    allocations.calls = 0;
    allocations.counting = true;
    const bool solved = solver.solve(
      hessian, gradient, rows, lower, lower + m, lower + 2 * m, 100, answer.data() + 2);
    allocations.counting = false;
    answer[0] = solved;
    answer[1] = static_cast<double>(allocations.calls);
    std::fwrite(answer.data(), sizeof(double), answer.size(), stdout);
  }
  return 0;
}
