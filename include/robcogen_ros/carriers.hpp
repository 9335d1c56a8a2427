// The joints that carry a link, and how they turn it.
#ifndef ROBCOGEN_ROS__CARRIERS_HPP_
#define ROBCOGEN_ROS__CARRIERS_HPP_

#include <Eigen/Core>

#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros
{

/// The axes of all joints, six numbers each, as `kinematics` of a robot has them.
template <typename Robot>
const double * axes_of(const typename Robot::Kinematics & kinematics) noexcept
{
  if constexpr (sized_at_run_time<Robot>)
  {
    return kinematics.axes;
  }
  else
  {
    return kinematics.axes.data();
  }
}

/// Returns whether joints follow coordinates through loops, by ratios that change.
template <typename Robot>
bool ratios_change([[maybe_unused]] const Robot & robot) noexcept
{
  if constexpr (sized_at_run_time<Robot>)
  {
    return robot.has_coordinate_jacobian();
  }
  return false;
}

/// Calls with the number of a coordinate and the angular velocity of a link by its rate, in axes of
/// the base, for each joint that carries the link, from the outermost on. Ratios do not change.
///
/// \param axes of all joints, six numbers each
template <typename Robot, typename Visit>
void each_carrier(const Robot & robot, const double * axes, int link, const Visit & visit) noexcept
{
  for (int below = link; below > 0; below = robot.joint_parents[below - 1])
  {
    const int joint = below - 1;
    const Eigen::Vector3d axis = Eigen::Map<const Eigen::Vector3d>(axes + 6 * joint);
    visit(robot.joint_coordinates[joint], Eigen::Vector3d(robot.joint_multipliers[joint] * axis));
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__CARRIERS_HPP_
