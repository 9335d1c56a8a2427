// Pinocchio's algorithms, header-only, in double.
#include <cstring>

#include "pinocchio_model.hpp"
#include "pinocchio_session.hpp"

ROBCOGEN_BENCH_SIDE bool robcogen_bench_open(
  const char * robot, const char * name, bench::Subject * subject)
{
  using bench::Session;
  const struct
  {
    const char * name;
    bench::Subject (*open)(Session &);
  } functions[] = {
    {"inverse_dynamics", bench::inverse_dynamics},
    {"inertia_matrix_local", bench::inertia_matrix_local},
    {"inertia_matrix_world", bench::inertia_matrix_world},
    {"inertia_matrix_local_whole", bench::inertia_matrix_local_whole},
    {"inertia_matrix_world_whole", bench::inertia_matrix_world_whole},
    {"forward_dynamics_local", bench::forward_dynamics_local},
    {"forward_dynamics_world", bench::forward_dynamics_world},
    {"inverse_dynamics_derivatives", bench::inverse_dynamics_derivatives}};
  for (const auto & function : functions)
  {
    if (std::strcmp(function.name, name) == 0)
    {
      const auto model = bench::pinocchio_model<pinocchio::Model>(robot);
      *subject = function.open(*new Session{model, pinocchio::Data(model), {}});
      return true;
    }
  }
  return false;
}
