/// \file
/// First moments of mass of a robot with many joints, by loops over a table.
#ifndef ROBCOGEN_ROS__TREE__MOMENTS_HPP_
#define ROBCOGEN_ROS__TREE__MOMENTS_HPP_

#include "robcogen_ros/tree/links.hpp"

namespace robcogen_ros::tree
{

/// What the joints move, an entry for each joint in a row.
template <typename T, int joints>
struct Moments
{
  static constexpr int size = row_size<T>(joints);
  /// Pose of the link on the one before: columns of the rotation, position.
  T pose[12][size];
  /// First moment, in the link's coordinates.
  T moment[3][size];
  /// That of all links, in the base's coordinates.
  Triple<T> whole;
};

/// The first moments of what the joints move, at a position of the robot.
///
/// What the next joint needs is kept at hand: from memory it would come later.
template <typename T, int joints>
static void find_moments(
  const Tree<joints> & tree, const T * q, Moments<T, joints> & moments) noexcept
{
  take_steps<T>(tree, q, moments.pose);
  for (int i = 0; i < joints; i += width<T>)
  {
    write<T>(read<T>(tree.inertia + 1, i), moments.moment, i);
  }
  const auto * const pose = moments.pose;
  Triple<T> h = zero<T>(), base{T(tree.base[1]), T(tree.base[2]), T(tree.base[3])};
  for (int i = joints; i-- > 0;)
  {
    const int before = tree.link[i] - 1;
    h = h + at<T>(moments.moment, i);
    set(h, moments.moment, i);
    const Triple<T> lever = at<T>(pose + 9, i) * T(tree.mass[i]);
    h = at<T>(pose, i) * h.x + at<T>(pose + 3, i) * h.y + (at<T>(pose + 6, i) * h.z + lever);
    if (before == i - 1)
    {
      continue;
    }
    if (before < 0)
    {
      base = base + h;
    }
    else
    {
      set(at<T>(moments.moment, before) + h, moments.moment, before);
    }
    h = zero<T>();
  }
  moments.whole = base + h;
}

}  // namespace robcogen_ros::tree

#endif  // ROBCOGEN_ROS__TREE__MOMENTS_HPP_
