/// \file
/// The inverse of the inertia matrix of a robot with many joints, by loops over a table.
#ifndef ROBCOGEN_ROS__TREE__INERTIA_MATRIX_INVERSE_HPP_
#define ROBCOGEN_ROS__TREE__INERTIA_MATRIX_INVERSE_HPP_

#include "robcogen_ros/tree/factor.hpp"

namespace robcogen_ros
{
namespace tree
{

/// The inverse Z of L'DL in the place of the rows of its factors. Row by row, as L Z is upper
/// triangular: Z_ij = - sum of L_ik Z_kj over the k that carry i, for all j before i.
template <typename T, int count, int pairs>
[[gnu::always_inline]] static inline void invert(
  const Carriers<count, pairs> & carriers, Factors<T, count> & factors) noexcept
{
  auto & Z = factors.rows;
  Column<T, count> sums;
  for (int i = 0; i < count; ++i)
  {
    auto & column = Z.column[i];
    const short *begin = carriers.before.begin(i), *end = carriers.before.end(i);
    const T inverse = factors.inverse[i];
    const auto lower = [&](const short * k) { return column[*k] * -inverse; };
    combine(Z, i, begin, end, lower, sums);
    T own = inverse;
    for (const short * k = begin; k != end; ++k)
    {
      own = own + lower(k) * sums[*k];
    }
    for (int k = 0; k < i; k += width<T>)
    {
      write<T>(read<T>(&sums[k]), &column[k]);
    }
    column[i] = own;
    for (int k = 0; k < i; ++k)
    {
      Z.at(i, k) = sums[k];
    }
  }
}

}  // namespace tree

/// The inverse of the joint-space inertia matrix in its place, column-major, by its sparse factors.
template <typename T, int count, int pairs>
static void invert_inertia_matrix(const Carriers<count, pairs> & carriers, T * H) noexcept
{
  tree::Factors<T, count> factors;
  tree::factorize(carriers, H, factors);
  tree::invert(carriers, factors);
  for (int i = 0; i < count; ++i)
  {
    const auto & column = factors.rows.column[i];
    T * place = H + carriers.place[i] * count;
    for (int k = 0; k < count; ++k)
    {
      place[carriers.in_order ? k : carriers.place[k]] = column[k];
    }
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__INERTIA_MATRIX_INVERSE_HPP_
