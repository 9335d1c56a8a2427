/// \file
/// Matrices of the pairs of a serial chain's joints, found in blocks of four joints by four.
///
/// Entries are products of what their row and what their column has; both differ with which of the
/// two joints carries the other. In blocks on the diagonal, where either may, lanes go along the
/// diagonals, so that no product is found in vain.
#ifndef ROBCOGEN_ROS__SERIAL__BLOCKS_HPP_
#define ROBCOGEN_ROS__SERIAL__BLOCKS_HPP_

#include <array>

#include "robcogen_ros/serial/lanes.hpp"
#include "robcogen_ros/transpose.hpp"
#include "robcogen_ros/tree/velocities.hpp"

namespace robcogen_ros::serial
{

#ifdef ROBCOGEN_JOINTS_SIDE_BY_SIDE

/// Numbers of four joints: of the first ones, or of the others.
using Four = Pack<4>;
using FourVectors = tree::Triple<Four>;
using FourTwists = tree::Twist<Four>;

/// The numbers of one half of the joints.
template <int half>
[[gnu::always_inline]] static inline Four half_of(const Each & numbers) noexcept
{
  constexpr int i = 4 * half;
  const auto v = numbers.values();
  return Four(__builtin_shufflevector(v, v, i, i + 1, i + 2, i + 3));
}

/// The product of a motion and a force.
[[gnu::always_inline]] static inline Four product(
  const FourTwists & a, const FourTwists & b) noexcept
{
  return dot(a.w, b.w) + a.v.x * b.v.x + a.v.y * b.v.y + a.v.z * b.v.z;
}

/// The sum plus such a product.
[[gnu::always_inline]] static inline Four plus_product(
  const Four & sum, const FourTwists & a, const FourTwists & b) noexcept
{
  return sum + a.w.x * b.w.x + a.w.y * b.w.y + a.w.z * b.w.z + a.v.x * b.v.x + a.v.y * b.v.y +
         a.v.z * b.v.z;
}

/// Six numbers of each joint.
struct Rows
{
  alignas(sizeof(Each)) double row[6][most_joints];

  [[gnu::always_inline]] void put(int first, const Vectors & v) noexcept
  {
    tree::write<double>(v, row + first, 0);
  }

  [[gnu::always_inline]] Each operator[](int k) const noexcept { return Each::read(row[k]); }

  /// Those of one joint, for all lanes.
  [[gnu::always_inline]] FourTwists of(int joint) const noexcept
  {
    const auto at = [&](int k) { return Four(row[k][joint]); };
    return {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}};
  }

  /// Those of the first four joints.
  [[gnu::always_inline]] FourTwists first_four() const noexcept
  {
    const auto at = [&](int k) { return Four::read(row[k]); };
    return {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}};
  }
};

/// Diagonals of both blocks on the diagonal: the main ones, and those one, two and three columns
/// off. Beyond a block's last column they go on at its first one, which carries the row.
struct Diagonals
{
  Each on, next, second, third;

  /// The sums plus products.
  [[gnu::always_inline]] Diagonals plus(const Diagonals & a, const Diagonals & b) const noexcept
  {
    return {
      on + a.on * b.on, next + a.next * b.next, second + a.second * b.second,
      third + a.third * b.third};
  }

  /// The same, but for the main ones.
  [[gnu::always_inline]] Diagonals plus_off(const Diagonals & a, const Diagonals & b) const noexcept
  {
    return {on, next + a.next * b.next, second + a.second * b.second, third + a.third * b.third};
  }

  [[gnu::always_inline]] friend Diagonals operator+(
    const Diagonals & a, const Diagonals & b) noexcept
  {
    return {a.on + b.on, a.next + b.next, a.second + b.second, a.third + b.third};
  }
};

template <typename N>
[[gnu::always_inline]] static inline N twice(const N & a) noexcept
{
  return a + a;
}

/// In pairs of lanes the second number of one pack and the first one of another.
[[gnu::always_inline]] static inline Each between(const Each & a, const Each & b) noexcept
{
  return Each(__builtin_shufflevector(a.values(), b.values(), 1, 8, 3, 10, 5, 12, 7, 14));
}

