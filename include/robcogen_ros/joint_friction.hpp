// Friction of joints that the dynamics of a robot contain.
#ifndef ROBCOGEN_ROS__JOINT_FRICTION_HPP_
#define ROBCOGEN_ROS__JOINT_FRICTION_HPP_

#include <cmath>

namespace robcogen_ros
{

/// Returns the friction of a joint that is part of the dynamics [N m or N]; dry friction turns over
/// smoothly with the velocity.
///
/// \param robot of the Traits of a generated robot, or one that is known at run time
template <typename Robot>
double friction_in_dynamics(const Robot & robot, int joint, double rate) noexcept
{
  const double x = 1000.0 * rate;  // [s/rad or s/m]
  return (robot.damping_in_dynamics ? robot.damping[joint] * rate : 0.0) +
         (robot.friction_in_dynamics ? robot.friction[joint] * x / std::sqrt(x * x + 1.0) : 0.0);
}

/// Efforts with which dynamics that contain friction give the motion without it.
template <typename Robot>
typename Robot::JointVector without_friction(
  const Robot & robot, typename Robot::JointVector effort,
  const typename Robot::JointVector & qd) noexcept
{
  for (int i = 0; i < robot.joint_count; ++i)
  {
    effort(i) += friction_in_dynamics(robot, i, qd(i));
  }
  return effort;
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__JOINT_FRICTION_HPP_
