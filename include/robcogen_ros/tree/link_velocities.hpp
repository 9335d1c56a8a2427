/// \file
/// Velocities of the links of a robot with many joints, in their own frames.
#ifndef ROBCOGEN_ROS__TREE__LINK_VELOCITIES_HPP_
#define ROBCOGEN_ROS__TREE__LINK_VELOCITIES_HPP_

#include "robcogen_ros/tree/velocities.hpp"

namespace robcogen_ros
{

/// Spatial velocity of each link of a robot on a floating base.
template <typename T, int joints, int count>
static void link_velocities_of(
  const Tree<joints> & robot, const LinkFrames<count> & frames, const T * q, const T * qd,
  const T * base_velocity, T * velocities) noexcept
{
  T pose[12][tree::row_size<T>(joints)];
  tree::Twists<T, joints> twists;
  const tree::Twist<T> base{tree::angular(base_velocity), tree::linear(base_velocity)};
  tree::take_steps<T>(robot, q, pose);
  tree::find_velocities(robot, pose, base, qd, twists);
  tree::put_twists(frames, base, twists, velocities);
}

/// Spatial velocity of each link of a robot on a fixed base.
template <typename T, int joints, int count>
static void link_velocities_of(
  const Tree<joints> & robot, const LinkFrames<count> & frames, const T * q, const T * qd,
  T * velocities) noexcept
{
  const T still[6] = {T(0), T(0), T(0), T(0), T(0), T(0)};
  link_velocities_of(robot, frames, q, qd, still, velocities);
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__LINK_VELOCITIES_HPP_
