/// \file
/// The factors L'DL of a matrix whose entries follow a tree, which needs no fill-in.
#ifndef ROBCOGEN_ROS__SPARSE__FACTOR_HPP_
#define ROBCOGEN_ROS__SPARSE__FACTOR_HPP_

#include <algorithm>
#include <cmath>

#include "robcogen_ros/sparse/columns.hpp"

namespace robcogen_ros
{

/// Which coordinates carry which, in an order in which those that carry others come first.
template <int coordinates, int pairs>
struct Carriers
{
  /// Whether that is the order in which users know them.
  bool in_order;
  /// The place of each among those.
  short place[coordinates];
  /// The coordinates that carry each.
  Pattern<coordinates, pairs> before;
  /// The coordinates that each carries.
  Pattern<coordinates, pairs> beyond;
};

namespace sparse
{

/// The factors of H = L'DL (Featherstone, Rigid Body Dynamics Algorithms, 2008, table 6.3).
template <typename T, int count>
struct Factors
{
  /// Row i of D L as column i, down to the diagonal; below it, numbers that nobody reads.
  Dense<T, count> rows;
  /// One over the entries of D.
  T inverse[count];
};

/// Read the rows of a matrix from its columns, down to the diagonal.
template <typename T, int count, int pairs>
[[gnu::always_inline]] static inline void read_rows(
  const Carriers<count, pairs> & carriers, const T * matrix, Factors<T, count> & factors) noexcept
{
  for (int i = count; i-- > 0;)
  {
    auto & row = factors.rows.column[i];
    const T * column = matrix + carriers.place[i] * count;
    for (const short * k = carriers.before.begin(i); k != carriers.before.end(i); ++k)
    {
      row[*k] = column[carriers.place[*k]];
    }
    row[i] = column[carriers.place[i]];
  }
}

/// Find the factors of H from columns that hold the rows of DL.
template <typename T, int count, int pairs>
[[gnu::always_inline]] static inline void find_factors(
  const Carriers<count, pairs> & carriers, const T * DL, Factors<T, count> & factors) noexcept
{
  read_rows(carriers, DL, factors);
  for (int i = 0; i < count; ++i)
  {
    factors.inverse[i] = T(1) / factors.rows.at(i, i);
  }
}

}  // namespace sparse

/// Lower triangular L with L'L = H in the place of DL, column-major, of a robot whose coordinates
/// come after those that carry them.
template <typename T, int count, int pairs>
static void lower_factor(const Carriers<count, pairs> & carriers, T * DL) noexcept
{
  using std::sqrt;
  sparse::Factors<T, count> factors;
  sparse::find_factors(carriers, DL, factors);
  T scale[count];
  for (int i = 0; i < count; ++i)
  {
    scale[i] = sqrt(factors.inverse[i]);
  }
  for (int i = 0; i < count; ++i)
  {
    T * column = DL + i * count;
    std::fill(column, column + count, T(0));
    column[i] = factors.rows.at(i, i) * scale[i];
    for (const short * k = carriers.beyond.begin(i); k != carriers.beyond.end(i); ++k)
    {
      column[*k] = factors.rows.at(i, *k) * scale[*k];
    }
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SPARSE__FACTOR_HPP_
