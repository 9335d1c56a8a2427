/// \file
/// The derivatives of the inverse dynamics of a robot with many joints, by loops over a table.
#ifndef ROBCOGEN_ROS__TREE__INVERSE_DYNAMICS_DERIVATIVES_HPP_
#define ROBCOGEN_ROS__TREE__INVERSE_DYNAMICS_DERIVATIVES_HPP_

#include <cstddef>

#include "robcogen_ros/tree/slope_entries.hpp"

namespace robcogen_ros
{
namespace tree
{

/// The derivatives of joint forces, and of the wrench on a floating base, by positions, velocities
/// and accelerations.
template <bool floating_base, typename T, int joints, typename Outside>
static void differentiate(
  const Tree<joints> & tree, const T * q, const T * qd, const T * qdd, const Twist<T> & velocity,
  const Twist<T> & acceleration, const Triple<T> & g, const Outside & outside, T * dq, T * dqd,
  T * dqdd) noexcept
{
  constexpr int first = floating_base ? 6 : 0, rows = first + joints;
  Links<T, joints> links;
  Flow<T, joints> flow;
  Columns<T, joints> columns;
  Slopes<T, joints> slopes;
  T whole[inertia_size], tau[joints];
  copy_base(tree, whole);
  const BodyMotion<T> base{
    velocity.w, acceleration.w, acceleration.v + cross(velocity.w, velocity.v) - g};
  const JointNumbers<T, joints> rates(tree, qd), changes(tree, qdd);
  fetch<T, 2000>(find_rates<T, joints>);
  fetch<T, 1700>(find_changes<T, joints>);
  fetch<T, 1800>(find_slopes<T, joints>);
  newton_euler(tree, q, base, rates, changes, outside, links, flow, tau);
  find_positions(tree, links);
  turn_inertias(tree, links);
  find_unit_motions(tree, links, columns);
  find_rates(tree, links, columns, velocity, rates, slopes);
  find_changes(tree, columns, Twist<T>{acceleration.w, acceleration.v - g}, rates, changes, slopes);
  Moving<T> mass = moving(
    whole[0], Triple<T>{whole[1], whole[2], whole[3]}, Triple<T>{whole[4], whole[5], whole[6]},
    Triple<T>{whole[7], whole[8], whole[9]}, velocity);
  gather_moving(tree, links, slopes, mass);
  gather_inertias(tree, links, whole);
  find_columns(tree, links, columns);
  find_slopes(tree, links, flow, slopes);
  constexpr int corner = first * (rows + 1);
  put_slopes<rows>(tree, columns, slopes, dq + corner, dqd + corner, dqdd + corner);
  if constexpr (floating_base)
  {
    put_base(tree, columns, whole, dqdd);
    const Square<T> by_q{dq, rows}, by_qd{dqd, rows};
    put_slopes_of_base_itself(whole, mass, velocity, g, by_q, by_qd);
    put_slopes_of_base(tree, columns, slopes, velocity, g, by_q, by_qd);
  }
}

}  // namespace tree

/// The derivatives of the inverse dynamics of a robot on a fixed base, column-major.
template <typename T, int joints, typename Outside>
static void inverse_dynamics_derivatives_of(
  const Tree<joints> & robot, const T * q, const T * qd, const T * qdd, const T * gravity,
  const Outside & outside, T * dtau_dq, T * dtau_dqd, T * dtau_dqdd) noexcept
{
  const tree::Triple<T> none = tree::zero<T>(), g{gravity[0], gravity[1], gravity[2]};
  const tree::Twist<T> still{none, none};
  tree::differentiate<false>(
    robot, q, qd, qdd, still, still, g, outside, dtau_dq, dtau_dqd, dtau_dqdd);
}

/// The same of a robot on a floating base, whose entries come first; it turns and moves along its
/// own axes.
template <typename T, int joints, typename Outside>
static void inverse_dynamics_derivatives_of(
  const Tree<joints> & robot, const T * q, const T * qd, const T * qdd, const T * base_velocity,
  const T * base_acceleration, const T * gravity, const Outside & outside, T * dtau_dq,
  T * dtau_dqd, T * dtau_dqdd) noexcept
{
  const tree::Twist<T> velocity{tree::angular(base_velocity), tree::linear(base_velocity)};
  const tree::Twist<T> acceleration{
    tree::angular(base_acceleration), tree::linear(base_acceleration)};
  tree::differentiate<true>(
    robot, q, qd, qdd, velocity, acceleration, tree::Triple<T>{gravity[0], gravity[1], gravity[2]},
    outside, dtau_dq, dtau_dqd, dtau_dqdd);
}

/// Some entries of a matrix.
template <int count, typename T, std::size_t places>
static void pick(const T * all, const int (&from)[places], T * entries) noexcept
{
  for (int i = 0; i < count; ++i)
  {
    entries[i] = all[from[i]];
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__INVERSE_DYNAMICS_DERIVATIVES_HPP_
