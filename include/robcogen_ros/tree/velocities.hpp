/// \file
/// Velocities and accelerations of the links of a robot with many joints, in link coordinates, by
/// loops over a table (Featherstone, Rigid Body Dynamics Algorithms, 2008, table 5.1).
#ifndef ROBCOGEN_ROS__TREE__VELOCITIES_HPP_
#define ROBCOGEN_ROS__TREE__VELOCITIES_HPP_

#include "robcogen_ros/tree/motion.hpp"

namespace robcogen_ros::tree
{

/// A spatial motion: an angular one, and that of the origin.
template <typename T>
struct Twist
{
  Triple<T> w, v;

  [[gnu::always_inline]] friend Twist operator+(const Twist & a, const Twist & b) noexcept
  {
    return {a.w + b.w, a.v + b.v};
  }

  /// The rate of the second motion that the first one carries (equation 2.31).
  [[gnu::always_inline]] friend Twist cross(const Twist & a, const Twist & b) noexcept
  {
    return {cross(a.w, b.w), plus_cross(cross(a.w, b.v), a.v, b.w)};
  }

  /// The same motion, of a point at p from that origin.
  [[gnu::always_inline]] Twist about(const Triple<T> & p) const noexcept
  {
    return {w, plus_cross(v, w, p)};
  }
};

/// Motions of the links, an entry for each joint in a row.
template <typename T, int joints>
struct Twists
{
  static constexpr int size = row_size<T>(joints);
  T w[3][size];
  T v[3][size];

  [[gnu::always_inline]] Twist<T> of(int i) const noexcept { return {at<T>(w, i), at<T>(v, i)}; }
  [[gnu::always_inline]] void put(const Twist<T> & twist, int i) noexcept
  {
    set(twist.w, w, i);
    set(twist.v, v, i);
  }
};

/// The motion of each link, from that of the base: that of the link before, and what the joint adds
/// along its axis and across it.
///
/// What the next joint needs is kept at hand: from memory it would come later.
template <typename T, int joints, typename Across>
static void find_twists(
  const Tree<joints> & tree, const T (&pose)[12][row_size<T>(joints)], const Twist<T> & base,
  const T * rates, const Across & across, Twists<T, joints> & twists) noexcept
{
  Twist<T> twist = base;
  for (int i = 0; i < joints; ++i)
  {
    const int before = tree.link[i] - 1;
    if (before != i - 1)
    {
      twist = before < 0 ? base : twists.of(before);
    }
    const Triple<T> carried = in_successor(pose, i, cross(twist.w, at<T>(pose + 9, i)));
    twist = {in_successor(pose, i, twist.w), in_successor(pose, i, twist.v) + carried};
    T & along = tree.turns[i] != 0 ? twist.w.z : twist.v.z;
    along = along + rates[tree.coordinate[i]];
    across(i, twist);
    twists.put(twist, i);
  }
}

/// The velocity of each link.
template <typename T, int joints>
static void find_velocities(
  const Tree<joints> & tree, const T (&pose)[12][row_size<T>(joints)], const Twist<T> & base,
  const T * qd, Twists<T, joints> & velocities) noexcept
{
  find_twists(tree, pose, base, qd, [](int, Twist<T> &) {}, velocities);
}

/// The acceleration of each link: across the axis s a joint adds v x s qd.
template <typename T, int joints>
static void find_spatial_accelerations(
  const Tree<joints> & tree, const T (&pose)[12][row_size<T>(joints)],
  const Twists<T, joints> & velocities, const Twist<T> & base, const T * qd, const T * qdd,
  Twists<T, joints> & accelerations) noexcept
{
  const auto across = [&](int i, Twist<T> & twist)
  {
    const T rate = qd[tree.coordinate[i]];
    const Twist<T> velocity = velocities.of(i);
    if (tree.turns[i] != 0)
    {
      twist.w.x = twist.w.x + velocity.w.y * rate;
      twist.w.y = twist.w.y - velocity.w.x * rate;
    }
    const Triple<T> & other = tree.turns[i] != 0 ? velocity.v : velocity.w;
    twist.v.x = twist.v.x + other.y * rate;
    twist.v.y = twist.v.y - other.x * rate;
  };
  find_twists(tree, pose, base, qdd, across, accelerations);
}

/// The motions of all links, base first, in the frames of users.
template <typename T, int joints, int links>
static void put_twists(
  const LinkFrames<links> & frames, const Twist<T> & base, const Twists<T, joints> & twists,
  T * six) noexcept
{
  for (int i = 0; i < links; ++i)
  {
    const Twist<T> twist = i > 0 ? twists.of(i - 1) : base;
    const Triple<T> x = at<T>(frames.rotation, i), y = at<T>(frames.rotation + 3, i);
    const Triple<T> z = at<T>(frames.rotation + 6, i);
    const auto turned = [&](const Triple<T> & u) { return x * u.x + y * u.y + z * u.z; };
    const Triple<T> moved = twist.v + cross(twist.w, at<T>(frames.position, i));
    put(turned(twist.w), turned(moved), six + 6 * frames.place[i]);
  }
}

}  // namespace robcogen_ros::tree

#endif  // ROBCOGEN_ROS__TREE__VELOCITIES_HPP_
