/// \file
/// The derivatives of the forward dynamics from those of the inverse dynamics, by loops.
#ifndef ROBCOGEN_ROS__TREE__FORWARD_DYNAMICS_DERIVATIVES_HPP_
#define ROBCOGEN_ROS__TREE__FORWARD_DYNAMICS_DERIVATIVES_HPP_

#include <algorithm>

#include "robcogen_ros/tree/columns.hpp"

namespace robcogen_ros
{
namespace tree
{

/// How many columns of a product are computed at once.
constexpr int side_by_side = 4;

/// How many packs of rows of them: as many as registers hold sums.
constexpr int packs_at_once = widest_pack == 8 ? 5 : 3;

/// Some rows of some columns of -Z B, from the rows of B that have entries in these columns. The
/// last pack of rows ends with the matrix.
template <int packs, typename T, int count>
[[gnu::always_inline]] static inline void answer_packs(
  int row, const short * k, const short * end, const T * Z, const T * B, T * result) noexcept
{
  static_assert(count >= width<T>, "fewer are straight-line code");
  constexpr int columns = std::min(side_by_side, count);
  Numbers<T> sum[columns][packs];
  int begin[packs];
  for (int p = 0; p < packs; ++p)
  {
    begin[p] = std::min(row + p * width<T>, count - width<T>);
    for (auto & column : sum)
    {
      column[p] = Numbers<T>(0.0);
    }
  }
  for (; k != end; ++k)
  {
    Numbers<T> entries[packs];
    for (int p = 0; p < packs; ++p)
    {
      entries[p] = read<T>(Z + *k * count + begin[p]);
    }
    for (int c = 0; c < columns; ++c)
    {
      const Numbers<T> by(B[c * count + *k]);
      for (int p = 0; p < packs; ++p)
      {
        sum[c][p] = sum[c][p] - entries[p] * by;
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

/// -Z B, column-major as both are.
///
/// \param[in] rows of B that have entries in column 0 up to 3, 4 up to 7, and so on; the last four
/// columns are those at the end
template <typename T, int count, int blocks, int entries>
static void answer(
  const Pattern<blocks, entries> & rows, const T * Z, const T * B, T * result) noexcept
{
  static_assert(blocks == (count + side_by_side - 1) / side_by_side);
  constexpr int all = (count + width<T> - 1) / width<T>, packs = std::min(all, packs_at_once);
  for (int block = 0; block < blocks; ++block)
  {
    const int first = std::min(block * side_by_side, count - std::min(side_by_side, count)) * count;
    for (int pack = 0; pack < all; pack += packs)
    {
      answer_packs<packs, T, count>(
        pack * width<T>, rows.begin(block), rows.end(block), Z, B + first, result + first);
    }
  }
}

}  // namespace tree

/// dqdd/dx = -H^-1 dtau/dx (Carpentier, Mansard 2018): by positions and by velocities, all
/// column-major.
///
/// \param[in] by_positions, by_velocities the rows of dtau_dq and dtau_dqd that have entries in the
/// first four columns, in the next, and so on, and in the last
template <int count, typename T, int blocks, int of_positions, int of_velocities>
static void answer_slopes(
  const Pattern<blocks, of_positions> & by_positions,
  const Pattern<blocks, of_velocities> & by_velocities, const T * H_inverse, const T * dtau_dq,
  const T * dtau_dqd, T * dqdd_dq, T * dqdd_dqd) noexcept
{
  tree::answer<T, count>(by_positions, H_inverse, dtau_dq, dqdd_dq);
  tree::answer<T, count>(by_velocities, H_inverse, dtau_dqd, dqdd_dqd);
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__FORWARD_DYNAMICS_DERIVATIVES_HPP_
