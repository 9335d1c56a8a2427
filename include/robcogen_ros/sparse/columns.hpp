/// \file
/// Sparse matrices, column by column, and sums of columns.
#ifndef ROBCOGEN_ROS__SPARSE__COLUMNS_HPP_
#define ROBCOGEN_ROS__SPARSE__COLUMNS_HPP_

#include <type_traits>

#include "robcogen_ros/simd/pack.hpp"

namespace robcogen_ros
{

/// The rows of the entries of a sparse matrix: those of column i are `row[start[i]]` up to
/// `row[start[i + 1]]`.
template <int columns, int entries>
struct Pattern
{
  int start[columns + 1];
  short row[entries];

  const short * begin(int column) const noexcept { return row + start[column]; }
  const short * end(int column) const noexcept { return row + start[column + 1]; }
};

namespace sparse
{

/// Count of numbers that are computed at once: of double a pack of them, of other scalars one.
template <typename T>
constexpr int width = std::is_same_v<T, double> ? widest_pack : 1;

/// Type of the numbers that are computed at once.
template <typename T>
using Numbers = std::conditional_t<std::is_same_v<T, double>, Pack<widest_pack>, T>;

/// Room for so many numbers, filled up to entire packs.
template <typename T>
constexpr int row_size(int count) noexcept
{
  return (count + width<T> - 1) / width<T> * width<T>;
}

/// Sets all numbers to zero.
template <typename T, int count>
[[gnu::always_inline]] static inline void clear(T (&numbers)[count]) noexcept
{
  for (T & number : numbers)
  {
    number = T(0);
  }
}

/// The row from which on so many numbers are read: a given one, or the last that has as many left.
template <typename T>
constexpr int row_to_read(int row, int count) noexcept
{
  return row < count - width<T> ? row : count - width<T>;
}

/// Numbers from a place on.
template <typename T, typename Entry>
[[gnu::always_inline]] static inline Numbers<T> read(const Entry * place) noexcept
{
  if constexpr (std::is_same_v<T, double>)
  {
    return Numbers<T>::read(place);
  }
  else
  {
    return T(*place);
  }
}

template <typename T>
[[gnu::always_inline]] static inline void write(const Numbers<T> & numbers, T * place) noexcept
{
  if constexpr (std::is_same_v<T, double>)
  {
    numbers.write(place);
  }
  else
  {
    *place = numbers;
  }
}

/// A column of a matrix, filled up to entire packs.
template <typename T, int count>
struct Column
{
  static constexpr int height = row_size<T>(count);
  alignas(64) T entries[height];

  T & operator[](int row) noexcept { return entries[row]; }
  const T & operator[](int row) const noexcept { return entries[row]; }
};

/// A square matrix, zero at first, column by column.
template <typename T, int count>
struct Dense
{
  Column<T, count> column[count] = {};

  T & at(int row, int i) noexcept { return column[i][row]; }
};

/// The sum of some columns, each times its factor, of some packs of rows.
template <int packs, typename T, int count, typename Factor>
[[gnu::always_inline]] static inline void combine_packs(
  const Dense<T, count> & M, int row, const short * k, const short * end, const Factor & factor,
  Column<T, count> & total) noexcept
{
  Numbers<T> sum[packs];
  for (auto & each : sum)
  {
    each = Numbers<T>(0.0);
  }
  for (; k != end; ++k)
  {
    const T * entries = M.column[*k].entries + row;
    const Numbers<T> by(factor(k));
    for (int p = 0; p < packs; ++p)
    {
      sum[p] = sum[p] + read<T>(entries + p * width<T>) * by;
    }
  }
  for (int p = 0; p < packs; ++p)
  {
    write<T>(sum[p], &total[row + p * width<T>]);
  }
}

/// The sum of the columns of a list, each times the factor of its place in the list, of the first
/// rows and of those that fill their last pack. Columns that are zero in a row make no difference
/// to its sum.
template <typename T, int count, typename Factor>
[[gnu::always_inline]] static inline void combine(
  const Dense<T, count> & M, int rows, const short * begin, const short * end,
  const Factor & factor, Column<T, count> & total) noexcept
{
  constexpr int many = 4;
  int row = 0;
  for (; row + (many - 1) * width<T> < rows; row += many * width<T>)
  {
    combine_packs<many>(M, row, begin, end, factor, total);
  }
  if (row + 2 * width<T> < rows)
  {
    combine_packs<3>(M, row, begin, end, factor, total);
  }
  else if (row + width<T> < rows)
  {
    combine_packs<2>(M, row, begin, end, factor, total);
  }
  else if (row < rows)
  {
    combine_packs<1>(M, row, begin, end, factor, total);
  }
}

}  // namespace sparse
}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SPARSE__COLUMNS_HPP_
