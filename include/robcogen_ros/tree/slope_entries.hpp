/// \file
/// The entries of the derivatives of the inverse dynamics of a robot with many joints.
#ifndef ROBCOGEN_ROS__TREE__SLOPE_ENTRIES_HPP_
#define ROBCOGEN_ROS__TREE__SLOPE_ENTRIES_HPP_

#include <algorithm>

#include "robcogen_ros/tree/slopes.hpp"

namespace robcogen_ros::tree
{

/// A matrix with as many rows as columns, column by column.
template <typename T>
struct Square
{
  T * entries;
  int rows;

  T & at(int row, int column) const noexcept { return entries[column * rows + row]; }
};

/// The derivatives of the joints' forces by positions, velocities and accelerations of the joints,
/// one after the other.
template <int rows, typename T, int joints>
static void put_slopes(
  const Tree<joints> & tree, const Columns<T, joints> & columns, const Slopes<T, joints> & slopes,
  T * by_q, T * by_qd, T * H) noexcept
{
  const Square<T> positions{by_q, rows}, velocities{by_qd, rows};
  const T two(2.0);
  for (int j = 0; j < joints; ++j)
  {
    const int column = tree.coordinate[j];
    std::fill_n(&positions.at(0, column), joints, T(0));
    std::fill_n(&velocities.at(0, column), joints, T(0));
  }
  for (int j = 0; j < joints; ++j)
  {
    const int column = tree.coordinate[j];
    for (int i = j; i < tree.end[j]; ++i)
    {
      const int row = tree.coordinate[i];
      const Triple<T> turning = at<T>(slopes.turning, i);
      positions.at(column, row) = products(columns.motion, j, slopes.by_position, i);
      velocities.at(column, row) = products(columns.motion, j, slopes.by_velocity, i);
      positions.at(row, column) =
        dot(at<T>(slopes.rate, j), turning) + products(slopes.change, j, columns.force, i);
      velocities.at(row, column) =
        dot(at<T>(columns.motion, j), turning) + two * products(slopes.rate, j, columns.force, i);
    }
  }
  find_entries<rows>(tree, columns, H);
}

/// Entries of the same place in the derivatives by positions, by velocities and by accelerations.
template <typename N>
struct Entries
{
  N position, velocity, inertia;

  /// Those where a number is above a limit, and zero for others.
  [[gnu::always_inline]] Entries where(const N & number, const N & limit) const noexcept
  {
    return {
      above(number, limit, position), above(number, limit, velocity),
      above(number, limit, inertia)};
  }

