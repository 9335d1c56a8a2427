#include "session.hpp"

#include <pinocchio/algorithm/jacobian.hpp>

/// Poses of all joints, and their axes, of which the results are.
bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    Session & s = Session::of(self);
    pinocchio::computeJointJacobians(s.model, s.data, s.q(state));
  };
  return session.subject(call, session.data.J.data(), session.data.J.size());
}
