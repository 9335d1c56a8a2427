#include "session.hpp"

#include <pinocchio/algorithm/rnea.hpp>

bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    Session & s = Session::of(self);
    pinocchio::nonLinearEffects(s.model, s.data, s.q(state), s.v(state));
  };
  session.model.gravity.setZero();
  return session.subject(call, session.data.nle.data(), session.data.nle.size());
}
