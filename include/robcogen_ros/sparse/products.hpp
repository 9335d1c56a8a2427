/// \file
/// Products of a dense matrix with sparse ones.
#ifndef ROBCOGEN_ROS__SPARSE__PRODUCTS_HPP_
#define ROBCOGEN_ROS__SPARSE__PRODUCTS_HPP_

#include <algorithm>

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

/// How many packs of rows of four columns are computed at once: as many as registers hold sums.
constexpr int packs_at_once = widest_pack == 8 ? 5 : 3;

/// Some rows of some columns of -Z B; `rows` lists the rows of B that have entries. The last pack
/// of rows ends with the matrix.
///
/// \tparam apart how far the entries of a row of B are from each other where all its rows are
/// stored; zero where only those listed are, one after the other
template <int columns, int packs, int apart, typename T, int count>
[[gnu::always_inline]] static inline void answer_packs(
  int row, const short * rows, int length, const T * Z, const T * B, T * result) noexcept
{
  static_assert(count >= width<T>, "fewer are straight-line code");
  const int distance = apart > 0 ? apart : length;
  int begin[packs];
  for (int p = 0; p < packs; ++p)
  {
    begin[p] = std::min(row + p * width<T>, count - width<T>);
  }
  Numbers<T> sum[columns][packs];
  for (auto & column : sum)
  {
    for (auto & pack : column)
    {
      pack = Numbers<T>(0.0);
    }
  }
  for (int i = 0; i < length; ++i)
  {
    const T * own = Z + rows[i] * count;
    const T * by = B + (apart > 0 ? rows[i] : i);
    Numbers<T> entries[packs];
    for (int p = 0; p < packs; ++p)
    {
      entries[p] = read<T>(own + begin[p]);
    }
    for (int c = 0; c < columns; ++c)
    {
      const Numbers<T> factor(by[c * distance]);
      for (int p = 0; p < packs; ++p)
      {
        sum[c][p] = sum[c][p] - entries[p] * factor;
      }
    }
  }
  for (int c = 0; c < columns; ++c)
  {
    for (int p = 0; p < packs; ++p)
    {
      write<T>(sum[c][p], result + c * count + begin[p]);
    }
  }
}

/// All rows of some columns of -Z B.
template <int columns, int apart, typename T, int count>
[[gnu::always_inline]] static inline void answer_columns(
  const short * rows, int length, const T * Z, const T * B, T * result) noexcept
{
  constexpr int all = (count + width<T> - 1) / width<T>;
  constexpr int passes = (all + packs_at_once - 1) / packs_at_once;
  constexpr int packs = (all + passes - 1) / passes;
  for (int pass = 0; pass < passes; ++pass)
  {
    answer_packs<columns, packs, apart, T, count>(
      pass * packs * width<T>, rows, length, Z, B, result);
  }
}

/// -Z B, column-major as Z is.
template <int apart, int count, typename T, int runs, int entries>
static void answer(
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
        answer_columns<1, apart, T, count>(rows, length, Z, B, result);
        break;
      case 2:
        answer_columns<2, apart, T, count>(rows, length, Z, B, result);
        break;
      case 3:
        answer_columns<3, apart, T, count>(rows, length, Z, B, result);
        break;
      default:
        answer_columns<4, apart, T, count>(rows, length, Z, B, result);
    }
    B += number * (apart > 0 ? apart : length);
    result += number * count;
  }
}

}  // namespace sparse

/// Accelerations [base; joints] that joint forces give at some velocities: H^-1 ([0; tau] - bias).
///
/// \param[in] bias forces [base; joints] that give no acceleration
template <int base, int count, typename T>
static void accelerate(
  const T * H_inverse, const T * tau, const T * bias, T * acceleration) noexcept
{
  T left[count];
  short all[count];
  for (int k = 0; k < count; ++k)
  {
    left[k] = k < base ? bias[k] : bias[k] - tau[k - base];
    all[k] = static_cast<short>(k);
  }
  sparse::answer_columns<1, 0, T, count>(all, count, H_inverse, left, acceleration);
}

/// dqdd/dx = -H^-1 dtau/dx (Carpentier, Mansard 2018): by positions and by velocities, all
/// column-major.
///
/// \tparam whole whether all entries of dtau_dq and dtau_dqd are stored; otherwise only those that
/// the runs of columns tell, column by column
template <int count, bool whole, typename T, typename Positions, typename Velocities>
static void answer_slopes(
  const Positions & by_positions, const Velocities & by_velocities, const T * H_inverse,
  const T * dtau_dq, const T * dtau_dqd, T * dqdd_dq, T * dqdd_dqd) noexcept
{
  constexpr int apart = whole ? count : 0;
  sparse::answer<apart, count>(by_positions, H_inverse, dtau_dq, dqdd_dq);
  sparse::answer<apart, count>(by_velocities, H_inverse, dtau_dqd, dqdd_dqd);
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SPARSE__PRODUCTS_HPP_
