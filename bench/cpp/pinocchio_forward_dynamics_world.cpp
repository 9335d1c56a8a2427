#include "session.hpp"

#include <pinocchio/algorithm/aba.hpp>

void bench::forward_dynamics_world(Session& session) {
  session.run(
      [&](const auto& q, const auto& v, const auto& tau) {
        pinocchio::aba(session.model, session.data, q, v, tau, pinocchio::Convention::WORLD);
      },
      session.data.ddq);
}
