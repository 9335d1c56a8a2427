#include "contacts.hpp"

#include <pinocchio/algorithm/loop-constrained-aba.hpp>
#include <pinocchio/constraints.hpp>

/// With a regularisation that it needs, and as many iterations as it then takes to come to the
/// exact solution at any state; the order of elimination is that without which its results are
/// wrong. It takes the acceleration that it left at a link from what it wants of a contact of six
/// rows there, so that one is cleared.
bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    auto & [s, c] = InContact::of(self);
    for (const auto & contact : c.models)
    {
      s.data.oa[contact.joint1_id].setZero();
    }
    pinocchio::lcaba(
      s.model, s.data, s.q(state), s.v(state), s.last(state), c.models, c.datas, c.settings);
  };
  auto & found = *new InContact{session, Contacts(session)};
  found.contacts.settings = pinocchio::ProximalSettings(1e-14, 1e-7, 3);
  pinocchio::computeJointMinimalOrdering(session.model, session.data, found.contacts.models);
  return found.subject(call, session.data.ddq.data(), session.data.ddq.size());
}
