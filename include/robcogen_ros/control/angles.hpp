// Differences of positions where some joints turn without end.
#ifndef ROBCOGEN_ROS__CONTROL__ANGLES_HPP_
#define ROBCOGEN_ROS__CONTROL__ANGLES_HPP_

#include <Eigen/Core>
#include <cmath>

#include "robcogen_ros/arithmetic.hpp"

namespace robcogen_ros::control
{

/// The difference of two positions, taken into (-pi, pi] where the joint is continuous.
///
/// \param robot of the Traits of a generated robot, or one that is known at run time
template <typename Robot>
typename Robot::JointVector wrapped(
  const Robot & robot, typename Robot::JointVector difference) noexcept
{
  constexpr double pi = 3.14159265358979323846;
  for (int i = 0; i < robot.joint_count; ++i)
  {
    if (robot.continuous[i])
    {
      difference(i) -= 2 * pi * std::ceil((difference(i) - pi) / (2 * pi));
    }
  }
  return difference;
}

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__ANGLES_HPP_
