/// \file
/// Poses and inertias of the links of a robot with many joints, by loops over a table.
///
/// All vectors are along the axes of the base. What joints do not need of each other is computed
/// of several at once.
#ifndef ROBCOGEN_ROS__TREE__LINKS_HPP_
#define ROBCOGEN_ROS__TREE__LINKS_HPP_

#include "robcogen_ros/tree/sums.hpp"

namespace robcogen_ros::tree
{

/// What is computed of the links, an entry for each joint in a row.
template <typename T, int joints>
struct Links
{
  static constexpr int size = row_size<T>(joints);
  /// Pose of the link in the base: columns of the rotation, position.
  alignas(64) T pose[12][size];
  /// The joint's origin, from that of the joint before.
  alignas(64) T offset[3][size];
  /// Inertia of the link about the joint's origin.
  alignas(64) T inertia[inertia_size][size];
};

/// The pose of each link on the one before.
template <typename T, int joints>
static void take_steps(
  const Tree<joints> & tree, const T * q, T (&pose)[12][row_size<T>(joints)]) noexcept
{
  const JointNumbers<T, joints> positions(tree, q);
  for (int i = 0; i < joints; i += width<T>)
  {
    const Numbers<T> position = positions(i) + read<T>(tree.offset + i);
    const Numbers<T> angle = position * read<T>(tree.turns + i);
    Numbers<T> s, c;
    turn_by(angle, s, c);
    const Vectors<T> x = column<T>(tree.rotation, i), y = column<T>(tree.rotation + 1, i);
    const Vectors<T> z = column<T>(tree.rotation + 2, i);
    write<T>(x * c + y * s, pose, i);
    write<T>(y * c - x * s, pose + 3, i);
    write<T>(z, pose + 6, i);
    write<T>(read<T>(tree.position, i) + z * (position - angle), pose + 9, i);
  }
}

/// A vector that is given along the axes of the link before, along those of the link.
template <typename T, typename Row>
[[gnu::always_inline]] static inline Triple<T> in_successor(
  const Row * pose, int i, const Triple<T> & v) noexcept
{
  return {dot(at<T>(pose, i), v), dot(at<T>(pose + 3, i), v), dot(at<T>(pose + 6, i), v)};
}

/// The rotation of each link in the base, and its position from the link before, from the poses on
/// the links before.
///
/// What the next joint needs is kept at hand: from memory it would come later.
template <typename T, int joints>
static void chain_rotations(const Tree<joints> & tree, Links<T, joints> & links) noexcept
{
  auto * const pose = links.pose;
  Triple<T> x{T(1), T(0), T(0)}, y{T(0), T(1), T(0)}, z{T(0), T(0), T(1)};
  const Triple<T> base[3] = {x, y, z};
  for (int i = 0; i < joints; ++i)
  {
    const int before = tree.link[i] - 1;
    if (before != i - 1)
    {
      x = before < 0 ? base[0] : at<T>(pose, before);
      y = before < 0 ? base[1] : at<T>(pose + 3, before);
      z = before < 0 ? base[2] : at<T>(pose + 6, before);
    }
    const auto turned = [&](const Triple<T> & v) { return x * v.x + y * v.y + z * v.z; };
    const Triple<T> offset = turned(at<T>(pose + 9, i)), own_x = turned(at<T>(pose, i));
    const Triple<T> own_y = turned(at<T>(pose + 3, i)), own_z = turned(at<T>(pose + 6, i));
    x = own_x;
    y = own_y;
    z = own_z;
    set(x, pose, i);
    set(y, pose + 3, i);
    set(z, pose + 6, i);
    set(offset, links.offset, i);
  }
}

/// The rotations of all links in the base, and their positions from the links before.
template <typename T, int joints>
static void find_rotations(
  const Tree<joints> & tree, const T * q, Links<T, joints> & links) noexcept
{
  take_steps<T>(tree, q, links.pose);
  chain_rotations(tree, links);
}

/// The positions of all links in the base, from those on the links before.
template <typename T, int joints>
static void find_positions(const Tree<joints> & tree, Links<T, joints> & links) noexcept
{
  const auto offset = [&](int i) { return read<T>(links.offset, i); };
  accumulate(tree, zero<T>(), offset, links.pose + 9);
}

/// Mass, first moment and tensor xx xy xz, yy yz zz of several links.
template <typename N>
struct Inertias
{
  N mass;
  Triple<N> moment, top, rest;
};

/// The sums of a x', b y' and c z', symmetric: xx xy xz, yy yz zz.
template <typename N>
struct Products
{
  Triple<N> top, rest;

