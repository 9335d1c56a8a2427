/// \file
/// The rotations of as many links at once as a table of sums has in a pack.
///
/// They are chained as unit quaternions: a product of these takes 16 multiplications, one of
/// matrices 27.
#ifndef ROBCOGEN_ROS__TREE__ROTATIONS_HPP_
#define ROBCOGEN_ROS__TREE__ROTATIONS_HPP_

#include "robcogen_ros/tree/sums.hpp"

#ifdef __AVX512F__

namespace robcogen_ros::tree
{

/// Rotations of eight links: their columns.
struct EightRotations
{
  Vectors<double> x, y, z;

  template <typename Row>
  [[gnu::always_inline]] void write(Row * rows, int i) const noexcept
  {
    tree::write<double>(x, rows, i);
    tree::write<double>(y, rows + 3, i);
    tree::write<double>(z, rows + 6, i);
  }

  [[gnu::always_inline]] Vectors<double> turn(const Vectors<double> & v) const noexcept
  {
    return x * v.x + y * v.y + z * v.z;
  }
};

/// Rotations of eight links: unit quaternions, v the vector, w the scalar.
struct EightQuaternions
{
  Vectors<double> v;
  Pack<8> w;

  [[gnu::always_inline]] static EightQuaternions none() noexcept { return {{0.0, 0.0, 0.0}, 1.0}; }

  template <typename Row>
  [[gnu::always_inline]] static EightQuaternions read(const Row * rows, int i) noexcept
  {
    return {tree::read<double>(rows, i), tree::read<double>(rows[3] + i)};
  }

  template <typename Row>
  [[gnu::always_inline]] void write(Row * rows, int i) const noexcept
  {
    tree::write<double>(v, rows, i);
    w.write(rows[3] + i);
  }

  /// Those of other lanes, in the lanes that get any; in others nothing is turned.
  [[gnu::always_inline]] EightQuaternions moved(const Moves & moves) const noexcept
  {
    return {EightVectors{v}.moved(moves).lanes, tree::moved(w, moves, 1.0)};
  }

  /// These, one of rows of quaternions in some lanes.
  template <typename Row>
  [[gnu::always_inline]] EightQuaternions replaced(
    LaneSet to, const Row * rows, int joint) const noexcept
  {
    return {
      EightVectors{v}.replaced(to, at<double>(rows, joint)).lanes,
      tree::replaced(w, to, rows[3][joint])};
  }

  [[gnu::always_inline]] friend EightQuaternions operator*(
    const EightQuaternions & a, const EightQuaternions & b) noexcept
  {
    const auto & [x, y, z] = a.v;
    return {
      {a.w * b.v.x + x * b.w + y * b.v.z - z * b.v.y, a.w * b.v.y + y * b.w + z * b.v.x - x * b.v.z,
       a.w * b.v.z + z * b.w + x * b.v.y - y * b.v.x},
      a.w * b.w - x * b.v.x - y * b.v.y - z * b.v.z};
  }

  /// Their matrices, also where rounding has changed the norm: 4 - 2 |q|^2 stands for 2 / |q|^2.
  [[gnu::always_inline]] EightRotations columns() const noexcept
  {
    const auto & [x, y, z] = v;
    const Pack<8> twice = Pack<8>(4.0) - (w * w + x * x + y * y + z * z) * Pack<8>(2.0);
    const auto [x2, y2, z2] = v * twice;
    const Pack<8> xy = x * y2, xz = x * z2, yz = y * z2, one(1.0);
    return {
      {one - y * y2 - z * z2, xy + w * z2, xz - w * y2},
      {xy - w * z2, one - x * x2 - z * z2, yz + w * x2},
      {xz + w * y2, yz - w * x2, one - x * x2 - y * y2}};
  }
};

/// Adds to the rotation of each of a pack's links those of the links that carry it.
///
/// \param rows the rotations of the packs before, with those of what carries them
template <int joints, int size>
[[gnu::always_inline]] static inline EightQuaternions carried_outwards(
  const SumTable<joints> & table, int pack, EightQuaternions own,
  const double (*rows)[size]) noexcept
{
  for (const auto & step : table.before)
  {
    if (step.to[pack] != 0)
    {
      own = own.moved(moves_of(step, pack)) * own;
    }
  }
  auto outer = EightQuaternions::none();
  for (int k = table.first_outwards[pack]; k < table.first_outwards[pack + 1]; ++k)
  {
    outer = outer.replaced(table.outwards[k].lanes, rows, table.outwards[k].joint);
  }
  return outer * own;
}

/// The rotations of all links on those before, and where these are, along the links' own axes.
template <int joints, int size>
static void take_turns(
  const Tree<joints> & tree, const double * q, double (*turns)[size], double (*back)[size]) noexcept
{
  const JointNumbers<double, joints> positions(tree, q);
  for (int i = 0; i < joints; i += lanes_of_sums)
  {
    const Pack<8> position = positions(i) + read<double>(tree.offset + i);
    const Pack<8> angle = position * read<double>(tree.turns + i);
    Pack<8> s, c;
    turn_by(Pack<8>(angle * Pack<8>(0.5)), s, c);
    const auto [x, y, z] = read<double>(tree.quaternion, i);
    const Pack<8> w = read<double>(tree.quaternion[3] + i);
    const EightQuaternions own{{x * c + y * s, y * c - x * s, z * c + w * s}, w * c - z * s};
    own.write(turns, i);
    const Pack<8> sine = s * (c + c), cosine = Pack<8>(1.0) - s * (s + s);
    const auto [px, py, pz] = read<double>(tree.along, i);
    write<double>(
      {px * cosine + py * sine, py * cosine - px * sine, pz + (position - angle)}, back, i);
  }
}

/// The rotations of all links in the base, from those on the links before.
template <int joints, int size>
static void chain_turns(const SumTable<joints> & table, double (*turns)[size]) noexcept
{
  for (int pack = 0; pack < table.packs; ++pack)
  {
    const int i = pack * lanes_of_sums;
    carried_outwards(table, pack, EightQuaternions::read(turns, i), turns).write(turns, i);
  }
}

/// The poses of all links, from their rotations in the base and where they are on those before.
template <int joints, int size>
static void put_turns(
  const double (*turns)[size], double (*offset)[size], double (*pose)[size]) noexcept
{
  for (int i = 0; i < joints; i += lanes_of_sums)
  {
    const EightRotations rotation = EightQuaternions::read(turns, i).columns();
    rotation.write(pose, i);
    write<double>(rotation.turn(read<double>(offset, i)), offset, i);
  }
}

}  // namespace robcogen_ros::tree

#endif  // __AVX512F__

#endif  // ROBCOGEN_ROS__TREE__ROTATIONS_HPP_
