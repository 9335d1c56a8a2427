/// \file
/// What the derivatives of the inverse dynamics of a robot with many joints are made of
/// (S. Singh, R. Russell, P. Wensing, Efficient analytical derivatives of rigid-body dynamics using
/// spatial vector algebra, IEEE Robotics and Automation Letters, 2022).
///
/// Motions and forces of pairs of joints are about the base's origin, inertias about the joints'.
#ifndef ROBCOGEN_ROS__TREE__SLOPES_HPP_
#define ROBCOGEN_ROS__TREE__SLOPES_HPP_

#include "robcogen_ros/tree/inertia_matrix.hpp"
#include "robcogen_ros/tree/inverse_dynamics.hpp"
#include "robcogen_ros/tree/moving.hpp"

namespace robcogen_ros::tree
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
[[gnu::noinline]] static void find_rates(
  const Tree<joints> & tree, const Links<T, joints> & links, const Columns<T, joints> & columns,
  const Twist<T> & base, const JointNumbers<T, joints> & rates, Slopes<T, joints> & slopes) noexcept
{
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
[[gnu::noinline]] static void find_changes(
  const Tree<joints> & tree, const Columns<T, joints> & columns, const Twist<T> & base,
  const JointNumbers<T, joints> & rates, const JointNumbers<T, joints> & changes,
  Slopes<T, joints> & slopes) noexcept
{
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
[[gnu::noinline]] static void find_slopes(
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

}  // namespace robcogen_ros::tree

#endif  // ROBCOGEN_ROS__TREE__SLOPES_HPP_
