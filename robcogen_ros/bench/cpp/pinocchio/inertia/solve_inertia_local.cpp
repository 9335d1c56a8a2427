#include "../session.hpp"

#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>

bench::Subject bench::function(Session & session)
{
  const auto call = [](void * self, const double * state)
  {
    Session & s = Session::of(self);
    pinocchio::crba(s.model, s.data, s.q(state), pinocchio::Convention::LOCAL);
    pinocchio::cholesky::decompose(s.model, s.data);
    s.result = s.last(state);
    pinocchio::cholesky::solve(s.model, s.data, s.result);
  };
  session.result.setZero(session.model.nv);
  return session.subject(call, session.result.data(), session.result.size());
}
