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
    combine(W, count, carriers.before.begin(i), carriers.before.end(i), entry, column);
    const Numbers<T> own(W.at(i, i));
    for (int k = i / width<T> * width<T>; k < count; k += width<T>)
    {
      write<T>(read<T>(&column[k]) + read<T>(&W.column[i][k]) * own, &column[k]);
    }
    put_column(carriers, i, column, DL);
  }
}

}  // namespace sparse

/// The inverse of H = L'DL in the place of the rows of DL, column-major.
template <typename T, int count, int pairs>
static void invert_by_factors(const Carriers<count, pairs> & carriers, T * DL) noexcept
{
  sparse::invert_rows(carriers, DL);
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SPARSE__INVERSE_HPP_
