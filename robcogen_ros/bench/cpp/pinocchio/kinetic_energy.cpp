#include "session.hpp"

#include <pinocchio/algorithm/energy.hpp>

bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    Session & s = Session::of(self);
    pinocchio::computeKineticEnergy(s.model, s.data, s.q(state), s.v(state));
  };
  return session.subject(call, &session.data.kinetic_energy, 1);
}