  [[gnu::always_inline]] friend Entries operator+(const Entries & a, const Entries & b) noexcept
  {
    return {a.position + b.position, a.velocity + b.velocity, a.inertia + b.inertia};
  }
};

/// Goes through the columns of a pack of joints: those of joints that carry its first one, the
/// outermost last; its own; those up to the last that it carries. Those of the rest, in which the
/// pack has no entries, are given as stretches.
template <int joints, typename Carrying, typename Among, typename Carried, typename Apart>
[[gnu::always_inline]] static inline void pass_columns(
  const Tree<joints> & tree, int pack, const Carrying & carrying, const Among & among,
  const Carried & carried, const Apart & apart) noexcept
{
  int next = pack;
  for (int i = tree.link[pack] - 1; i >= 0; i = tree.link[i] - 1)
  {
    apart(i + 1, next);
    carrying(i);
    next = i;
  }
  apart(0, next);
  const int beyond = std::min(pack + widest_pack, joints);
  double reach = beyond;
  for (int i = pack; i < beyond; ++i)
  {
    reach = std::max(reach, tree.end[i]);
    among(i);
  }
  const int end = static_cast<int>(reach);
  for (int i = beyond; i < end; ++i)
  {
    carried(i);
  }
  apart(end, joints);
}

/// The same, rows of several joints at once. Packs that reach into the next column come before what
/// belongs there.
template <int rows, int joints>
static void put_slopes(
  const Tree<joints> & tree, const Columns<double, joints> & columns,
  const Slopes<double, joints> & slopes, double * by_q, double * by_qd, double * H) noexcept
{
  using Pack = Numbers<double>;
  const Block<joints, rows> positions{tree, by_q}, velocities{tree, by_qd}, inertias{tree, H};
  for (int k = (joints - 1) / widest_pack * widest_pack; k >= 0; k -= widest_pack)
  {
    Pack motion[6], force[6];
    for (int row = 0; row < 6; ++row)
    {
      motion[row] = read<double>(columns.motion[row] + k);
      force[row] = read<double>(columns.force[row] + k);
    }
    const Vectors<double> turning = read<double>(slopes.turning, k);
    const Pack joint = read<double>(tree.joint + k), end = read<double>(tree.end + k);
    const auto put = [&](const Entries<Pack> & entries, int i)
    {
      positions.put(entries.position, k, i);
      velocities.put(entries.velocity, k, i);
      inertias.put(entries.inertia, k, i);
    };
    const auto turned = [&](const auto & row, int i)
    { return row[0][i] * turning.x + row[1][i] * turning.y + row[2][i] * turning.z; };
    const auto below = [&](int i)
    {
      const Entries<Pack> all{
        turned(slopes.rate, i) + products(slopes.change, i, force),
        turned(columns.motion, i) + 2.0 * products(slopes.rate, i, force),
        products(columns.motion, i, force)};
      return all.where(tree.end[i], joint);
    };
    const auto beside = [&](int i)
    {
      const Entries<Pack> all{
        products(slopes.by_position, i, motion), products(slopes.by_velocity, i, motion),
        products(columns.force, i, motion)};
      return all.where(end, tree.joint[i]);
    };
    const auto among = [&](int i)
    {
      Entries<Pack> all =
        below(i).where(joint, tree.joint[i] - 1.0) + beside(i).where(tree.joint[i], joint);
      all.inertia.set(i - k, columns.diagonal[i]);
      put(all, i);
    };
    pass_columns(
      tree, k, [&](int i) { put(below(i), i); }, among, [&](int i) { put(beside(i), i); },
      [&](int first, int last)
      {
        for (int i = first; i < last; ++i)
        {
          put({0.0, 0.0, 0.0}, i);
        }
      });
  }
}

/// The derivatives of a floating base's wrench by its own motion, along its six axes at once.
template <typename T>
static void put_slopes_of_base_itself(
  const T (&whole)[inertia_size], const Moving<T> & mass, const Twist<T> & velocity,
  const Triple<T> & g, const Square<T> & by_q, const Square<T> & by_qd) noexcept
{
  static constexpr double unit[6][8] = {
    {1.0},
    {0.0, 1.0},
    {0.0, 0.0, 1.0},
    {0.0, 0.0, 0.0, 1.0},
    {0.0, 0.0, 0.0, 0.0, 1.0},
    {0.0, 0.0, 0.0, 0.0, 0.0, 1.0}};
  const Numbers<T> m(whole[0]), two(2.0);
  const Vectors<T> h = same<T>({whole[1], whole[2], whole[3]});
  const Vectors<T> top = same<T>({whole[4], whole[5], whole[6]});
  const Vectors<T> rest = same<T>({whole[7], whole[8], whole[9]});
  const Moving<Numbers<T>> moved{
    same<T>(mass.momentum), same<T>(mass.x), same<T>(mass.y), same<T>(mass.z)};
  const Twist<Numbers<T>> before{same<T>(velocity.w), same<T>(velocity.v)};
  T position[6][8], motion[6][8];
  for (int i = 0; i < 6; i += width<T>)
  {
    const Twist<Numbers<T>> own{read<T>(unit, i), read<T>(unit + 3, i)}, rate = cross(before, own);
    const Vectors<T> pull = cross(own.w, same<T>(g));
    write_wrench<T>(rigid_force(m, h, top, rest, zero<Numbers<T>>(), pull), position, i);
    const auto turned = moved.turned(own.w);
    const auto dragged = rigid_force(m, h, top, rest, rate.w, rate.v);
    write_wrench<T>({turned.n * two + dragged.n, turned.f * two + dragged.f}, motion, i);
  }
  for (int k = 0; k < 6; ++k)
  {
    for (int row = 0; row < 6; ++row)
    {
      by_q.at(row, k) = position[row][k];
      by_qd.at(row, k) = motion[row][k];
    }
  }
}

/// The derivatives of a floating base's wrench, and those by the base's motion.
template <typename T, int joints>
static void put_slopes_of_base(
  const Tree<joints> & tree, const Columns<T, joints> & columns, const Slopes<T, joints> & slopes,
  const Twist<T> & velocity, const Triple<T> & g, const Square<T> & by_q,
  const Square<T> & by_qd) noexcept
{
  T position[6][row_size<T>(joints)], motion[6][row_size<T>(joints)];
  const Vectors<T> w = same<T>(velocity.w), v = same<T>(velocity.v), pull = same<T>(g);
  for (int i = 0; i < joints; i += width<T>)
  {
    const Vectors<T> n = read<T>(columns.force, i), f = read<T>(columns.force + 3, i);
    const Vectors<T> turning = read<T>(slopes.turning, i);
    write_wrench<T>({cross(pull, f), zero<Numbers<T>>()}, position, i);
    write_wrench<T>({turning + cross(n, w) + cross(f, v), cross(f, w)}, motion, i);
  }
  put_rows_of_base(tree, slopes.by_position, by_q.entries, by_q.rows);
  put_rows_of_base(tree, slopes.by_velocity, by_qd.entries, by_qd.rows);
  put_columns_of_base(tree, position, by_q.entries, by_q.rows);
  put_columns_of_base(tree, motion, by_qd.entries, by_qd.rows);
}

}  // namespace robcogen_ros::tree

#endif  // ROBCOGEN_ROS__TREE__SLOPE_ENTRIES_HPP_
