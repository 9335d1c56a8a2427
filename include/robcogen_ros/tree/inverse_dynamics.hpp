/// \file
/// The inverse dynamics of a robot with many joints, by loops over a table.
#ifndef ROBCOGEN_ROS__TREE__INVERSE_DYNAMICS_HPP_
#define ROBCOGEN_ROS__TREE__INVERSE_DYNAMICS_HPP_

#include "robcogen_ros/tree/motion.hpp"
#include "robcogen_ros/tree/solve.hpp"

namespace robcogen_ros
{
namespace tree
{

/// The force of each joint, and that which all of them take of the base.
///
/// \param put_own puts what so many links take themselves into the flow, from a joint on
/// \param rotors what so many joints themselves take, from a joint on
template <typename T, int joints, typename Own, typename Rotors>
static Wrench<T> gather_forces(
  const Tree<joints> & tree, const Links<T, joints> & links, const Wrench<T> & base,
  const Own & put_own, const Rotors & rotors, Flow<T, joints> & flow, T * tau) noexcept
{
  const auto put_along = [&](int i, const Vectors<T> & n, const Vectors<T> & f)
  {
    const Vectors<T> axis = read<T>(links.pose + 6, i);
    const Vectors<T> turning = axis * read<T>(tree.turns + i);
    const Numbers<T> carried =
      tree.slides ? dot(turning, n) + dot(axis - turning, f) : dot(axis, n);
    put_joints(tree, i, carried + rotors(i), tau);
  };
  for (int i = 0; i < joints; i += width<T>)
  {
    put_own(i);
  }
  const Triple<T> f = gather<false>(tree, base.f, flow.f, flow.f);
  for (int i = 0; i < joints; i += width<T>)
  {
    write<T>(cross(read<T>(links.offset, i), read<T>(flow.f, i)), flow.a, i);
  }
  const Triple<T> n = gather<true>(tree, base.n, flow.n, flow.a);
  for (int i = 0; i < joints; i += width<T>)
  {
    put_along(i, read<T>(flow.n, i), read<T>(flow.f, i));
  }
  return {n, f};
}

/// The joint forces that give a motion, and the wrench on the base; what joints carry is left in
/// the flow.
template <typename T, int joints, typename Changes, typename Outside>
static Wrench<T> newton_euler(
  const Tree<joints> & robot, const T * q, const BodyMotion<T> & base,
  const JointNumbers<T, joints> & rates, const Changes & changes, const Outside & outside,
  Links<T, joints> & links, Flow<T, joints> & flow, T * tau) noexcept
{
  fetch<T, 1900>(find_motions<T, joints, Changes>);
  find_rotations(robot, q, links);
  find_motions(robot, links, base, rates, changes, flow);
  Wrench<T> wrench = force_of_base(robot, base);
  const auto rotors = [&](int i) -> Numbers<T>
  {
    if constexpr (std::is_same_v<Changes, Unaccelerated>)
    {
      return T(0);
    }
    else
    {
      return read<T>(robot.armature + i) * changes(i);
    }
  };
  if constexpr (std::is_same_v<Outside, NoForces>)
  {
    const auto put_own = [&](int i) { put_net_forces(robot, links, i, flow); };
    return gather_forces(robot, links, wrench, put_own, rotors, flow, tau);
  }
  else
  {
    find_net_forces(robot, links, flow);
    outside.take_off(links, wrench, flow);
    const auto they_are_there = [](int) {};
    return gather_forces(robot, links, wrench, they_are_there, rotors, flow, tau);
  }
}

/// The wrench of a rigid body that accelerates, about its origin.
template <typename N>
[[gnu::always_inline]] static inline Wrench<N> rigid_force(
  const N & m, const Triple<N> & h, const Triple<N> & top, const Triple<N> & rest,
  const Triple<N> & wd, const Triple<N> & a) noexcept
{
  return {plus_cross(product(top, rest, wd), h, a), plus_cross(a * m, wd, h)};
}

/// Adds what an acceleration of the base takes of the joints; inertias are those that they move.
template <typename T, int joints>
static void add_base_acceleration(
  const Tree<joints> & tree, const Links<T, joints> & links, const T * acceleration,
  T * tau) noexcept
{
  const Triple<T> wd = angular(acceleration), a = linear(acceleration);
  for (int i = 0; i < joints; ++i)
  {
    const Triple<T> h = at<T>(links.inertia + 1, i), axis = at<T>(links.pose + 6, i);
    const Wrench<T> force = rigid_force(
      links.inertia[0][i], h, at<T>(links.inertia + 4, i), at<T>(links.inertia + 7, i), wd,
      a + cross(wd, at<T>(links.pose + 9, i)));
    T & sum = tau[tree.coordinate[i]];
    sum = sum + dot(axis, tree.turns[i] != 0 ? force.n : force.f);
  }
}

}  // namespace tree

/// The joint forces that give a motion of a robot on a fixed base.
template <typename T, int joints, typename Outside>
static void inverse_dynamics_of(
  const Tree<joints> & robot, const T * q, const T * qd, const T * qdd, const T * gravity,
  const Outside & outside, T * tau) noexcept
{
  tree::Links<T, joints> links;
  tree::Flow<T, joints> flow;
  const tree::Triple<T> none = tree::zero<T>(), g{gravity[0], gravity[1], gravity[2]};
  const tree::JointNumbers<T, joints> rates(robot, qd), changes(robot, qdd);
  tree::newton_euler(robot, q, {none, none, none - g}, rates, changes, outside, links, flow, tau);
}

namespace tree
{

/// The motion of a floating base, its acceleration less gravity.
template <typename T>
static BodyMotion<T> motion_of_base(
  const T * velocity, const T * acceleration, const T * gravity) noexcept
{
  const Triple<T> w = angular(velocity), g{gravity[0], gravity[1], gravity[2]};
  return {w, angular(acceleration), linear(acceleration) + cross(w, linear(velocity)) - g};
}

}  // namespace tree

/// Joint forces and the wrench on a floating base that give a motion.
template <typename T, int joints, typename Outside>
static void inverse_dynamics_fully_actuated_of(
  const Tree<joints> & robot, const T * q, const T * qd, const T * qdd, const T * base_velocity,
  const T * base_acceleration, const T * gravity, const Outside & outside, T * tau,
  T * base_wrench) noexcept
{
  tree::Links<T, joints> links;
  tree::Flow<T, joints> flow;
  const auto base = tree::motion_of_base(base_velocity, base_acceleration, gravity);
  const tree::JointNumbers<T, joints> rates(robot, qd), changes(robot, qdd);
  const auto wrench = tree::newton_euler(robot, q, base, rates, changes, outside, links, flow, tau);
  tree::put(wrench.n, wrench.f, base_wrench);
}

/// Joint forces and base acceleration for a joint motion, no wrench on the floating base
/// (Featherstone 2008, section 9.3).
template <typename T, int joints, typename Outside>
static void inverse_dynamics_of(
  const Tree<joints> & robot, const T * q, const T * qd, const T * qdd, const T * base_velocity,
  const T * gravity, const Outside & outside, T * tau, T * base_acceleration) noexcept
{
  tree::Links<T, joints> links;
  tree::Flow<T, joints> flow;
  const tree::Triple<T> w = tree::angular(base_velocity);
  const tree::BodyMotion<T> base{w, tree::zero<T>(), cross(w, tree::linear(base_velocity))};
  const tree::JointNumbers<T, joints> rates(robot, qd), changes(robot, qdd);
  const auto wrench = tree::newton_euler(robot, q, base, rates, changes, outside, links, flow, tau);
  T whole[inertia_size];
  tree::copy_base(robot, whole);
  tree::turn_inertias(robot, links);
  tree::find_positions(robot, links);
  tree::gather_inertias(robot, links, whole);
  T matrix[6][6];
  tree::put_rigid(whole, matrix);
  tree::put(tree::zero<T>() - wrench.n, tree::zero<T>() - wrench.f, base_acceleration);
  tree::solve(matrix, base_acceleration);
  tree::add_base_acceleration(robot, links, base_acceleration, tau);
  for (int k = 0; k < 3; ++k)
  {
    base_acceleration[3 + k] = base_acceleration[3 + k] + gravity[k];
  }
}

/// Adds what friction takes of the joints.
template <typename T, int joints>
static void add_friction(const Friction<joints> & friction, const T * qd, T * tau) noexcept
{
  for (int i = 0; i < joints; ++i)
  {
    tau[i] = tau[i] + friction_of(friction, qd, i);
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__INVERSE_DYNAMICS_HPP_
