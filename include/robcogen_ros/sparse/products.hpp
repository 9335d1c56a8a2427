/// \file
/// Products of a dense matrix with sparse ones.
#ifndef ROBCOGEN_ROS__SPARSE__PRODUCTS_HPP_
#define ROBCOGEN_ROS__SPARSE__PRODUCTS_HPP_

#include <type_traits>
#include <utility>

#include "robcogen_ros/sparse/columns.hpp"

namespace robcogen_ros
{

/// Neighbouring columns of a sparse matrix that have entries in the same rows, four at most.
template <int runs, int entries>
struct ColumnRuns
{
  /// The first column of each run, and how many there are in all.
  short first[runs + 1];
  /// The rows of each run.
  Pattern<runs, entries> rows;
};

namespace sparse
{

/// A number that is known when code is compiled.
template <int number>
struct Constant
{
  constexpr operator int() const noexcept { return number; }
};

/// Calls f with 0, 1, ... as constants, so that compilers keep what they index in registers.
template <typename F, int... k>
[[gnu::always_inline]] static inline void each_of(F f, std::integer_sequence<int, k...>) noexcept
{
  (f(Constant<k>()), ...);
}

template <int number, typename F>
[[gnu::always_inline]] static inline void each(F f) noexcept
{
  each_of(f, std::make_integer_sequence<int, number>());
}

/// Count of packs of rows of four columns that are computed at once, as registers hold sums.
constexpr int packs_at_once = widest_pack == 8 ? 5 : 3;

/// Some rows of some columns of -Z B; `rows` lists the rows of B that have entries. The last pack
/// of rows ends with the matrix.
///
/// \tparam apart how far the entries of a row of B are from each other where all its rows are
/// stored; zero where only those listed are, one after the other
template <int columns, int packs, int apart, typename T, int count>
[[gnu::always_inline]] static inline void negated_product_packs(
  int row, const short * rows, int length, const T * Z, const T * B, T * result) noexcept
{
  const int distance = apart > 0 ? apart : length;
  int begin[packs];
  for (int p = 0; p < packs; ++p)
  {
    begin[p] = row_to_read<T>(row + p * width<T>, count);
  }
  Numbers<T> sum[columns * packs];
  each<columns * packs>([&](auto k) __attribute__((always_inline)) { sum[k] = Numbers<T>(0.0); });
  for (int i = 0; i < length; ++i)
  {
    const T * own = Z + rows[i] * count;
    const T * by = B + (apart > 0 ? rows[i] : i);
    Numbers<T> entries[packs], factors[columns];
    each<packs>([&](auto p) __attribute__((always_inline))
                { entries[p] = read<T>(own + begin[p]); });
    each<columns>([&](auto c) __attribute__((always_inline))
                  { factors[c] = Numbers<T>(by[c * distance]); });
    each<columns * packs>([&](auto k) __attribute__((always_inline))
                          { sum[k] = sum[k] - entries[k % packs] * factors[k / packs]; });
  }
  each<columns * packs>([&](auto k) __attribute__((always_inline))
                        { write<T>(sum[k], result + k / packs * count + begin[k % packs]); });
}

/// All rows of some columns of -Z B, of fewer rows than are computed at once.
template <int columns, int apart, typename T, int count>
[[gnu::always_inline]] static inline void negated_product_of_few(
  const short * rows, int length, const T * Z, const T * B, T * result) noexcept
{
  const int distance = apart > 0 ? apart : length;
  for (int k = 0; k < columns * count; ++k)
  {
    const T * by = B + k / count * distance;
    T sum(0);
    for (int i = 0; i < length; ++i)
    {
      sum = sum - Z[rows[i] * count + k % count] * by[apart > 0 ? rows[i] : i];
    }
    result[k] = sum;
  }
}

/// All rows of some columns of -Z B.
template <int columns, int apart, typename T, int count>
[[gnu::always_inline]] static inline void negated_product_columns(
  const short * rows, int length, const T * Z, const T * B, T * result) noexcept
{
  if constexpr (count < width<T>)
  {
    negated_product_of_few<columns, apart, T, count>(rows, length, Z, B, result);
  }
  else
  {
    constexpr int all = (count + width<T> - 1) / width<T>;
    constexpr int passes = (all + packs_at_once - 1) / packs_at_once;
    constexpr int packs = (all + passes - 1) / passes;
    for (int pass = 0; pass < passes; ++pass)
    {
      negated_product_packs<columns, packs, apart, T, count>(
        pass * packs * width<T>, rows, length, Z, B, result);
    }
  }
}

/// -Z B, column-major as Z is.
template <int apart, int count, typename T, int runs, int entries>
static void negated_product(
  const ColumnRuns<runs, entries> & columns, const T * Z, const T * B, T * result) noexcept
{
  for (int run = 0; run < runs; ++run)
  {
    const short * rows = columns.rows.begin(run);
    const int length = static_cast<int>(columns.rows.end(run) - rows);
    const int number = columns.first[run + 1] - columns.first[run];
    switch (number)
    {
      case 1:
        negated_product_columns<1, apart, T, count>(rows, length, Z, B, result);
        break;
      case 2:
        negated_product_columns<2, apart, T, count>(rows, length, Z, B, result);
        break;
      case 3:
        negated_product_columns<3, apart, T, count>(rows, length, Z, B, result);
        break;
      default:
        negated_product_columns<4, apart, T, count>(rows, length, Z, B, result);
    }
    B += number * (apart > 0 ? apart : length);
    result += number * count;
  }
}

}  // namespace sparse

/// x = Z ([0; b] - c) of a dense Z and as many zeros as are told.
template <int zeros, int count, typename T>
static void solve_by_inverse(const T * Z, const T * b, const T * c, T * x) noexcept
{
  T negated[count];
  short all[count];
  for (int k = 0; k < count; ++k)
  {
    negated[k] = k < zeros ? c[k] : c[k] - b[k - zeros];
    all[k] = static_cast<short>(k);
  }
  sparse::negated_product_columns<1, 0, T, count>(all, count, Z, negated, x);
}

/// -Z A and -Z B of a dense Z and sparse A and B, all column-major.
///
/// \tparam whole whether all entries of A and B are stored; otherwise only those that the runs of
/// columns tell, column by column
template <int count, bool whole, typename T, typename RunsOfA, typename RunsOfB>
static void negated_products(
  const RunsOfA & a, const RunsOfB & b, const T * Z, const T * A, const T * B, T * ZA,
  T * ZB) noexcept
{
  constexpr int apart = whole ? count : 0;
  sparse::negated_product<apart, count>(a, Z, A, ZA);
  sparse::negated_product<apart, count>(b, Z, B, ZB);
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SPARSE__PRODUCTS_HPP_
