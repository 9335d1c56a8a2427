#include "session.hpp"

#include <pinocchio/algorithm/rnea.hpp>

bench::Subject bench::function(Session & session)
{
  // H v is what inverse dynamics have for the acceleration v at rest, without gravity.
  const auto call = [](void * self, const double * state)
  {
    Session & s = Session::of(self);
    const auto v = s.v(state);
    auto momentum = s.result.head(s.model.nv), bias = s.result.tail(s.model.nv);
    const auto & gravity = pinocchio::computeGeneralizedGravity(s.model, s.data, s.q(state));
    const auto & C = pinocchio::computeCoriolisMatrix(s.model, s.data, s.q(state), v);
    bias.noalias() = C.transpose() * v;
    bias -= gravity;
    momentum = -gravity;
    momentum += pinocchio::rnea(s.model, s.data, s.q(state), Eigen::VectorXd::Zero(s.model.nv), v);
  };
  session.result.resize(2 * session.model.nv);
  return session.subject(call, session.result.data(), session.result.size());
}
