/// \file
/// The rotations of as many links at once as a table of sums has in a pack.
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

  [[gnu::always_inline]] static EightRotations none() noexcept
  {
    const Pack<8> one(1.0), zero(0.0);
    return {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
  }

  template <typename Row>
  [[gnu::always_inline]] static EightRotations read(const Row * rows, int i) noexcept
  {
    return {
      tree::read<double>(rows, i), tree::read<double>(rows + 3, i),
      tree::read<double>(rows + 6, i)};
  }

  template <typename Row>
  [[gnu::always_inline]] void write(Row * rows, int i) const noexcept
  {
    tree::write<double>(x, rows, i);
    tree::write<double>(y, rows + 3, i);
    tree::write<double>(z, rows + 6, i);
  }

  /// Those of other lanes, in the lanes that get any; in others nothing is turned.
  [[gnu::always_inline]] EightRotations moved(const __m512i & from, LaneSet to) const noexcept
  {
    const auto or_one = [&](const Pack<8> & numbers) -> Pack<8>
    {
      return Pack<8>::Values(_mm512_mask_permutexvar_pd(
        _mm512_set1_pd(1.0), to, from, reinterpret_cast<__m512d>(numbers.values())));
    };
    const auto or_zero = [&](const Pack<8> & numbers) { return tree::moved(numbers, from, to); };
    return {
      {or_one(x.x), or_zero(x.y), or_zero(x.z)},
      {or_zero(y.x), or_one(y.y), or_zero(y.z)},
      {or_zero(z.x), or_zero(z.y), or_one(z.z)}};
  }

  /// These, one of a row of rotations in some lanes.
  template <typename Row>
  [[gnu::always_inline]] EightRotations replaced(
    LaneSet to, const Row * rows, int joint) const noexcept
  {
    const auto column = [&](const Vectors<double> & lanes, const Row * own)
    { return EightVectors{lanes}.replaced(to, at<double>(own, joint)).lanes; };
    return {column(x, rows), column(y, rows + 3), column(z, rows + 6)};
  }

  /// These, others in some lanes.
  [[gnu::always_inline]] EightRotations replaced(
    LaneSet to, const EightRotations & others) const noexcept
  {
    const auto column = [&](const Vectors<double> & lanes, const Vectors<double> & other)
    { return EightVectors{lanes}.replaced(to, EightVectors{other}).lanes; };
    return {column(x, others.x), column(y, others.y), column(z, others.z)};
  }

  [[gnu::always_inline]] Vectors<double> turn(const Vectors<double> & v) const noexcept
  {
    return x * v.x + y * v.y + z * v.z;
  }

  [[gnu::always_inline]] friend EightRotations operator*(
    const EightRotations & a, const EightRotations & b) noexcept
  {
    return {a.turn(b.x), a.turn(b.y), a.turn(b.z)};
  }
};

/// The pose of each link in the base, from those on the links before; what is carried by a joint
/// of another pack is turned by that joint's rotation last.
template <int joints, int size>
static void chain_packs(
  const SumTable<joints> & table, double (*pose)[size], double (*offset)[size]) noexcept
{
  for (int pack = 0; pack < table.packs; ++pack)
  {
    const int i = pack * lanes_of_sums;
    auto own = EightRotations::read(pose, i);
    for (const auto & step : table.before)
    {
      own = own.moved(lanes_at(step.from + i), step.to[pack]) * own;
    }
    auto outer = EightRotations::none();
    LaneSet direct = 0;
    for (int k = table.first_outwards[pack]; k < table.first_outwards[pack + 1]; ++k)
    {
      const auto & passage = table.outwards[k];
      direct |= passage.next;
      if (passage.joint >= 0)
      {
        outer = outer.replaced(passage.lanes, pose, passage.joint);
      }
    }
    own = outer * own;
    const auto & next = table.before[0];
    const auto before = own.moved(lanes_at(next.from + i), next.to[pack]).replaced(direct, outer);
    const Vectors<double> step = before.turn(read<double>(pose + 9, i));
    own.write(pose, i);
    write<double>(step, offset, i);
    write<double>(carried_outwards(table, pack, step, zero<double>(), pose + 9).all, pose + 9, i);
  }
}

}  // namespace robcogen_ros::tree

#endif  // __AVX512F__

#endif  // ROBCOGEN_ROS__TREE__ROTATIONS_HPP_
