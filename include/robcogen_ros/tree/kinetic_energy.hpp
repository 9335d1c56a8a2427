/// \file
/// The kinetic energy of a robot with many joints, by loops over a table.
#ifndef ROBCOGEN_ROS__TREE__KINETIC_ENERGY_HPP_
#define ROBCOGEN_ROS__TREE__KINETIC_ENERGY_HPP_

#include "robcogen_ros/tree/velocities.hpp"

namespace robcogen_ros
{
namespace tree
{

/// Twice the energy of a body: w' I w + m v^2 + 2 v (w x h), about its origin.
template <typename T>
[[gnu::always_inline]] static inline T twice_energy(
  const Triple<T> & w, const Triple<T> & v, const T & m, const Triple<T> & h, const Triple<T> & top,
  const Triple<T> & rest) noexcept
{
  const Triple<T> carried = cross(w, h), momentum = v * m + carried;
  return dot(w, product(top, rest, w)) + dot(v, momentum + carried);
}

}  // namespace tree

/// The energy of all links and rotors of a robot on a floating base (Featherstone, Rigid Body
/// Dynamics Algorithms, 2008, equation 2.67).
template <typename T, int joints>
static void kinetic_energy_of(
  const Tree<joints> & robot, const T * q, const T * qd, const T * base_velocity,
  T * energy) noexcept
{
  T pose[12][tree::row_size<T>(joints)];
  tree::Twists<T, joints> twists;
  const tree::Triple<T> w = tree::angular(base_velocity), v = tree::linear(base_velocity);
  tree::take_steps<T>(robot, q, pose);
  tree::find_velocities(robot, pose, {w, v}, qd, twists);
  T base_inertia[inertia_size], rows[tree::row_size<T>(joints)];
  for (int i = 0; i < joints; i += tree::width<T>)
  {
    tree::write<T>(
      tree::twice_energy(
        tree::read<T>(twists.w, i), tree::read<T>(twists.v, i), tree::read<T>(robot.inertia[0] + i),
        tree::read<T>(robot.inertia + 1, i), tree::read<T>(robot.inertia + 4, i),
        tree::read<T>(robot.inertia + 7, i)),
      rows + i);
  }
  tree::copy_base(robot, base_inertia);
  T twice = tree::twice_energy(
    w, v, base_inertia[0], tree::Triple<T>{base_inertia[1], base_inertia[2], base_inertia[3]},
    tree::Triple<T>{base_inertia[4], base_inertia[5], base_inertia[6]},
    tree::Triple<T>{base_inertia[7], base_inertia[8], base_inertia[9]});
  for (int i = 0; i < joints; ++i)
  {
    const T rate = qd[robot.coordinate[i]];
    twice = twice + (rows[i] + T(robot.armature[i]) * rate * rate);
  }
  energy[0] = twice * T(0.5);
}

/// The energy of all links and rotors of a robot on a fixed base.
template <typename T, int joints>
static void kinetic_energy_of(
  const Tree<joints> & robot, const T * q, const T * qd, T * energy) noexcept
{
  const T still[6] = {T(0), T(0), T(0), T(0), T(0), T(0)};
  kinetic_energy_of(robot, q, qd, still, energy);
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__KINETIC_ENERGY_HPP_
