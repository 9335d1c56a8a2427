#include "session.hpp"

#include <pinocchio/algorithm/centroidal.hpp>

bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    Session & s = Session::of(self);
    pinocchio::computeCentroidalMap(s.model, s.data, s.q(state));
  };
  return session.subject(call, session.data.Ag.data(), session.data.Ag.size());
}
