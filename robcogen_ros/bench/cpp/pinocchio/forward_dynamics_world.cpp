#include "session.hpp"

#include <pinocchio/algorithm/aba.hpp>

bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    Session & s = Session::of(self);
    pinocchio::aba(
      s.model, s.data, s.q(state), s.v(state), s.last(state), pinocchio::Convention::WORLD);
  };
  return session.subject(call, session.data.ddq.data(), session.data.ddq.size());
}