  [[gnu::always_inline]] Products(
    const Triple<N> & a, const Triple<N> & b, const Triple<N> & c, const Triple<N> & x,
    const Triple<N> & y, const Triple<N> & z) noexcept
  : top(a * x.x + b * y.x + c * z.x),
    rest{
      a.y * x.y + b.y * y.y + c.y * z.y, a.z * x.y + b.z * y.y + c.z * z.y,
      a.z * x.z + b.z * y.z + c.z * z.z}
  {
  }
};

/// The inertias of so many links along the axes of the base.
///
/// Those of a robot whose joints turn have no mass, a first moment along x, and no second moment
/// along z: their second moments are turned, with the sign that the tensor's products have.
template <typename T, int joints>
[[gnu::always_inline]] static inline Inertias<Numbers<T>> turned_inertias(
  const Tree<joints> & tree, const Links<T, joints> & links, int i) noexcept
{
  using N = Numbers<T>;
  const Vectors<T> x = read<T>(links.pose, i), y = read<T>(links.pose + 3, i);
  const Vectors<T> z = read<T>(links.pose + 6, i), h = read<T>(tree.inertia + 1, i);
  const Vectors<T> top = read<T>(tree.inertia + 4, i), rest = read<T>(tree.inertia + 7, i);
  const N none(0.0);
  if (!tree.slides)
  {
    const Vectors<T> a = y * top.y + z * top.z - x * rest.x, b = x * top.y + z * rest.y - y * top.x;
    const auto [first, others] = Products<N>(a, b, x * top.z + y * rest.y, x, y, z);
    return {
      none,
      x * h.x,
      {none - others.x - others.z, first.y, first.z},
      {none - first.x - others.z, others.y, none - first.x - others.x}};
  }
  const Products<N> tensor(
    x * top.x + y * top.y + z * top.z, x * top.y + y * rest.x + z * rest.y,
    x * top.z + y * rest.y + z * rest.z, x, y, z);
  return {read<T>(tree.inertia[0] + i), x * h.x + y * h.y + z * h.z, tensor.top, tensor.rest};
}

/// The inertia of each link.
template <typename T, int joints>
static void turn_inertias(const Tree<joints> & tree, Links<T, joints> & links) noexcept
{
  for (int i = 0; i < joints; i += width<T>)
  {
    const auto turned = turned_inertias(tree, links, i);
    write<T>(turned.mass, links.inertia[0] + i);
    write<T>(turned.moment, links.inertia + 1, i);
    write<T>(turned.top, links.inertia + 4, i);
    write<T>(turned.rest, links.inertia + 7, i);
  }
}

/// Poses of all links.
template <typename T, int joints>
static void find_poses(const Tree<joints> & tree, const T * q, Links<T, joints> & links) noexcept
{
  find_rotations(tree, q, links);
  find_positions(tree, links);
}

/// Poses and inertias of all links.
template <typename T, int joints>
static void find_links(const Tree<joints> & tree, const T * q, Links<T, joints> & links) noexcept
{
  find_poses(tree, q, links);
  turn_inertias(tree, links);
}

/// An inertia about a point that is at p from the one about which it was (Featherstone, Rigid Body
/// Dynamics Algorithms, 2008, equation 2.66).
template <typename T>
[[gnu::always_inline]] static inline void shift(
  T (&inertia)[inertia_size], const Triple<T> & p) noexcept
{
  const Triple<T> h{inertia[1], inertia[2], inertia[3]}, moved = h + p * inertia[0];
  const Triple<T> both = h + moved;
  const T xx = p.x * both.x, yy = p.y * both.y, zz = p.z * both.z;
  inertia[1] = moved.x;
  inertia[2] = moved.y;
  inertia[3] = moved.z;
  inertia[4] = inertia[4] + (yy + zz);
  inertia[5] = inertia[5] - (p.x * h.y + moved.x * p.y);
  inertia[6] = inertia[6] - (p.x * h.z + moved.x * p.z);
  inertia[7] = inertia[7] + (xx + zz);
  inertia[8] = inertia[8] - (p.y * h.z + moved.y * p.z);
  inertia[9] = inertia[9] + (xx + yy);
}

/// The inertia of all that each joint moves in place of its link's; what is on the base is added
/// to the base's.
template <typename T, int joints>
static void gather_inertias(
  const Tree<joints> & tree, Links<T, joints> & links, T (&base)[inertia_size]) noexcept
{
  for (int i = joints; i-- > 0;)
  {
    const int before = tree.link[i] - 1;
    T inertia[inertia_size];
    for (int k = 0; k < inertia_size; ++k)
    {
      inertia[k] = links.inertia[k][i];
    }
    shift(inertia, at<T>(links.offset, i));
    for (int k = 0; k < inertia_size; ++k)
    {
      T & sum = before < 0 ? base[k] : links.inertia[k][before];
      sum = sum + inertia[k];
    }
  }
}

/// The inertia of the base.
template <typename T, int joints>
static void copy_base(const Tree<joints> & tree, T (&base)[inertia_size]) noexcept
{
  for (int k = 0; k < inertia_size; ++k)
  {
    base[k] = T(tree.base[k]);
  }
}

}  // namespace robcogen_ros::tree

#endif  // ROBCOGEN_ROS__TREE__LINKS_HPP_
