/// \file
/// The Jacobian of the center of mass of a robot with many joints, by loops over a table.
#ifndef ROBCOGEN_ROS__TREE__CENTER_OF_MASS_JACOBIAN_HPP_
#define ROBCOGEN_ROS__TREE__CENTER_OF_MASS_JACOBIAN_HPP_

#include "robcogen_ros/tree/moments.hpp"

namespace robcogen_ros
{

/// Velocity of the center of all masses per unit rates, in the axes of the base, column-major: a
/// joint moves the mass m and the first moment h beyond it, and with them the center.
template <bool floating_base, typename T, int joints>
static void center_of_mass_jacobian_of(const Tree<joints> & robot, const T * q, T * J) noexcept
{
  tree::Links<T, joints> links;
  tree::Moments<T, joints> moments;
  tree::find_moments(robot, q, moments);
  tree::find_poses(robot, q, links);
  const T per_mass(1.0 / robot.whole_mass);
  const auto put_column = [&](const tree::Triple<T> & v, int column)
  {
    J[3 * column] = v.x;
    J[3 * column + 1] = v.y;
    J[3 * column + 2] = v.z;
  };
  if constexpr (floating_base)
  {
    const tree::Triple<T> c = moments.whole * per_mass;
    const T none(0), one(1);
    const tree::Triple<T> axes[] = {{one, none, none}, {none, one, none}, {none, none, one}};
    for (int k = 0; k < 3; ++k)
    {
      put_column(cross(axes[k], c), k);
      put_column(axes[k], 3 + k);
    }
  }
  for (int i = 0; i < joints; ++i)
  {
    const auto h = tree::at<T>(moments.moment, i);
    const auto x = tree::at<T>(links.pose, i), y = tree::at<T>(links.pose + 3, i);
    const auto z = tree::at<T>(links.pose + 6, i);
    const auto moved = robot.turns[i] != 0 ? y * h.x - x * h.y : z * T(robot.mass[i]);
    put_column(moved * per_mass, (floating_base ? 6 : 0) + robot.coordinate[i]);
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__CENTER_OF_MASS_JACOBIAN_HPP_
