#include "session.hpp"

#include <pinocchio/algorithm/rnea.hpp>

bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    Session & s = Session::of(self);
    pinocchio::rnea(s.model, s.data, s.q(state), s.v(state), s.last(state));
  };
  return session.subject(call, session.data.tau.data(), session.data.tau.size());
}
