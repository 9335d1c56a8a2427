// A robot's limits as they are meant.
#ifndef ROBCOGEN_ROS__CONTROL__LIMITS_HPP_
#define ROBCOGEN_ROS__CONTROL__LIMITS_HPP_

#include <limits>

#include "robcogen_ros/arithmetic.hpp"

namespace robcogen_ros::control
{

/// Limits of all joints; infinite where a joint has none.
///
/// A joint whose file gives an empty range, or zero as its speed or effort, has no such limit: the
/// attributes are required in a URDF, so zeros stand for "unknown".
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
    static constexpr double none = std::numeric_limits<double>::infinity();
    const auto positive = [](double limit) { return limit > 0 ? limit : none; };
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      const bool ranged = Robot::lower_limits[i] < Robot::upper_limits[i] && !Robot::continuous[i];
      lower(i) = ranged ? Robot::lower_limits[i] : -none;
      upper(i) = ranged ? Robot::upper_limits[i] : none;
      velocity(i) = positive(Robot::velocity_limits[i]);
      effort(i) = positive(Robot::effort_limits[i]);
    }
  }
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__LIMITS_HPP_
