#include "session.hpp"

#include <pinocchio/algorithm/crba.hpp>

void bench::inertia_matrix_local(Session& session) {
  session.run(
      [&](const auto& q, const auto&, const auto&) {
        pinocchio::crba(session.model, session.data, q, pinocchio::Convention::LOCAL);
      },
      session.data.M);
}
