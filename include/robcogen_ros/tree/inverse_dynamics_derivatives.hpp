/// \file
/// The derivatives of the inverse dynamics of a robot with many joints, by loops over a table
/// (S. Singh, R. Russell, P. Wensing, Efficient analytical derivatives of rigid-body dynamics using
/// spatial vector algebra, IEEE Robotics and Automation Letters, 2022).
///
/// Motions and forces of pairs of joints are about the base's origin, inertias about the joints'.
#ifndef ROBCOGEN_ROS__TREE__INVERSE_DYNAMICS_DERIVATIVES_HPP_
#define ROBCOGEN_ROS__TREE__INVERSE_DYNAMICS_DERIVATIVES_HPP_

#include <algorithm>
#include <cstddef>

#include "robcogen_ros/tree/inertia_matrix.hpp"
#include "robcogen_ros/tree/inverse_dynamics.hpp"
#include "robcogen_ros/tree/moving.hpp"

namespace robcogen_ros
{
namespace tree
{

/// What derivatives are made of, an entry for each joint in a row.
template <typename T, int joints>
struct Slopes
{
  static constexpr int size = row_size<T>(joints);
  /// Motion of the link, and of that before; at first velocities, then accelerations.
  T motion[6][size];
  T before[6][size];
  /// First and second rate of the joint's unit motion, as the link before carries it.
  T rate[6][size];
  T change[6][size];
  /// Momentum, and columns of velocities times positions about the joint's origin, of what the
  /// joint moves.
  T moving[12][size];
  /// What an angular motion of all that the joint moves takes of the joint.
  T turning[3][size];
  /// What positions and velocities of the joint take of the joints that carry it.
  T by_position[6][size];
  T by_velocity[6][size];
};

template <typename T, typename Row>
[[gnu::always_inline]] static inline Twist<Numbers<T>> read_twist(const Row * rows, int i) noexcept
{
  return {read<T>(rows, i), read<T>(rows + 3, i)};
}

template <typename T, typename Row>
[[gnu::always_inline]] static inline void write_twist(
  const Twist<Numbers<T>> & twist, Row * rows, int i) noexcept
{
  write<T>(twist.w, rows, i);
  write<T>(twist.v, rows + 3, i);
}

template <typename T, typename Row>
[[gnu::always_inline]] static inline void write_wrench(
  const Wrench<Numbers<T>> & wrench, Row * rows, int i) noexcept
{
  write<T>(wrench.n, rows, i);
  write<T>(wrench.f, rows + 3, i);
}

/// The motion of each joint, of a unit rate.
template <typename T, int joints>
static void find_unit_motions(
  const Tree<joints> & tree, const Links<T, joints> & links, Columns<T, joints> & columns) noexcept
{
  for (int i = 0; i < joints; i += width<T>)
  {
    const Vectors<T> axis = read<T>(links.pose + 6, i), w = axis * read<T>(tree.turns + i);
    const Twist<Numbers<T>> own{w, axis - w};
    write_twist<T>(own.about(zero<Numbers<T>>() - read<T>(links.pose + 9, i)), columns.motion, i);
  }
}

/// Velocities of the links, and the rates of the joints' motions.
template <typename T, int joints>
static void find_rates(
  const Tree<joints> & tree, const Links<T, joints> & links, const Columns<T, joints> & columns,
  const Twist<T> & base, const T * qd, Slopes<T, joints> & slopes) noexcept
{
  const JointNumbers<T, joints> rates(tree, qd);
  const auto w = [&](int i) { return read<T>(columns.motion, i) * rates(i); };
  const auto v = [&](int i) { return read<T>(columns.motion + 3, i) * rates(i); };
  accumulate(tree, base.w, w, slopes.motion, slopes.before);
  accumulate(tree, base.v, v, slopes.motion + 3, slopes.before + 3);
  for (int i = 0; i < joints; i += width<T>)
  {
    const auto velocity = read_twist<T>(slopes.motion, i), before = read_twist<T>(slopes.before, i);
    const auto rate = cross(before, read_twist<T>(columns.motion, i));
    write_twist<T>(rate, slopes.rate, i);
    write_twist<T>(cross(before, rate), slopes.change, i);
    const Moving<Numbers<T>> own = moving(
      read<T>(links.inertia[0] + i), read<T>(links.inertia + 1, i), read<T>(links.inertia + 4, i),
      read<T>(links.inertia + 7, i), velocity.about(read<T>(links.pose + 9, i)));
    write<T>(own.momentum, slopes.moving, i);
    write<T>(own.x, slopes.moving + 3, i);
    write<T>(own.y, slopes.moving + 6, i);
    write<T>(own.z, slopes.moving + 9, i);
  }
}

/// The second rates of the joints' motions, by accelerations of the links; gravity is one of the
/// base.
template <typename T, int joints>
static void find_changes(
  const Tree<joints> & tree, const Columns<T, joints> & columns, const Twist<T> & base,
  const T * qd, const T * qdd, Slopes<T, joints> & slopes) noexcept
{
  const JointNumbers<T, joints> rates(tree, qd), changes(tree, qdd);
  const auto change = [&](int row, int i) -> Vectors<T>
  {
    return read<T>(columns.motion + row, i) * changes(i) + read<T>(slopes.rate + row, i) * rates(i);
  };
  const auto wd = [&](int i) { return change(0, i); };
  const auto a = [&](int i) { return change(3, i); };
  accumulate(tree, base.w, wd, slopes.motion, slopes.before);
  accumulate(tree, base.v, a, slopes.motion + 3, slopes.before + 3);
  for (int i = 0; i < joints; i += width<T>)
  {
    const auto before = read_twist<T>(slopes.before, i);
    const auto carried = cross(before, read_twist<T>(columns.motion, i));
    write_twist<T>(read_twist<T>(slopes.change, i) + carried, slopes.change, i);
  }
}

/// The moving masses of all that each joint moves in place of its link's; those on the base are
/// added to the base's.
template <typename T, int joints>
static void gather_moving(
  const Tree<joints> & tree, const Links<T, joints> & links, Slopes<T, joints> & slopes,
  Moving<T> & base) noexcept
{
  auto * const rows = slopes.moving;
  for (int i = joints; i-- > 0;)
  {
    const int before = tree.link[i] - 1;
    const Moving<T> own{at<T>(rows, i), at<T>(rows + 3, i), at<T>(rows + 6, i), at<T>(rows + 9, i)};
    const Moving<T> add = own.shifted(at<T>(links.offset, i));
    if (before < 0)
    {
      base = {base.momentum + add.momentum, base.x + add.x, base.y + add.y, base.z + add.z};
      continue;
    }
    set(at<T>(rows, before) + add.momentum, rows, before);
    set(at<T>(rows + 3, before) + add.x, rows + 3, before);
    set(at<T>(rows + 6, before) + add.y, rows + 6, before);
    set(at<T>(rows + 9, before) + add.z, rows + 9, before);
  }
}

/// What motions of each joint take of those that carry it, and theirs of it; inertias, moving
/// masses and forces are those of all that the joint moves.
template <typename T, int joints>
static void find_slopes(
  const Tree<joints> & tree, const Links<T, joints> & links, const Flow<T, joints> & flow,
  Slopes<T, joints> & slopes) noexcept
{
  const Numbers<T> two(2.0);
  for (int i = 0; i < joints; i += width<T>)
  {
    const Vectors<T> axis = read<T>(links.pose + 6, i), p = read<T>(links.pose + 9, i);
    const Vectors<T> w = axis * read<T>(tree.turns + i), v = axis - w;
    const Moving<Numbers<T>> mass{
      read<T>(slopes.moving, i), read<T>(slopes.moving + 3, i), read<T>(slopes.moving + 6, i),
      read<T>(slopes.moving + 9, i)};
    const auto force_of = [&](const Twist<Numbers<T>> & a)
    {
      return rigid_force(
        read<T>(links.inertia[0] + i), read<T>(links.inertia + 1, i), read<T>(links.inertia + 4, i),
        read<T>(links.inertia + 7, i), a.w, a.v);
    };
    const auto put = [&](const Vectors<T> & n, const Vectors<T> & f, auto & rows)
    { write_wrench<T>({n + cross(p, f), f}, rows, i); };
    const auto rate = read_twist<T>(slopes.rate, i).about(p);
    const auto change = force_of(read_twist<T>(slopes.change, i).about(p));
    const auto carried = mass.turned(rate.w), own = mass.turned(w), dragged = force_of(rate);
    const Vectors<T> n = read<T>(flow.n, i), f = read<T>(flow.f, i);
    write<T>(mass.seen_from({w, v}) * two, slopes.turning, i);
    put(
      cross(w, n) + cross(v, f) + carried.n * two + change.n,
      cross(w, f) + carried.f * two + change.f, slopes.by_position);
    put((own.n + dragged.n) * two, (own.f + dragged.f) * two, slopes.by_velocity);
  }
}

/// A matrix with as many rows as columns, column by column.
template <typename T>
struct Square
{
  T * entries;
  int rows;

