#include "session.hpp"

#include <pinocchio/algorithm/rnea.hpp>

void bench::inverse_dynamics(Session& session) {
  session.run(
      [&](const auto& q, const auto& v, const auto& a) {
        pinocchio::rnea(session.model, session.data, q, v, a);
      },
      session.data.tau);
}
