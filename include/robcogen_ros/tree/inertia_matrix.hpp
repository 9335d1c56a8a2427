/// \file
/// The inertia matrix of a robot with many joints, by loops over a table.
#ifndef ROBCOGEN_ROS__TREE__INERTIA_MATRIX_HPP_
#define ROBCOGEN_ROS__TREE__INERTIA_MATRIX_HPP_

#include <algorithm>

#include "robcogen_ros/simd/transpose.hpp"
#include "robcogen_ros/tree/links.hpp"
#include "robcogen_ros/tree/solve.hpp"

namespace robcogen_ros
{
namespace tree
{

/// What the joints' motions take, an entry for each joint in a row.
template <typename T, int joints>
struct Columns
{
  static constexpr int size = row_size<T>(joints);
  /// Motion of a unit rate, and the force that a unit acceleration takes, about the base's origin.
  T motion[6][size];
  T force[6][size];
  /// What a unit acceleration takes of the joint itself.
  T diagonal[size];
};

/// The motion of each joint, and the force that it takes.
template <typename T, int joints>
static void find_columns(
  const Tree<joints> & tree, const Links<T, joints> & links, Columns<T, joints> & columns) noexcept
{
  for (int i = 0; i < joints; i += width<T>)
  {
    const Vectors<T> axis = read<T>(links.pose + 6, i), p = read<T>(links.pose + 9, i);
    const Vectors<T> h = read<T>(links.inertia + 1, i);
    const Vectors<T> top = read<T>(links.inertia + 4, i), rest = read<T>(links.inertia + 7, i);
    const Vectors<T> w = axis * read<T>(tree.turns + i), v = axis - w;
    const Vectors<T> f = plus_cross(v * read<T>(links.inertia[0] + i), w, h);
    const Vectors<T> n = plus_cross(product(top, rest, w), h, v);
    write<T>(w, columns.motion, i);
    write<T>(plus_cross(v, p, w), columns.motion + 3, i);
    write<T>(plus_cross(n, p, f), columns.force, i);
    write<T>(f, columns.force + 3, i);
    const Numbers<T> own = dot(w, n) + dot(v, f) + read<T>(tree.armature + i);
    write<T>(own, columns.diagonal + i);
  }
}

/// The products of one joint's motion or force with the forces or motions of several.
template <typename Row, typename Other>
[[gnu::always_inline]] static inline Other products(
  const Row * rows, int i, const Other (&others)[6]) noexcept
{
  Other sum = rows[0][i] * others[0];
  for (int k = 1; k < 6; ++k)
  {
    sum = sum + rows[k][i] * others[k];
  }
  return sum;
}

/// The product of one joint's motion or force with another's force or motion.
template <typename T, int size>
[[gnu::always_inline]] static inline T products(
  const T (&rows)[6][size], int i, const T (&others)[6][size], int j) noexcept
{
  T sum = rows[0][i] * others[0][j];
  for (int k = 1; k < 6; ++k)
  {
    sum = sum + rows[k][i] * others[k][j];
  }
  return sum;
}

/// The place of a matrix where entries go.
template <int joints, int rows>
struct Block
{
  const Tree<joints> & tree;
  double * H;
  /// Where joints are not numbered as in q, or a pack would go beyond the end, one by one.
  [[gnu::always_inline]] void put(
    const Numbers<double> & entries, int row, int column) const noexcept
  {
    if (tree.in_order && (row + widest_pack <= joints || column + 1 < joints))
    {
      entries.write(H + column * rows + row);
      return;
    }
    for (int k = row; k < std::min(row + widest_pack, joints); ++k)
    {
      H[tree.coordinate[column] * rows + tree.coordinate[k]] = entries[k - row];
    }
  }
};

/// The entries of all joints. Packs that reach into the next column come before what belongs there.
template <int rows, int joints>
static void find_entries(
  const Tree<joints> & tree, const Columns<double, joints> & columns, double * H) noexcept
{
  static_assert(joints >= 8, "fewer are straight-line code");
  const Block<joints, rows> block{tree, H};
  for (int k = (joints - 1) / widest_pack * widest_pack; k >= 0; k -= widest_pack)
  {
    Numbers<double> motion[6], force[6];
    for (int row = 0; row < 6; ++row)
    {
      motion[row] = read<double>(columns.motion[row] + k);
      force[row] = read<double>(columns.force[row] + k);
    }
    const auto joint = read<double>(tree.joint + k), end = read<double>(tree.end + k);
    const int beyond = std::min(k + widest_pack, joints);
    for (int i = 0; i < k; ++i)
    {
      block.put(above(tree.end[i], joint, products(columns.motion, i, force)), k, i);
    }
    for (int i = k; i < beyond; ++i)
    {
      const auto below = above(tree.end[i], joint, products(columns.motion, i, force));
      const auto upper = above(end, tree.joint[i], products(columns.force, i, motion));
      auto entries = above(joint, tree.joint[i], below);
      entries = entries + above(tree.joint[i], joint, upper);
      entries.set(i - k, columns.diagonal[i]);
      block.put(entries, k, i);
    }
    for (int i = beyond; i < joints; ++i)
    {
      block.put(above(end, tree.joint[i], products(columns.force, i, motion)), k, i);
    }
  }
}

/// The entries of all joints, one after the other.
template <int rows, typename T, int joints>
static void find_entries(
  const Tree<joints> & tree, const Columns<T, joints> & columns, T * H) noexcept
{
  for (int column = 0; column < joints; ++column)
  {
    const int j = tree.coordinate[column];
    T motion[6];
    for (int k = 0; k < 6; ++k)
    {
      motion[k] = columns.motion[k][column];
    }
    H[j * rows + j] = columns.diagonal[column];
    for (int row = column + 1; row < joints; ++row)
    {
      const int i = tree.coordinate[row];
      H[j * rows + i] = H[i * rows + j] =
        row < tree.end[column] ? products(columns.force, row, motion) : T(0);
    }
  }
}

/// Six numbers of each joint of a pack, one below the other.
template <int size>
[[gnu::always_inline]] static inline void put_across(
  const double (&numbers)[6][size], int pack, double * place, int stride) noexcept
{
  using Across = robcogen_ros::Block<widest_pack>;
  if constexpr (Across::width > 0)
  {
    Pack<widest_pack> rows[6];
    for (int k = 0; k < 6; ++k)
    {
      rows[k] = read<double>(numbers[k] + pack);
    }
    for (int first = 0; first + static_cast<int>(Across::width) <= 6; first += 2)
    {
      const Pack<widest_pack> * some[Across::width];
      for (std::size_t k = 0; k < Across::width; ++k)
      {
        some[k] = &rows[first + k];
      }
      Across::store(some, place + first, stride);
    }
  }
}

/// The rows of a floating base in the columns of the joints, of a matrix with so many rows.
template <typename T, int joints, int size>
static void put_rows_of_base(
  const Tree<joints> & tree, const T (&numbers)[6][size], T * matrix, int rows) noexcept
{
  T * const place = matrix + 6 * rows;
  int i = 0;
  if constexpr (std::is_same_v<T, double>)
  {
    using Across = robcogen_ros::Block<widest_pack>;
    for (; Across::width > 0 && tree.in_order && i + widest_pack <= joints; i += widest_pack)
    {
      put_across(numbers, i, place + i * rows, rows);
    }
  }
  for (; i < joints; ++i)
  {
    for (int k = 0; k < 6; ++k)
    {
      place[tree.coordinate[i] * rows + k] = numbers[k][i];
    }
  }
}

/// The columns of a floating base in the rows of the joints.
template <typename T, int joints, int size>
static void put_columns_of_base(
  const Tree<joints> & tree, const T (&numbers)[6][size], T * matrix, int rows) noexcept
{
  for (int k = 0; k < 6; ++k)
  {
    T * const place = matrix + k * rows + 6;
    if (tree.in_order)
    {
      std::copy_n(numbers[k], joints, place);
      continue;
    }
    for (int i = 0; i < joints; ++i)
    {
      place[tree.coordinate[i]] = numbers[k][i];
    }
  }
}

/// The rows and columns of a floating base.
template <typename T, int joints>
static void put_base(
  const Tree<joints> & tree, const Columns<T, joints> & columns, const T (&inertia)[inertia_size],
  T * H) noexcept
{
  constexpr int rows = 6 + joints;
  T whole[6][6];
  put_rigid(inertia, whole);
  for (int k = 0; k < 6; ++k)
  {
    std::copy_n(whole[k], 6, H + k * rows);
  }
  put_rows_of_base(tree, columns.force, H, rows);
  put_columns_of_base(tree, columns.force, H, rows);
}

}  // namespace tree

/// The joint-space inertia matrix, column-major; of a floating base with six rows and columns for
/// the base before those of the joints.
template <bool floating_base, typename T, int joints>
static void inertia_matrix_of(const Tree<joints> & robot, const T * q, T * H) noexcept
{
  constexpr int first = floating_base ? 6 : 0, rows = first + joints;
  tree::Links<T, joints> links;
  tree::Columns<T, joints> columns;
  T base[inertia_size];
  tree::copy_base(robot, base);
  tree::find_links(robot, q, links);
  tree::gather_inertias(robot, links, base);
  tree::find_columns(robot, links, columns);
  tree::find_entries<rows>(robot, columns, H + first * (rows + 1));
  if constexpr (floating_base)
  {
    tree::put_base(robot, columns, base, H);
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__INERTIA_MATRIX_HPP_
