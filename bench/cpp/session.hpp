// One function of Pinocchio's measured on one robot.
#pragma once

#include <pinocchio/fwd.hpp>

#include <pinocchio/multibody.hpp>

#include "harness.hpp"

namespace bench {

/// A robot with the states to run it on. A state is q, v and a (or tau), one after the other, in
/// Pinocchio's own order.
struct Session {
  pinocchio::Model model;
  pinocchio::Data data;
  Table states;
  std::string results;
  long calls;
  int repeats;

  /// Measures `algorithm(q, v, last)`, which leaves its result in `result`.
  template <typename Algorithm, typename Result>
  void run(Algorithm&& algorithm, const Result& result) {
    using Input = Eigen::Map<const Eigen::VectorXd>;
    const Eigen::Index nq = model.nq;
    const Eigen::Index nv = model.nv;
    measure(
        [&](const double* state) {
          algorithm(Input(state, nq), Input(state + nq, nv), Input(state + nq + nv, nv));
        },
        [&] { return std::vector<double>(result.data(), result.data() + result.size()); }, states,
        results, calls, repeats);
  }
};

void inverse_dynamics(Session& session);
void inertia_matrix_local(Session& session);
void inertia_matrix_world(Session& session);
void forward_dynamics_local(Session& session);
void forward_dynamics_world(Session& session);

}  // namespace bench
