#include "session.hpp"

#include <pinocchio/algorithm/energy.hpp>

bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    Session & s = Session::of(self);
    pinocchio::computePotentialEnergy(s.model, s.data, s.q(state));
  };
  return session.subject(call, &session.data.potential_energy, 1);
}
