#include "contacts.hpp"

bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    auto & [s, c] = InContact::of(self);
    pinocchio::constraintDynamics(
      s.model, s.data, s.q(state), s.v(state), s.last(state), c.models, c.datas, c.settings);
  };
  const auto & a = session.data.ddq;
  return InContact::opened(session).subject(call, a.data(), a.size());
}
