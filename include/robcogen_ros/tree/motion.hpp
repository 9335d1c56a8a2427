/// \file
/// How the links of a robot with many joints move, and the forces that this takes, by loops over a
/// table (Featherstone, Rigid Body Dynamics Algorithms, 2008, section 5.3; accelerations are those
/// of points).
#ifndef ROBCOGEN_ROS__TREE__MOTION_HPP_
#define ROBCOGEN_ROS__TREE__MOTION_HPP_

#include "robcogen_ros/fetch_ahead.hpp"
#include "robcogen_ros/tree/links.hpp"
#include "robcogen_ros/tree/sums.hpp"

namespace robcogen_ros
{
namespace tree
{

/// The motion of a body: angular velocity and acceleration, acceleration of its origin less
/// gravity.
template <typename T>
struct BodyMotion
{
  Triple<T> w, wd, a;
};

/// A moment about a point, and a force.
template <typename T>
struct Wrench
{
  Triple<T> n, f;
};

/// The motions of links and the forces that they take, an entry for each joint in a row.
template <typename T, int joints>
struct Flow
{
  static constexpr int size = row_size<T>(joints);
  /// Angular velocity of the link, and of that before.
  alignas(64) T w[3][size];
  alignas(64) T w_before[3][size];
  /// Angular acceleration of the link, and of that before.
  alignas(64) T wd[3][size];
  alignas(64) T wd_before[3][size];
  /// Acceleration of the joint's origin less gravity.
  alignas(64) T a[3][size];
  /// Moment about the joint's origin, and force, that the link takes.
  alignas(64) T n[3][size];
  alignas(64) T f[3][size];
};

/// The six numbers of a motion or force: the angular ones, or the linear ones.
template <typename T>
[[gnu::always_inline]] static inline Triple<T> angular(const T * six) noexcept
{
  return {six[0], six[1], six[2]};
}

template <typename T>
[[gnu::always_inline]] static inline Triple<T> linear(const T * six) noexcept
{
  return {six[3], six[4], six[5]};
}

template <typename T>
[[gnu::always_inline]] static inline void put(
  const Triple<T> & angular, const Triple<T> & linear, T * six) noexcept
{
  six[0] = angular.x;
  six[1] = angular.y;
  six[2] = angular.z;
  six[3] = linear.x;
  six[4] = linear.y;
  six[5] = linear.z;
}

/// Joints that do not accelerate.
struct Unaccelerated
{
};

/// The motion of each link, from that of the base, and rates of the joints and their changes.
template <typename T, int joints, typename Changes>
[[gnu::noinline]] static void find_motions(
  const Tree<joints> & tree, const Links<T, joints> & links, const BodyMotion<T> & base,
  const JointNumbers<T, joints> & rates, const Changes & changes, Flow<T, joints> & flow) noexcept
{
  const auto axis = [&](int i) { return read<T>(links.pose + 6, i); };
  const auto turning = [&](int i)
  { return tree.slides ? axis(i) * read<T>(tree.turns + i) : axis(i); };
  const auto own_w = [&](int i) { return turning(i) * rates(i); };
  constexpr bool accelerated = !std::is_same_v<Changes, Unaccelerated>;
  const auto own_wd = [&](int i)
  {
    const Vectors<T> w = read<T>(flow.w, i);
    if constexpr (accelerated)
    {
      return plus_cross(turning(i) * changes(i), w, own_w(i));
    }
    else
    {
      return cross(w, own_w(i));
    }
  };
  const auto own_a = [&](int i)
  {
    const Vectors<T> w = read<T>(flow.w_before, i), wd = read<T>(flow.wd_before, i);
    const Vectors<T> r = read<T>(links.offset, i), carried = cross(w, r);
    if (!tree.slides)
    {
      return plus_cross(cross(wd, r), w, carried);
    }
    const Vectors<T> sliding = axis(i) - turning(i), rate = sliding * rates(i);
    Vectors<T> own = plus_cross(cross(wd, r), w, carried + rate + rate);
    if constexpr (accelerated)
    {
      own = own + sliding * changes(i);
    }
    return own;
  };
  accumulate(tree, base.w, own_w, flow.w, flow.w_before);
  accumulate(tree, base.wd, own_wd, flow.wd, flow.wd_before);
  accumulate(tree, base.a, own_a, flow.a);
}

/// The moment that turning a body takes, its origin at rest.
template <typename N>
[[gnu::always_inline]] static inline Triple<N> turning_moment(
  const Triple<N> & top, const Triple<N> & rest, const Triple<N> & w, const Triple<N> & wd) noexcept
{
  return plus_cross(product(top, rest, wd), w, product(top, rest, w));
}

/// The moment and force that the motion of a body takes, about its origin, but for the moment that
/// turning it takes.
template <typename N>
[[gnu::always_inline]] static inline Wrench<N> moving_force(
  const BodyMotion<N> & body, const N & m, const Triple<N> & h) noexcept
{
  const Triple<N> & w = body.w;
  return {cross(h, body.a), plus_cross(plus_cross(body.a * m, body.wd, h), w, cross(w, h))};
}

/// A vector along the axes of a body, whose columns in the base are given; and back.
template <typename N>
[[gnu::always_inline]] static inline Triple<N> into(
  const Triple<N> & x, const Triple<N> & y, const Triple<N> & z, const Triple<N> & v) noexcept
{
  return {dot(x, v), dot(y, v), dot(z, v)};
}

template <typename N>
[[gnu::always_inline]] static inline Triple<N> out_of(
  const Triple<N> & x, const Triple<N> & y, const Triple<N> & z, const Triple<N> & v) noexcept
{
  return x * v.x + y * v.y + z * v.z;
}

/// The moment and force that the motion of a body takes, all along its own axes: one without mass,
/// whose first moment is along x and whose second moment along z is none.
///
/// With B the acceleration of points by their positions, f = B h, and n = h x a + the axial part of
/// B S - (B S)', S the second moments: of B no more is found than this takes.
///
/// \param h the first moment
/// \param top xx xy xz of the tensor
/// \param rest its yy yz zz
/// \param ay acceleration of the origin along y, az along z
template <typename N>
[[gnu::always_inline]] static inline Wrench<N> turning_force(
  const N & h, const Triple<N> & top, const Triple<N> & rest, const Triple<N> & w,
  const Triple<N> & wd, const N & ay, const N & az) noexcept
{
  const N xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
  const N xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  const N Bxy = xy - wd.z, Byx = xy + wd.z, Bxz = xz + wd.y, Bzx = xz - wd.y;
  const N Byz = yz - wd.x, Bzy = yz + wd.x;
  const Triple<N> n{
    top.x * Bzy - top.y * Bzx + top.z * Byx - rest.y * (zz - yy),
    top.y * Bzy - rest.x * Bzx - rest.y * Bxy - top.z * (xx - zz) - h * az,
    rest.x * Byx - top.x * Bxy - top.z * Byz + rest.y * Bxz - top.y * (yy - xx) + h * ay};
  return {n, {(yy + zz) * (N(0.0) - h), Byx * h, Bzx * h}};
}

/// The moment and force that the motion of so many links takes, along the axes of the base; the
/// columns of their rotations are given.
///
/// Along the links' own axes their inertias are known.
template <typename T, int joints>
[[gnu::always_inline]] static inline Wrench<Numbers<T>> net_force(
  const Tree<joints> & tree, int i, const Vectors<T> & x, const Vectors<T> & y,
  const Vectors<T> & z, const BodyMotion<Numbers<T>> & motion) noexcept
{
  const Vectors<T> top = read<T>(tree.inertia + 4, i), rest = read<T>(tree.inertia + 7, i);
  const Vectors<T> w = into(x, y, z, motion.w), wd = into(x, y, z, motion.wd);
  if (!tree.slides)
  {
    const auto force = turning_force<Numbers<T>>(
      read<T>(tree.inertia[1] + i), top, rest, w, wd, dot(y, motion.a), dot(z, motion.a));
    return {out_of(x, y, z, force.n), out_of(x, y, z, force.f)};
  }
  const Vectors<T> h = read<T>(tree.inertia + 1, i);
  const auto moving = moving_force(motion, read<T>(tree.inertia[0] + i), out_of(x, y, z, h));
  return {moving.n + out_of(x, y, z, turning_moment(top, rest, w, wd)), moving.f};
}

/// Puts the moments and forces that the motions of so many links take into the flow.
template <typename T, int joints>
[[gnu::always_inline]] static inline void put_net_forces(
  const Tree<joints> & tree, const Links<T, joints> & links, int i, Flow<T, joints> & flow) noexcept
{
  const Wrench<Numbers<T>> force = net_force<T>(
    tree, i, read<T>(links.pose, i), read<T>(links.pose + 3, i), read<T>(links.pose + 6, i),
    {read<T>(flow.w, i), read<T>(flow.wd, i), read<T>(flow.a, i)});
  write<T>(force.n, flow.n, i);
  write<T>(force.f, flow.f, i);
}

/// The same of all links.
template <typename T, int joints>
static void find_net_forces(
  const Tree<joints> & tree, const Links<T, joints> & links, Flow<T, joints> & flow) noexcept
{
  for (int i = 0; i < joints; i += width<T>)
  {
    put_net_forces(tree, links, i, flow);
  }
}

/// The moment and force that the motion of the base takes.
template <typename T, int joints>
static Wrench<T> force_of_base(const Tree<joints> & tree, const BodyMotion<T> & base) noexcept
{
  T base_inertia[inertia_size];
  copy_base(tree, base_inertia);
  const Triple<T> top{base_inertia[4], base_inertia[5], base_inertia[6]},
    rest{base_inertia[7], base_inertia[8], base_inertia[9]};
  const Wrench<T> moving = moving_force(
    base, base_inertia[0], Triple<T>{base_inertia[1], base_inertia[2], base_inertia[3]});
  return {moving.n + turning_moment(top, rest, base.w, base.wd), moving.f};
}

/// Forces of links at the motion of the base, no joint accelerating.
template <typename T, int joints, typename Outside>
static Wrench<T> find_bias(
  const Tree<joints> & robot, const T * q, const BodyMotion<T> & base, const T * qd,
  const Outside & outside, Links<T, joints> & links, Flow<T, joints> & flow) noexcept
{
  find_rotations(robot, q, links);
  find_motions(robot, links, base, JointNumbers<T, joints>(robot, qd), Unaccelerated(), flow);
  find_net_forces(robot, links, flow);
  Wrench<T> wrench = force_of_base(robot, base);
  outside.take_off(links, wrench, flow);
  return wrench;
}

/// A row of a pose applied to a vector, of a table.
template <typename T, typename Row>
[[gnu::always_inline]] static inline Triple<T> rotated(
  const Row * rotation, int i, const Triple<T> & v) noexcept
{
  return {
    dot(at<T>(rotation, i), v), dot(at<T>(rotation + 3, i), v), dot(at<T>(rotation + 6, i), v)};
}

}  // namespace tree

/// No forces from outside.
struct NoForces
{
  template <typename Links, typename Base, typename Flow>
  void take_off(const Links &, Base &, Flow &) const noexcept
  {
  }
};

/// Forces from outside on the links, six numbers each, in the frames of users.
template <typename T, int links>
struct ForcesOnLinks
{
  const LinkFrames<links> & frames;
  const T * given;

