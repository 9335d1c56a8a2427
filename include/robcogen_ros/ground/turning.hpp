// How links of a robot turn: angular velocities and accelerations by the rates of all freedoms.
#ifndef ROBCOGEN_ROS__GROUND__TURNING_HPP_
#define ROBCOGEN_ROS__GROUND__TURNING_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>

#include "robcogen_ros/carriers.hpp"
#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/ground/settings.hpp"
#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/products.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::ground
{

/// Rows of the angular velocity of a link, in axes of the base.
template <typename Robot>
struct Turning
{
  MatrixWithin<3, SizesOf<Robot>::freedoms, 3, SizesOf<Robot>::most_freedoms> jacobian;
  Eigen::Vector3d bias = Eigen::Vector3d::Zero();  ///< acceleration where no rate changes [rad/s^2]

  /// Makes the link turn as the base does.
  void begin(const Robot & robot) noexcept
  {
    jacobian.setZero(3, 6 + robot.joint_count);
    jacobian.template leftCols<3>().setIdentity();
    bias.setZero();
  }
};

/// Rotations of the links of all contacts.
template <typename Robot>
using Turnings = std::array<Turning<Robot>, SizesOf<Robot>::most_contacts>;

/// Finds how a link turns that joints carry whose ratios do not change.
///
/// \param axes of all joints, six numbers each, as `kinematics` of the robot has them
template <typename Robot>
void find_turning(
  const Robot & robot, const double * axes, const State<Robot> & state, int link,
  Turning<Robot> & result) noexcept
{
  result.begin(robot);
  each_carrier(
    robot, axes, link,
    [&](int i, const Eigen::Vector3d & turn) { result.jacobian.col(6 + i) += turn; });
  Eigen::Vector3d w = product<Eigen::Vector3d>(result.jacobian, state.rates);
  each_carrier(
    robot, axes, link,
    [&](int i, const Eigen::Vector3d & turn)
    {
      const Eigen::Vector3d part = state.rates(6 + i) * turn;
      w -= part;  // what is left is that of the link that carries the joint
      result.bias += w.cross(part);
    });
}

/// Returns the small turn from one orientation to another.
inline Eigen::Vector3d small_turn(
  const Eigen::Matrix3d & one, const Eigen::Matrix3d & other) noexcept
{
  const Eigen::Matrix3d by = other * one.transpose();
  return 0.5 * Eigen::Vector3d(by(2, 1) - by(1, 2), by(0, 2) - by(2, 0), by(1, 0) - by(0, 1));
}

/// Finds how the frames of all contacts turn by differences of their orientations, for joints whose
/// ratios change.
template <typename Robot>
void find_turnings(
  const Robot & robot, const typename ConstantsOf<Robot>::Type & constants,
  const State<Robot> & state, Turnings<Robot> & results) noexcept
{
  using JointVector = typename Robot::JointVector;
  using Orientations = std::array<Eigen::Matrix3d, SizesOf<Robot>::most_contacts>;
  const auto orientations = [&](const JointVector & q)
  {
    const auto found = with_constants<Robot>(
      constants, [&](const auto &... x) { return robot.kinematics(x...); }, q);
    Orientations result;
    for (int i = 0; i < robot.contact_count; ++i)
    {
      result[i] =
        found.pose(static_cast<typename Robot::Frame>(robot.contacts[i].frame)).rotation();
    }
    return result;
  };
  for (Turning<Robot> & result : results)
  {
    result.begin(robot);
  }
  constexpr double small = 1e-5;
  for (int j = 0; j < robot.joint_count; ++j)
  {
    const JointVector by = small * JointVector::Unit(robot.joint_count, j);
    const Orientations one = orientations(state.q - by), other = orientations(state.q + by);
    for (int i = 0; i < robot.contact_count; ++i)
    {
      results[i].jacobian.col(6 + j) = small_turn(one[i], other[i]) / (2.0 * small);
    }
  }
  const JointVector qd = state.qd();
  const double time = 1e-3 / std::max(1.0, qd.cwiseAbs().maxCoeff());
  const Orientations before = orientations(state.q - time * qd), now = orientations(state.q),
                     after = orientations(state.q + time * qd);
  const Eigen::Vector3d base = state.rates.template head<3>();
  for (int i = 0; i < robot.contact_count; ++i)
  {
    const Eigen::Vector3d later = small_turn(now[i], after[i]),
                          sooner = small_turn(before[i], now[i]);
    results[i].bias =
      (later - sooner) / (time * time) + base.cross((later + sooner) / (2.0 * time));
  }
}

/// Returns where links are, and finds how feet turn that are balls.
template <typename Robot>
typename Robot::Kinematics kinematics_and_turns(
  const Settings<Robot> & settings, const State<Robot> & state, Turnings<Robot> & turnings) noexcept
{
  const Robot & robot = settings.robot;
  const bool changing = ratios_change(robot) && settings.has_balls();
  if (changing)
  {
    find_turnings(robot, settings.constants, state, turnings);
  }
  const auto kinematics = with_constants<Robot>(
    settings.constants, [&](const auto &... x) { return robot.kinematics(x...); }, state.q);
  for (int i = 0; i < robot.contact_count && !changing; ++i)
  {
    if (settings.feet[i].is_ball())
    {
      const int link = robot.frame_links[robot.contacts[i].frame];
      find_turning(robot, axes_of<Robot>(kinematics), state, link, turnings[i]);
    }
  }
  return kinematics;
}

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__TURNING_HPP_
