#include "contacts.hpp"

#include <pinocchio/algorithm/impulse-dynamics-derivatives.hpp>
#include <pinocchio/algorithm/impulse-dynamics.hpp>

/// With respect to q and qd. Those of impulses are found too and stay in Pinocchio's data; of what
/// the call before left there, that is cleared which the next one would take for its own.
bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    auto & [s, c] = InContact::of(self);
    pinocchio::impulseDynamics(
      s.model, s.data, s.q(state), s.v(state), c.models, c.datas, 0.0, c.settings);
    auto by_q = s.square(0), by_qd = s.square(1);
    s.data.dvc_dq.setZero();
    pinocchio::computeImpulseDynamicsDerivatives(
      s.model, s.data, c.models, c.datas, 0.0, c.settings, by_q, by_qd, s.data.dlambda_dq,
      s.data.dlambda_dv);
    by_qd.diagonal().array() += 1.0;  // of velocities after it, not of what it changes
  };
  session.result.setZero(2 * session.model.nv * session.model.nv);
  return InContact::opened(session).subject(call, session.result.data(), session.result.size());
}
