/// \file
/// What moving masses take to be turned on top of their motion, of a body or of several.
#ifndef ROBCOGEN_ROS__TREE__MOVING_HPP_
#define ROBCOGEN_ROS__TREE__MOVING_HPP_

#include "robcogen_ros/tree/velocities.hpp"

namespace robcogen_ros::tree
{

/// The trace of a matrix times a vector, less the matrix times it; its rows are given.
template <typename N>
[[gnu::always_inline]] static inline Triple<N> trace_less(
  const Triple<N> & x, const Triple<N> & y, const Triple<N> & z, const Triple<N> & v) noexcept
{
  return {
    (y.y + z.z) * v.x - x.y * v.y - x.z * v.z, (x.x + z.z) * v.y - y.x * v.x - y.z * v.z,
    (x.x + y.y) * v.z - z.x * v.x - z.y * v.y};
}

/// Momentum of moving masses and, column by column, the sum of velocities times positions; both
/// tell what force it takes to turn the masses on top of their motion.
template <typename N>
struct Moving
{
  Triple<N> momentum, x, y, z;

  /// Half the wrench of all forces m w x v: that of the body Coriolis matrix.
  [[gnu::always_inline]] Wrench<N> turned(const Triple<N> & w) const noexcept
  {
    const Triple<N> n = trace_less<N>({x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}, w);
    return {n, cross(w, momentum)};
  }

  /// The angular motions' share in the power of that wrench along a motion.
  [[gnu::always_inline]] Triple<N> seen_from(const Twist<N> & s) const noexcept
  {
    return plus_cross(trace_less(x, y, z, s.w), momentum, s.v);
  }

  /// The same about a point that is at -p.
  [[gnu::always_inline]] Moving shifted(const Triple<N> & p) const noexcept
  {
    return {momentum, x + momentum * p.x, y + momentum * p.y, z + momentum * p.z};
  }
};

/// Of a body that moves; the tensor is that of second moments, less half of its trace, negated.
template <typename N>
[[gnu::always_inline]] static inline Moving<N> moving(
  const N & m, const Triple<N> & h, const Triple<N> & top, const Triple<N> & rest,
  const Twist<N> & motion) noexcept
{
  const N half = (top.x + rest.x + rest.z) * N(0.5);
  const Triple<N> sx{half - top.x, -top.y, -top.z}, sy{-top.y, half - rest.x, -rest.y};
  const Triple<N> sz{-top.z, -rest.y, half - rest.z};
  const Triple<N> &w = motion.w, &v = motion.v;
  return {
    plus_cross(v * m, w, h), plus_cross(v * h.x, w, sx), plus_cross(v * h.y, w, sy),
    plus_cross(v * h.z, w, sz)};
}

}  // namespace robcogen_ros::tree

#endif  // ROBCOGEN_ROS__TREE__MOVING_HPP_
