#include "contacts.hpp"

#include <pinocchio/algorithm/constrained-dynamics-derivatives.hpp>

/// With respect to q, qd and tau. Those of forces are found too and stay in Pinocchio's data.
bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    auto & [s, c] = InContact::of(self);
    pinocchio::constraintDynamics(
      s.model, s.data, s.q(state), s.v(state), s.last(state), c.models, c.datas, c.settings);
    auto by_q = s.square(0), by_qd = s.square(1), by_tau = s.square(2);
    pinocchio::computeConstraintDynamicsDerivatives(
      s.model, s.data, c.models, c.datas, c.settings, by_q, by_qd, by_tau, s.data.dlambda_dq,
      s.data.dlambda_dv, s.data.dlambda_dtau);
  };
  session.result.setZero(3 * session.model.nv * session.model.nv);
  return InContact::opened(session).subject(call, session.result.data(), session.result.size());
}
