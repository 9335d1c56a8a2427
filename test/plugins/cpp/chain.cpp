// Chains of a robot, for Python to call: HEADER and ROBOT are given by the compiler's options.
#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include HEADER
#include "robcogen_ros/plugins/chain_dynamics.hpp"
#include "robcogen_ros/plugins/chain_kinematics.hpp"

namespace
{

using Robot = ROBOT::Traits;
using robcogen_ros::plugins::Chain;
using Vector = Eigen::VectorXd;

std::string error;

/// Runs a function; what it throws is kept in `error`.
template <typename Function>
int guarded(Function function)
{
  try
  {
    function();
    return 0;
  }
  catch (const std::invalid_argument & problem)
  {
    error = problem.what();
    return 1;
  }
}

/// Within its scope, Eigen aborts where it would allocate.
struct NoAllocation
{
  NoAllocation() { Eigen::internal::set_is_malloc_allowed(false); }
  ~NoAllocation() { Eigen::internal::set_is_malloc_allowed(true); }
};

}  // namespace

extern "C" const char * last_error()
{
  return error.c_str();
}

/// The joints of a chain, separated by blanks.
extern "C" int chain_joints(const char * root, const char * tip, char * names, int size)
{
  return guarded(
    [&] { std::strncpy(names, Chain<Robot>(root, tip).joint_names().c_str(), std::size_t(size)); });
}

/// 1 if the chain's joints tell where a frame is.
extern "C" int chain_places(const char * root, const char * tip, const char * frame)
{
  return Chain<Robot>(root, tip).places(Chain<Robot>::frame(frame)) ? 1 : 0;
}

/// Pose (column-major), Jacobian and damped inverse (column-major) of a frame.
extern "C" int chain_kinematics(
  const char * root, const char * tip, const char * frame, double damping, const double * q,
  double * pose, double * jacobian, double * inverse)
{
  return guarded(
    [&]
    {
      const robcogen_ros::plugins::ChainKinematics<Robot> kinematics({root, tip}, {});
      const Eigen::Index n = kinematics.chain().size();
      const Vector positions = Eigen::Map<const Vector>(q, n);
      const auto target = Chain<Robot>::frame(frame);
      const NoAllocation guard;
      Eigen::Map<Eigen::Matrix4d>(pose, 4, 4) = kinematics.pose(positions, target).matrix();
      Eigen::Map<Eigen::MatrixXd>(jacobian, 6, n) = kinematics.jacobian(positions, target);
      Eigen::Map<Eigen::MatrixXd>(inverse, n, 6) =
        kinematics.damped_inverse(positions, target, damping);
    });
}

extern "C" void frame_difference(const double * from, const double * to, double time, double * out)
{
  using robcogen_ros::plugins::Vector7;
  Eigen::Map<robcogen_ros::plugins::Vector6>(out, 6) = robcogen_ros::plugins::frame_difference(
    Eigen::Map<const Vector7>(from, 7), Eigen::Map<const Vector7>(to, 7), time);
}

/// All terms of a state, one after another: H (column-major), coriolis, gravity, friction, torques.
extern "C" int chain_dynamics(
  const char * root, const char * tip, const double * gravity, const double * state, double * out)
{
  return guarded(
    [&]
    {
      constexpr int n = Robot::joint_count;
      std::optional<Eigen::Vector3d> field;
      if (gravity != nullptr)
      {
        field = Eigen::Map<const Eigen::Vector3d>(gravity, 3);
      }
      const robcogen_ros::plugins::ChainDynamics<Robot> dynamics({root, tip}, field, {});
      const Vector q = Eigen::Map<const Vector>(state, n);
      const Vector qd = Eigen::Map<const Vector>(state + n, n);
      const Vector qdd = Eigen::Map<const Vector>(state + 2 * n, n);
      const NoAllocation guard;
      Eigen::Map<Eigen::MatrixXd>(out, n, n) = dynamics.inertia_matrix(q);
      Eigen::Map<Eigen::MatrixXd> rest(out + n * n, n, 4);
      rest.col(0) = dynamics.coriolis(q, qd);
      rest.col(1) = dynamics.gravity(q);
      rest.col(2) = dynamics.friction(qd);
      rest.col(3) = dynamics.torques(q, qd, qdd);
    });
}
