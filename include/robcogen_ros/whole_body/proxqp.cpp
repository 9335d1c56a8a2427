// Quadratic programs solved by ProxQP of proxsuite: its templates, compiled once for all robots.
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

#include <proxsuite/proxqp/dense/wrapper.hpp>

namespace robcogen_ros::whole_body
{

struct ProxQpSolver::Solver
{
  using Vector = Eigen::Map<const Eigen::VectorXd>;
  using Matrix =
    Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  using MatrixOf = proxsuite::proxqp::dense::MatRef<double>;
  using VectorOf = proxsuite::proxqp::dense::VecRef<double>;

  proxsuite::proxqp::dense::QP<double> qp;

  Solver(int variables, int constraints)
  : qp(
      variables, 0, constraints, true, proxsuite::proxqp::HessianType::Dense,
      proxsuite::proxqp::DenseBackend::PrimalDualLDLT)
  {
    qp.settings.eps_abs = 1e-7;
    qp.settings.eps_rel = 1e-9;
    // Without it multipliers of the program before pass for this one's.
    qp.settings.check_duality_gap = true;
    qp.settings.eps_duality_gap_abs = 1e-7;
    qp.settings.eps_duality_gap_rel = 1e-6;
    qp.settings.compute_timings = false;
    qp.settings.initial_guess =
      proxsuite::proxqp::InitialGuessStatus::WARM_START_WITH_PREVIOUS_RESULT;
  }

  /// Lets the next program start from nothing.
  void forget() noexcept
  {
    qp.results.x.setZero();
    qp.results.z.setZero();
  }
};

ProxQpSolver::ProxQpSolver(int variables, int constraints)
: solver_(std::make_unique<Solver>(variables, constraints))
{
  // A program that holds all inequalities active, so that room for them is there.
  using Eigen::MatrixXd, Eigen::VectorXd;
  using proxsuite::nullopt;
  auto & qp = solver_->qp;
  const VectorXd gradient = VectorXd::Constant(variables, -10.0);
  const VectorXd bounds = VectorXd::Constant(variables, 0.5), least = -bounds;
  const VectorXd limits = VectorXd::Ones(constraints);
  qp.settings.max_iter = qp.settings.max_iter_in = 20;
  qp.init(
    Solver::MatrixOf(MatrixXd::Identity(variables, variables)), Solver::VectorOf(gradient), nullopt,
    nullopt, Solver::MatrixOf(MatrixXd::Identity(constraints, variables)), Solver::VectorOf(limits),
    Solver::VectorOf(limits), Solver::VectorOf(least), Solver::VectorOf(bounds), false);
  qp.solve();
  solver_->forget();
}

ProxQpSolver::~ProxQpSolver() = default;

bool ProxQpSolver::solve(
  const double * hessian, const double * gradient, const double * rows, const double * lower,
  const double * upper, const double * bounds, int iterations, double * x) noexcept
{
  using proxsuite::nullopt;
  auto & qp = solver_->qp;
  const auto variables = qp.model.dim, constraints = qp.model.n_in;
  const auto vector = [](const double * numbers, auto size)
  { return Solver::Vector(numbers, size); };
  qp.settings.max_iter = iterations;
  qp.settings.max_iter_in = iterations;
  qp.model.g = vector(gradient, variables);
  qp.model.l = vector(lower, constraints);
  qp.model.u = vector(upper, constraints);
  qp.model.u_box = vector(bounds, variables);
  qp.model.l_box = -qp.model.u_box;
  qp.update(
    Solver::MatrixOf(Solver::Matrix(hessian, variables, variables)), nullopt, nullopt, nullopt,
    Solver::MatrixOf(Solver::Matrix(rows, constraints, variables)), nullopt, nullopt, nullopt,
    nullopt, false);
  qp.solve();
  Eigen::Map<Eigen::VectorXd>(x, variables) = qp.results.x;
  const bool solved = qp.results.info.status == proxsuite::proxqp::QPSolverOutput::PROXQP_SOLVED &&
                      qp.results.x.allFinite();
  if (!solved)
  {
    solver_->forget();
  }
  return solved;
}

int ProxQpSolver::iterations() const noexcept
{
  return static_cast<int>(solver_->qp.results.info.iter);
}

}  // namespace robcogen_ros::whole_body
