/// \file
/// Rows of four numbers that loops compute with, a lane each.
///
/// Of doubles they are the compiler's vectors, so that products and sums are fused as those of
/// single numbers are; of any other scalar, four of them.
#ifndef ROBCOGEN_ROS__SIMD__ROWS_HPP_
#define ROBCOGEN_ROS__SIMD__ROWS_HPP_

#include <cmath>
#include <cstdint>
#include <cstring>

#include "robcogen_ros/epsilon.hpp"
#include "robcogen_ros/select.hpp"
#include "robcogen_ros/simd/pack.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace robcogen_ros
{
inline namespace ROBCOGEN_INSTRUCTIONS
{

constexpr int row_lanes = 4;

/// Four numbers.
template <typename T>
struct RowOf
{
  struct Type
  {
    T lanes[row_lanes];

    T & operator[](int lane) noexcept { return lanes[lane]; }
    const T & operator[](int lane) const noexcept { return lanes[lane]; }

    template <typename Operation>
    [[gnu::always_inline]] static Type each(const Operation & operation) noexcept
    {
      return {operation(0), operation(1), operation(2), operation(3)};
    }

#define ROBCOGEN_OF_ROWS(symbol)                                                        \
  friend Type operator symbol(const Type & a, const Type & b) noexcept                  \
  {                                                                                     \
    return each([&](int lane) noexcept { return a.lanes[lane] symbol b.lanes[lane]; }); \
  }                                                                                     \
  friend Type operator symbol(const T & a, const Type & b) noexcept                     \
  {                                                                                     \
    return each([&](int lane) noexcept { return a symbol b.lanes[lane]; });             \
  }                                                                                     \
  friend Type operator symbol(const Type & a, const T & b) noexcept                     \
  {                                                                                     \
    return each([&](int lane) noexcept { return a.lanes[lane] symbol b; });             \
  }
    ROBCOGEN_OF_ROWS(+)
    ROBCOGEN_OF_ROWS(-)
    ROBCOGEN_OF_ROWS(*)
    ROBCOGEN_OF_ROWS(/)
#undef ROBCOGEN_OF_ROWS

    friend Type operator-(const Type & a) noexcept
    {
      return each([&](int lane) noexcept { return -a.lanes[lane]; });
    }
  };
};

template <>
struct RowOf<double>
{
  using Type = Lanes<row_lanes>::Values;
};

template <typename T>
using Row = typename RowOf<T>::Type;

/// A choice of lanes of another row: which each lane is, and which lanes that concerns.
struct Permutation
{
  std::int8_t lane[row_lanes];
};

/// Returns a row with the same number in all lanes.
template <typename T>
[[gnu::always_inline]] static inline Row<T> row(const T & x) noexcept
{
  return Row<T>{x, x, x, x};
}

/// Constants of a table.
template <typename T>
[[gnu::always_inline]] static inline Row<T> row(const double (&x)[row_lanes]) noexcept
{
  if constexpr (std::is_same_v<T, double>)
  {
    Row<T> result;
    std::memcpy(&result, x, sizeof result);
    return result;
  }
  return Row<T>{T(x[0]), T(x[1]), T(x[2]), T(x[3])};
}

/// Entries of an array.
template <typename T>
[[gnu::always_inline]] static inline Row<T> row(
  const T * entries, const short (&at)[row_lanes]) noexcept
{
  return Row<T>{entries[at[0]], entries[at[1]], entries[at[2]], entries[at[3]]};
}

/// Numbers of some rows, by their places: four a row.
template <typename T>
[[gnu::always_inline]] static inline Row<T> row_from(
  const Row<T> * rows, const short (&at)[row_lanes]) noexcept
{
  const auto number = [&](int lane) noexcept
  { return rows[at[lane] / row_lanes][at[lane] % row_lanes]; };
  return Row<T>{number(0), number(1), number(2), number(3)};
}

/// The lanes of a row in another order.
template <typename T>
[[gnu::always_inline]] static inline Row<T> permuted(
  const Row<T> & a, const Permutation & from) noexcept
{
#if defined(__AVX512VL__)
  if constexpr (std::is_same_v<T, double>)
  {
    const __m256i lane = _mm256_set_epi64x(from.lane[3], from.lane[2], from.lane[1], from.lane[0]);
    return _mm256_permutexvar_pd(lane, a);
  }
#elif defined(__AVX2__)
  if constexpr (std::is_same_v<T, double>)
  {
    const __m256i lane = _mm256_set_epi64x(from.lane[3], from.lane[2], from.lane[1], from.lane[0]);
    const __m256i first = _mm256_add_epi32(lane, lane);
    const __m256i halves = _mm256_or_si256(_mm256_slli_epi64(first, 32), first);
    const __m256i each = _mm256_add_epi64(halves, _mm256_set1_epi64x(1LL << 32));
    return _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(a), each));
  }
#endif
  return Row<T>{a[from.lane[0]], a[from.lane[1]], a[from.lane[2]], a[from.lane[3]]};
}

