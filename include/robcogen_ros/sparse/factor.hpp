/// \file
/// The factors L'DL of a matrix whose entries follow a tree, which needs no fill-in.
#ifndef ROBCOGEN_ROS__SPARSE__FACTOR_HPP_
#define ROBCOGEN_ROS__SPARSE__FACTOR_HPP_

#include <cmath>

#include "robcogen_ros/sparse/columns.hpp"

namespace robcogen_ros
{

/// The elimination tree of a matrix: row i of L has entries of i and of its ancestors only.
/// Coordinates are numbered with ancestors first; elimination begins with the last.
template <int coordinates, int pairs>
struct EliminationTree
{
  /// True if users number them like that.
  bool in_order;
  /// The number of each for users.
  short place[coordinates];
  /// The ancestors of each.
  Pattern<coordinates, pairs> ancestors;
  /// The descendants of each.
  Pattern<coordinates, pairs> descendants;
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
  const EliminationTree<count, pairs> & tree, const T * matrix,
  Factors<T, count> & factors) noexcept
{
  for (int i = count; i-- > 0;)
  {
    auto & row = factors.rows.column[i];
    const T * column = matrix + tree.place[i] * count;
    for (const short * k = tree.ancestors.begin(i); k != tree.ancestors.end(i); ++k)
    {
      row[*k] = column[tree.place[*k]];
    }
    row[i] = column[tree.place[i]];
  }
}

/// Find the factors of H from columns that hold the rows of DL.
template <typename T, int count, int pairs>
[[gnu::always_inline]] static inline void find_factors(
  const EliminationTree<count, pairs> & tree, const T * DL, Factors<T, count> & factors) noexcept
{
  read_rows(tree, DL, factors);
  for (int i = 0; i < count; ++i)
  {
    factors.inverse[i] = T(1) / factors.rows.at(i, i);
  }
}

}  // namespace sparse

/// Lower triangular L with L'L = H in the place of DL, column-major, where users
/// number ancestors first.
template <typename T, int count, int pairs>
static void lower_factor(const EliminationTree<count, pairs> & tree, T * DL) noexcept
{
  using std::sqrt;
  sparse::Factors<T, count> factors;
  sparse::find_factors(tree, DL, factors);
  T scale[count];
  for (int i = 0; i < count; ++i)
  {
    scale[i] = sqrt(factors.inverse[i]);
  }
  for (int i = 0; i < count; ++i)
  {
    T * column = DL + i * count;
    for (int k = 0; k < count; ++k)
    {
      column[k] = T(0);
    }
    column[i] = factors.rows.at(i, i) * scale[i];
    for (const short * k = tree.descendants.begin(i); k != tree.descendants.end(i); ++k)
    {
      column[*k] = factors.rows.at(i, *k) * scale[*k];
    }
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SPARSE__FACTOR_HPP_
