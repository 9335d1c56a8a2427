/// \file
/// What the derivatives of the inverse dynamics of a serial chain are made of, its joints side by
/// side (S. Singh, R. Russell and P. Wensing, Efficient analytical derivatives of rigid-body
/// dynamics using spatial vector algebra, 2022; all motions and forces about the point where the
/// last joint is).
#ifndef ROBCOGEN_ROS__SERIAL__SLOPES_HPP_
#define ROBCOGEN_ROS__SERIAL__SLOPES_HPP_

#include <type_traits>

#include "robcogen_ros/serial/blocks.hpp"
#include "robcogen_ros/tree/moving.hpp"

namespace robcogen_ros::serial
{

#ifdef ROBCOGEN_JOINTS_SIDE_BY_SIDE

using Twists = tree::Twist<Each>;
using Wrenches = tree::Wrench<Each>;
using Moving = tree::Moving<Each>;

/// The mass of bodies that need none.
struct Massless
{
};

[[gnu::always_inline]] static inline Massless operator*(const Vectors &, Massless) noexcept
{
  return {};
}

[[gnu::always_inline]] static inline Vectors operator+(Massless, const Vectors & v) noexcept
{
  return v;
}

/// Bodies: mass, first moment, second moments column by column.
template <typename Mass>
struct Bodies
{
  Mass mass;
  Vectors h, x, y, z;

  /// What the bodies have of moving masses.
  [[gnu::always_inline]] Moving moving(const Twists & motion) const noexcept
  {
    const Vectors &w = motion.w, &v = motion.v;
    return {
      v * mass + cross(w, h), v * h.x + cross(w, x), v * h.y + cross(w, y), v * h.z + cross(w, z)};
  }

  /// The wrench that an acceleration takes.
  [[gnu::always_inline]] Wrenches force(const Twists & a) const noexcept
  {
    return {plus_cross(trace_less(x, y, z, a.w), h, a.v), a.v * mass + cross(a.w, h)};
  }
};

/// Second moments of the links: xx xy xz yy yz zz, of each joint in a row.
template <int joints>
struct SecondMoments
{
  double row[6][Tree<joints>::size];

