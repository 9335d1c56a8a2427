/// \file
/// Numbers and rows of two joints, in the halves of one register.
#ifndef ROBCOGEN_ROS__TREE__TWO_ROWS_HPP_
#define ROBCOGEN_ROS__TREE__TWO_ROWS_HPP_

#include "robcogen_ros/tree/articulated.hpp"
#include "robcogen_ros/tree/sums.hpp"

#ifdef __AVX512F__

namespace robcogen_ros::tree
{

/// The lanes of the first joint, and of the second.
constexpr LaneSet halves[] = {0x0f, 0xf0};

/// A number of each of two joints, in all lanes of its half.
struct Both
{
  Pack<8> lanes;

  Both() = default;
  Both(const Pack<8> & both) noexcept : lanes(both) {}
  explicit Both(double number) noexcept : lanes(number) {}

  [[gnu::always_inline]] friend Both operator+(const Both & a, const Both & b) noexcept
  {
    return a.lanes + b.lanes;
  }

  [[gnu::always_inline]] friend Both operator-(const Both & a, const Both & b) noexcept
  {
    return a.lanes - b.lanes;
  }

  [[gnu::always_inline]] friend Both operator*(const Both & a, const Both & b) noexcept
  {
    return a.lanes * b.lanes;
  }

  [[gnu::always_inline]] friend Both operator/(const Both & a, const Both & b) noexcept
  {
    return a.lanes / b.lanes;
  }
};

/// Lanes of each half in another order, two bits for each; zero where they are not asked for.
template <int order>
[[gnu::always_inline]] static inline Pack<8> ordered(LaneSet lanes, const Pack<8> & from) noexcept
{
  return Pack<8>::Values(
    _mm512_maskz_permutex_pd(lanes, reinterpret_cast<__m512d>(from.values()), order));
}

/// A row of three numbers of each of two joints; what is in the fourth lane of a half is not used.
struct TwoRows
{
  Pack<8> lanes;

  /// A row for both joints.
  [[gnu::always_inline]] static TwoRows twice(const Quad & row) noexcept
  {
    return {Pack<8>(Pack<8>::Values(
      _mm512_maskz_broadcast_f64x4(0xff, reinterpret_cast<__m256d>(row.lanes.values()))))};
  }

  [[gnu::always_inline]] friend TwoRows operator+(const TwoRows & a, const TwoRows & b) noexcept
  {
    return {a.lanes + b.lanes};
  }

  [[gnu::always_inline]] friend TwoRows operator-(const TwoRows & a, const TwoRows & b) noexcept
  {
    return {a.lanes - b.lanes};
  }

  [[gnu::always_inline]] friend TwoRows operator*(const TwoRows & a, const Both & factor) noexcept
  {
    return {a.lanes * factor.lanes};
  }

  /// The next of x, y, z in the place of each.
  [[gnu::always_inline]] TwoRows next() const noexcept { return {ordered<0xc9>(0xff, lanes)}; }

  /// The sums of three numbers.
  [[gnu::always_inline]] Both sums() const noexcept
  {
    return lanes + next().lanes + ordered<0xd2>(0xff, lanes);
  }

  [[gnu::always_inline]] friend Both dot(const TwoRows & a, const TwoRows & b) noexcept
  {
    return TwoRows{a.lanes * b.lanes}.sums();
  }

  [[gnu::always_inline]] friend Both dots(
    const TwoRows & a, const TwoRows & b, const TwoRows & c, const TwoRows & d) noexcept
  {
    return TwoRows{a.lanes * b.lanes + c.lanes * d.lanes}.sums();
  }

  /// A number less the sum of two dot products, a little sooner than by taking that off.
  [[gnu::always_inline]] friend Both less_dots(
    const Both & number, const TwoRows & a, const TwoRows & b, const TwoRows & c,
    const TwoRows & d) noexcept
  {
    const TwoRows products{a.lanes * b.lanes + c.lanes * d.lanes};
    return number.lanes - products.lanes - products.next().lanes -
           ordered<0xd2>(0xff, products.lanes);
  }

  [[gnu::always_inline]] friend TwoRows cross(const TwoRows & a, const TwoRows & b) noexcept
  {
    return TwoRows{a.lanes * b.next().lanes - a.next().lanes * b.lanes}.next();
  }