  ForcesOnLinks(const LinkFrames<links> & of_links, const T * forces) noexcept
  : frames(of_links), given(forces)
  {
  }

  /// The force on a link, in the link's coordinates.
  tree::Wrench<T> on(int link) const noexcept
  {
    const T * six = given + 6 * frames.place[link];
    const tree::Triple<T> f = tree::rotated(frames.rotation, link, tree::linear(six));
    const tree::Triple<T> n = tree::rotated(frames.rotation, link, tree::angular(six));
    return {n + cross(tree::at<T>(frames.position, link), f), f};
  }

  /// Takes them off the forces that the links, and the base, need.
  void take_off(
    const tree::Links<T, links - 1> & bodies, tree::Wrench<T> & base,
    tree::Flow<T, links - 1> & flow) const noexcept
  {
    const tree::Wrench<T> own = on(0);
    base = {base.n - own.n, base.f - own.f};
    for (int i = 0; i < links - 1; ++i)
    {
      const tree::Wrench<T> w = on(i + 1);
      const auto x = tree::at<T>(bodies.pose, i), y = tree::at<T>(bodies.pose + 3, i);
      const auto z = tree::at<T>(bodies.pose + 6, i);
      const auto n = x * w.n.x + y * w.n.y + z * w.n.z, f = x * w.f.x + y * w.f.y + z * w.f.z;
      tree::set(tree::at<T>(flow.n, i) - n, flow.n, i);
      tree::set(tree::at<T>(flow.f, i) - f, flow.f, i);
    }
  }
};

/// What friction takes of a joint; dry friction f sign(qd) is f x / sqrt(x^2 + 1), x = 1000 qd.
template <typename T, int joints>
static T friction_of(const Friction<joints> & friction, const T * qd, int i) noexcept
{
  using std::sqrt;
  const T x = qd[i] * T(1000);
  return T(friction.damping[i]) * qd[i] + T(friction.dry[i]) * (x / sqrt(x * x + T(1)));
}

/// Adds the slopes of friction to derivatives by velocities.
template <int first, typename T, int joints>
static void add_friction_slopes(
  const Friction<joints> & friction, const T * qd, T * dtau_dqd) noexcept
{
  using std::sqrt;
  for (int i = 0; i < joints; ++i)
  {
    const T x = qd[i] * T(1000), square = x * x + T(1);
    T & slope = dtau_dqd[(first + i) * (first + joints + 1)];
    slope = slope + T(friction.damping[i]) + T(1000 * friction.dry[i]) / (square * sqrt(square));
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__MOTION_HPP_
