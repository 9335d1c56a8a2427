/// \file
/// The Coriolis and centrifugal forces of a robot with many joints, by loops over a table.
#ifndef ROBCOGEN_ROS__TREE__CORIOLIS_TORQUES_HPP_
#define ROBCOGEN_ROS__TREE__CORIOLIS_TORQUES_HPP_

#include "robcogen_ros/tree/inverse_dynamics.hpp"

namespace robcogen_ros
{
namespace tree
{

/// The joint forces of a motion with neither joint accelerations nor gravity, and the wrench on
/// the base.
template <typename T, int joints>
static Wrench<T> unaccelerated(
  const Tree<joints> & tree, const T * q, const T * qd, const BodyMotion<T> & base,
  T * tau) noexcept
{
  Links<T, joints> links;
  Flow<T, joints> flow;
  const JointNumbers<T, joints> rates(tree, qd);
  return newton_euler(tree, q, base, rates, Unaccelerated(), NoForces(), links, flow, tau);
}

}  // namespace tree

/// Coriolis and centrifugal joint forces of a robot on a fixed base.
template <typename T, int joints>
static void coriolis_torques_of(
  const Tree<joints> & robot, const T * q, const T * qd, T * tau) noexcept
{
  const tree::Triple<T> none = tree::zero<T>();
  tree::unaccelerated(robot, q, qd, {none, none, none}, tau);
}

namespace tree
{

/// The motion of a floating base that does not accelerate, without gravity.
template <typename T>
static BodyMotion<T> steady_motion(const T * velocity) noexcept
{
  const Triple<T> w = angular(velocity);
  return {w, zero<T>(), cross(w, linear(velocity))};
}

}  // namespace tree

/// Coriolis and centrifugal joint forces and wrench on a floating base.
template <typename T, int joints>
static void coriolis_torques_of(
  const Tree<joints> & robot, const T * q, const T * qd, const T * base_velocity, T * tau,
  T * base_wrench) noexcept
{
  const auto wrench = tree::unaccelerated(robot, q, qd, tree::steady_motion(base_velocity), tau);
  tree::put(wrench.n, wrench.f, base_wrench);
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__CORIOLIS_TORQUES_HPP_
