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

/// The columns of the inverse of L, each over the root of its entry of D, from the rows of DL. Row
/// by row, as the product of L with them is diagonal; of the rows only entries of what carries a
/// coordinate are kept, without gaps.
template <typename T, int count, int pairs>
[[gnu::always_inline]] static inline void invert_lower(
  const Carriers<count, pairs> & carriers, const T * DL, Dense<T, count> & columns) noexcept
{
  using std::sqrt;
  Column<T, count + 1> rows[count];
  T lower[count];
  for (int i = 0; i < count; ++i)
  {
    const T * given = DL + carriers.place[i] * count;
    const short * const before = carriers.before.begin(i);
    const int depth = static_cast<int>(carriers.before.end(i) - before);
    const T inverse = T(1) / given[carriers.place[i]];
    for (int e = 0; e < depth; ++e)
    {
      lower[e] = given[carriers.place[before[e]]] * -inverse;
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
  const Carriers<count, pairs> & carriers, int i, const Column<T, count> & column,
  T * matrix) noexcept
{
  T * place = matrix + carriers.place[i] * count;
  for (int k = 0; k < count; ++k)
  {
    place[carriers.in_order ? k : carriers.place[k]] = column[k];
  }
}

/// The inverse W W' of L'DL in the place of DL, of the columns W of `invert_lower`: each entry a
/// sum over what carries both coordinates, which keeps the digits that DL has.
template <typename T, int count, int pairs>
[[gnu::always_inline]] static inline void invert_rows(
  const Carriers<count, pairs> & carriers, T * DL) noexcept
{
  Dense<T, count> W;
  invert_lower(carriers, DL, W);
  Column<T, count> column;
  for (int i = 0; i < count; ++i)
  {
    const auto entry = [&](const short * k) { return W.at(i, *k); };
    combine<true>(W, count, carriers.before.begin(i), carriers.before.end(i), entry, column);
    const Numbers<T> own(W.at(i, i));
    for (int k = i / width<T> * width<T>; k < count; k += width<T>)
    {
      write<T>(read<T>(&column[k]) + read<T>(&W.column[i][k]) * own, &column[k]);
    }
    put_column(carriers, i, column, DL);
  }
}

}  // namespace tree

/// The inverse of the joint-space inertia matrix in the place of what is given, column-major.
template <Given given, typename T, int count, int pairs>
static void invert_inertia_matrix(const Carriers<count, pairs> & carriers, T * matrix) noexcept
{
  if constexpr (given == Given::inertia_matrix)
  {
    tree::Factors<T, count> factors;
    tree::find_factors<given>(carriers, matrix, factors);
    tree::invert(carriers, factors);
    for (int i = 0; i < count; ++i)
    {
      tree::put_column(carriers, i, factors.rows.column[i], matrix);
    }
  }
  else
  {
    tree::invert_rows(carriers, matrix);
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__INERTIA_MATRIX_INVERSE_HPP_
