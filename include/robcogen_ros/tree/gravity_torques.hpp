/// \file
/// What holds a robot with many joints against gravity, by loops over a table.
#ifndef ROBCOGEN_ROS__TREE__GRAVITY_TORQUES_HPP_
#define ROBCOGEN_ROS__TREE__GRAVITY_TORQUES_HPP_

#include "robcogen_ros/tree/moments.hpp"
#include "robcogen_ros/tree/motion.hpp"

namespace robcogen_ros
{
namespace tree
{

/// The joint forces that hold a robot at rest, and the wrench on the base: along a joint's axis
/// g x h and -m g hold the mass m beyond it, of the first moment h.
template <typename T, int joints>
static Wrench<T> hold(
  const Tree<joints> & tree, const T * q, const Triple<T> & gravity, T * tau) noexcept
{
  Moments<T, joints> moments;
  find_moments(tree, q, moments);
  T along[3][joints];
  Triple<T> g = gravity;
  for (int i = 0; i < joints; ++i)
  {
    const int before = tree.link[i] - 1;
    if (before != i - 1)
    {
      g = before < 0 ? gravity : at<T>(along, before);
    }
    const Triple<T> h = at<T>(moments.moment, i);
    g = in_successor(moments.pose, i, g);
    set(g, along, i);
    const bool turns = tree.turns[i] != 0;
    tau[tree.coordinate[i]] = turns ? T(g.x * h.y - g.y * h.x) : T(g.z * T(-tree.mass[i]));
  }
  return {cross(gravity, moments.whole), gravity * T(-tree.whole_mass)};
}

}  // namespace tree

/// The joint forces that hold a robot on a fixed base at rest.
template <typename T, int joints>
static void gravity_torques_of(
  const Tree<joints> & robot, const T * q, const T * gravity, T * tau) noexcept
{
  tree::hold(robot, q, tree::Triple<T>{gravity[0], gravity[1], gravity[2]}, tau);
}

/// Joint forces and the wrench on a floating base that hold a robot at rest.
template <typename T, int joints>
static void gravity_torques_of(
  const Tree<joints> & robot, const T * q, const T * gravity, T * tau, T * base_wrench) noexcept
{
  const tree::Triple<T> g{gravity[0], gravity[1], gravity[2]};
  const tree::Wrench<T> wrench = tree::hold(robot, q, g, tau);
  tree::put(wrench.n, wrench.f, base_wrench);
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__GRAVITY_TORQUES_HPP_