  T & at(int row, int column) const noexcept { return entries[column * rows + row]; }
};

/// The derivatives of the joints' forces by the joints' positions and velocities.
template <typename T, int joints>
static void put_slopes(
  const Tree<joints> & tree, const Columns<T, joints> & columns, const Slopes<T, joints> & slopes,
  int first, const Square<T> & by_q, const Square<T> & by_qd) noexcept
{
  constexpr int size = row_size<T>(joints);
  T below[2][size], beside[2][size];
  const Numbers<T> two(2.0);
  for (int j = 0; j < joints; ++j)
  {
    const int end = static_cast<int>(tree.end[j]), column = first + tree.coordinate[j];
    for (int i = j / width<T> * width<T>; i < end; i += width<T>)
    {
      Numbers<T> force[6], position[6], velocity[6];
      for (int k = 0; k < 6; ++k)
      {
        force[k] = read<T>(columns.force[k] + i);
        position[k] = read<T>(slopes.by_position[k] + i);
        velocity[k] = read<T>(slopes.by_velocity[k] + i);
      }
      const Vectors<T> turning = read<T>(slopes.turning, i);
      const auto turned = [&](const auto & rows)
      { return rows[0][j] * turning.x + rows[1][j] * turning.y + rows[2][j] * turning.z; };
      write<T>(turned(slopes.rate) + products(slopes.change, j, force), below[0] + i);
      write<T>(turned(columns.motion) + two * products(slopes.rate, j, force), below[1] + i);
      write<T>(products(columns.motion, j, position), beside[0] + i);
      write<T>(products(columns.motion, j, velocity), beside[1] + i);
    }
    for (int i = j; i < end; ++i)
    {
      const int row = first + tree.coordinate[i];
      by_q.at(column, row) = beside[0][i];
      by_qd.at(column, row) = beside[1][i];
      by_q.at(row, column) = below[0][i];
      by_qd.at(row, column) = below[1][i];
    }
  }
}

/// The derivatives of a floating base's wrench, and those by the base's motion.
template <typename T, int joints>
static void put_slopes_of_base(
  const Tree<joints> & tree, const Columns<T, joints> & columns, const Slopes<T, joints> & slopes,
  const T (&whole)[inertia_size], const Moving<T> & mass, const Twist<T> & velocity,
  const Triple<T> & g, const Square<T> & by_q, const Square<T> & by_qd) noexcept
{
  const T zero(0), two(2);
  for (int i = 0; i < joints; ++i)
  {
    const int row = 6 + tree.coordinate[i];
    const Triple<T> n = at<T>(columns.force, i), f = at<T>(columns.force + 3, i);
    T position[6], motion[6];
    put(cross(g, f), tree::zero<T>(), position);
    put(
      at<T>(slopes.turning, i) + cross(n, velocity.w) + cross(f, velocity.v), cross(f, velocity.w),
      motion);
    for (int k = 0; k < 6; ++k)
    {
      by_q.at(row, k) = position[k];
      by_qd.at(row, k) = motion[k];
      by_q.at(k, row) = slopes.by_position[k][i];
      by_qd.at(k, row) = slopes.by_velocity[k][i];
    }
  }
  const Triple<T> h{whole[1], whole[2], whole[3]}, top{whole[4], whole[5], whole[6]};
  const Triple<T> rest{whole[7], whole[8], whole[9]};
  for (int k = 0; k < 6; ++k)
  {
    T unit[6] = {zero, zero, zero, zero, zero, zero};
    unit[k] = T(1);
    const Twist<T> own{angular(unit), linear(unit)}, rate = cross(velocity, own);
    const auto seen = rigid_force(whole[0], h, top, rest, tree::zero<T>(), cross(own.w, g));
    const auto turned = mass.turned(own.w);
    const auto dragged = rigid_force(whole[0], h, top, rest, rate.w, rate.v);
    put(seen.n, seen.f, &by_q.at(0, k));
    put(turned.n * two + dragged.n, turned.f * two + dragged.f, &by_qd.at(0, k));
  }
}

/// The derivatives of joint forces, and of the wrench on a floating base, by positions, velocities
/// and accelerations.
template <bool floating_base, typename T, int joints, typename Outside>
static void differentiate(
  const Tree<joints> & tree, const T * q, const T * qd, const T * qdd, const Twist<T> & velocity,
  const Twist<T> & acceleration, const Triple<T> & g, const Outside & outside, T * dq, T * dqd,
  T * dqdd) noexcept
{
  constexpr int first = floating_base ? 6 : 0, rows = first + joints;
  std::fill_n(dq, rows * rows, T(0));
  std::fill_n(dqd, rows * rows, T(0));
  Links<T, joints> links;
  Flow<T, joints> flow;
  Columns<T, joints> columns;
  Slopes<T, joints> slopes;
  T whole[inertia_size], tau[joints];
  copy_base(tree, whole);
  const BodyMotion<T> base{
    velocity.w, acceleration.w, acceleration.v + cross(velocity.w, velocity.v) - g};
  newton_euler(tree, q, base, qd, qdd, outside, links, flow, tau);
  find_positions(tree, links);
  turn_inertias(tree, links);
  find_unit_motions(tree, links, columns);
  find_rates(tree, links, columns, velocity, qd, slopes);
  find_changes(tree, columns, Twist<T>{acceleration.w, acceleration.v - g}, qd, qdd, slopes);
  Moving<T> mass = moving(
    whole[0], Triple<T>{whole[1], whole[2], whole[3]}, Triple<T>{whole[4], whole[5], whole[6]},
    Triple<T>{whole[7], whole[8], whole[9]}, velocity);
  gather_moving(tree, links, slopes, mass);
  gather_inertias(tree, links, whole);
  find_columns(tree, links, columns);
  find_slopes(tree, links, flow, slopes);
  const Square<T> by_q{dq, rows}, by_qd{dqd, rows};
  put_slopes(tree, columns, slopes, first, by_q, by_qd);
  find_entries<rows>(tree, columns, dqdd + first * (rows + 1));
  if constexpr (floating_base)
  {
    put_base(tree, columns, whole, dqdd);
    put_slopes_of_base(tree, columns, slopes, whole, mass, velocity, g, by_q, by_qd);
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
