#include "../session.hpp"

#include <pinocchio/algorithm/crba.hpp>

/// With the lower triangle, which Pinocchio leaves to its users.
bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    Session & s = Session::of(self);
    auto & H = s.data.M;
    pinocchio::crba(s.model, s.data, s.q(state), pinocchio::Convention::WORLD);
    H.triangularView<Eigen::StrictlyLower>() =
      H.transpose().triangularView<Eigen::StrictlyLower>();
  };
  return session.subject(call, session.data.M.data(), session.data.M.size());
}
