// Functions of a robot as RobCoGen 0.4ad generates them: ROBCOGEN_NAME is the robot's name in their
// namespaces, ROBCOGEN_FLOATING says whether its base floats.
#include <string_view>

#include "subject.hpp"
#include "traits.h"

namespace
{

namespace robot = iit::ROBCOGEN_NAME;
using Traits = robot::Traits;
constexpr int n = Traits::joints_count, base = ROBCOGEN_FLOATING ? 6 : 0, size = base + n;
using Joints = Traits::JointState;
using Vector6 = Eigen::Matrix<double, 6, 1>;

struct Session
{
  Traits::InertiaProperties inertia;
  Traits::MotionTransforms motions;
  Traits::ForceTransforms forces;
  Traits::InvDynEngine inverse{inertia, motions};
  Traits::FwdDynEngine forward{inertia, motions};
  Traits::JSIM matrix{inertia, forces};
  Eigen::Matrix<double, size, size> result;
  EIGEN_MAKE_ALIGNED_OPERATOR_NEW
};

/// Reads the arguments of a function one after the other.
struct Reader
{
  const double * next;

  template <typename Vector>
  Vector take()
  {
    const Vector result = Eigen::Map<const Vector>(next);
    next += result.size();
    return result;
  }

  Vector6 gravity()
  {
    Vector6 result = Vector6::Zero();
    result.tail<3>() = take<Eigen::Vector3d>();
    return result;
  }
};

template <typename First, typename Second>
void keep(Session & session, const First & joints, const Second & other)
{
  Eigen::Map<First>(session.result.data()) = joints;
  Eigen::Map<Second>(session.result.data() + joints.size()) = other;
}

void inverse_dynamics(void * self, const double * state)
{
  auto & session = *static_cast<Session *>(self);
  Reader read{state};
  const Joints q = read.take<Joints>(), qd = read.take<Joints>(), qdd = read.take<Joints>();
  Joints tau;
#if ROBCOGEN_FLOATING
  const Vector6 velocity = read.take<Vector6>(), acceleration = read.take<Vector6>();
  Traits::InvDynEngine::Force wrench;
  session.inverse.id_fully_actuated(
    wrench, tau, read.gravity(), velocity, acceleration, q, qd, qdd);
  keep(session, tau, Vector6(wrench));
#else
  session.inverse.id(tau, q, qd, qdd);
  keep(session, tau, Eigen::Matrix<double, 0, 1>());
#endif
}

void forward_dynamics(void * self, const double * state)
{
  auto & session = *static_cast<Session *>(self);
  Reader read{state};
  const Joints q = read.take<Joints>(), qd = read.take<Joints>(), tau = read.take<Joints>();
  Joints qdd;
#if ROBCOGEN_FLOATING
  const Vector6 velocity = read.take<Vector6>();
  Traits::FwdDynEngine::Acceleration acceleration;
  session.forward.fd(qdd, acceleration, velocity, read.gravity(), q, qd, tau);
  keep(session, qdd, Vector6(acceleration));
#else
  session.forward.fd(qdd, q, qd, tau);
  keep(session, qdd, Eigen::Matrix<double, 0, 1>());
#endif
}

void inertia_matrix(void * self, const double * state)
{
  auto & session = *static_cast<Session *>(self);
  session.result = session.matrix.update(Reader{state}.take<Joints>());
}

void inertia_matrix_inverse(void * self, const double * state)
{
  auto & session = *static_cast<Session *>(self);
  session.matrix.update(Reader{state}.take<Joints>());
  session.matrix.computeL();
  session.matrix.computeInverse();
  session.result = session.matrix.getInverse();
}

}  // namespace

ROBCOGEN_BENCH_SIDE bool robcogen_bench_open(
  const char *, const char * function, bench::Subject * subject)
{
  const std::string_view name = function;
  auto * session = new Session;
  const double * result = session->result.data();
  const std::size_t rest = ROBCOGEN_FLOATING ? 9 : 0;  // velocity of the base, gravity
  const bool is_inverse = name.substr(0, 16) == "inverse_dynamics";
  if (is_inverse || name == "forward_dynamics")
  {
    const std::size_t width = 3 * n + rest + (is_inverse ? base : 0);
    *subject = {
      is_inverse ? inverse_dynamics : forward_dynamics, session, width, result, std::size_t{size}};
    return true;
  }
  const bool is_matrix = name == "inertia_matrix";
  *subject = {
    is_matrix ? inertia_matrix : inertia_matrix_inverse, session, std::size_t{n}, result,
    std::size_t{size} * size};
  return true;
}
