/// \file
/// Solutions of systems by sparse factors.
#ifndef ROBCOGEN_ROS__SPARSE__SOLVE_HPP_
#define ROBCOGEN_ROS__SPARSE__SOLVE_HPP_

#include "robcogen_ros/sparse/factor.hpp"

namespace robcogen_ros
{
namespace sparse
{

/// The sum of the products of the first entries of two columns; of those that fill the last pack
/// one of the two factors is zero.
template <typename T, int count>
[[gnu::always_inline]] static inline T dot(
  const Column<T, count> & a, const Column<T, count> & b, int rows) noexcept
{
  Numbers<T> sum(0.0);
  for (int row = 0; row < rows; row += width<T>)
  {
    sum = sum + read<T>(&a[row]) * read<T>(&b[row]);
  }
  if constexpr (width<T> > 1)
  {
    return total(sum);
  }
  else
  {
    return sum;
  }
}

/// The x with L'DL x = b in the place of b, by two substitutions (Featherstone, Rigid Body Dynamics
/// Algorithms, 2008, table 6.5).
template <typename T, int count>
[[gnu::always_inline]] static inline void substitute(
  const Factors<T, count> & factors, Column<T, count> & b) noexcept
{
  T scaled[count];
  for (int i = count; i-- > 0;)
  {
    scaled[i] = b[i] * factors.inverse[i];
    const auto & row = factors.rows.column[i];
    const Numbers<T> by(scaled[i]);
    for (int k = 0; k < i; k += width<T>)
    {
      write<T>(read<T>(&b[k]) - read<T>(&row[k]) * by, &b[k]);
    }
  }
  auto & x = b;
  for (int i = 0; i < x.height; ++i)
  {
    x.entries[i] = T(0);
  }
  for (int i = 0; i < count; ++i)
  {
    x[i] = scaled[i] - factors.inverse[i] * dot(factors.rows.column[i], x, i);
  }
}

}  // namespace sparse

/// The x with H x = b, H = L'DL; the rows of DL in columns.
template <typename T, int count, int pairs>
static void solve_by_factors(
  const EliminationTree<count, pairs> & tree, const T * DL, const T * b, T * x) noexcept
{
  sparse::Factors<T, count> factors;
  sparse::find_factors(tree, DL, factors);
  sparse::Column<T, count> found = {};
  for (int i = 0; i < count; ++i)
  {
    found[i] = b[tree.place[i]];
  }
  sparse::substitute(factors, found);
  for (int i = 0; i < count; ++i)
  {
    x[tree.place[i]] = found[i];
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SPARSE__SOLVE_HPP_
