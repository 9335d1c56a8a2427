// One of Pinocchio's algorithms, header-only, in double.
#include "model.hpp"
#include "session.hpp"

ROBCOGEN_BENCH_SIDE bool robcogen_bench_open(
  const char * robot, const char *, bench::Subject * subject)
{
  const auto model = bench::pinocchio_model<pinocchio::Model>(robot);
  *subject = bench::function(*new bench::Session{model, pinocchio::Data(model), {}, robot});
  return true;
}
