/// \file
/// The inertia matrix of a robot with many joints, by loops over tables of its numbers.
///
/// All vectors are along the axes of the base. Joints are numbered depth first, so that those
/// beyond a joint are a stretch of them. What joints do not need of each other is computed of
/// several at once.
#ifndef ROBCOGEN_ROS__TREE_HPP_
#define ROBCOGEN_ROS__TREE_HPP_

#include <algorithm>

#include "robcogen_ros/pack.hpp"

namespace robcogen_ros
{

/// Entries of a row of a table: whole packs of any width.
constexpr int padded(int joints) noexcept
{
  return (joints + 7) / 8 * 8;
}

/// Mass, first moment, tensor xx xy xz yy yz zz.
constexpr int inertia_size = 10;

/// The numbers of a robot, an entry for each joint in a row. Joint i moves link i + 1.
template <int joints>
struct Tree
{
  static constexpr int size = padded(joints);
  /// Whether joints are numbered as in q.
  bool in_order;
  /// Its own number.
  double joint[size];
  /// The link that the joint is on; the base is 0.
  int link[size];
  /// The first joint that is not beyond this one.
  double end[size];
  /// The entry of q.
  int coordinate[size];
  /// 1 where the joint turns, 0 where it slides.
  double turns[size];
  /// What is added to q.
  double offset[size];
  /// Inertia of the rotor.
  double armature[size];
  /// Rotation of the joint's frame on its link, row by row.
  double rotation[9][size];
  /// Position of the joint's frame on its link.
  double position[3][size];
  /// Inertia of the link that the joint moves, about the joint's origin.
  double inertia[inertia_size][size];
  /// That of the base.
  double base[inertia_size];
};

namespace tree
{

using Numbers = Pack<widest_pack>;

/// A vector of numbers, or of packs.
template <typename T>
struct Triple
{
  T x, y, z;

  [[gnu::always_inline]] friend Triple operator+(const Triple & a, const Triple & b) noexcept
  {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }

  [[gnu::always_inline]] friend Triple operator-(const Triple & a, const Triple & b) noexcept
  {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }

  [[gnu::always_inline]] friend Triple operator*(const Triple & a, const T & factor) noexcept
  {
    return {a.x * factor, a.y * factor, a.z * factor};
  }

  [[gnu::always_inline]] friend T dot(const Triple & a, const Triple & b) noexcept
  {
    return a.x * b.x + a.y * b.y + a.z * b.z;
  }

