#include "../session.hpp"

#include <pinocchio/algorithm/aba.hpp>

bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    Session & s = Session::of(self);
    pinocchio::computeMinverse(s.model, s.data, s.q(state));
  };
  return session.subject(call, session.data.Minv.data(), session.data.Minv.size());
}
