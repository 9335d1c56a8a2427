/// \file
/// Six equations of motion of a base.
#ifndef ROBCOGEN_ROS__TREE__SOLVE_HPP_
#define ROBCOGEN_ROS__TREE__SOLVE_HPP_

#include "robcogen_ros/tree/vectors.hpp"

namespace robcogen_ros::tree
{

/// The inertia of a rigid body as a matrix, angular first.
template <typename T>
static void put_rigid(const T (&inertia)[inertia_size], T (&matrix)[6][6]) noexcept
{
  const T m = inertia[0], x = inertia[1], y = inertia[2], z = inertia[3], none(0);
  const T whole[6][6] = {
    {inertia[4], inertia[5], inertia[6], none, -z, y},
    {inertia[5], inertia[7], inertia[8], z, none, -x},
    {inertia[6], inertia[8], inertia[9], -y, x, none},
    {none, z, -y, m, none, none},
    {-z, none, x, none, m, none},
    {y, -x, none, none, none, m}};
  for (int i = 0; i < 6; ++i)
  {
    for (int j = 0; j < 6; ++j)
    {
      matrix[i][j] = whole[i][j];
    }
  }
}

/// The solution of a symmetric, positive definite system in place of its right-hand side, the last
/// unknown eliminated first (Featherstone 2008, section 6.5). The matrix is used up.
template <typename T>
static void solve(T (&matrix)[6][6], T * x) noexcept
{
  for (int k = 6; k-- > 0;)
  {
    for (int i = 0; i < k; ++i)
    {
      const T factor = matrix[k][i] / matrix[k][k];
      for (int j = 0; j <= i; ++j)
      {
        matrix[i][j] = matrix[i][j] - factor * matrix[k][j];
      }
      x[i] = x[i] - factor * x[k];
    }
  }
  for (int k = 0; k < 6; ++k)
  {
    for (int j = 0; j < k; ++j)
    {
      x[k] = x[k] - matrix[k][j] * x[j];
    }
    x[k] = x[k] / matrix[k][k];
  }
}

}  // namespace robcogen_ros::tree

#endif  // ROBCOGEN_ROS__TREE__SOLVE_HPP_
