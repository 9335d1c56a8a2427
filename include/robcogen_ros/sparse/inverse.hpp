/// \file
/// The inverse of a matrix from its factors.
#ifndef ROBCOGEN_ROS__SPARSE__INVERSE_HPP_
#define ROBCOGEN_ROS__SPARSE__INVERSE_HPP_

#include "robcogen_ros/sparse/factor.hpp"

namespace robcogen_ros
{
namespace sparse
{

/// The columns of the inverse of L, each over the root of its entry of D, from the rows of DL. Row
/// by row, as the product of L with them is diagonal; of the rows only entries of ancestors are
/// kept, without gaps.
template <typename T, int count, int pairs>
[[gnu::always_inline]] static inline void invert_lower(
  const EliminationTree<count, pairs> & tree, const T * DL, Dense<T, count> & columns) noexcept
{
  using std::sqrt;
  Column<T, count + 1> rows[count];
  T lower[count];
  for (int i = 0; i < count; ++i)
  {
    const T * given = DL + tree.place[i] * count;
    const short * const before = tree.ancestors.begin(i);
    const int depth = static_cast<int>(tree.ancestors.end(i) - before);
    const T inverse = T(1) / given[tree.place[i]];
    for (int e = 0; e < depth; ++e)
    {
      lower[e] = given[tree.place[before[e]]] * -inverse;
    }
    auto & row = rows[i];
    for (int k = 0; k <= depth; k += width<T>)
    {
      Numbers<T> sum(0.0);
      for (int e = k; e < depth; ++e)
      {
        sum = sum + read<T>(&rows[before[e]][k]) * Numbers<T>(lower[e]);
      }
      write<T>(sum, &row[k]);
    }
    row[depth] = sqrt(inverse);
    for (int e = 0; e < depth; ++e)
    {
      columns.at(i, before[e]) = row[e];
    }
    columns.at(i, i) = row[depth];
  }
}

/// Put a column where users expect it.
template <typename T, int count, int pairs>
[[gnu::always_inline]] static inline void put_column(
  const EliminationTree<count, pairs> & tree, int i, const Column<T, count> & column,
  T * matrix) noexcept
{
  T * place = matrix + tree.place[i] * count;
  for (int k = 0; k < count; ++k)
  {
    place[tree.in_order ? k : tree.place[k]] = column[k];
  }
}

/// The inverse W W' of L'DL in the place of DL, of the columns W of `invert_lower`: each entry a
/// sum over common ancestors, which keeps the digits that DL has.
template <typename T, int count, int pairs>
[[gnu::always_inline]] static inline void invert_rows(
  const EliminationTree<count, pairs> & tree, T * DL) noexcept
{
  Dense<T, count> W;
  invert_lower(tree, DL, W);
  Column<T, count> column;
  for (int i = 0; i < count; ++i)
  {
    const auto entry = [&](const short * k) { return W.at(i, *k); };
    combine(W, count, tree.ancestors.begin(i), tree.ancestors.end(i), entry, column);
    const Numbers<T> own(W.at(i, i));
    for (int k = i / width<T> * width<T>; k < count; k += width<T>)
    {
      write<T>(read<T>(&column[k]) + read<T>(&W.column[i][k]) * own, &column[k]);
    }
    put_column(tree, i, column, DL);
  }
}

}  // namespace sparse

/// The inverse of H = L'DL in the place of the rows of DL, column-major.
template <typename T, int count, int pairs>
static void invert_by_factors(const EliminationTree<count, pairs> & tree, T * DL) noexcept
{
  sparse::invert_rows(tree, DL);
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SPARSE__INVERSE_HPP_
