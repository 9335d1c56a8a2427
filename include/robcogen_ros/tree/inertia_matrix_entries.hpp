/// \file
/// The entries of the inertia matrix of a robot with many joints that are not always zero, by loops
/// over a table.
#ifndef ROBCOGEN_ROS__TREE__INERTIA_MATRIX_ENTRIES_HPP_
#define ROBCOGEN_ROS__TREE__INERTIA_MATRIX_ENTRIES_HPP_

#include "robcogen_ros/tree/inertia_matrix.hpp"

namespace robcogen_ros
{
namespace tree
{

/// Where the entries of each coordinate's column end, of coordinates that come after those of the
/// joints that carry theirs: a column has the coordinates of a floating base, of the joints that
/// carry its own, and itself.
template <int first, int joints>
static void find_ends(const Tree<joints> & tree, int (&ends)[joints]) noexcept
{
  int before[joints + 1] = {first};
  for (int i = 0; i < joints; ++i)
  {
    before[i + 1] = before[tree.link[i]] + 1;
    ends[tree.coordinate[i]] = before[i + 1];
  }
  int end = first * (first + 1) / 2;
  for (int & each : ends)
  {
    end += each;
    each = end;
  }
}

/// The column of a joint, from the diagonal upwards: what its unit acceleration takes of those that
/// carry it. All joints before it are taken at once, and those that carry it picked.
template <bool floating_base, typename T, int joints>
static void put_column(
  const Tree<joints> & tree, const Columns<T, joints> & columns, int joint, T * end) noexcept
{
  T all[row_size<T>(joints)];
  for (int i = 0; i < joint; i += width<T>)
  {
    Numbers<T> motion[6];
    for (int k = 0; k < 6; ++k)
    {
      motion[k] = read<T>(columns.motion[k] + i);
    }
    write<T>(products(columns.force, joint, motion), all + i);
  }
  *--end = columns.diagonal[joint];
  for (int link = tree.link[joint]; link > 0; link = tree.link[link - 1])
  {
    *--end = all[link - 1];
  }
  if constexpr (floating_base)
  {
    for (int k = 6; k-- > 0;)
    {
      *--end = columns.force[k][joint];
    }
  }
}

}  // namespace tree

/// The upper triangle of the joint-space inertia matrix without what is always zero, column by
/// column; of a floating base with six rows and columns for the base before those of the joints.
template <bool floating_base, typename T, int joints>
static void inertia_matrix_entries_of(const Tree<joints> & robot, const T * q, T * entries) noexcept
{
  tree::Links<T, joints> links;
  tree::Columns<T, joints> columns;
  T base[inertia_size];
  int ends[joints];
  tree::copy_base(robot, base);
  tree::find_links(robot, q, links);
  tree::gather_inertias(robot, links, base);
  tree::find_columns(robot, links, columns);
  tree::find_ends<floating_base ? 6 : 0>(robot, ends);
  for (int i = 0; i < joints; ++i)
  {
    tree::put_column<floating_base>(robot, columns, i, entries + ends[robot.coordinate[i]]);
  }
  if constexpr (floating_base)
  {
    T whole[6][6];
    tree::put_rigid(base, whole);
    for (int k = 0, place = 0; k < 6; place += ++k)
    {
      std::copy_n(whole[k], k + 1, entries + place);
    }
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__INERTIA_MATRIX_ENTRIES_HPP_
