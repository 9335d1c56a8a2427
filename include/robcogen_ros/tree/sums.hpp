/// \file
/// Sums of vectors along a tree: over the joints that carry each joint, and over those that it
/// carries.
#ifndef ROBCOGEN_ROS__TREE__SUMS_HPP_
#define ROBCOGEN_ROS__TREE__SUMS_HPP_

#include "robcogen_ros/tree/joint_vectors.hpp"

namespace robcogen_ros::tree
{

/// What each link has, of what it has more than the one before: its rows; and what the one before
/// has, unless that is null.
///
/// What the next joint needs is kept at hand: from memory it would come later.
///
/// \param more what so many links have more, from a joint on
template <typename T, int joints, typename More, int size>
static void accumulate(
  const Tree<joints> & tree, const Triple<T> & base, const More & more, T (*rows)[size],
  T (*before)[size] = nullptr) noexcept
{
  for (int i = 0; i < joints; i += width<T>)
  {
    write<T>(more(i), rows, i);
  }
  Triple<T> carried = base;
  for (int i = 0; i < joints; ++i)
  {
    const int link = tree.link[i] - 1;
    if (link != i - 1)
    {
      carried = link < 0 ? base : at<T>(rows, link);
    }
    if (before != nullptr)
    {
      set(carried, before, i);
    }
    carried = carried + at<T>(rows, i);
    set(carried, rows, i);
  }
}

/// What each joint carries, from the outermost on: its rows and, handed on besides, others.
template <bool besides, typename T, int joints, int size>
[[gnu::always_inline]] static inline Triple<T> gather(
  const Tree<joints> & tree, Triple<T> base, T (*rows)[size], const T (*others)[size]) noexcept
{
  Triple<T> carried = zero<T>();
  for (int i = joints; i-- > 0;)
  {
    const int before = tree.link[i] - 1;
    carried = carried + at<T>(rows, i);
    set(carried, rows, i);
    if constexpr (besides)
    {
      carried = carried + at<T>(others, i);
    }
    if (before == i - 1)
    {
      continue;
    }
    if (before < 0)
    {
      base = base + carried;
    }
    else
    {
      set(at<T>(rows, before) + carried, rows, before);
    }
    carried = zero<T>();
  }
  return base + carried;
}

}  // namespace robcogen_ros::tree

#endif  // ROBCOGEN_ROS__TREE__SUMS_HPP_
