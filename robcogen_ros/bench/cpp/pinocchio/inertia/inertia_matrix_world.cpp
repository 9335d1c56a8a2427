#include "../session.hpp"

#include <pinocchio/algorithm/crba.hpp>

bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    Session & s = Session::of(self);
    pinocchio::crba(s.model, s.data, s.q(state), pinocchio::Convention::WORLD);
  };
  return session.subject(call, session.data.M.data(), session.data.M.size());
}
