/// \file
/// The sparse factor of the inertia matrix of a robot with many joints, by loops over a table.
#ifndef ROBCOGEN_ROS__TREE__FACTOR_HPP_
#define ROBCOGEN_ROS__TREE__FACTOR_HPP_

#include "robcogen_ros/tree/columns.hpp"

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

/// What factors are found from: the inertia matrix H, or DL of H = L'DL.
enum class Given
{
  inertia_matrix,
  articulated_inertia_matrix
};

namespace tree
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

/// Eliminate the rows of H. Rows that have an entry i are those of what the coordinate carries:
/// they follow it.
template <typename T, int count, int pairs>
[[gnu::always_inline]] static inline void eliminate(
  const Carriers<count, pairs> & carriers, Factors<T, count> & factors) noexcept
{
  auto & rows = factors.rows;
  auto & inverse = factors.inverse;
  Column<T, count> sums;
  for (int i = count; i-- > 0;)
  {
    const auto lower = [&](const short * k) { return rows.at(i, *k) * inverse[*k]; };
    combine(rows, i + 1, carriers.beyond.begin(i), carriers.beyond.end(i), lower, sums);
    auto & row = rows.column[i];
    for (int k = 0; k <= i; k += width<T>)
    {
      write<T>(read<T>(&row[k]) - read<T>(&sums[k]), &row[k]);
    }
    inverse[i] = T(1) / row[i];
  }
}

/// Find the factors of H, from its columns or from those that hold the rows of DL.
template <Given given, typename T, int count, int pairs>
[[gnu::always_inline]] static inline void find_factors(
  const Carriers<count, pairs> & carriers, const T * matrix, Factors<T, count> & factors) noexcept
{
  read_rows(carriers, matrix, factors);
  if constexpr (given == Given::inertia_matrix)
  {
    eliminate(carriers, factors);
  }
  else
  {
    for (int i = 0; i < count; ++i)
    {
      factors.inverse[i] = T(1) / factors.rows.at(i, i);
    }
  }
}

}  // namespace tree
}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__FACTOR_HPP_