  [[gnu::always_inline]] friend Triple cross(const Triple & a, const Triple & b) noexcept
  {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
};

using Vector = Triple<double>;
using Vectors = Triple<Numbers>;

/// What is computed of the joints, an entry for each in a row.
template <int joints>
struct Work
{
  static constexpr int size = padded(joints);
  /// Pose of the link on the one before: columns of the rotation, position.
  double step[12][size];
  /// Pose of the link in the base.
  double pose[12][size];
  /// Inertia of the link, then of all that the joint moves, about the joint's origin.
  double inertia[inertia_size][size];
  /// Motion of a unit rate, and the force that a unit acceleration takes, about the base's origin.
  double motion[6][size];
  double force[6][size];
  /// What a unit acceleration takes of the joint itself.
  double diagonal[size];
};

template <typename Row>
[[gnu::always_inline]] static inline Vector at(const Row * rows, int i) noexcept
{
  return {rows[0][i], rows[1][i], rows[2][i]};
}

/// The vectors of as many joints as there are lanes.
template <typename Row>
[[gnu::always_inline]] static inline Vectors read(const Row * rows, int i) noexcept
{
  return {Numbers::read(rows[0] + i), Numbers::read(rows[1] + i), Numbers::read(rows[2] + i)};
}

template <typename Row>
[[gnu::always_inline]] static inline void write(const Vectors & v, Row * rows, int i) noexcept
{
  v.x.write(rows[0] + i);
  v.y.write(rows[1] + i);
  v.z.write(rows[2] + i);
}

/// A column of a matrix that is given row by row.
template <typename Row>
[[gnu::always_inline]] static inline Vectors column(const Row * rows, int i) noexcept
{
  return {Numbers::read(rows[0] + i), Numbers::read(rows[3] + i), Numbers::read(rows[6] + i)};
}

/// The pose of each link on the one before.
template <int joints>
static void take_steps(const Tree<joints> & tree, const double * q, Work<joints> & work) noexcept
{
  double positions[padded(joints)] = {};
  for (int i = 0; i < joints; ++i)
  {
    positions[i] = q[tree.coordinate[i]];
  }
  for (int i = 0; i < padded(joints); i += widest_pack)
  {
    const Numbers position = Numbers::read(positions + i) + Numbers::read(tree.offset + i);
    const Numbers angle = position * Numbers::read(tree.turns + i);
    Numbers s, c;
    sincos_apart(angle, s, c);
    const Vectors x = column(tree.rotation, i), y = column(tree.rotation + 1, i);
    const Vectors z = column(tree.rotation + 2, i);
    write(x * c + y * s, work.step, i);
    write(y * c - x * s, work.step + 3, i);
    write(z, work.step + 6, i);
    write(read(tree.position, i) + z * (position - angle), work.step + 9, i);
  }
}

/// The pose of each link in the base.
template <int joints>
static void chain_poses(const Tree<joints> & tree, Work<joints> & work) noexcept
{
  std::copy_n(&work.step[0][0], 12 * padded(joints), &work.pose[0][0]);
  for (int i = 0; i < joints; ++i)
  {
    const int before = tree.link[i] - 1;
    if (before < 0)
    {
      continue;
    }
    const Vector x = at(work.pose, before), y = at(work.pose + 3, before);
    const Vector z = at(work.pose + 6, before), p = at(work.pose + 9, before);
    for (int k = 0; k < 12; k += 3)
    {
      const Vector on = at(work.step + k, i);
      const Vector turned = x * on.x + y * on.y + z * on.z;
      const Vector placed = k < 9 ? turned : turned + p;
      work.pose[k][i] = placed.x;
      work.pose[k + 1][i] = placed.y;
      work.pose[k + 2][i] = placed.z;
    }
  }
}

/// The inertia of each link.
template <int joints>
static void turn_inertias(const Tree<joints> & tree, Work<joints> & work) noexcept
{
  for (int i = 0; i < padded(joints); i += widest_pack)
  {
    const Vectors x = read(work.pose, i), y = read(work.pose + 3, i), z = read(work.pose + 6, i);
    const Vectors h = read(tree.inertia + 1, i);
    const Vectors top = read(tree.inertia + 4, i), rest = read(tree.inertia + 7, i);
    const Vectors a = x * top.x + y * top.y + z * top.z;
    const Vectors b = x * top.y + y * rest.x + z * rest.y;
    const Vectors c = x * top.z + y * rest.y + z * rest.z;
    Numbers::read(tree.inertia[0] + i).write(work.inertia[0] + i);
    write(x * h.x + y * h.y + z * h.z, work.inertia + 1, i);
    write(a * x.x + b * y.x + c * z.x, work.inertia + 4, i);
    (a.y * x.y + b.y * y.y + c.y * z.y).write(work.inertia[7] + i);
    (a.z * x.y + b.z * y.y + c.z * z.y).write(work.inertia[8] + i);
    (a.z * x.z + b.z * y.z + c.z * z.z).write(work.inertia[9] + i);
  }
}

/// An inertia about a point that is at p from the one about which it was (Featherstone, Rigid Body
/// Dynamics Algorithms, 2008, equation 2.66).
[[gnu::always_inline]] static inline void shift(double (&inertia)[inertia_size], const Vector & p)
{
  const Vector h{inertia[1], inertia[2], inertia[3]}, moved = h + p * inertia[0];
  const Vector both = h + moved;
  const double xx = p.x * both.x, yy = p.y * both.y, zz = p.z * both.z;
  inertia[1] = moved.x;
  inertia[2] = moved.y;
  inertia[3] = moved.z;
  inertia[4] += yy + zz;
  inertia[5] -= p.x * h.y + moved.x * p.y;
  inertia[6] -= p.x * h.z + moved.x * p.z;
  inertia[7] += xx + zz;
  inertia[8] -= p.y * h.z + moved.y * p.z;
  inertia[9] += xx + yy;
}

/// The inertia of all that each joint moves; what is on the base is added to the base's.
template <int joints>
static void gather_inertias(
  const Tree<joints> & tree, Work<joints> & work, double (&base)[inertia_size]) noexcept
{
  for (int i = joints; i-- > 0;)
  {
    const int before = tree.link[i] - 1;
    double inertia[inertia_size];
    for (int k = 0; k < inertia_size; ++k)
    {
      inertia[k] = work.inertia[k][i];
    }
    const Vector p = at(work.pose + 9, i);
    shift(inertia, before < 0 ? p : p - at(work.pose + 9, before));
    for (int k = 0; k < inertia_size; ++k)
    {
      (before < 0 ? base[k] : work.inertia[k][before]) += inertia[k];
    }
  }
}

/// The motion of each joint, and the force that it takes.
template <int joints>
static void find_forces(const Tree<joints> & tree, Work<joints> & work) noexcept
{
  for (int i = 0; i < padded(joints); i += widest_pack)
  {
    const Vectors axis = read(work.pose + 6, i), p = read(work.pose + 9, i);
    const Vectors h = read(work.inertia + 1, i);
    const Vectors top = read(work.inertia + 4, i), rest = read(work.inertia + 7, i);
    const Vectors w = axis * Numbers::read(tree.turns + i), v = axis - w;
    const Vectors f = v * Numbers::read(work.inertia[0] + i) + cross(w, h);
    const Vectors turned{
      dot(top, w), top.y * w.x + rest.x * w.y + rest.y * w.z,
      top.z * w.x + rest.y * w.y + rest.z * w.z};
    const Vectors n = turned + cross(h, v);
    write(w, work.motion, i);
    write(v + cross(p, w), work.motion + 3, i);
    write(n + cross(p, f), work.force, i);
    write(f, work.force + 3, i);
    const Numbers own = dot(w, n) + dot(v, f) + Numbers::read(tree.armature + i);
    own.write(work.diagonal + i);
  }
}

/// The products of one joint's motion or force with the forces or motions of several.
template <typename Row>
[[gnu::always_inline]] static inline Numbers products(
  const Row * rows, int i, const Numbers (&others)[6]) noexcept
{
  Numbers sum = rows[0][i] * others[0];
  for (int k = 1; k < 6; ++k)
  {
    sum = sum + rows[k][i] * others[k];
  }
  return sum;
}

/// The place of a matrix where entries go.
template <int joints, int rows>
struct Block
{
  const Tree<joints> & tree;
  double * H;
  /// Where joints are not numbered as in q, or a pack would go beyond the end, one by one.
  [[gnu::always_inline]] void put(const Numbers & entries, int row, int column) const noexcept
  {
    if (tree.in_order && column + 1 < joints)
    {
      entries.write(H + column * rows + row);
      return;
    }
    for (int k = row; k < std::min(row + widest_pack, joints); ++k)
    {
      H[tree.coordinate[column] * rows + tree.coordinate[k]] = entries[k - row];
    }
  }
};

/// The entries of all joints. Packs that reach into the next column come before what belongs there.
template <int joints, int rows>
static void find_entries(
  const Tree<joints> & tree, const Work<joints> & work, const Block<joints, rows> & block) noexcept
{
  static_assert(joints >= 8, "fewer are straight-line code");
  for (int k = (joints - 1) / widest_pack * widest_pack; k >= 0; k -= widest_pack)
  {
    Numbers motion[6], force[6];
    for (int row = 0; row < 6; ++row)
    {
      motion[row] = Numbers::read(work.motion[row] + k);
      force[row] = Numbers::read(work.force[row] + k);
    }
    const Numbers joint = Numbers::read(tree.joint + k), end = Numbers::read(tree.end + k);
    const int beyond = std::min(k + widest_pack, joints);
    for (int i = 0; i < k; ++i)
    {
      block.put(above(tree.end[i], joint, products(work.motion, i, force)), k, i);
    }
    for (int i = k; i < beyond; ++i)
    {
      const Numbers below = above(tree.end[i], joint, products(work.motion, i, force));
      const Numbers upper = above(end, tree.joint[i], products(work.force, i, motion));
      Numbers entries = above(joint, tree.joint[i], below);
      entries = entries + above(tree.joint[i], joint, upper);
      entries.set(i - k, work.diagonal[i]);
      block.put(entries, k, i);
    }
    for (int i = beyond; i < joints; ++i)
    {
      block.put(above(end, tree.joint[i], products(work.force, i, motion)), k, i);
    }
  }
}

/// The columns of a floating base.
template <int joints>
static void put_base(
  const Tree<joints> & tree, const Work<joints> & work, const double (&inertia)[inertia_size],
  double * H) noexcept
{
  const double m = inertia[0], x = inertia[1], y = inertia[2], z = inertia[3];
  const double whole[6][6] = {
    {inertia[4], inertia[5], inertia[6], 0, -z, y},
    {inertia[5], inertia[7], inertia[8], z, 0, -x},
    {inertia[6], inertia[8], inertia[9], -y, x, 0},
    {0, z, -y, m, 0, 0},
    {-z, 0, x, 0, m, 0},
    {y, -x, 0, 0, 0, m}};
  constexpr int rows = 6 + joints;
  for (int k = 0; k < 6; ++k)
  {
    std::copy_n(whole[k], 6, H + k * rows);
    for (int i = 0; i < joints; ++i)
    {
      const int j = 6 + tree.coordinate[i];
      H[k * rows + j] = H[j * rows + k] = work.force[k][i];
    }
  }
}

}  // namespace tree

/// The joint-space inertia matrix, column-major; of a floating base with six rows and columns for
/// the base before those of the joints.
template <bool floating_base, int joints>
static void inertia_matrix_of(const Tree<joints> & robot, const double * q, double * H) noexcept
{
  constexpr int first = floating_base ? 6 : 0, rows = first + joints;
  tree::Work<joints> work;
  double base[inertia_size];
  std::copy_n(robot.base, inertia_size, base);
  tree::take_steps(robot, q, work);
  tree::chain_poses(robot, work);
  tree::turn_inertias(robot, work);
  tree::gather_inertias(robot, work, base);
  tree::find_forces(robot, work);
  tree::find_entries(robot, work, tree::Block<joints, rows>{robot, H + first * (rows + 1)});
  if constexpr (floating_base)
  {
    tree::put_base(robot, work, base, H);
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE_HPP_
