#include "pinocchio_contacts.hpp"

#include <pinocchio/algorithm/impulse-dynamics-derivatives.hpp>
#include <pinocchio/algorithm/impulse-dynamics.hpp>

/// With respect to q and qd: of velocities, then of impulses.
bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    auto & [s, c] = InContact::of(self);
    const auto n = s.model.nv;
    pinocchio::impulseDynamics(
      s.model, s.data, s.q(state), s.v(state), c.models, c.datas, 0.0, c.settings);
    double * const result = s.result.data();
    const auto part = [result, n](Eigen::Index begin, Eigen::Index rows)
    { return Eigen::Map<Eigen::MatrixXd>(result + begin * n, rows, n); };
    auto v_q = part(0, n), v_v = part(n, n);
    auto p_q = part(2 * n, c.rows), p_v = part(2 * n + c.rows, c.rows);
    pinocchio::computeImpulseDynamicsDerivatives(
      s.model, s.data, c.models, c.datas, 0.0, c.settings, v_q, v_v, p_q, p_v);
  };
  InContact & found = InContact::opened(session);
  const auto n = session.model.nv;
  session.result.setZero(2 * n * (n + found.contacts.rows));
  return found.subject(call, session.result.data(), 2 * n * n);
}
