#include "session.hpp"

#include <pinocchio/algorithm/rnea.hpp>

bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    Session & s = Session::of(self);
    pinocchio::computeGeneralizedGravity(s.model, s.data, s.q(state));
  };
  return session.subject(call, session.data.g.data(), session.data.g.size());
}