  explicit constexpr SecondMoments(const Tree<joints> & table) noexcept : row()
  {
    for (int i = 0; i < joints; ++i)
    {
      const double xx = table.inertia[4][i], yy = table.inertia[7][i], zz = table.inertia[9][i];
      const double half = (xx + yy + zz) / 2;
      const double own[] = {half - xx, -table.inertia[5][i], -table.inertia[6][i],
                            half - yy, -table.inertia[8][i], half - zz};
      for (int k = 0; k < 6; ++k)
      {
        row[k][i] = own[k];
      }
    }
  }
};

/// The links, about where the last joint is.
///
/// Where all joints turn, links have no mass, a first moment along x, and no second moment along z.
template <const auto & table, int joints>
[[gnu::always_inline]] static inline auto find_bodies(const Poses & at) noexcept
{
  static constexpr SecondMoments<joints> own{table};
  const auto row = [](int k) { return each(own.row[k]); };
  const auto about_last = [&](
                            const auto & mass, const Vectors & moment, const Vectors & a,
                            const Vectors & b, const Vectors & c)
  {
    const auto column = [&](const Each & x, const Each & y, const Each & z, const Each & p)
    { return a * x + b * y + c * z + moment * p; };
    const Vectors x = column(at.x.x, at.y.x, at.z.x, at.p.x);
    const Vectors y = column(at.x.y, at.y.y, at.z.y, at.p.y);
    const Vectors z = column(at.x.z, at.y.z, at.z.z, at.p.z);
    return Bodies<std::decay_t<decltype(mass)>>{
      mass, moment, {x.x, x.y, x.z}, {x.y, y.y, y.z}, {x.z, y.z, z.z}};
  };
  if constexpr (table.slides)
  {
    const Each mass = each(table.inertia[0]);
    const Vectors h = vectors(table.inertia + 1);
    const auto moved = [&](int i, int j, int k, const Each & first)
    { return at.turned({row(i), row(j), row(k)}) + at.p * first; };
    return about_last(
      mass, at.turned(h) + at.p * mass, moved(0, 1, 2, h.x), moved(1, 3, 4, h.y),
      moved(2, 4, 5, h.z));
  }
  else
  {
    const Each h = each(table.inertia[1]), xy = row(1), xz = row(2), yz = row(4);
    return about_last(
      Massless(), at.x * h, at.x * row(0) + at.y * xy + at.z * xz + at.p * h,
      at.x * xy + at.y * row(3) + at.z * yz, at.x * xz + at.y * yz);
  }
}

/// The mass of all that each joint moves.
template <const auto & table, typename Mass>
[[gnu::always_inline]] static inline Mass mass_carried() noexcept
{
  if constexpr (table.slides)
  {
    return each(table.mass);
  }
  else
  {
    return {};
  }
}

/// All that each joint moves.
template <const auto & table, typename Mass>
[[gnu::always_inline]] static inline Bodies<Mass> carried(const Bodies<Mass> & own) noexcept
{
  const Each xy = inwards(own.x.y), xz = inwards(own.x.z), yz = inwards(own.y.z);
  return {
    mass_carried<table, Mass>(),
    inwards(own.h),
    {inwards(own.x.x), xy, xz},
    {xy, inwards(own.y.y), yz},
    {xz, yz, inwards(own.z.z)}};
}

[[gnu::always_inline]] static inline Moving carried(const Moving & own) noexcept
{
  return {inwards(own.momentum), inwards(own.x), inwards(own.y), inwards(own.z)};
}

/// What the motions of links take.
template <typename Mass>
[[gnu::always_inline]] static inline Wrenches find_forces(
  const Bodies<Mass> & bodies, const Moving & moving, const Twists & v, const Twists & a) noexcept
{
  const Vectors &p = moving.momentum, &x = moving.x, &y = moving.y, &z = moving.z;
  const Vectors angular_momentum{y.z - z.y, z.x - x.z, x.y - y.x};
  const Wrenches accelerating = bodies.force(a);
  return {
    accelerating.n + cross(v.w, angular_momentum) + cross(v.v, p), accelerating.f + cross(v.w, p)};
}

/// What derivatives are made of: entries by accelerations, by velocities (half of each) and by
/// positions.
struct Slopes
{
  /// What accelerating of a joint takes of the joints that carry it; motion of a unit rate.
  Factors by_acceleration;
  /// Half of what its velocity takes of them; rate of its motion, as the link before carries it.
  Factors by_velocity;
  /// What its position takes of them; the second rate of its motion.
  Factors by_position;
  /// Half of what an angular motion of all that the joint moves takes of the joint.
  alignas(sizeof(Each)) double turning[3][most_joints];
};

template <const auto & table, int joints>
[[gnu::always_inline]] static inline void find_slopes(
  const double * q, const double * qd, const double * qdd, const double * gravity,
  Slopes & slopes) noexcept
{
  const Poses poses = find_poses<table, joints>(q);
  const Vectors w = table.slides ? poses.z * each(table.turns) : poses.z,
                across = cross(poses.p, w);
  const Twists s{w, table.slides ? poses.z - w + across : across};
  const Each rates = given<joints>(qd), changes = given<joints>(qdd);
  const Twists v{outwards(s.w * rates), outwards(s.v * rates)};
  const auto links = find_bodies<table, joints>(poses);
  const Twists rate = cross(v, s);
  const auto bodies = carried<table>(links);
  const Vectors g{Each(gravity[0]), Each(gravity[1]), Each(gravity[2])};
  const Twists a{
    outwards(s.w * changes + rate.w * rates), outwards(s.v * changes + rate.v * rates) - g};
  const Moving moving_links = links.moving(v);
  const Wrenches own = find_forces(links, moving_links, v, a);

  const Wrenches force = bodies.force(s);
  slopes.by_acceleration.put(0, force.n, s.w);
  slopes.by_acceleration.put(3, force.f, s.v);
  const Moving moving = carried(moving_links);
  const Twists change = cross(a, s) + cross(v, rate);
  const Wrenches dragged = bodies.force(rate), turned = moving.turned(s.w);
  tree::write<double>(moving.seen_from(s), slopes.turning, 0);
  slopes.by_velocity.put(0, turned.n + dragged.n, rate.w);
  slopes.by_velocity.put(3, turned.f + dragged.f, rate.v);
  const Wrenches f{inwards(own.n), inwards(own.f)};
  const Wrenches turning = moving.turned(rate.w), changing = bodies.force(change);
  slopes.by_position.put(
    0, cross(s.w, f.n) + cross(s.v, f.f) + turning.n + (turning.n + changing.n), change.w);
  slopes.by_position.put(3, cross(s.w, f.f) + turning.f + (turning.f + changing.f), change.v);
}

#endif  // ROBCOGEN_JOINTS_SIDE_BY_SIDE

}  // namespace robcogen_ros::serial

#endif  // ROBCOGEN_ROS__SERIAL__SLOPES_HPP_
