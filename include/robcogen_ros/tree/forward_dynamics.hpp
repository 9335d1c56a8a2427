/// \file
/// The forward dynamics of a robot with many joints, by loops over a table.
#ifndef ROBCOGEN_ROS__TREE__FORWARD_DYNAMICS_HPP_
#define ROBCOGEN_ROS__TREE__FORWARD_DYNAMICS_HPP_

#include "robcogen_ros/tree/articulated.hpp"
#include "robcogen_ros/tree/motion.hpp"
#include "robcogen_ros/tree/solve.hpp"

namespace robcogen_ros
{
namespace tree
{

/// Takes all joints away, from the outermost on: the links before get what is left of inertia and
/// force (Featherstone 2008, table 7.1). Those of the base are added to.
///
/// What the link before gets is kept at hand if it is next: from memory it would come later.
template <bool floating_base, typename T, int joints>
static void remove_joints(
  const Tree<joints> & tree, Links<T, joints> & links, const Flow<T, joints> & flow, const T * tau,
  Articulated<T> & base, Pair<T> & base_force, Handle<T> (&handles)[joints]) noexcept
{
  turn_inertias(tree, links);
  Articulated<T> bodies[joints];
  Pair<T> forces[joints];
  for (int i = 0; i < joints; ++i)
  {
    bodies[i] = articulated(
      links.inertia[0][i], at<T>(links.inertia + 1, i), at<T>(links.inertia + 4, i),
      at<T>(links.inertia + 7, i));
    forces[i] = {row(at<T>(flow.n, i)), row(at<T>(flow.f, i))};
  }
  Articulated<T> body = bodies[joints - 1];
  Pair<T> force = forces[joints - 1];
  for (int i = joints; i-- > 0;)
  {
    const int before = tree.link[i] - 1;
    const Triple<T> axis = at<T>(links.pose + 6, i), r = at<T>(links.offset, i);
    const auto [rest, pushed, handle] = removed<T>(
      body, force, {axis, row(axis), r, row(r)}, tree.turns[i] != 0, T(tree.armature[i]),
      tau[tree.coordinate[i]]);
    handles[i] = handle;
    const bool next = before == i - 1 && before >= 0;
    if (!next && (before >= 0 || floating_base))
    {
      Articulated<T> & sum = before < 0 ? base : bodies[before];
      Pair<T> & forces_sum = before < 0 ? base_force : forces[before];
      sum = sum + rest;
      forces_sum = forces_sum + pushed;
    }
    if (i > 0)
    {
      body = next ? bodies[i - 1] + rest : bodies[i - 1];
      force = next ? forces[i - 1] + pushed : forces[i - 1];
    }
  }
}

/// The accelerations of all joints, from that of the base.
template <typename T, int joints>
static void find_accelerations(
  const Tree<joints> & tree, const Links<T, joints> & links, const Pair<T> & base,
  const Handle<T> (&handles)[joints], T * qdd) noexcept
{
  Pair<T> changes[joints], carried = base;
  for (int i = 0; i < joints; ++i)
  {
    const int before = tree.link[i] - 1;
    if (before != i - 1)
    {
      carried = before < 0 ? base : changes[before];
    }
    const Row<T> w = carried.n, v = carried.f + cross(w, row(at<T>(links.offset, i)));
    const Handle<T> & handle = handles[i];
    const T own = handle.change - dot(handle.along, carried);
    const Row<T> gained = row(at<T>(links.pose + 6, i)) * own;
    qdd[tree.coordinate[i]] = own;
    const bool turns = tree.turns[i] != 0;
    carried = {turns ? w + gained : w, turns ? v : v + gained};
    changes[i] = carried;
  }
}

/// The inertia as a matrix, angular first.
template <typename T>
static void put_articulated(const Articulated<T> & body, T (&matrix)[6][6]) noexcept
{
  const Matrix<T> below = transposed(body.B);
  const Row<T> rows[6][2] = {{body.J.x, body.B.x}, {body.J.y, body.B.y}, {body.J.z, body.B.z},
                             {below.x, body.M.x},  {below.y, body.M.y},  {below.z, body.M.z}};
  for (int i = 0; i < 6; ++i)
  {
    put(triple(rows[i][0]), triple(rows[i][1]), matrix[i]);
  }
}

}  // namespace tree

/// The motion that joint forces give a robot on a fixed base (articulated-body algorithm).
template <typename T, int joints, typename Outside>
static void forward_dynamics_of(
  const Tree<joints> & robot, const T * q, const T * qd, const T * tau, const T * gravity,
  const Outside & outside, T * qdd) noexcept
{
  tree::Links<T, joints> links;
  tree::Flow<T, joints> flow;
  tree::Handle<T> handles[joints];
  tree::Articulated<T> base;
  const tree::Triple<T> none = tree::zero<T>(), g{gravity[0], gravity[1], gravity[2]};
  tree::find_bias(robot, q, {none, none, none - g}, qd, outside, links, flow);
  tree::Pair<T> force;
  tree::remove_joints<false>(robot, links, flow, tau, base, force, handles);
  tree::find_accelerations(robot, links, {tree::row(none), tree::row(none)}, handles, qdd);
}

/// The motion that joint forces give a robot on a floating base (Featherstone 2008, table 9.4).
///
/// It starts where the acceleration of the base's origin, as a point, is gravity's.
template <typename T, int joints, typename Outside>
static void forward_dynamics_of(
  const Tree<joints> & robot, const T * q, const T * qd, const T * tau, const T * base_velocity,
  const T * gravity, const Outside & outside, T * qdd, T * base_acceleration) noexcept
{
  tree::Links<T, joints> links;
  tree::Flow<T, joints> flow;
  tree::Handle<T> handles[joints];
  const tree::Triple<T> none = tree::zero<T>(), w = tree::angular(base_velocity);
  const tree::Wrench<T> bias = tree::find_bias(robot, q, {w, none, none}, qd, outside, links, flow);
  tree::Pair<T> force{tree::row(bias.n), tree::row(bias.f)};
  T base_inertia[inertia_size], matrix[6][6];
  tree::copy_base(robot, base_inertia);
  auto base = tree::articulated(
    base_inertia[0], tree::Triple<T>{base_inertia[1], base_inertia[2], base_inertia[3]},
    tree::Triple<T>{base_inertia[4], base_inertia[5], base_inertia[6]},
    tree::Triple<T>{base_inertia[7], base_inertia[8], base_inertia[9]});
  tree::remove_joints<true>(robot, links, flow, tau, base, force, handles);
  tree::put_articulated(base, matrix);
  tree::put(none - tree::triple(force.n), none - tree::triple(force.f), base_acceleration);
  tree::solve(matrix, base_acceleration);
  const tree::Triple<T> wd = tree::angular(base_acceleration), a = tree::linear(base_acceleration);
  tree::find_accelerations(robot, links, {tree::row(wd), tree::row(a)}, handles, qdd);
  const tree::Triple<T> g{gravity[0], gravity[1], gravity[2]};
  tree::put(wd, a + cross(tree::linear(base_velocity), w) + g, base_acceleration);
}

/// Joint forces less what friction takes of them.
template <typename T, int joints>
static void take_friction(
  const Friction<joints> & friction, const T * qd, const T * tau, T (&rest)[joints]) noexcept
{
  for (int i = 0; i < joints; ++i)
  {
    rest[i] = tau[i] - friction_of(friction, qd, i);
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__FORWARD_DYNAMICS_HPP_
