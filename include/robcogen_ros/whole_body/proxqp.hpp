// ProxQP of proxsuite without its templates: what uses it compiles fast, and it is compiled once.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__PROXQP_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__PROXQP_HPP_

#include <memory>

namespace robcogen_ros::whole_body
{

/// The least `x' hessian x / 2 + gradient' x` where `lower <= rows x <= upper`, `|x| <= bounds`, by
/// ProxQP, started from the solution before. What it needs is allocated at the start.
///
/// Its source is `robcogen_ros/whole_body/proxqp.cpp`. Numbers are handed over by pointers, so that
/// both sides may be compiled for different instruction sets.
class ProxQpSolver
{
public:
  /// Makes a solver for programs of this size.
  ProxQpSolver(int variables, int constraints);
  ~ProxQpSolver();

  /// Returns true if there is a solution, left in `x`; matrices are given by rows. What is found
  /// from the solution before and is none is sought once more from nothing, a thousand times as
  /// exactly; each time in so many iterations.
  bool solve(
    const double * hessian, const double * gradient, const double * rows, const double * lower,
    const double * upper, const double * bounds, int iterations, double * x) noexcept;

  int iterations() const noexcept;

private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__PROXQP_HPP_
