#include "session.hpp"

#include <pinocchio/algorithm/center-of-mass.hpp>

bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    Session & s = Session::of(self);
    pinocchio::jacobianCenterOfMass(s.model, s.data, s.q(state), false);
  };
  return session.subject(call, session.data.Jcom.data(), session.data.Jcom.size());
}
