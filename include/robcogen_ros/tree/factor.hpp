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

/// Find the factors of H, column-major. Rows that have an entry i are those of what the coordinate
/// carries: they follow it.
template <typename T, int count, int pairs>
[[gnu::always_inline]] static inline void factorize(
  const Carriers<count, pairs> & carriers, const T * H, Factors<T, count> & factors) noexcept
{
  auto & rows = factors.rows;
  auto & inverse = factors.inverse;
  Column<T, count> sums;
  for (int i = count; i-- > 0;)
  {
    auto & row = rows.column[i];
    const T * column = H + carriers.place[i] * count;
    for (const short * k = carriers.before.begin(i); k != carriers.before.end(i); ++k)
    {
      row[*k] = column[carriers.place[*k]];
    }
    row[i] = column[carriers.place[i]];
  }
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

}  // namespace tree
}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__FACTOR_HPP_
