#include "pinocchio_contacts.hpp"

#include <pinocchio/algorithm/constrained-dynamics-derivatives.hpp>

/// With respect to q, qd and tau: of accelerations, then of forces.
bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    auto & [s, c] = InContact::of(self);
    const auto n = s.model.nv;
    pinocchio::constraintDynamics(
      s.model, s.data, s.q(state), s.v(state), s.last(state), c.models, c.datas, c.settings);
    double * result = s.result.data();
    const auto next = [&result, n](Eigen::Index rows)
    {
      double * const begin = result;
      result += rows * n;
      return Eigen::Map<Eigen::MatrixXd>(begin, rows, n);
    };
    auto a_q = next(n), a_v = next(n), a_tau = next(n);
    auto f_q = next(c.rows), f_v = next(c.rows), f_tau = next(c.rows);
    pinocchio::computeConstraintDynamicsDerivatives(
      s.model, s.data, c.models, c.datas, c.settings, a_q, a_v, a_tau, f_q, f_v, f_tau);
  };
  InContact & found = InContact::opened(session);
  const auto n = session.model.nv;
  session.result.setZero(3 * n * (n + found.contacts.rows));
  return found.subject(call, session.result.data(), 3 * n * n);
}
