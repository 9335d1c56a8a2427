/// \file
/// The inverse of the inertia matrix of a robot with many joints, by loops over a table.
#ifndef ROBCOGEN_ROS__TREE__INERTIA_MATRIX_INVERSE_HPP_
#define ROBCOGEN_ROS__TREE__INERTIA_MATRIX_INVERSE_HPP_

#include "robcogen_ros/tree/factor.hpp"
#include "robcogen_ros/tree/inertia_matrix.hpp"

namespace robcogen_ros
{
namespace tree
{

/// The inverse Z of L'L where `factorize` leaves L. Row by row, as L Z is upper triangular:
/// L_ii Z_ij = - sum of L_ik Z_kj over the k that carry i, for all j before i.
template <typename Matrix>
static void invert(const Matrix & Z) noexcept
{
  using T = typename Matrix::Number;
  Selection<T, Matrix::rows> carriers;
  T sums[Matrix::rows];
  for (int i = 0; i < Matrix::rows; ++i)
  {
    const T inverse = T(1) / Z.at(i, i);
    carriers.count = 0;
    for (int k = Z.before(i); k >= 0; k = Z.before(k))
    {
      carriers.add(k, -(Z.at(k, i) * inverse));
    }
    combine(Z, i, carriers, sums);
    T own = inverse * inverse;
    for (int k = 0; k < carriers.count; ++k)
    {
      own = own + carriers.factor[k] * sums[carriers.column[k]];
    }
    for (int j = 0; j < i; ++j)
    {
      Z.at(i, j) = Z.at(j, i) = sums[j];
    }
    Z.at(i, i) = own;
  }
}

}  // namespace tree

/// The inverse of the joint-space inertia matrix, column-major, by its sparse factor L'L.
template <bool floating_base, typename T, int joints>
static void inertia_matrix_inverse_of(
  const Tree<joints> & robot, const T * q, T * H_inverse) noexcept
{
  inertia_matrix_of<floating_base>(robot, q, H_inverse);
  const tree::Entries<floating_base, T, joints> entries{robot, H_inverse};
  tree::factorize(entries);
  tree::invert(entries);
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__INERTIA_MATRIX_INVERSE_HPP_
