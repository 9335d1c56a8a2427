/// \file
/// The factor of the inertia matrix of a robot with many joints, by loops over a table.
#ifndef ROBCOGEN_ROS__TREE__INERTIA_FACTOR_HPP_
#define ROBCOGEN_ROS__TREE__INERTIA_FACTOR_HPP_

#include "robcogen_ros/tree/factor.hpp"
#include "robcogen_ros/tree/inertia_matrix.hpp"

namespace robcogen_ros
{

/// Lower triangular L with L'L = H, column-major, of a robot whose coordinates come after those of
/// the joints that carry theirs.
template <bool floating_base, typename T, int joints>
static void inertia_factor_of(const Tree<joints> & robot, const T * q, T * L) noexcept
{
  inertia_matrix_of<floating_base>(robot, q, L);
  const tree::Entries<floating_base, T, joints> entries{robot, L};
  tree::factorize(entries);
  for (int i = 0; i < entries.rows; ++i)
  {
    for (int j = 0; j < i; ++j)
    {
      entries.at(i, j) = entries.at(j, i);
      entries.at(j, i) = T(0);
    }
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__INERTIA_FACTOR_HPP_
