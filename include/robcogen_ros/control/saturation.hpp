// Efforts within limits that never let the robot fall.
#ifndef ROBCOGEN_ROS__CONTROL__SATURATION_HPP_
#define ROBCOGEN_ROS__CONTROL__SATURATION_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "robcogen_ros/arithmetic.hpp"

namespace robcogen_ros::control
{

/// Brings efforts within +-limits and returns the scale s in [0, 1] that did it.
///
/// All joints share one scale of what exceeds the gravity torques, `g + s (tau - g)`: the motion
/// keeps its direction in joint space and the robot its support. A joint whose limit does not even
/// carry gravity gives all it has and does not hold back the others.
///
/// \param effort what is wanted; within the limits afterwards
/// \param gravity efforts that hold the robot still
/// \param limits greatest efforts; infinite where there are none
template <typename Vector>
double saturate(Vector & effort, const Vector & gravity, const Vector & limits) noexcept
{
  if ((effort.array().abs() <= limits.array()).all())
  {
    return 1.0;
  }
  double scale = 1.0;
  for (Eigen::Index i = 0; i < effort.size(); ++i)
  {
    const double excess = effort(i) - gravity(i);
    const double room = excess > 0 ? limits(i) - gravity(i) : limits(i) + gravity(i);
    if (std::abs(gravity(i)) < limits(i) && std::abs(excess) > room)
    {
      scale = std::min(scale, room / std::abs(excess));
    }
  }
  effort = (gravity + scale * (effort - gravity)).cwiseMin(limits).cwiseMax(-limits);
  return scale;
}

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__SATURATION_HPP_
