/// \file
/// The sparse factor of the inertia matrix of a robot with many joints, by loops over a table.
#ifndef ROBCOGEN_ROS__TREE__FACTOR_HPP_
#define ROBCOGEN_ROS__TREE__FACTOR_HPP_

#include <algorithm>

#include "robcogen_ros/tree/vectors.hpp"

namespace robcogen_ros::tree
{

/// A matrix over the coordinates, column-major as in q, by the numbers that joints have in the
/// table: the base's six coordinates before those of the joints, where it floats.
template <bool floating_base, typename T, int joints>
struct Entries
{
  using Number = T;
  static constexpr int first = floating_base ? 6 : 0, rows = first + joints;
  static_assert(width<T> == 1 || joints >= 8, "fewer are straight-line code");
  const Tree<joints> & tree;
  T * matrix;

  int place(int i) const noexcept
  {
    return i < first || tree.in_order ? i : first + tree.coordinate[i - first];
  }

  T & at(int row, int column) const noexcept { return matrix[place(column) * rows + place(row)]; }

  /// Where a column begins, of joints that are numbered as in q.
  T * column(int i) const noexcept { return matrix + i * rows; }

  /// The coordinate that carries this one, or none: -1.
  int before(int i) const noexcept
  {
    const int link = i < first ? 0 : tree.link[i - first];
    return link > 0 ? first + link - 1 : std::min(i, first) - 1;
  }

  /// The first coordinate that is not beyond this one.
  int end(int i) const noexcept
  {
    return i < first ? rows : first + static_cast<int>(tree.end[i - first]);
  }
};

/// Some columns of a matrix, and a factor for each.
template <typename T, int rows>
struct Selection
{
  int count;
  int column[rows];
  T factor[rows];

  [[gnu::always_inline]] void add(int number, const T & by) noexcept
  {
    column[count] = number;
    factor[count++] = by;
  }
};

/// The sum of the selected columns, each times its factor, of some packs of rows.
template <int packs, typename Matrix>
[[gnu::always_inline]] static inline void combine_packs(
  const Matrix & M, int row, const Selection<double, Matrix::rows> & selected,
  double * sums) noexcept
{
  Numbers<double> sum[packs];
  for (auto & each : sum)
  {
    each = Numbers<double>(0.0);
  }
  for (int k = 0; k < selected.count; ++k)
  {
    const double * entries = M.column(selected.column[k]) + row;
    const Numbers<double> factor(selected.factor[k]);
    for (int p = 0; p < packs; ++p)
    {
      sum[p] = sum[p] + read<double>(entries + p * widest_pack) * factor;
    }
  }
  for (int p = 0; p < packs; ++p)
  {
    write<double>(sum[p], sums + row + p * widest_pack);
  }
}

/// The sum of the selected columns, each times its factor, above some row.
template <typename Matrix, typename T = typename Matrix::Number>
static void combine(
  const Matrix & M, int end, const Selection<T, Matrix::rows> & selected, T * sums) noexcept
{
  if constexpr (width<T> > 1)
  {
    if (M.tree.in_order)
    {
      constexpr int many = 4;
      int row = 0;
      for (; row + many * width<T> <= end; row += many * width<T>)
      {
        combine_packs<many>(M, row, selected, sums);
      }
      for (; row < end; row += width<T>)  // the last pack must not go beyond the matrix
      {
        combine_packs<1>(M, std::max(0, std::min(row, end - width<T>)), selected, sums);
      }
      return;
    }
  }
  for (int j = 0; j < end; ++j)
  {
    sums[j] = T(0);
    for (int k = 0; k < selected.count; ++k)
    {
      sums[j] = sums[j] + M.at(j, selected.column[k]) * selected.factor[k];
    }
  }
}

/// Lower triangular L with L'L = H (Featherstone, Rigid Body Dynamics Algorithms, 2008, table 6.3):
/// its row i in the place of column i of H, down to the diagonal.
///
/// Rows that have an entry i are those of what the coordinate carries: they follow it.
template <typename Matrix>
static void factorize(const Matrix & H) noexcept
{
  using std::sqrt;
  using T = typename Matrix::Number;
  Selection<T, Matrix::rows> beyond;
  T sums[Matrix::rows];
  for (int i = Matrix::rows; i-- > 0;)
  {
    beyond.count = 0;
    for (int k = i + 1; k < H.end(i); ++k)
    {
      beyond.add(k, H.at(i, k));
    }
    combine(H, i + 1, beyond, sums);
    const T square = H.at(i, i) - sums[i], root = sqrt(square), inverse = T(1) / root;
    for (int j = 0; j < i; ++j)
    {
      H.at(j, i) = (H.at(j, i) - sums[j]) * inverse;
    }
    H.at(i, i) = root;
  }
}

}  // namespace robcogen_ros::tree

#endif  // ROBCOGEN_ROS__TREE__FACTOR_HPP_
