#include "contacts.hpp"

#include <pinocchio/algorithm/impulse-dynamics.hpp>

bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    auto & [s, c] = InContact::of(self);
    pinocchio::impulseDynamics(
      s.model, s.data, s.q(state), s.v(state), c.models, c.datas, 0.0, c.settings);
  };
  const auto & v = session.data.dq_after;
  return InContact::opened(session).subject(call, v.data(), v.size());
}
