/// \file
/// What moving masses take to be turned on top of their motion, of a body or of several.
#ifndef ROBCOGEN_ROS__TREE__MOVING_HPP_
#define ROBCOGEN_ROS__TREE__MOVING_HPP_

#include "robcogen_ros/tree/velocities.hpp"

namespace robcogen_ros::tree
{

/// Momentum of moving masses and, column by column, the sum of velocities times positions; both
/// tell what force it takes to turn the masses on top of their motion.
template <typename N>
struct Moving
{
  Triple<N> momentum, x, y, z;

  /// Half the wrench of all forces m w x v: that of the body Coriolis matrix.
  [[gnu::always_inline]] Wrench<N> turned(const Triple<N> & w) const noexcept
  {
    return {
      {(y.y + z.z) * w.x - y.x * w.y - z.x * w.z, (x.x + z.z) * w.y - x.y * w.x - z.y * w.z,
       (x.x + y.y) * w.z - x.z * w.x - y.z * w.y},
      cross(w, momentum)};
  }

  /// The angular motions' share in the power of that wrench along a motion.
  [[gnu::always_inline]] Triple<N> seen_from(const Twist<N> & s) const noexcept
  {
    const Triple<N> & w = s.w;
    const Triple<N> turning{
      (y.y + z.z) * w.x - x.y * w.y - x.z * w.z, (x.x + z.z) * w.y - y.x * w.x - y.z * w.z,
      (x.x + y.y) * w.z - z.x * w.x - z.y * w.y};
    return plus_cross(turning, momentum, s.v);
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
