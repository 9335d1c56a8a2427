// Quadratic programs of fixed size, and their solution by ProxQP or without inequalities.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__QUADRATIC_PROGRAM_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__QUADRATIC_PROGRAM_HPP_

#include <Eigen/Cholesky>
#include <Eigen/Core>

#ifdef ROBCOGEN_ROS_WITH_PROXQP
#include <proxsuite/proxqp/dense/wrapper.hpp>
#endif

namespace robcogen_ros::whole_body
{

/// The least `x' hessian x / 2 + gradient' x` where `lower <= rows x <= upper`, `|x| <= bounds`.
///
/// \tparam most the greatest number of variables and of rows
template <int most>
struct QuadraticProgram
{
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most, 1>;
  // Row-major is what ProxQP keeps, so that it copies without a temporary.
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, most, most>;

  Matrix hessian, rows;
  Vector gradient, lower, upper, bounds;

  /// With no numbers yet.
  QuadraticProgram(int variables, int constraints) noexcept
  : hessian(variables, variables),
    rows(constraints, variables),
    gradient(variables),
    lower(constraints),
    upper(constraints),
    bounds(variables)
  {
  }

  /// By how much a point misses the inequalities.
  double violation(const Vector & x) const noexcept
  {
    const Vector value = rows.lazyProduct(x);
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

  /// Whether there is a solution, left in `x`.
  bool solve(const Program & program, int, typename Program::Vector & x) noexcept
  {
    x = -program.gradient;
    factor_.compute(program.hessian);
    factor_.solveInPlace(x);
    return factor_.info() == Eigen::Success && x.allFinite();
  }

  int iterations() const noexcept { return 1; }

private:
  Eigen::LLT<typename Program::Matrix> factor_;
};

#ifdef ROBCOGEN_ROS_WITH_PROXQP
/// ProxQP of proxsuite, started from the solution before. What it needs is allocated at the start.
template <int most>
class ProxQp
{
public:
  static constexpr bool keeps_limits = true;
  using Program = QuadraticProgram<most>;

  ProxQp(int variables, int constraints)
  : solver_(
      variables, 0, constraints, true, proxsuite::proxqp::HessianType::Dense,
      proxsuite::proxqp::DenseBackend::PrimalDualLDLT)
  {
    solver_.settings.eps_abs = 1e-7;
    solver_.settings.eps_rel = 1e-9;
    // Without it multipliers of the program before pass for this one's.
    solver_.settings.check_duality_gap = true;
    solver_.settings.eps_duality_gap_abs = 1e-7;
    solver_.settings.eps_duality_gap_rel = 1e-6;
    solver_.settings.compute_timings = false;
    solver_.settings.initial_guess =
      proxsuite::proxqp::InitialGuessStatus::WARM_START_WITH_PREVIOUS_RESULT;
    reserve(variables, constraints);
  }

  bool solve(const Program & program, int iterations, typename Program::Vector & x) noexcept
  {
    using proxsuite::nullopt;
    solver_.settings.max_iter = iterations;
    solver_.settings.max_iter_in = iterations;
    solver_.model.g = program.gradient;
    solver_.model.l = program.lower;
    solver_.model.u = program.upper;
    solver_.model.l_box = -program.bounds;
    solver_.model.u_box = program.bounds;
    solver_.update(
      Matrix(program.hessian), nullopt, nullopt, nullopt, Matrix(program.rows), nullopt, nullopt,
      nullopt, nullopt, false);
    solver_.solve();
    x = solver_.results.x;
    const bool solved =
      solver_.results.info.status == proxsuite::proxqp::QPSolverOutput::PROXQP_SOLVED &&
      x.allFinite();
    if (!solved)
    {
      forget();
    }
    return solved;
  }

  int iterations() const noexcept { return static_cast<int>(solver_.results.info.iter); }

private:
  using Matrix = proxsuite::proxqp::dense::MatRef<double>;

  /// Solves a program that holds all inequalities active, so that room for them is there.
  void reserve(int variables, int constraints)
  {
    Program program(variables, constraints);
    program.hessian.setIdentity();
    program.gradient.setConstant(-10.0);
    program.rows.setIdentity();
    program.lower.setConstant(1.0);
    program.upper.setConstant(1.0);
    program.bounds.setConstant(0.5);
    using Vector = proxsuite::proxqp::dense::VecRef<double>;
    const typename Program::Vector lower = -program.bounds;
    solver_.init(
      Matrix(program.hessian), Vector(program.gradient), proxsuite::nullopt, proxsuite::nullopt,
      Matrix(program.rows), Vector(program.lower), Vector(program.upper), Vector(lower),
      Vector(program.bounds), false);
    typename Program::Vector x(variables);
    solve(program, 20, x);
    forget();
  }

  /// Lets the next program start from nothing.
  void forget() noexcept
  {
    solver_.results.x.setZero();
    solver_.results.z.setZero();
  }

  proxsuite::proxqp::dense::QP<double> solver_;
};
template <int most>
using UsualSolver = ProxQp<most>;
#else
template <int most>
using UsualSolver = LeastSquares<most>;
#endif

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__QUADRATIC_PROGRAM_HPP_
