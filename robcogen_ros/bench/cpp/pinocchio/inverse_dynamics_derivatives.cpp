#include "session.hpp"

#include <pinocchio/algorithm/rnea-derivatives.hpp>

/// With respect to q, qd and qdd, the last of which is the inertia matrix: its upper triangle.
bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    Session & s = Session::of(self);
    auto by_q = s.square(0), by_qd = s.square(1), by_qdd = s.square(2);
    pinocchio::computeRNEADerivatives(
      s.model, s.data, s.q(state), s.v(state), s.last(state), by_q, by_qd, by_qdd);
  };
  session.result.setZero(3 * session.model.nv * session.model.nv);
  return session.subject(call, session.result.data(), session.result.size());
}
