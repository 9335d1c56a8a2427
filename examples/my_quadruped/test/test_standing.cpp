// The robot stands: forces of the ground carry its weight, and under them and the efforts of
// stand() nothing accelerates, which forward dynamics tells.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "../src/standing.hpp"
#include "my_quadruped/robot.hpp"

namespace robot = my_quadruped::robot;
using robot::Frame;
using robot::JointVector;
using robot::Link;

namespace
{

constexpr std::size_t legs = 4;
constexpr std::array<Frame, legs> feet{
  Frame::LF_foot, Frame::RF_foot, Frame::LH_foot, Frame::RH_foot};
constexpr std::array<Frame, legs> shanks{
  Frame::LF_shank, Frame::RF_shank, Frame::LH_shank, Frame::RH_shank};
constexpr std::array<Link, legs> links{
  Link::LF_shank, Link::RF_shank, Link::LH_shank, Link::RH_shank};

/// The largest acceleration of base and joints when the ground pushes the feet as told.
double acceleration(
  const JointVector & q, const Eigen::Vector3d & gravity,
  const Stance<robot::Traits, legs> & stance)
{
  const auto kinematics = robot::kinematics(q);
  robot::Wrenches wrenches = robot::Wrenches::Zero();
  for (std::size_t i = 0; i < legs; ++i)
  {
    const Eigen::Matrix3d turned = kinematics.pose(feet[i]).rotation().transpose();
    robot::Vector6 push = robot::Vector6::Zero();
    push.tail<3>() = turned * stance.forces.col(static_cast<int>(i));
    wrenches.col(static_cast<int>(links[i])) =
      kinematics.force_transform(shanks[i], feet[i]) * push;
  }
  const JointVector rest = JointVector::Zero();
  const auto motion =
    robot::forward_dynamics(q, rest, stance.effort, robot::Vector6::Zero(), gravity, wrenches);
  return std::max(motion.qdd.cwiseAbs().maxCoeff(), motion.base_acceleration.cwiseAbs().maxCoeff());
}

/// Whether the robot stands on some of its feet, and says how.
bool stands(
  const JointVector & q, const Eigen::Vector3d & gravity, const std::array<bool, legs> & standing)
{
  const auto stance = stand<robot::Traits>(q, gravity, feet, standing);
  const double weight = robot::total_mass(q) * gravity.norm();
  const Eigen::Vector3d ground = stance.forces.rowwise().sum();
  const double moved = acceleration(q, gravity, stance);
  std::printf(
    "carried: %.3f of %.3f N; largest effort %.1f N m; acceleration %.0e\n", ground.norm(), weight,
    stance.effort.cwiseAbs().maxCoeff(), moved);
  return std::abs(ground.norm() - weight) < 1e-9 * weight && moved < 1e-8;
}

}  // namespace

int main()
{
  JointVector q;
  q << 0.1, -0.6, 1.2, -0.1, -0.6, 1.2, 0.05, -0.7, 1.1, -0.05, -0.5, 1.3;
  const Eigen::Vector3d level(0.0, 0.0, -9.81);
  const Eigen::Vector3d slope(9.81 * std::sin(0.3), 0.0, -9.81 * std::cos(0.3));
  const std::array<bool, legs> all{true, true, true, true};
  const std::array<bool, legs> three{true, true, true, false};
  return stands(q, level, all) && stands(q, level, three) && stands(q, slope, all) ? 0 : 1;
}
