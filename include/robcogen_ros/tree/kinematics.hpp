/// \file
/// Poses of the frames and axes of the joints of a robot with many joints, by loops over a table.
#ifndef ROBCOGEN_ROS__TREE__KINEMATICS_HPP_
#define ROBCOGEN_ROS__TREE__KINEMATICS_HPP_

#include "robcogen_ros/tree/motion.hpp"

namespace robcogen_ros
{
namespace tree
{

/// Pose of each frame in the base, [R p] by columns.
template <typename T, int joints, int frames>
static void put_poses(
  const Frames<joints, frames> & table, const Links<T, joints> & links, T * poses) noexcept
{
  const Triple<T> x{T(1), T(0), T(0)}, y{T(0), T(1), T(0)}, z{T(0), T(0), T(1)}, p = zero<T>();
  for (int i = 0; i < frames; ++i)
  {
    const int k = table.link[i] - 1;
    const Triple<T> axes[3] = {
      k < 0 ? x : at<T>(links.pose, k), k < 0 ? y : at<T>(links.pose + 3, k),
      k < 0 ? z : at<T>(links.pose + 6, k)};
    const auto turned = [&](const Triple<T> & v)
    { return axes[0] * v.x + axes[1] * v.y + axes[2] * v.z; };
    T * const pose = poses + 12 * i;
    const Triple<T> origin = k < 0 ? p : at<T>(links.pose + 9, k);
    const Triple<T> row_x = at<T>(table.rotation, i), row_y = at<T>(table.rotation + 3, i);
    const Triple<T> row_z = at<T>(table.rotation + 6, i);
    put(turned({row_x.x, row_y.x, row_z.x}), turned({row_x.y, row_y.y, row_z.y}), pose);
    put(turned({row_x.z, row_y.z, row_z.z}), origin + turned(at<T>(table.position, i)), pose + 6);
  }
}

}  // namespace tree

/// Pose of each frame in the base, and motion of what is beyond a joint per unit rate.
template <typename T, int joints, int frames>
static void kinematics_of(
  const Tree<joints> & robot, const Frames<joints, frames> & table, const T * q, T * poses,
  T * axes) noexcept
{
  tree::Links<T, joints> links;
  tree::find_poses(robot, q, links);
  tree::put_poses(table, links, poses);
  for (int i = 0; i < joints; ++i)
  {
    const auto axis = tree::at<T>(links.pose + 6, i), p = tree::at<T>(links.pose + 9, i);
    const bool turns = robot.turns[i] != 0;
    tree::put(
      turns ? axis : tree::zero<T>(), turns ? cross(p, axis) : axis, axes + 6 * table.joint[i]);
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__KINEMATICS_HPP_
