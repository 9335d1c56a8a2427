/// \file
/// Lanes to rows and back: numbers that follow one another in memory go to different packs.
#ifndef ROBCOGEN_ROS__SIMD__TRANSPOSE_HPP_
#define ROBCOGEN_ROS__SIMD__TRANSPOSE_HPP_

#include <array>
#include <cstddef>
#include <cstring>

#include "robcogen_ros/simd/pack.hpp"

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define ROBCOGEN_SHUFFLES
#endif
#endif

namespace robcogen_ros
{
inline namespace ROBCOGEN_INSTRUCTIONS
{

/// A few numbers of each state, as many states as there are lanes: from memory and to it.
///
/// \tparam lanes how many states
template <int lanes>
struct Block
{
  /// Count of numbers of a state; 0 where the compiler cannot shuffle.
  static constexpr std::size_t width = 0;
};

#ifdef ROBCOGEN_SHUFFLES

/// Vectors of the compiler as they are in memory.
template <typename Values>
[[gnu::always_inline]] inline Values loaded(const void * from) noexcept
{
  Values values;
  std::memcpy(&values, from, sizeof values);
  return values;
}

template <typename Values>
[[gnu::always_inline]] inline void stored(Values values, void * to) noexcept
{
  std::memcpy(to, &values, sizeof values);
}

template <>
struct Block<2>
{
  static constexpr std::size_t width = 2;
  using Values = Lanes<2>::Values;

  static void load(const double * first, std::size_t stride, Pack<2> * to) noexcept
  {
    const auto a = loaded<Values>(first), b = loaded<Values>(first + stride);
    to[0] = __builtin_shufflevector(a, b, 0, 2);
    to[1] = __builtin_shufflevector(a, b, 1, 3);
  }

  static void store(const Pack<2> * const (&from)[2], double * first, std::size_t stride) noexcept
  {
    const auto x = loaded<Values>(from[0]), y = loaded<Values>(from[1]);
    stored(__builtin_shufflevector(x, y, 0, 2), first);
    stored(__builtin_shufflevector(x, y, 1, 3), first + stride);
  }
};

/// The transpose of a square of numbers.
[[gnu::always_inline]] inline void transpose_square(Lanes<4>::Values (&rows)[4]) noexcept
{
  const auto ab = __builtin_shufflevector(rows[0], rows[1], 0, 4, 2, 6);
  const auto ab1 = __builtin_shufflevector(rows[0], rows[1], 1, 5, 3, 7);
  const auto cd = __builtin_shufflevector(rows[2], rows[3], 0, 4, 2, 6);
  const auto cd1 = __builtin_shufflevector(rows[2], rows[3], 1, 5, 3, 7);
  rows[0] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
  rows[1] = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
  rows[2] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
  rows[3] = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

#ifdef __AVX__

template <>
struct Block<4>
{
  static constexpr std::size_t width = 4;
  using Values = Lanes<4>::Values;

  static void load(const double * first, std::size_t stride, Pack<4> * to) noexcept
  {
    Values rows[] = {
      loaded<Values>(first), loaded<Values>(first + stride), loaded<Values>(first + 2 * stride),
      loaded<Values>(first + 3 * stride)};
    transpose_square(rows);
    for (std::size_t i = 0; i < 4; ++i)
    {
      to[i] = rows[i];
    }
  }

  static void store(const Pack<4> * const (&from)[4], double * first, std::size_t stride) noexcept
  {
    Values rows[] = {
      loaded<Values>(from[0]), loaded<Values>(from[1]), loaded<Values>(from[2]),
      loaded<Values>(from[3])};
    transpose_square(rows);
    for (std::size_t i = 0; i < 4; ++i)
    {
      stored(rows[i], first + i * stride);
    }
  }
};

#endif  // __AVX__
#ifdef __AVX512F__

template <>
struct Block<8>
{
  static constexpr std::size_t width = 4;
  using Values = Lanes<8>::Values;
  using Half = Lanes<4>::Values;

  /// The transposes of two squares of numbers, side by side.
  [[gnu::always_inline]] static void transpose(Values (&rows)[4]) noexcept
  {
    const Values ab = __builtin_shufflevector(rows[0], rows[1], 0, 8, 2, 10, 4, 12, 6, 14);
    const Values ab1 = __builtin_shufflevector(rows[0], rows[1], 1, 9, 3, 11, 5, 13, 7, 15);
    const Values cd = __builtin_shufflevector(rows[2], rows[3], 0, 8, 2, 10, 4, 12, 6, 14);
    const Values cd1 = __builtin_shufflevector(rows[2], rows[3], 1, 9, 3, 11, 5, 13, 7, 15);
    rows[0] = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13);
    rows[1] = __builtin_shufflevector(ab1, cd1, 0, 1, 8, 9, 4, 5, 12, 13);
    rows[2] = __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
    rows[3] = __builtin_shufflevector(ab1, cd1, 2, 3, 10, 11, 6, 7, 14, 15);
  }

  /// Four numbers each of two places.
  [[gnu::always_inline]] static Values both(const void * first, const void * second) noexcept
  {
    return __builtin_shufflevector(
      loaded<Half>(first), loaded<Half>(second), 0, 1, 2, 3, 4, 5, 6, 7);
  }

  static void load(const double * first, std::size_t stride, Pack<8> * to) noexcept
  {
    Values rows[4];
    for (std::size_t i = 0; i < 4; ++i)
    {
      rows[i] = both(first + i * stride, first + (i + 4) * stride);
    }
    transpose(rows);
    for (std::size_t i = 0; i < 4; ++i)
    {
      to[i] = rows[i];
    }
  }

  static void store(const Pack<8> * const (&from)[4], double * first, std::size_t stride) noexcept
  {
    Values rows[] = {
      loaded<Values>(from[0]), loaded<Values>(from[1]), loaded<Values>(from[2]),
      loaded<Values>(from[3])};
    transpose(rows);
    for (std::size_t i = 0; i < 4; ++i)
    {
      stored(__builtin_shufflevector(rows[i], rows[i], 0, 1, 2, 3), first + i * stride);
      stored(__builtin_shufflevector(rows[i], rows[i], 4, 5, 6, 7), first + (i + 4) * stride);
    }
  }
};

#endif  // __AVX512F__
#endif  // ROBCOGEN_SHUFFLES

/// Two packs.
struct PackPair
{
  Pack<4> first, second;
};

/// The numbers at four places, and those behind them.
[[gnu::always_inline]] inline PackPair read_pairs(
  const double * a, const double * b, const double * c, const double * d) noexcept
{
#ifdef ROBCOGEN_SHUFFLES
  using Two = Lanes<2>::Values;
  const auto ac = __builtin_shufflevector(loaded<Two>(a), loaded<Two>(c), 0, 1, 2, 3);
  const auto bd = __builtin_shufflevector(loaded<Two>(b), loaded<Two>(d), 0, 1, 2, 3);
  return {__builtin_shufflevector(ac, bd, 0, 4, 2, 6), __builtin_shufflevector(ac, bd, 1, 5, 3, 7)};
#else
  return {Pack<4>(*a, *b, *c, *d), Pack<4>(a[1], b[1], c[1], d[1])};
#endif
}

/// Sets numbers to zero.
template <int count>
[[gnu::always_inline]] inline void clear(double * place) noexcept
{
  for (int i = 0; i < count; ++i)
  {
    place[i] = 0.0;
  }
}

/// Two numbers of each lane.
template <int lanes>
[[gnu::always_inline]] inline std::array<Pack<2>, lanes> transposed(
  const Pack<lanes> & a, const Pack<lanes> & b) noexcept
{
  std::array<Pack<2>, lanes> rows;
  for (int lane = 0; lane < lanes; ++lane)
  {
    rows[lane] = Pack<2>(a[lane], b[lane]);
  }
  return rows;
}

/// Four numbers of each lane.
template <int lanes>
[[gnu::always_inline]] inline std::array<Pack<4>, lanes> transposed(
  const Pack<lanes> & a, const Pack<lanes> & b, const Pack<lanes> & c,
  const Pack<lanes> & d) noexcept
{
  std::array<Pack<4>, lanes> rows;
#ifdef ROBCOGEN_SHUFFLES
  if constexpr (lanes == 4)
  {
    Lanes<4>::Values square[] = {a.values(), b.values(), c.values(), d.values()};
    transpose_square(square);
    return {square[0], square[1], square[2], square[3]};
  }
#endif
  for (int lane = 0; lane < lanes; ++lane)
  {
    rows[lane] = Pack<4>(a[lane], b[lane], c[lane], d[lane]);
  }
  return rows;
}

/// Three numbers of each lane, then a zero.
template <int lanes>
[[gnu::always_inline]] inline std::array<Pack<4>, lanes> transposed(
  const Pack<lanes> & a, const Pack<lanes> & b, const Pack<lanes> & c) noexcept
{
  return transposed(a, b, c, Pack<lanes>(0.0));
}

/// The first three numbers of a pack.
[[gnu::always_inline]] inline void write_three(const Pack<4> & row, double * place) noexcept
{
  Pack<2>(row[0], row[1]).write(place);
  place[2] = row[2];
}

}  // namespace ROBCOGEN_INSTRUCTIONS
}  // namespace robcogen_ros

#undef ROBCOGEN_SHUFFLES

#endif  // ROBCOGEN_ROS__SIMD__TRANSPOSE_HPP_
