/// \file
/// The derivatives of the inverse dynamics of a serial chain, its joints side by side (S. Singh,
/// R. Russell and P. Wensing, Efficient analytical derivatives of rigid-body dynamics using spatial
/// vector algebra, 2022; all motions and forces about the point where the last joint is).
#ifndef ROBCOGEN_ROS__SERIAL__INVERSE_DYNAMICS_DERIVATIVES_HPP_
#define ROBCOGEN_ROS__SERIAL__INVERSE_DYNAMICS_DERIVATIVES_HPP_

#include "robcogen_ros/serial/lanes.hpp"
#include "robcogen_ros/tree/moving.hpp"

namespace robcogen_ros::serial
{

#ifdef ROBCOGEN_JOINTS_SIDE_BY_SIDE

using Twists = tree::Twist<Each>;
using Wrenches = tree::Wrench<Each>;
using Moving = tree::Moving<Each>;

/// Bodies: mass, first moment, second moments column by column.
struct Bodies
{
  Each mass;
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
    const Vectors n = a.w * (x.x + y.y + z.z) - (x * a.w.x + y * a.w.y + z * a.w.z);
    return {n + cross(h, a.v), a.v * mass + cross(a.w, h)};
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
template <const auto & table, int joints>
[[gnu::always_inline]] static inline Bodies find_bodies(const Poses & at) noexcept
{
  static constexpr SecondMoments<joints> own{table};
  const Each mass = each(table.inertia[0]);
  const Vectors h = vectors(table.inertia + 1), moment = at.turned(h) + at.p * mass;
  const auto moved = [&](int i, int j, int k, const Each & first)
  { return at.turned({each(own.row[i]), each(own.row[j]), each(own.row[k])}) + at.p * first; };
  const Vectors a = moved(0, 1, 2, h.x), b = moved(1, 3, 4, h.y), c = moved(2, 4, 5, h.z);
  const auto turned = [&](const Each & x, const Each & y, const Each & z, const Each & p)
  { return a * x + b * y + c * z + moment * p; };
  const Vectors x = turned(at.x.x, at.y.x, at.z.x, at.p.x);
  const Vectors y = turned(at.x.y, at.y.y, at.z.y, at.p.y);
  const Vectors z = turned(at.x.z, at.y.z, at.z.z, at.p.z);
  return {mass, moment, {x.x, x.y, x.z}, {x.y, y.y, y.z}, {x.z, y.z, z.z}};
}

/// All that each joint moves.
template <const auto & table>
[[gnu::always_inline]] static inline Bodies carried(const Bodies & own) noexcept
{
  const Each xy = inwards(own.x.y), xz = inwards(own.x.z), yz = inwards(own.y.z);
  return {
    each(table.mass),
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
[[gnu::always_inline]] static inline Wrenches find_forces(
  const Bodies & bodies, const Moving & moving, const Twists & v, const Twists & a) noexcept
{
  const Vectors &p = moving.momentum, &x = moving.x, &y = moving.y, &z = moving.z;
  const Vectors angular_momentum{y.z - z.y, z.x - x.z, x.y - y.x};
  const Wrenches accelerating = bodies.force(a);
  return {
    accelerating.n + cross(v.w, angular_momentum) + cross(v.v, p), accelerating.f + cross(v.w, p)};
}

/// Motions or forces of the joints, as rows of which each number is at hand.
struct Rows
{
  alignas(sizeof(Each)) double row[6][most_joints];

  [[gnu::always_inline]] void put(const Vectors & first, const Vectors & second) noexcept
  {
    tree::write<double>(first, row, 0);
    tree::write<double>(second, row + 3, 0);
  }

  [[gnu::always_inline]] Twists read() const noexcept { return {vectors(row), vectors(row + 3)}; }

  /// Products of one joint's with those of all joints.
  [[gnu::always_inline]] Each angular_times(int joint, const Vectors & v) const noexcept
  {
    return v.x * Each(row[0][joint]) + v.y * Each(row[1][joint]) + v.z * Each(row[2][joint]);
  }

  [[gnu::always_inline]] Each times(int joint, const Twists & all) const noexcept
  {
    return angular_times(joint, all.w) + all.v.x * Each(row[3][joint]) +
           all.v.y * Each(row[4][joint]) + all.v.z * Each(row[5][joint]);
  }
};

/// What derivatives are made of.
struct Slopes
{
  /// Motion of a unit rate, and its first and second rate, as the link before carries it.
  Rows motion, rate, change;
  /// What accelerating, positions and velocities of the joint take of the joints that carry it.
  Rows force, by_position, by_velocity;
  /// What an angular motion of all that the joint moves takes of the joint.
  alignas(sizeof(Each)) double turning[3][most_joints];
};

template <const auto & table, int joints>
[[gnu::always_inline]] static inline void find_slopes(
  const double * q, const double * qd, const double * qdd, const double * gravity,
  Slopes & slopes) noexcept
{
  const Poses poses = find_poses<table, joints>(q);
  const Each rates = given<joints>(qd), changes = given<joints>(qdd), two(2.0);
  constexpr bool slides = any_slides(table);
  const Vectors w = slides ? poses.z * each(table.turns) : poses.z, across = cross(poses.p, w);
  const Twists s{w, slides ? poses.z - w + across : across};
  slopes.motion.put(s.w, s.v);
  const Twists v{outwards(s.w * rates), outwards(s.v * rates)}, rate = cross(v, s);
  slopes.rate.put(rate.w, rate.v);
  const Vectors g{Each(gravity[0]), Each(gravity[1]), Each(gravity[2])};
  const Twists a{
    outwards(s.w * changes + rate.w * rates), outwards(s.v * changes + rate.v * rates) - g};
  const Twists change = cross(a, s) + cross(v, rate);
  slopes.change.put(change.w, change.v);

  const Bodies links = find_bodies<table, joints>(poses);
  const Moving moving_links = links.moving(v);
  const Wrenches own = find_forces(links, moving_links, v, a);
  const Wrenches f{inwards(own.n), inwards(own.f)};
  const Bodies bodies = carried<table>(links);
  const Moving moving = carried(moving_links);

  const Wrenches force = bodies.force(s), changing = bodies.force(change);
  slopes.force.put(force.n, force.f);
  const Wrenches turned = moving.turned(rate.w);
  slopes.by_position.put(
    cross(s.w, f.n) + cross(s.v, f.f) + turned.n * two + changing.n,
    cross(s.w, f.f) + turned.f * two + changing.f);
  const Wrenches dragged = bodies.force(rate), own_turned = moving.turned(s.w);
  slopes.by_velocity.put((own_turned.n + dragged.n) * two, (own_turned.f + dragged.f) * two);
  tree::write<double>(moving.seen_from(s) * two, slopes.turning, 0);
}

/// A column of a matrix, column-major. What goes beyond its end comes before the next one; the last
/// one is put in two pieces.
template <int joints>
[[gnu::always_inline]] static inline void put_column(
  const Each & column, int place, double * matrix) noexcept
{
  double * const first = matrix + place * joints;
  if (place + 1 < joints)
  {
    column.write(first);
    return;
  }
  constexpr int rest = joints - 4;
  const auto v = column.values();
  Pack<4>(__builtin_shufflevector(v, v, 0, 1, 2, 3)).write(first);
  Pack<4>(__builtin_shufflevector(v, v, rest, rest + 1, rest + 2, rest + 3)).write(first + rest);
}

/// The entries of the matrices; apart, so that single numbers are read from memory, of where they
/// are at hand to all lanes.
template <const auto & table, int joints>
[[gnu::noinline]] static void put_entries(
  const Slopes & slopes, double * dtau_dq, double * dtau_dqd, double * dtau_dqdd) noexcept
{
  const Twists s = slopes.motion.read(), force = slopes.force.read();
  const Twists twice{force.w + force.w, force.v + force.v};
  const Vectors turning = vectors(slopes.turning);
  const Each number = each(table.joint), armature = each(table.armature);
  for (int j = 0; j < joints; ++j)
  {
    const auto above = number.values() < static_cast<double>(j);
    const auto put = [&](const Each & carrying, const Each & carried, double * matrix)
    { put_column<joints>(above ? carrying.values() : carried.values(), j, matrix); };
    const auto diagonal = number.values() == static_cast<double>(j);
    put(
      slopes.by_position.times(j, s),
      slopes.rate.angular_times(j, turning) + slopes.change.times(j, force), dtau_dq);
    put(
      slopes.by_velocity.times(j, s),
      slopes.motion.angular_times(j, turning) + slopes.rate.times(j, twice), dtau_dqd);
    put(
      slopes.force.times(j, s),
      Each(diagonal ? armature.values() : Each::Values{}) + slopes.motion.times(j, force),
      dtau_dqdd);
  }
}

/// The derivatives of the inverse dynamics by positions, velocities and accelerations, each of them
/// column-major.
///
/// \tparam table the chain's numbers, a `Tree`
template <const auto & table, int joints>
static void inverse_dynamics_derivatives(
  const double * q, const double * qd, const double * qdd, const double * gravity, double * dtau_dq,
  double * dtau_dqd, double * dtau_dqdd) noexcept
{
  Slopes slopes;
  find_slopes<table, joints>(q, qd, qdd, gravity, slopes);
  put_entries<table, joints>(slopes, dtau_dq, dtau_dqd, dtau_dqdd);
}

#else

/// Named by code that calls it for no type.
template <const auto & table, int joints>
void inverse_dynamics_derivatives(
  const double * q, const double * qd, const double * qdd, const double * gravity, double * dtau_dq,
  double * dtau_dqd, double * dtau_dqdd) noexcept;

#endif  // ROBCOGEN_JOINTS_SIDE_BY_SIDE

}  // namespace robcogen_ros::serial

#endif  // ROBCOGEN_ROS__SERIAL__INVERSE_DYNAMICS_DERIVATIVES_HPP_