/// Numbers of the columns of diagonals, where the row's joint carries them and where they carry it.
[[gnu::always_inline]] static inline Diagonals of_columns(
  const Each & carried, const Each & carrying) noexcept
{
  const Each second(
    __builtin_shufflevector(carried.values(), carrying.values(), 2, 3, 8, 9, 6, 7, 12, 13));
  return {carried, between(carried, second), second, between(second, carrying)};
}

/// Numbers of the rows, by whether columns that are so many further carry them.
template <int off>
[[gnu::always_inline]] static inline Each chosen(
  const Each & carrying, const Each & carried) noexcept
{
  constexpr auto of = [](int row) { return row % 4 + off < 4 ? row : row + 8; };
  return Each(__builtin_shufflevector(
    carrying.values(), carried.values(), of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7)));
}

/// Numbers of the rows of diagonals, where they carry the column's joint and where it carries them.
[[gnu::always_inline]] static inline Diagonals of_rows(
  const Each & carrying, const Each & carried) noexcept
{
  return {
    carrying, chosen<1>(carrying, carried), chosen<2>(carrying, carried),
    chosen<3>(carrying, carried)};
}

/// Numbers of each joint as a column, where the row carries it and where it carries the row.
struct Factors
{
  Rows carried, carrying;

  [[gnu::always_inline]] void put(
    int first, const Vectors & where_carried, const Vectors & where_carrying) noexcept
  {
    carried.put(first, where_carried);
    carrying.put(first, where_carrying);
  }

  [[gnu::always_inline]] Diagonals columns(int k) const noexcept
  {
    return of_columns(carried[k], carrying[k]);
  }

  /// The same numbers, in the places of rows.
  [[gnu::always_inline]] Diagonals rows(int k) const noexcept
  {
    return of_rows(carrying[k], carried[k]);
  }
};

/// The last diagonals of symmetric blocks, from those next to the middle.
[[gnu::always_inline]] static inline Each third_of_symmetric(const Each & next) noexcept
{
  const auto v = next.values();
  return Each(__builtin_shufflevector(v, v, 3, 0, 1, 2, 7, 4, 5, 6));
}

/// A column of both blocks.
template <int j>
[[gnu::always_inline]] static inline Each column(const Diagonals & diagonals) noexcept
{
  const Each four[] = {diagonals.on, diagonals.next, diagonals.second, diagonals.third};
  const auto odd = [](const Each & a, const Each & b)
  { return Each(__builtin_shufflevector(a.values(), b.values(), 0, 9, 2, 11, 4, 13, 6, 15)); };
  const Each first = odd(four[j], four[(j + 3) % 4]),
             last = odd(four[(j + 2) % 4], four[(j + 1) % 4]);
  return Each(__builtin_shufflevector(first.values(), last.values(), 0, 1, 10, 11, 4, 5, 14, 15));
}

/// Puts some numbers in a row.
template <int count>
[[gnu::always_inline]] static inline void put_first(const Four & numbers, double * place) noexcept
{
  if constexpr (count == 4)
  {
    numbers.write(place);
    return;
  }
  if constexpr (count > 1)
  {
    const auto v = numbers.values();
    Pack<2>(__builtin_shufflevector(v, v, 0, 1)).write(place);
  }
  if constexpr (count % 2 == 1)
  {
    place[count - 1] = numbers[count - 1];
  }
}

/// The columns of a block, from its rows.
[[gnu::always_inline]] static inline std::array<Four, 4> transposed(
  const std::array<Four, 4> & rows) noexcept
{
  Four::Values columns[] = {rows[0].values(), rows[1].values(), rows[2].values(), rows[3].values()};
  turn_square(columns);
  return {columns[0], columns[1], columns[2], columns[3]};
}

#endif  // ROBCOGEN_JOINTS_SIDE_BY_SIDE

}  // namespace robcogen_ros::serial

#endif  // ROBCOGEN_ROS__SERIAL__BLOCKS_HPP_