/// Returns the lanes of one row where a bit is set, elsewhere those of another.
template <typename T>
[[gnu::always_inline]] static inline Row<T> blended(
  unsigned bits, const Row<T> & a, const Row<T> & b) noexcept
{
#if defined(__AVX512VL__)
  if constexpr (std::is_same_v<T, double>)
  {
    return _mm256_mask_blend_pd(static_cast<__mmask8>(bits), b, a);
  }
#elif defined(__AVX2__)
  if constexpr (std::is_same_v<T, double>)
  {
    const __m256i signs = _mm256_set_epi64x(60, 61, 62, 63);
    const __m256i mask = _mm256_sllv_epi64(_mm256_set1_epi64x(bits), signs);
    return _mm256_blendv_pd(b, a, _mm256_castsi256_pd(mask));
  }
#endif
  const auto number = [&](int lane) noexcept
  { return (bits >> lane & 1) != 0 ? a[lane] : b[lane]; };
  return Row<T>{number(0), number(1), number(2), number(3)};
}

/// The sum of all lanes.
template <typename T>
[[gnu::always_inline]] static inline T total(const Row<T> & a) noexcept
{
  return (a[0] + a[2]) + (a[1] + a[3]);
}

/// Scatters lanes to entries; those at -1 nowhere.
template <typename T>
[[gnu::always_inline]] static inline void scatter(
  const Row<T> & a, const int (&at)[row_lanes], T * entries) noexcept
{
  for (int lane = 0; lane < row_lanes; ++lane)
  {
    if (at[lane] >= 0)
    {
      entries[at[lane]] = a[lane];
    }
  }
}

template <typename T>
[[gnu::always_inline]] static inline void sincos_of(
  const Row<T> & x, Row<T> & sine, Row<T> & cosine) noexcept
{
  if constexpr (std::is_same_v<T, double>)
  {
    Pack<row_lanes> s, c;
    sincos_here(Pack<row_lanes>(x), s, c);
    sine = s.values();
    cosine = c.values();
  }
  else
  {
    using std::cos, std::sin;
    for (int lane = 0; lane < row_lanes; ++lane)
    {
      sine[lane] = sin(x[lane]);
      cosine[lane] = cos(x[lane]);
    }
  }
}

template <typename T>
[[gnu::always_inline]] static inline Row<T> sqrt_of(const Row<T> & x) noexcept
{
  using std::sqrt;
  return Row<T>{sqrt(x[0]), sqrt(x[1]), sqrt(x[2]), sqrt(x[3])};
}

template <typename T>
[[gnu::always_inline]] static inline Row<T> atan2_of(const Row<T> & y, const Row<T> & x) noexcept
{
  using std::atan2;
  return Row<T>{atan2(y[0], x[0]), atan2(y[1], x[1]), atan2(y[2], x[2]), atan2(y[3], x[3])};
}

template <typename T>
[[gnu::always_inline]] static inline Row<T> select_of(
  const Row<T> & condition, const Row<T> & first, const Row<T> & second) noexcept
{
  Row<T> result = condition;
  for (int lane = 0; lane < row_lanes; ++lane)
  {
    result[lane] = select<T>(condition[lane], first[lane], second[lane]);
  }
  return result;
}

}  // namespace ROBCOGEN_INSTRUCTIONS
}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SIMD__ROWS_HPP_
