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
template <typename T, int joints>
static Wrench<T> gather_forces(
  const Tree<joints> & tree, const Links<T, joints> & links, const Wrench<T> & base,
  Flow<T, joints> & flow, T * tau) noexcept
{
  T forces[row_size<T>(joints)];
  const auto put_along = [&](int i, const Vectors<T> & n, const Vectors<T> & f)
  {
    const Vectors<T> axis = read<T>(links.pose + 6, i);
    const Vectors<T> turning = axis * read<T>(tree.turns + i), sliding = axis - turning;
    write<T>(dot(turning, n) + dot(sliding, f), forces + i);
  };
#ifdef __AVX512F__
  if constexpr (in_packs<T>)
  {
    const auto force = [&](int joint) { return at<T>(flow.f, joint); };
    const auto moment = [&](int joint) { return at<T>(flow.n, joint) + at<T>(flow.a, joint); };
    for (int pack = tree.sums.packs; pack-- > 0;)
    {
      const int i = pack * lanes_of_sums;
      const auto own = read<T>(flow.f, i);
      const Vectors<T> f = carried_inwards<false>(tree.sums, pack, own, own, force);
      const Vectors<T> lever = cross(read<T>(links.offset, i), f);
      const Vectors<T> n =
        carried_inwards<true>(tree.sums, pack, read<T>(flow.n, i), lever, moment);
      put_along(i, n, f);
      write<T>(f, flow.f, i);
      write<T>(lever, flow.a, i);
      write<T>(n, flow.n, i);
    }
    put_in_order(tree, forces, tau);
    return {handed_to_base(tree.sums, base.n, moment), handed_to_base(tree.sums, base.f, force)};
  }
#endif
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
  put_in_order(tree, forces, tau);
  return {n, f};
}

/// The forces that a motion takes but for what the joints themselves take, and the wrench on the
/// base; what joints carry is left in the flow.
template <typename T, int joints, typename Outside>
static Wrench<T> find_forces(
  const Tree<joints> & robot, const Links<T, joints> & links, const BodyMotion<T> & base,
  const T * qd, const T * qdd, const Outside & outside, Flow<T, joints> & flow, T * tau) noexcept
{
  find_motions(robot, links, base, qd, qdd, flow);
  find_net_forces(links, flow);
  Wrench<T> wrench = force_of_base(robot, base);
  outside.take_off(links, wrench, flow);
  return gather_forces(robot, links, wrench, flow, tau);
}

/// What the joints themselves take, added to their forces.
template <typename T, int joints>
static void add_rotors(const Tree<joints> & tree, const T * qdd, T * tau) noexcept
{
  constexpr int size = row_size<T>(joints);
  T forces[size], changes[size];
  fetch(tree, tau, forces);
  fetch(tree, qdd, changes);
  for (int i = 0; i < joints; i += width<T>)
  {
    write<T>(read<T>(forces + i) + read<T>(tree.armature + i) * read<T>(changes + i), forces + i);
  }
  put_in_order(tree, forces, tau);
}

/// The joint forces that give a motion, and the wrench on the base.
template <typename T, int joints, typename Outside>
static Wrench<T> newton_euler(
  const Tree<joints> & robot, const Links<T, joints> & links, const BodyMotion<T> & base,
  const T * qd, const T * qdd, const Outside & outside, T * tau) noexcept
{
  Flow<T, joints> flow;
  const Wrench<T> wrench = find_forces(robot, links, base, qd, qdd, outside, flow, tau);
  add_rotors(robot, qdd, tau);
  return wrench;
}

/// The wrench of a rigid body that accelerates, about its origin.
template <typename N>
[[gnu::always_inline]] static inline Wrench<N> rigid_force(
  const N & m, const Triple<N> & h, const Triple<N> & top, const Triple<N> & rest,
  const Triple<N> & wd, const Triple<N> & a) noexcept
{
  return {product(top, rest, wd) + cross(h, a), a * m + cross(wd, h)};
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
  tree::find_links(robot, q, links);
  const tree::Triple<T> none = tree::zero<T>(), g{gravity[0], gravity[1], gravity[2]};
  tree::newton_euler(robot, links, {none, none, none - g}, qd, qdd, outside, tau);
}

/// Joint forces and the wrench on a floating base that give a motion.
template <typename T, int joints, typename Outside>
static void inverse_dynamics_fully_actuated_of(
  const Tree<joints> & robot, const T * q, const T * qd, const T * qdd, const T * base_velocity,
  const T * base_acceleration, const T * gravity, const Outside & outside, T * tau,
  T * base_wrench) noexcept
{
  tree::Links<T, joints> links;
  tree::find_links(robot, q, links);
  const tree::Triple<T> w = tree::angular(base_velocity), g{gravity[0], gravity[1], gravity[2]};
  const tree::BodyMotion<T> base{
    w, tree::angular(base_acceleration),
    tree::linear(base_acceleration) + cross(w, tree::linear(base_velocity)) - g};
  const auto wrench = tree::newton_euler(robot, links, base, qd, qdd, outside, tau);
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
  tree::find_links(robot, q, links);
  const tree::Triple<T> w = tree::angular(base_velocity);
  const tree::BodyMotion<T> base{w, tree::zero<T>(), cross(w, tree::linear(base_velocity))};
  const auto wrench = tree::newton_euler(robot, links, base, qd, qdd, outside, tau);
  T whole[inertia_size];
  tree::copy_base(robot, whole);
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
