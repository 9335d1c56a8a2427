// Quadratic programs of fixed size, and their solution by ProxQP or without inequalities.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__QUADRATIC_PROGRAM_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__QUADRATIC_PROGRAM_HPP_

#include <Eigen/Core>

#include "robcogen_ros/factors.hpp"
#include "robcogen_ros/sizes.hpp"

#ifdef ROBCOGEN_ROS_WITH_PROXQP
#include "robcogen_ros/whole_body/proxqp.hpp"
#endif

namespace robcogen_ros::whole_body
{

/// The least `x' hessian x / 2 + gradient' x` where `lower <= rows x <= upper`, `|x| <= bounds`.
///
/// \tparam most the greatest number of variables and of rows
template <int most>
struct QuadraticProgram
{
  using Vector = VectorWithin<Eigen::Dynamic, most>;
  // Row-major is what ProxQP keeps.
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, most, most>;

  Matrix hessian, rows;
  Vector gradient, lower, upper, bounds;

  /// Makes a program with no numbers yet.
  QuadraticProgram(int variables, int constraints) noexcept
  : hessian(variables, variables),
    rows(constraints, variables),
    gradient(variables),
    lower(constraints),
    upper(constraints),
    bounds(variables)
  {
  }

  /// Adds `weight (row' x - wanted)^2 / 2` to what is to be least.
  void add_square(const Vector & row, double wanted, double weight) noexcept
  {
    for (int i = 0; i < row.size(); ++i)
    {
      gradient(i) -= weight * wanted * row(i);
      for (int j = 0; j < row.size(); ++j)
      {
        hessian(i, j) += weight * row(i) * row(j);
      }
    }
  }

  /// Returns the largest violation of the inequalities by a point.
  double violation(const Vector & x) const noexcept
  {
    const Vector value = product<Vector>(rows, x);
    return (lower - value).cwiseMax(value - upper).cwiseMax(0.0).maxCoeff();
  }
};

/// The least of the quadratic form alone: whether it is within the limits, the caller looks.
template <int most>
class LeastSquares
{
public:
  static constexpr bool keeps_limits = false;
  using Program = QuadraticProgram<most>;

  LeastSquares(int, int) noexcept {}

  /// Returns true if there is a solution, left in `x`.
  bool solve(const Program & program, int, typename Program::Vector & x) noexcept
  {
    x = -program.gradient;
    const bool solved = factor_.compute(program.hessian);
    factor_.solve_in_place(x);
    return solved && x.allFinite();
  }

  int iterations() const noexcept { return 1; }

private:
  Cholesky<typename Program::Matrix> factor_;
};

#ifdef ROBCOGEN_ROS_WITH_PROXQP
/// The solution by ProxQP.
template <int most>
class ProxQp
{
public:
  static constexpr bool keeps_limits = true;
  using Program = QuadraticProgram<most>;

  ProxQp(int variables, int constraints) : solver_(variables, constraints) {}

  /// Returns true if there is a solution, left in `x`.
  bool solve(const Program & program, int iterations, typename Program::Vector & x) noexcept
  {
    return solver_.solve(
      program.hessian.data(), program.gradient.data(), program.rows.data(), program.lower.data(),
      program.upper.data(), program.bounds.data(), iterations, x.data());
  }

  int iterations() const noexcept { return solver_.iterations(); }

private:
  ProxQpSolver solver_;
};
template <int most>
using UsualSolver = ProxQp<most>;
#else
template <int most>
using UsualSolver = LeastSquares<most>;
#endif

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__QUADRATIC_PROGRAM_HPP_
