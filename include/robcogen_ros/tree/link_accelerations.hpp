/// \file
/// Accelerations of the links of a robot with many joints, in their own frames.
#ifndef ROBCOGEN_ROS__TREE__LINK_ACCELERATIONS_HPP_
#define ROBCOGEN_ROS__TREE__LINK_ACCELERATIONS_HPP_

#include "robcogen_ros/tree/velocities.hpp"

namespace robcogen_ros
{

/// Spatial acceleration of each link of a robot on a floating base.
template <typename T, int joints, int count>
static void link_accelerations_of(
  const Tree<joints> & robot, const LinkFrames<count> & frames, const T * q, const T * qd,
  const T * qdd, const T * base_velocity, const T * base_acceleration, T * accelerations) noexcept
{
  T pose[12][tree::row_size<T>(joints)];
  tree::Twists<T, joints> velocities, twists;
  const tree::Twist<T> moving{tree::angular(base_velocity), tree::linear(base_velocity)};
  const tree::Twist<T> base{tree::angular(base_acceleration), tree::linear(base_acceleration)};
  tree::take_steps<T>(robot, q, pose);
  tree::find_velocities(robot, pose, moving, qd, velocities);
  tree::find_spatial_accelerations(robot, pose, velocities, base, qd, qdd, twists);
  tree::put_twists(frames, base, twists, accelerations);
}

/// Spatial acceleration of each link of a robot on a fixed base.
template <typename T, int joints, int count>
static void link_accelerations_of(
  const Tree<joints> & robot, const LinkFrames<count> & frames, const T * q, const T * qd,
  const T * qdd, T * accelerations) noexcept
{
  const T still[6] = {T(0), T(0), T(0), T(0), T(0), T(0)};
  link_accelerations_of(robot, frames, q, qd, qdd, still, still, accelerations);
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__LINK_ACCELERATIONS_HPP_
