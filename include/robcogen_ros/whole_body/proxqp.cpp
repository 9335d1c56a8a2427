// Quadratic programs solved by ProxQP of proxsuite: its templates, compiled once for all robots.

// Without NDEBUG proxsuite throws where all rows are zero, as without a foot on the ground: out of a
// function of a controller that is noexcept. Programs are checked here, not there.
#ifndef NDEBUG
#define NDEBUG
#endif

#include "robcogen_ros/whole_body/proxqp.hpp"

#include <Eigen/Core>

namespace proxsuite::linalg::dense::_detail
{

/// Preferred to that of proxsuite, in whose products Eigen puts a single row on the heap.
template <typename Result, typename Left, typename Right>
void noalias_mul_add_impl(Result result, Left left, Right right, double factor)
{
  if (result.rows() == 1)
  {
    result.noalias() += factor * left.lazyProduct(right);
  }
  else if (left.cols() > 0)
  {
    result.noalias() += factor * left * right;
  }
}

}  // namespace proxsuite::linalg::dense::_detail

#include <algorithm>
#include <cmath>
#include <limits>
#include <proxsuite/proxqp/dense/wrapper.hpp>

namespace robcogen_ros::whole_body
{

namespace
{

using Matrix =
  Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
using Vector = Eigen::Map<const Eigen::VectorXd>;

constexpr double tolerance = 1e-6;  ///< of the conditions of a solution, for numbers about one

}  // namespace

struct ProxQpSolver::Solver
{
  proxsuite::proxqp::dense::QP<double> qp;
  Eigen::VectorXd slope, values;
  int iterations = 0;  ///< of the last program

  Solver(int variables, int constraints)
  : qp(
      variables, 0, constraints, true, proxsuite::proxqp::HessianType::Dense,
      proxsuite::proxqp::DenseBackend::PrimalDualLDLT),
    slope(variables),
    values(constraints)
  {
    // Without it multipliers of the program before pass for this one's.
    qp.settings.check_duality_gap = true;
    ask(1.0);
    qp.settings.compute_timings = false;
    qp.settings.initial_guess =
      proxsuite::proxqp::InitialGuessStatus::WARM_START_WITH_PREVIOUS_RESULT;
  }

  /// Asks for a solution so many times as exact as usual.
  void ask(double times) noexcept
  {
    qp.settings.eps_abs = 1e-7 / times;
    qp.settings.eps_rel = 1e-9 / times;
    qp.settings.eps_duality_gap_abs = 1e-7 / times;
    qp.settings.eps_duality_gap_rel = 1e-6 / times;
  }

  /// Solves the model with these matrices from what was found before; whether it has.
  bool solve(const Matrix & hessian, const Matrix & rows)
  {
    using proxsuite::nullopt;
    using MatrixRef = proxsuite::proxqp::dense::MatRef<double>;
    qp.update(
      MatrixRef(hessian), nullopt, nullopt, nullopt, MatrixRef(rows), nullopt, nullopt, nullopt,
      nullopt, false);
    qp.solve();
    iterations += static_cast<int>(qp.results.info.iter);
    return optimal(hessian, rows);
  }

  /// The conditions of Karush, Kuhn and Tucker, which ProxQP does not see whole: it takes limits
  /// for active that the program before had, and does not look at the signs of their multipliers.
  /// What multipliers and distances from limits make together bounds how far the cost is from its
  /// least.
  bool optimal(const Matrix & hessian, const Matrix & rows)
  {
    const auto & x = qp.results.x;
    const auto of_rows = qp.results.z.head(values.size()), of_bounds = qp.results.z.tail(x.size());
    values.noalias() = rows * x;
    slope.noalias() = hessian * x;
    const double size = 1.0 + std::abs(x.dot(slope)) + std::abs(x.dot(qp.model.g));
    slope += qp.model.g + of_bounds;
    slope.noalias() += rows.transpose() * of_rows;
    const double least = tolerance * (1.0 + qp.model.g.lpNorm<Eigen::Infinity>());
    const double gap = distance(values, of_rows, least, qp.model.l, qp.model.u) +
                       distance(x, of_bounds, least, qp.model.l_box, qp.model.u_box);
    return slope.lpNorm<Eigen::Infinity>() <= least && gap <= tolerance * size;
  }

  /// The sum of multipliers times distances of values from the limits of their signs; infinite
  /// where a value is beyond a limit.
  template <typename Values, typename Multipliers>
  static double distance(
    const Values & values, const Multipliers & multipliers, double least,
    const Eigen::VectorXd & lower, const Eigen::VectorXd & upper)
  {
    double sum = 0.0;
    for (Eigen::Index i = 0; i < values.size(); ++i)
    {
      const double beyond = std::max(values(i) - upper(i), lower(i) - values(i));
      if (!(beyond <= tolerance * (1.0 + std::abs(values(i)))))
      {
        return std::numeric_limits<double>::infinity();
      }
      const double limit = multipliers(i) > 0.0 ? upper(i) : lower(i);
      const double part = multipliers(i) * (limit - values(i));
      sum += std::abs(multipliers(i)) > least ? std::max(part, 0.0) : 0.0;
    }
    return sum;
  }

  /// Lets the next program start from nothing.
  void forget() noexcept
  {
    qp.results.x.setZero();
    qp.results.z.setZero();
    qp.results.cold_start(qp.settings);
  }
};

ProxQpSolver::ProxQpSolver(int variables, int constraints)
: solver_(std::make_unique<Solver>(variables, constraints))
{
  // A program that holds all inequalities active, so that room for them is there.
  using Eigen::MatrixXd, Eigen::VectorXd;
  const MatrixXd hessian = MatrixXd::Identity(variables, variables);
  const MatrixXd rows = MatrixXd::Identity(constraints, variables);
  const VectorXd gradient = VectorXd::Constant(variables, -10.0);
  const VectorXd limits = VectorXd::Ones(constraints);
  const VectorXd upper = VectorXd::Constant(variables, 0.5), lower = -upper;
  auto & qp = solver_->qp;
  qp.settings.max_iter = qp.settings.max_iter_in = 20;
  qp.init(
    hessian, gradient, proxsuite::nullopt, proxsuite::nullopt, rows, limits, limits, lower, upper,
    false);
  qp.solve();
  solver_->forget();
}

ProxQpSolver::~ProxQpSolver() = default;

bool ProxQpSolver::solve(
  const double * hessian, const double * gradient, const double * rows, const double * lower,
  const double * upper, const double * bounds, int iterations, double * x) noexcept
{
  auto & qp = solver_->qp;
  const auto variables = qp.model.dim, constraints = qp.model.n_in;
  const Matrix cost(hessian, variables, variables), limited(rows, constraints, variables);
  qp.settings.max_iter = iterations;
  qp.settings.max_iter_in = iterations;
  qp.model.g = Vector(gradient, variables);
  qp.model.l = Vector(lower, constraints);
  qp.model.u = Vector(upper, constraints);
  qp.model.u_box = Vector(bounds, variables);
  qp.model.l_box = -qp.model.u_box;
  solver_->iterations = 0;
  bool solved = solver_->solve(cost, limited);
  if (!solved)
  {
    solver_->forget();
    solver_->ask(1e3);
    solved = solver_->solve(cost, limited);
    solver_->ask(1.0);
  }
  Eigen::Map<Eigen::VectorXd>(x, variables) = qp.results.x;
  if (!solved)
  {
    solver_->forget();
  }
  return solved && qp.results.x.allFinite();
}

int ProxQpSolver::iterations() const noexcept
{
  return solver_->iterations;
}

}  // namespace robcogen_ros::whole_body
