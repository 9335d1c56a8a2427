/// \file
/// The joints of a serial chain side by side in the lanes of a register, from the base on.
///
/// What adds up along the chain takes three steps instead of one for each joint: over one joint,
/// two and four (W. Hillis and G. Steele, Data parallel algorithms, Communications of the ACM,
/// 1986). All vectors are along the axes of the base.
#ifndef ROBCOGEN_ROS__SERIAL__LANES_HPP_
#define ROBCOGEN_ROS__SERIAL__LANES_HPP_

#include "robcogen_ros/pack.hpp"
#include "robcogen_ros/tree/table.hpp"
#include "robcogen_ros/tree/vectors.hpp"

#if defined(__AVX512F__) && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define ROBCOGEN_JOINTS_SIDE_BY_SIDE
#endif
#endif

namespace robcogen_ros::serial
{

/// As many joints as a chain may have, and as it has at least.
constexpr int most_joints = 8, fewest_joints = 4;

/// Whether numbers of this type are computed with joints side by side: where a register holds those
/// of all joints. Otherwise that takes longer than straight-line code.
#ifdef ROBCOGEN_JOINTS_SIDE_BY_SIDE
template <typename T>
constexpr bool side_by_side = std::is_same_v<T, double>;

/// A number of each joint.
using Each = Pack<most_joints>;

/// A vector of each joint.
using Vectors = tree::Triple<Each>;

/// A row of a table: a number of each joint, and zeros.
[[gnu::always_inline]] static inline Each each(const double (&row)[most_joints]) noexcept
{
  return Each::read(row);
}

/// Three rows of a table, so many apart.
[[gnu::always_inline]] static inline Vectors vectors(
  const double (*rows)[most_joints], int stride = 1) noexcept
{
  return {each(rows[0]), each(rows[stride]), each(rows[2 * stride])};
}

/// What users give of each joint; lanes to spare repeat the last one.
template <int joints>
[[gnu::always_inline]] static inline Each given(const double * vector) noexcept
{
  static_assert(joints >= fewest_joints && joints <= most_joints);
  constexpr int rest = joints - 4;
  const auto first = Pack<4>::read(vector).values(), last = Pack<4>::read(vector + rest).values();
  return Each::Values(__builtin_shufflevector(
    first, last, 0, 1, 2, 3, rest > 0 ? 8 - rest : 7, rest > 1 ? 9 - rest : 7,
    rest > 2 ? 10 - rest : 7, rest > 3 ? 11 - rest : 7));
}

/// As many numbers as a pack has, of two packs in a row, from one of them on; said by name where a
/// compiler would take an instruction that wants a register for its result too.
template <int first>
[[gnu::always_inline]] static inline Each part(const Each & low, const Each & high) noexcept
{
  const auto a = low.values(), b = high.values();
#if __has_builtin(__builtin_ia32_alignq512_mask)
  typedef long long Bits __attribute__((vector_size(64)));
  const Bits x = reinterpret_cast<Bits>(a), y = reinterpret_cast<Bits>(b);
  return reinterpret_cast<Each::Values>(__builtin_ia32_alignq512_mask(y, x, first, y, 0xff));
#else
  return __builtin_shufflevector(
    a, b, first, first + 1, first + 2, first + 3, first + 4, first + 5, first + 6, first + 7);
#endif
}

/// In each lane the number of the joint that is so many before, or a number where there is none.
template <int distance>
[[gnu::always_inline]] static inline Each before(const Each & numbers, double none = 0.0) noexcept
{
  return part<most_joints - distance>(Each(none), numbers);
}

/// In each lane the number of the joint that is so many beyond, or zero where there is none.
template <int distance>
[[gnu::always_inline]] static inline Each beyond(const Each & numbers) noexcept
{
  return part<distance>(numbers, Each(0.0));
}

/// The sum from the base to each joint.
[[gnu::always_inline]] static inline Each outwards(Each sum) noexcept
{
  sum = sum + before<1>(sum);
  sum = sum + before<2>(sum);
  return sum + before<4>(sum);
}

[[gnu::always_inline]] static inline Vectors outwards(const Vectors & v) noexcept
{
  return {outwards(v.x), outwards(v.y), outwards(v.z)};
}

/// The sum from the end to each joint.
[[gnu::always_inline]] static inline Each inwards(Each sum) noexcept
{
  sum = sum + beyond<1>(sum);
  sum = sum + beyond<2>(sum);
  return sum + beyond<4>(sum);
}

[[gnu::always_inline]] static inline Vectors inwards(const Vectors & v) noexcept
{
  return {inwards(v.x), inwards(v.y), inwards(v.z)};
}

/// Poses of links: columns of the rotation, position.
struct Poses
{
  Vectors x, y, z, p;

  [[gnu::always_inline]] Vectors turned(const Vectors & v) const noexcept
  {
    return x * v.x + y * v.y + z * v.z;
  }

  /// Poses on links that are so many before to those on links that are twice as many.
  template <int distance>
  [[gnu::always_inline]] Poses joined() const noexcept
  {
    const auto carrier = [](const Vectors & v, double a, double b, double c) -> Vectors
    { return {before<distance>(v.x, a), before<distance>(v.y, b), before<distance>(v.z, c)}; };
    const Poses on{
      carrier(x, 1, 0, 0), carrier(y, 0, 1, 0), carrier(z, 0, 0, 1), carrier(p, 0, 0, 0)};
    const Vectors own_x = on.turned(x), own_y = on.turned(y);
    return {own_x, own_y, cross(own_x, own_y), on.p + on.turned(p)};
  }
};

/// The number of the last joint, in all lanes.
template <int joints>
[[gnu::always_inline]] static inline Each of_last(const Each & numbers) noexcept
{
  constexpr int last = joints - 1;
  const auto v = numbers.values();
  return __builtin_shufflevector(v, v, last, last, last, last, last, last, last, last);
}

/// The pose of each link along the axes of the base, from where the last joint is: links far from
/// the base weigh little beside their own distance from it, which would cost digits.
template <const auto & table, int joints>
[[gnu::always_inline]] static inline Poses find_poses(const double * q) noexcept
{
  const Each position = given<joints>(q) + each(table.offset);
  const Each angle = table.slides ? position * each(table.turns) : position;
  Each s, c;
  sincos_here(angle, s, c);
  const Vectors x = vectors(table.rotation, 3), y = vectors(table.rotation + 1, 3);
  const Vectors z = vectors(table.rotation + 2, 3), p = vectors(table.position);
  const Poses on_link_before{
    x * c + y * s, y * c - x * s, z, table.slides ? p + z * (position - angle) : p};
  const Poses in_base = on_link_before.joined<1>().joined<2>().joined<4>();
  const Vectors & at = in_base.p;
  const Vectors last{of_last<joints>(at.x), of_last<joints>(at.y), of_last<joints>(at.z)};
  return {in_base.x, in_base.y, in_base.z, at - last};
}

#else
template <typename T>
constexpr bool side_by_side = false;
#endif  // ROBCOGEN_JOINTS_SIDE_BY_SIDE

}  // namespace robcogen_ros::serial

#endif  // ROBCOGEN_ROS__SERIAL__LANES_HPP_
