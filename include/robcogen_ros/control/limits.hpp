// A robot's limits.
#ifndef ROBCOGEN_ROS__CONTROL__LIMITS_HPP_
#define ROBCOGEN_ROS__CONTROL__LIMITS_HPP_

#include <algorithm>
#include <cmath>

#include "robcogen_ros/arithmetic.hpp"

namespace robcogen_ros::control
{

/// Limits of all joints; infinite where a joint has none.
///
/// \tparam Robot the Traits of a generated robot
template <typename Robot>
struct Limits
{
  using JointVector = typename Robot::JointVector;

  JointVector lower;     ///< least positions [rad or m]
  JointVector upper;     ///< greatest positions [rad or m]
  JointVector velocity;  ///< greatest speeds [rad/s or m/s]
  JointVector effort;    ///< greatest efforts [N m or N]

  Limits() noexcept
  {
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      lower(i) = Robot::lower_limits[i];
      upper(i) = Robot::upper_limits[i];
      velocity(i) = Robot::velocity_limits[i];
      effort(i) = Robot::effort_limits[i];
    }
  }

  /// What motors can give of efforts; nothing of one that is no number.
  JointVector given(JointVector efforts) const noexcept
  {
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      efforts(i) = std::isfinite(efforts(i)) ? std::clamp(efforts(i), -effort(i), effort(i)) : 0.0;
    }
    return efforts;
  }
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__LIMITS_HPP_