  [[gnu::always_inline]] friend Triple<Both> triple(const TwoRows & v) noexcept
  {
    return {
      ordered<0x00>(0xff, v.lanes), ordered<0x55>(0xff, v.lanes), ordered<0xaa>(0xff, v.lanes)};
  }

  /// These, another row in some lanes.
  [[gnu::always_inline]] TwoRows replaced(LaneSet to, const TwoRows & other) const noexcept
  {
    return {Pack<8>(Pack<8>::Values(_mm512_mask_mov_pd(
      reinterpret_cast<__m512d>(lanes.values()), to,
      reinterpret_cast<__m512d>(other.lanes.values()))))};
  }

  /// These, rows from memory in the halves that are named.
  [[gnu::always_inline]] TwoRows replaced(LaneSet to, const Quad & other) const noexcept
  {
    return {Pack<8>(Pack<8>::Values(_mm512_mask_broadcast_f64x4(
      reinterpret_cast<__m512d>(lanes.values()), to,
      reinterpret_cast<__m256d>(other.lanes.values()))))};
  }

  /// The row of one of the joints.
  template <int half>
  [[gnu::always_inline]] Quad of() const noexcept
  {
    return {Pack<4>(Pack<4>::Values(
      _mm512_maskz_extractf64x4_pd(0xf, reinterpret_cast<__m512d>(lanes.values()), half)))};
  }
};

template <>
struct RowOf<Both>
{
  using Type = TwoRows;

  [[gnu::always_inline]] static TwoRows made(
    const Both & x, const Both & y, const Both & z) noexcept
  {
    return TwoRows{x.lanes}.replaced(0x22, TwoRows{y.lanes}).replaced(0x44, TwoRows{z.lanes});
  }
};

[[gnu::always_inline]] static inline Matrix<Both> transposed(const Matrix<Both> & m) noexcept
{
  const auto x = reinterpret_cast<__m512d>(m.x.lanes.values());
  const auto y = reinterpret_cast<__m512d>(m.y.lanes.values());
  const auto z = reinterpret_cast<__m512d>(m.z.lanes.values());
  const __m512d even = _mm512_maskz_unpacklo_pd(0xff, x, y);
  const __m512d odd = _mm512_maskz_unpackhi_pd(0xff, x, y);
  const auto rows = [](const __m512d & lanes) -> TwoRows { return {Pack<8>::Values(lanes)}; };
  return {
    rows(_mm512_mask_permutex_pd(even, 0x44, z, 0x00)),
    rows(_mm512_mask_permutex_pd(odd, 0x44, z, 0x55)),
    rows(_mm512_mask_permutex_pd(z, 0x33, even, 0x0e))};
}

/// Which of two joints turn.
struct Turning
{
  bool all;
  LaneSet lanes;
};

[[gnu::always_inline]] static inline TwoRows chosen(
  const Turning & turns, const TwoRows & turning, const TwoRows & sliding) noexcept
{
  return turns.all ? turning : sliding.replaced(turns.lanes, turning);
}

[[gnu::always_inline]] static inline Pair<Both> force_along(
  const Articulated<Both> & body, const Triple<Both> & axis, const Turning & turns) noexcept
{
  const Pair<Both> turned{body.J.after(axis), body.B.after(axis)};
  if (turns.all)
  {
    return turned;
  }
  return {
    body.B.times(row(axis)).replaced(turns.lanes, turned.n),
    body.M.after(axis).replaced(turns.lanes, turned.f)};
}

/// Adds rows in some lanes.
[[gnu::always_inline]] static inline TwoRows with(
  const TwoRows & rows, LaneSet to, const TwoRows & more) noexcept
{
  const auto values = reinterpret_cast<__m512d>(rows.lanes.values());
  return {Pack<8>(Pack<8>::Values(
    _mm512_mask_add_pd(values, to, values, reinterpret_cast<__m512d>(more.lanes.values()))))};
}

}  // namespace robcogen_ros::tree

#endif  // __AVX512F__

#endif  // ROBCOGEN_ROS__TREE__TWO_ROWS_HPP_
