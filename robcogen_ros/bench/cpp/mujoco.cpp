// MuJoCo's algorithms, without anything of contacts, actuators or constraints.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "subject.hpp"

namespace
{

/// A robot with room for results. A state is q, v and a (or tau), one after the other.
struct Session
{
  mjModel * model;
  mjData * data;
  std::vector<double> result;

  /// Takes over a state; the positions of links for it.
  const double * place(const double * state)
  {
    std::copy_n(state, model->nq, data->qpos);
    std::copy_n(state + model->nq, model->nv, data->qvel);
    mj_kinematics(model, data);
    mj_comPos(model, data);
    return state + model->nq + model->nv;
  }

  void place_inertia()
  {
#if mjVERSION_HEADER >= 330
    mj_makeM(model, data);
#else
    mj_crb(model, data);
#endif
  }
};

Session & of(void * self)
{
  return *static_cast<Session *>(self);
}

void inverse_dynamics(void * self, const double * state)
{
  Session & s = of(self);
  std::copy_n(s.place(state), s.model->nv, s.data->qacc);
  mj_comVel(s.model, s.data);
  mj_rne(s.model, s.data, 1, s.result.data());
}

void inertia_matrix(void * self, const double * state)
{
  Session & s = of(self);
  s.place(state);
  s.place_inertia();
#if mjVERSION_HEADER >= 4000000
  mj_fullM(s.model, s.data, s.result.data());
#else
  mj_fullM(s.model, s.result.data(), s.data->qM);
#endif
}

void forward_dynamics(void * self, const double * state)
{
  Session & s = of(self);
  const double * tau = s.place(state);
  s.place_inertia();
  mj_factorM(s.model, s.data);
  mj_comVel(s.model, s.data);
  mj_rne(s.model, s.data, 0, s.data->qfrc_bias);
  for (int i = 0; i < s.model->nv; ++i)
  {
    s.data->qfrc_smooth[i] = tau[i] - s.data->qfrc_bias[i];
  }
  mj_solveM(s.model, s.data, s.result.data(), s.data->qfrc_smooth, 1);
}

}  // namespace

ROBCOGEN_BENCH_SIDE bool robcogen_bench_open(
  const char * robot, const char * function, bench::Subject * subject)
{
  char error[500] = "";
  mjModel * model = mj_loadXML(robot, nullptr, error, sizeof error);
  if (model == nullptr)
  {
    return false;
  }
  auto * session = new Session{model, mj_makeData(model), {}};
  const auto n = static_cast<std::size_t>(model->nv);
  const bool matrix = std::strcmp(function, "inertia_matrix") == 0;
  session->result.resize(matrix ? n * n : n);
  *subject = {
    nullptr, session, static_cast<std::size_t>(model->nq) + 2 * n, session->result.data(),
    session->result.size()};
  const struct
  {
    const char * name;
    void (*call)(void *, const double *);
  } functions[] = {
    {"inverse_dynamics", inverse_dynamics},
    {"inertia_matrix", inertia_matrix},
    {"forward_dynamics", forward_dynamics}};
  for (const auto & known : functions)
  {
    subject->call = std::strcmp(known.name, function) == 0 ? known.call : subject->call;
  }
  return subject->call != nullptr;
}
