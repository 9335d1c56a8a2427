/// \file
/// Numbers and vectors of the joints of a level, a lane each: read, written, and moved to the lanes
/// of those that carry them.
#ifndef ROBCOGEN_ROS__TREE__LEVEL_VECTORS_HPP_
#define ROBCOGEN_ROS__TREE__LEVEL_VECTORS_HPP_

#include "robcogen_ros/tree/level_table.hpp"
#include "robcogen_ros/tree/vectors.hpp"

#ifdef __AVX2__
#include <immintrin.h>

namespace robcogen_ros::tree
{

/// Vectors of the joints of a level.
using LevelVectors = Triple<Pack<lanes_of_levels>>;

/// The numbers of a level's joints; lanes that it has no joints for get others.
[[gnu::always_inline]] static inline Pack<lanes_of_levels> of_level(const double * place) noexcept
{
  return Pack<lanes_of_levels>::read(place);
}

template <typename Row>
[[gnu::always_inline]] static inline LevelVectors of_level(const Row * rows, int place) noexcept
{
  return {of_level(rows[0] + place), of_level(rows[1] + place), of_level(rows[2] + place)};
}

[[gnu::always_inline]] static inline void put_level(
  const LevelVectors & v, double * x, double * y, double * z) noexcept
{
  v.x.write(x);
  v.y.write(y);
  v.z.write(z);
}

/// The numbers of other lanes.
[[gnu::always_inline]] static inline Pack<lanes_of_levels> moved(
  const Pack<lanes_of_levels> & numbers, const FromLanes & from) noexcept
{
  const __m256i order = _mm256_load_si256(reinterpret_cast<const __m256i *>(from.halves));
  const __m256 values = reinterpret_cast<__m256>(numbers.values());
  return Pack<lanes_of_levels>::Values(
    reinterpret_cast<__m256d>(_mm256_permutevar8x32_ps(values, order)));
}

[[gnu::always_inline]] static inline LevelVectors moved(
  const LevelVectors & v, const FromLanes & from) noexcept
{
  return {moved(v.x, from), moved(v.y, from), moved(v.z, from)};
}

/// The numbers of some lanes, zero in all others.
[[gnu::always_inline]] static inline Pack<lanes_of_levels> only(
  const Pack<lanes_of_levels> & numbers, const std::int64_t * lanes) noexcept
{
  return Pack<lanes_of_levels>::Values(_mm256_and_pd(
    reinterpret_cast<__m256d>(numbers.values()),
    _mm256_load_pd(reinterpret_cast<const double *>(lanes))));
}

[[gnu::always_inline]] static inline LevelVectors only(
  const LevelVectors & v, const std::int64_t * lanes) noexcept
{
  return {only(v.x, lanes), only(v.y, lanes), only(v.z, lanes)};
}

/// Some numbers; in some lanes another number.
[[gnu::always_inline]] static inline Pack<lanes_of_levels> with(
  const Pack<lanes_of_levels> & numbers, const std::int64_t * lanes, double number) noexcept
{
  return Pack<lanes_of_levels>::Values(_mm256_blendv_pd(
    reinterpret_cast<__m256d>(numbers.values()), _mm256_set1_pd(number),
    _mm256_load_pd(reinterpret_cast<const double *>(lanes))));
}

template <typename Row>
[[gnu::always_inline]] static inline LevelVectors with(
  const LevelVectors & v, const std::int64_t * lanes, const Row * rows, int place) noexcept
{
  return {
    with(v.x, lanes, rows[0][place]), with(v.y, lanes, rows[1][place]),
    with(v.z, lanes, rows[2][place])};
}

/// The sum over some lanes.
[[gnu::always_inline]] static inline Triple<double> total(
  const LevelVectors & v, const std::int64_t * lanes) noexcept
{
  const LevelVectors some = only(v, lanes);
  return {total(some.x), total(some.y), total(some.z)};
}

/// The sum plus the product a b of two vectors: with an operation less than if that came first.
[[gnu::always_inline]] static inline Pack<lanes_of_levels> plus_dot(
  const Pack<lanes_of_levels> & sum, const LevelVectors & a, const LevelVectors & b) noexcept
{
  return sum + a.x * b.x + a.y * b.y + a.z * b.z;
}

}  // namespace robcogen_ros::tree

#endif  // __AVX2__

#endif  // ROBCOGEN_ROS__TREE__LEVEL_VECTORS_HPP_
