// What limits leave of what is wanted.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__LIMITS_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__LIMITS_HPP_

#include <Eigen/Core>

#include "robcogen_ros/whole_body/settings.hpp"

namespace robcogen_ros::whole_body
{

/// True if a joint is at a position limit, or beyond: the quadratic program does not know them.
///
/// \param q positions [rad or m]
template <typename Robot>
bool at_position_limit(const Robot & robot, const typename Robot::JointVector & q) noexcept
{
  constexpr double near = 1e-3;  // [rad or m]
  bool result = false;
  for (int i = 0; i < robot.joint_count; ++i)
  {
    result = result || q(i) > robot.upper_limits[i] - near || q(i) < robot.lower_limits[i] + near;
  }
  return result;
}

/// True if the trunk misses the acceleration that is wanted of it by more than half of g.
///
/// \param given acceleration of its origin [m/s^2]
template <typename Robot>
bool trunk_missed(
  const Eigen::Vector3d & given, const Eigen::Vector3d & wanted,
  const Settings<Robot> & settings) noexcept
{
  return settings.position_weight > 0.0 && (given - wanted).norm() > 0.5 * settings.gravity.norm();
}

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__LIMITS_HPP_
