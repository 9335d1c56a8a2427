/// \file
/// The centroidal momentum of a robot with many joints, by loops over a table (Orin, Goswami and
/// Lee, Centroidal dynamics of a humanoid robot, 2013).
#ifndef ROBCOGEN_ROS__TREE__CENTROIDAL_MOMENTUM_MATRIX_HPP_
#define ROBCOGEN_ROS__TREE__CENTROIDAL_MOMENTUM_MATRIX_HPP_

#include "robcogen_ros/tree/inertia_matrix.hpp"
#include "robcogen_ros/tree/motion.hpp"

namespace robcogen_ros
{

/// The momentum [angular; linear] of all links about their center of mass, per unit rates: the
/// forces that unit accelerations take from rest, moved from the base's origin to the center.
template <bool floating_base, typename T, int joints>
static void centroidal_momentum_matrix_of(const Tree<joints> & robot, const T * q, T * A) noexcept
{
  constexpr int first = floating_base ? 6 : 0;
  tree::Links<T, joints> links;
  tree::Columns<T, joints> columns;
  T whole[inertia_size];
  tree::copy_base(robot, whole);
  tree::find_links(robot, q, links);
  tree::gather_inertias(robot, links, whole);
  tree::find_columns(robot, links, columns);
  const tree::Triple<T> moment{whole[1], whole[2], whole[3]},
    center = moment * T(1.0 / robot.whole_mass);
  const auto put_column = [&](const tree::Triple<T> & n, const tree::Triple<T> & f, int column)
  { tree::put(n - cross(center, f), f, A + 6 * column); };
  if constexpr (floating_base)
  {
    T matrix[6][6];
    tree::put_rigid(whole, matrix);
    for (int k = 0; k < 6; ++k)
    {
      put_column(tree::angular<T>(matrix[k]), tree::linear<T>(matrix[k]), k);
    }
  }
  for (int i = 0; i < joints; ++i)
  {
    put_column(
      tree::at<T>(columns.force, i), tree::at<T>(columns.force + 3, i),
      first + robot.coordinate[i]);
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__CENTROIDAL_MOMENTUM_MATRIX_HPP_
