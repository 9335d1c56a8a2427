/// \file
/// The entries of the derivatives of a serial chain's inverse dynamics, from slopes.
#ifndef ROBCOGEN_ROS__SERIAL__ENTRIES_HPP_
#define ROBCOGEN_ROS__SERIAL__ENTRIES_HPP_

#include <array>
#include <type_traits>

#include "robcogen_ros/serial/slopes.hpp"

namespace robcogen_ros::serial
{

#ifdef ROBCOGEN_JOINTS_SIDE_BY_SIDE

/// What there is of each of the matrices.
template <typename T>
struct OfEach
{
  T by_position, by_velocity, by_acceleration;

  template <typename Function>
  [[gnu::always_inline]] auto map(const Function & function) const noexcept
  {
    return OfEach<decltype(function(by_position))>{
      function(by_position), function(by_velocity), function(by_acceleration)};
  }
};

/// Entries of four rows of a column.
using Entries = OfEach<Four>;

/// Those of four rows or columns.
using Square = OfEach<std::array<Four, 4>>;

/// The blocks on the diagonal.
using DiagonalBlocks = OfEach<Diagonals>;

/// The matrices, each of them column-major.
template <int joints>
struct Matrices
{
  double *dtau_dq, *dtau_dqd, *dtau_dqdd;

  /// Puts four rows of a column, or those of them that there are.
  template <int rows = 4>
  [[gnu::always_inline]] void put(int row, int column, const Entries & entries) const noexcept
  {
    const int place = column * joints + row;
    put_first<rows>(entries.by_position, dtau_dq + place);
    put_first<rows>(entries.by_velocity, dtau_dqd + place);
    put_first<rows>(entries.by_acceleration, dtau_dqdd + place);
  }
};

/// Rows have motions where they carry the column's joint, and forces where it carries them.
template <const auto & table>
[[gnu::always_inline]] static inline DiagonalBlocks find_diagonal_blocks(
  const Slopes & slopes) noexcept
{
  const Each none(0.0);
  Diagonals turned{none, none, none, none}, by_position = turned, by_velocity = turned;
  Diagonals by_acceleration{each(table.armature), none, none, none};
  for (int k = 0; k < 3; ++k)
  {
    const Diagonals rows = slopes.by_acceleration.rows(k);
    const Diagonals accelerations = slopes.by_acceleration.columns(k);
    const Diagonals turning = of_rows(none, Each::read(slopes.turning[k]));
    const Diagonals velocities = slopes.by_velocity.columns(k);
    turned = turned.plus_off(turning, velocities);
    by_velocity = by_velocity.plus_off(turning, accelerations).plus(rows, velocities);
    by_position = by_position.plus(rows, slopes.by_position.columns(k));
    by_acceleration = by_acceleration.plus(rows, accelerations);
  }
#pragma GCC unroll 1  // there are too few registers for more at once
  for (int k = 3; k < 6; ++k)
  {
    const Diagonals rows = slopes.by_acceleration.rows(k);
    by_velocity = by_velocity.plus(rows, slopes.by_velocity.columns(k));
    by_position = by_position.plus(rows, slopes.by_position.columns(k));
    by_acceleration = by_acceleration.plus(rows, slopes.by_acceleration.columns(k));
  }
  by_acceleration.third = third_of_symmetric(by_acceleration.next);
  return {by_position + twice(turned), twice(by_velocity), by_acceleration};
}

/// Columns of the blocks on the diagonal: of one half of them, as many rows as there are.
template <int joints, int half>
[[gnu::always_inline]] static inline void put_diagonal_block(
  const DiagonalBlocks & blocks, const Matrices<joints> & matrices) noexcept
{
  constexpr int first = 4 * half, columns = half == 0 ? 4 : joints - 4;
  const auto put = [&](auto index)
  {
    constexpr int j = index;
    constexpr bool last = j + 1 == columns;
    if constexpr (j < columns)
    {
      matrices.template put<last ? columns : 4>(
        first, first + j,
        blocks.map([](const Diagonals & all) { return half_of<half>(column<j>(all)); }));
    }
  };
  put(std::integral_constant<int, 0>());
  put(std::integral_constant<int, 1>());
  put(std::integral_constant<int, 2>());
  put(std::integral_constant<int, 3>());
}

/// The rows of the other joints, in the columns of the first four: a number of each column.
template <int joints>
[[gnu::always_inline]] static inline Square carried_rows(const Slopes & slopes) noexcept
{
  const FourTwists change = slopes.by_position.carrying.first_four();
  const FourTwists rate = slopes.by_velocity.carrying.first_four();
  const FourTwists motion = slopes.by_acceleration.carrying.first_four();
  Square rows{};
  for (int i = 4; i < joints; ++i)
  {
    const FourTwists force = slopes.by_acceleration.carried.of(i);
    const FourVectors turning{
      Four(slopes.turning[0][i]), Four(slopes.turning[1][i]), Four(slopes.turning[2][i])};
    rows.by_position[i - 4] = plus_product(twice(dot(turning, rate.w)), force, change);
    rows.by_velocity[i - 4] = twice(plus_product(dot(turning, motion.w), force, rate));
    rows.by_acceleration[i - 4] = product(force, motion);
  }
  return rows;
}

/// Puts these rows, a column at a time.
template <int joints>
[[gnu::always_inline]] static inline void put_carried(
  const Square & rows, const Matrices<joints> & matrices) noexcept
{
  const Square columns = rows.map([](const auto & one) { return transposed(one); });
  for (int j = 0; j < 4; ++j)
  {
    matrices.put(4, j, columns.map([j](const auto & one) { return one[j]; }));
  }
}

/// The rows of the first four joints, in the columns of those that these carry.
template <int joints>
[[gnu::always_inline]] static inline void put_carrying(
  const Slopes & slopes, const Square & carried, const Matrices<joints> & matrices) noexcept
{
  const FourTwists motion = slopes.by_acceleration.carrying.first_four();
  for (int j = 4; j < joints; ++j)
  {
    matrices.put(
      0, j,
      Entries{
        product(motion, slopes.by_position.carried.of(j)),
        twice(product(motion, slopes.by_velocity.carried.of(j))), carried.by_acceleration[j - 4]});
  }
}

/// The entries of the matrices; apart, so that single numbers are read from memory, of where they
/// are at hand to all lanes. What a block puts beyond its rows comes before the block that has it.
template <const auto & table, int joints>
[[gnu::noinline]] static void put_entries(
  const Slopes & slopes, double * dtau_dq, double * dtau_dqd, double * dtau_dqdd) noexcept
{
  const Matrices<joints> matrices{dtau_dq, dtau_dqd, dtau_dqdd};
  if constexpr (joints > 4)
  {
    const Square carried = carried_rows<joints>(slopes);
    put_carried(carried, matrices);
    const DiagonalBlocks blocks = find_diagonal_blocks<table>(slopes);
    put_diagonal_block<joints, 1>(blocks, matrices);
    put_carrying(slopes, carried, matrices);
    put_diagonal_block<joints, 0>(blocks, matrices);
  }
  else
  {
    put_diagonal_block<joints, 0>(find_diagonal_blocks<table>(slopes), matrices);
  }
}

#endif  // ROBCOGEN_JOINTS_SIDE_BY_SIDE

}  // namespace robcogen_ros::serial

#endif  // ROBCOGEN_ROS__SERIAL__ENTRIES_HPP_
