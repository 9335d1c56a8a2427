// A robot's limits.
#ifndef ROBCOGEN_ROS__CONTROL__LIMITS_HPP_
#define ROBCOGEN_ROS__CONTROL__LIMITS_HPP_

#include <Eigen/Core>
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

  Limits() noexcept : Limits(Robot()) {}
  explicit Limits(const Robot & robot) noexcept
  : lower(of(robot.lower_limits, robot)),
    upper(of(robot.upper_limits, robot)),
    velocity(of(robot.velocity_limits, robot)),
    effort(of(robot.effort_limits, robot))
  {
  }

  /// Returns the efforts that motors can give; zero for one that is no number.
  JointVector given(JointVector efforts) const noexcept
  {
    for (int i = 0; i < efforts.size(); ++i)
    {
      efforts(i) = std::isfinite(efforts(i)) ? std::clamp(efforts(i), -effort(i), effort(i)) : 0.0;
    }
    return efforts;
  }

private:
  static JointVector of(const double * limits, const Robot & robot) noexcept
  {
    return Eigen::Map<const JointVector>(limits, robot.joint_count);
  }
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__LIMITS_HPP_
