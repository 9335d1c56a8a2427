/// \file
/// Vectors of one joint, and of as many joints as a processor computes at once.
#ifndef ROBCOGEN_ROS__TREE__VECTORS_HPP_
#define ROBCOGEN_ROS__TREE__VECTORS_HPP_

#include <cmath>
#include <type_traits>

#include "robcogen_ros/simd/pack.hpp"
#include "robcogen_ros/tree/table.hpp"

namespace robcogen_ros::tree
{

/// How many joints are computed at once: of double a pack of them, of other scalars one.
template <typename T>
constexpr int width = std::is_same_v<T, double> ? widest_pack : 1;

/// A number of so many joints.
template <typename T>
using Numbers = std::conditional_t<std::is_same_v<T, double>, Pack<widest_pack>, T>;

/// Entries of a row of what is computed.
template <typename T>
constexpr int row_size(int joints) noexcept
{
  return width<T> > 1 ? padded(joints) : joints;
}

/// The numbers of so many joints, from an entry of a row on.
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

template <typename T>
[[gnu::always_inline]] static inline void turn_by(const T & angle, T & sine, T & cosine) noexcept
{
  using std::cos;
  using std::sin;
  sine = sin(angle);
  cosine = cos(angle);
}

template <int lanes>
[[gnu::always_inline]] static inline void turn_by(
  const Pack<lanes> & angle, Pack<lanes> & sine, Pack<lanes> & cosine) noexcept
{
  sincos_here(angle, sine, cosine);
}

/// A vector of numbers of any kind.
template <typename T>
struct Triple
{
  T x, y, z;

  [[gnu::always_inline]] friend Triple operator+(const Triple & a, const Triple & b) noexcept
  {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }

  [[gnu::always_inline]] friend Triple operator-(const Triple & a, const Triple & b) noexcept
  {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }

  [[gnu::always_inline]] friend Triple operator*(const Triple & a, const T & factor) noexcept
  {
    return {a.x * factor, a.y * factor, a.z * factor};
  }

  [[gnu::always_inline]] friend T dot(const Triple & a, const Triple & b) noexcept
  {
    return a.x * b.x + a.y * b.y + a.z * b.z;
  }

  [[gnu::always_inline]] friend Triple cross(const Triple & a, const Triple & b) noexcept
  {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }

  /// The sum plus a x b: with an operation less than if the product were found first.
  [[gnu::always_inline]] friend Triple plus_cross(
    const Triple & sum, const Triple & a, const Triple & b) noexcept
  {
    return {
      sum.x + a.y * b.z - a.z * b.y, sum.y + a.z * b.x - a.x * b.z, sum.z + a.x * b.y - a.y * b.x};
  }
};

/// Vectors of so many joints.
template <typename T>
using Vectors = Triple<Numbers<T>>;

/// The same vector for all.
template <typename T>
[[gnu::always_inline]] static inline Vectors<T> same(const Triple<T> & v) noexcept
{
  return {Numbers<T>(v.x), Numbers<T>(v.y), Numbers<T>(v.z)};
}

template <typename T>
[[gnu::always_inline]] static inline Triple<T> zero() noexcept
{
  return {T(0), T(0), T(0)};
}

/// The vector of one joint.
template <typename T, typename Row>
[[gnu::always_inline]] static inline Triple<T> at(const Row * rows, int i) noexcept
{
  return {T(rows[0][i]), T(rows[1][i]), T(rows[2][i])};
}

template <typename T, typename Row>
[[gnu::always_inline]] static inline void set(const Triple<T> & v, Row * rows, int i) noexcept
{
  rows[0][i] = v.x;
  rows[1][i] = v.y;
  rows[2][i] = v.z;
}

/// The vectors of so many joints.
template <typename T, typename Row>
[[gnu::always_inline]] static inline Vectors<T> read(const Row * rows, int i) noexcept
{
  return {read<T>(rows[0] + i), read<T>(rows[1] + i), read<T>(rows[2] + i)};
}

template <typename T, typename Row>
[[gnu::always_inline]] static inline void write(const Vectors<T> & v, Row * rows, int i) noexcept
{
  write<T>(v.x, rows[0] + i);
  write<T>(v.y, rows[1] + i);
  write<T>(v.z, rows[2] + i);
}

/// A column of a matrix that is given row by row.
template <typename T, typename Row>
[[gnu::always_inline]] static inline Vectors<T> column(const Row * rows, int i) noexcept
{
  return {read<T>(rows[0] + i), read<T>(rows[3] + i), read<T>(rows[6] + i)};
}

/// A symmetric matrix times a vector; its entries are xx xy xz yy yz zz.
template <typename T>
[[gnu::always_inline]] static inline Triple<T> product(
  const Triple<T> & top, const Triple<T> & rest, const Triple<T> & v) noexcept
{
  return {
    dot(top, v), top.y * v.x + rest.x * v.y + rest.y * v.z,
    top.z * v.x + rest.y * v.y + rest.z * v.z};
}

}  // namespace robcogen_ros::tree

#endif  // ROBCOGEN_ROS__TREE__VECTORS_HPP_
