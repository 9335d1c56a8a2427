/// \file
/// The factor of the inertia matrix of a robot with many joints, by loops over a table.
#ifndef ROBCOGEN_ROS__TREE__INERTIA_FACTOR_HPP_
#define ROBCOGEN_ROS__TREE__INERTIA_FACTOR_HPP_

#include <algorithm>

#include "robcogen_ros/tree/factor.hpp"

namespace robcogen_ros
{

/// Lower triangular L with L'L = H in the place of H, column-major, of a robot whose coordinates
/// come after those that carry them.
template <Given given, typename T, int count, int pairs>
static void factor_inertia_matrix(const Carriers<count, pairs> & carriers, T * H) noexcept
{
  using std::sqrt;
  tree::Factors<T, count> factors;
  tree::find_factors<given>(carriers, H, factors);
  T scale[count];
  for (int i = 0; i < count; ++i)
  {
    scale[i] = sqrt(factors.inverse[i]);
  }
  for (int i = 0; i < count; ++i)
  {
    T * column = H + i * count;
    std::fill(column, column + count, T(0));
    column[i] = factors.rows.at(i, i) * scale[i];
    for (const short * k = carriers.beyond.begin(i); k != carriers.beyond.end(i); ++k)
    {
      column[*k] = factors.rows.at(i, *k) * scale[*k];
    }
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__INERTIA_FACTOR_HPP_
