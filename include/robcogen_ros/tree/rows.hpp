/// \file
/// Rows of matrices of three columns: of double side by side in one register.
#ifndef ROBCOGEN_ROS__TREE__ROWS_HPP_
#define ROBCOGEN_ROS__TREE__ROWS_HPP_

#include "robcogen_ros/tree/vectors.hpp"

namespace robcogen_ros::tree
{

/// Three doubles side by side; the fourth lane is zero.
struct Quad
{
  Pack<4> lanes;

  [[gnu::always_inline]] friend Quad operator+(const Quad & a, const Quad & b) noexcept
  {
    return {a.lanes + b.lanes};
  }

  [[gnu::always_inline]] friend Quad operator-(const Quad & a, const Quad & b) noexcept
  {
    return {a.lanes - b.lanes};
  }

  [[gnu::always_inline]] friend Quad operator*(const Quad & a, double factor) noexcept
  {
    return {a.lanes * Pack<4>(factor)};
  }

  [[gnu::always_inline]] friend double dot(const Quad & a, const Quad & b) noexcept
  {
    const Pack<4> products = a.lanes * b.lanes;
    return products[0] + products[1] + products[2];
  }

  /// The sum of two dot products.
  [[gnu::always_inline]] friend double dots(
    const Quad & a, const Quad & b, const Quad & c, const Quad & d) noexcept
  {
    const Pack<4> products = a.lanes * b.lanes + c.lanes * d.lanes;
    return products[0] + products[1] + products[2];
  }

  /// The next of x, y, z in the place of each.
  [[gnu::always_inline]] Quad next() const noexcept
  {
    return {Pack<4>(lanes[1], lanes[2], lanes[0], lanes[3])};
  }

  [[gnu::always_inline]] friend Quad cross(const Quad & a, const Quad & b) noexcept
  {
    return Quad{a.lanes * b.next().lanes - a.next().lanes * b.lanes}.next();
  }
};

template <typename T>
[[gnu::always_inline]] static inline T dots(
  const Triple<T> & a, const Triple<T> & b, const Triple<T> & c, const Triple<T> & d) noexcept
{
  return dot(a, b) + dot(c, d);
}

/// How rows of numbers are kept: as three of them, or side by side in a register.
template <typename T, bool in_register>
struct RowAs
{
  using Type = Triple<T>;

  [[gnu::always_inline]] static Type made(const T & x, const T & y, const T & z) noexcept
  {
    return {x, y, z};
  }
};

template <typename T>
struct RowAs<T, true>
{
  using Type = Quad;

  [[gnu::always_inline]] static Type made(T x, T y, T z) noexcept
  {
    return {Pack<4>(x, y, z, 0.0)};
  }
};

template <typename T>
struct RowOf : RowAs<T, std::is_same_v<T, double> && widest_pack >= 4>
{
};

/// A row of numbers.
template <typename T>
using Row = typename RowOf<T>::Type;

template <typename T>
[[gnu::always_inline]] static inline Row<T> row(const T & x, const T & y, const T & z) noexcept
{
  return RowOf<T>::made(x, y, z);
}

template <typename T>
[[gnu::always_inline]] static inline Row<T> row(const Triple<T> & v) noexcept
{
  return row(v.x, v.y, v.z);
}

template <typename T>
[[gnu::always_inline]] static inline const Triple<T> & triple(const Triple<T> & v) noexcept
{
  return v;
}

[[gnu::always_inline]] static inline Triple<double> triple(const Quad & v) noexcept
{
  return {v.lanes[0], v.lanes[1], v.lanes[2]};
}

/// A matrix, row by row.
template <typename T>
struct Matrix
{
  Row<T> x, y, z;

  [[gnu::always_inline]] friend Matrix operator+(const Matrix & a, const Matrix & b) noexcept
  {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }

  /// The matrix less the product of a column and a row.
  [[gnu::always_inline]] Matrix less(const Triple<T> & column, const Row<T> & row) const noexcept
  {
    return {x - row * column.x, y - row * column.y, z - row * column.z};
  }

  /// The matrix times a vector.
  [[gnu::always_inline]] Row<T> times(const Row<T> & v) const noexcept
  {
    return row<T>(dot(x, v), dot(y, v), dot(z, v));
  }

  /// A vector times the matrix.
  [[gnu::always_inline]] Row<T> after(const Triple<T> & v) const noexcept
  {
    return x * v.x + y * v.y + z * v.z;
  }

  /// A vector crossed with each row.
  [[gnu::always_inline]] Matrix rows_after(const Row<T> & v) const noexcept
  {
    return {cross(v, x), cross(v, y), cross(v, z)};
  }

  /// The matrix plus a vector crossed with each column of another.
  [[gnu::always_inline]] Matrix plus_columns(
    const Triple<T> & v, const Matrix & other) const noexcept
  {
    const auto & [a, b, c] = other;
    return {x + c * v.y - b * v.z, y + a * v.z - c * v.x, z + b * v.x - a * v.y};
  }
};

template <typename T>
[[gnu::always_inline]] static inline Matrix<T> transposed(const Matrix<T> & m) noexcept
{
  const Triple<T> a = triple(m.x), b = triple(m.y), c = triple(m.z);
  return {row(a.x, b.x, c.x), row(a.y, b.y, c.y), row(a.z, b.z, c.z)};
}

}  // namespace robcogen_ros::tree

#endif  // ROBCOGEN_ROS__TREE__ROWS_HPP_
