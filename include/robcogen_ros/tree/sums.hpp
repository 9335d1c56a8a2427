/// \file
/// Sums of vectors along a tree: over the joints that carry each joint, and over those that it
/// carries. Of double as many joints at once as a table of sums has in a pack, if a register holds
/// them; otherwise joint after joint.
#ifndef ROBCOGEN_ROS__TREE__SUMS_HPP_
#define ROBCOGEN_ROS__TREE__SUMS_HPP_

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "robcogen_ros/tree/joint_vectors.hpp"

namespace robcogen_ros::tree
{

#ifdef __AVX512F__

/// From which lanes others get something, and which do.
struct Moves
{
  __m512i from;
  LaneSet to;
};

/// Numbers of other lanes; in lanes that get none, zero.
[[gnu::always_inline]] static inline Pack<8> moved(
  const Pack<8> & numbers, const Moves & moves) noexcept
{
  return Pack<8>::Values(
    _mm512_maskz_permutexvar_pd(moves.to, moves.from, reinterpret_cast<__m512d>(numbers.values())));
}

/// Numbers of other lanes; in lanes that get none, another.
[[gnu::always_inline]] static inline Pack<8> moved(
  const Pack<8> & numbers, const Moves & moves, double otherwise) noexcept
{
  return Pack<8>::Values(_mm512_mask_permutexvar_pd(
    _mm512_set1_pd(otherwise), moves.to, moves.from, reinterpret_cast<__m512d>(numbers.values())));
}

/// The numbers of the lanes so far behind; zero where there are none.
template <int distance>
[[gnu::always_inline]] static inline Pack<8> following(const Pack<8> & numbers) noexcept
{
  return Pack<8>::Values(_mm512_maskz_alignr_epi64(
    0xff, _mm512_setzero_si512(), reinterpret_cast<__m512i>(numbers.values()), distance));
}

/// The numbers, and one more in some lanes.
[[gnu::always_inline]] static inline Pack<8> with(
  const Pack<8> & numbers, LaneSet to, double more) noexcept
{
  const auto values = reinterpret_cast<__m512d>(numbers.values());
  return Pack<8>::Values(_mm512_mask_add_pd(values, to, values, _mm512_set1_pd(more)));
}

/// The numbers, another in some lanes.
[[gnu::always_inline]] static inline Pack<8> replaced(
  const Pack<8> & numbers, LaneSet to, double other) noexcept
{
  const auto values = reinterpret_cast<__m512d>(numbers.values());
  return Pack<8>::Values(_mm512_mask_mov_pd(values, to, _mm512_set1_pd(other)));
}

/// Vectors of eight joints, and what is done with those of some lanes.
struct EightVectors
{
  Vectors<double> lanes;

  [[gnu::always_inline]] EightVectors moved(const Moves & moves) const noexcept
  {
    return {
      {tree::moved(lanes.x, moves), tree::moved(lanes.y, moves), tree::moved(lanes.z, moves)}};
  }

  template <int distance>
  [[gnu::always_inline]] EightVectors following() const noexcept
  {
    return {
      {tree::following<distance>(lanes.x), tree::following<distance>(lanes.y),
       tree::following<distance>(lanes.z)}};
  }

  [[gnu::always_inline]] EightVectors with(LaneSet to, const Triple<double> & v) const noexcept
  {
    return {
      {tree::with(lanes.x, to, v.x), tree::with(lanes.y, to, v.y), tree::with(lanes.z, to, v.z)}};
  }

  [[gnu::always_inline]] EightVectors replaced(LaneSet to, const Triple<double> & v) const noexcept
  {
    return {
      {tree::replaced(lanes.x, to, v.x), tree::replaced(lanes.y, to, v.y),
       tree::replaced(lanes.z, to, v.z)}};
  }

  [[gnu::always_inline]] friend EightVectors operator+(
    const EightVectors & a, const EightVectors & b) noexcept
  {
    return {a.lanes + b.lanes};
  }
};

/// What a pack's joints get in a step.
template <typename Step>
[[gnu::always_inline]] static inline Moves moves_of(const Step & step, int pack) noexcept
{
  return {_mm512_load_si512(step.from + pack * lanes_of_sums), step.to[pack]};
}

/// Adds to what each joint of a pack has what the joints that carry it have, and the base.
///
/// \param rows what the joints of the packs before have, with what carries them
template <int joints, int size>
[[gnu::always_inline]] static inline Vectors<double> carried_outwards(
  const SumTable<joints> & table, int pack, const Vectors<double> & own,
  const Triple<double> & base, const double (*rows)[size]) noexcept
{
  EightVectors sum{own};
  for (const auto & step : table.before)
  {
    if (step.to[pack] != 0)
    {
      sum = sum + sum.moved(moves_of(step, pack));
    }
  }
  if (table.on_base[pack] != 0)
  {
    sum = sum.with(table.on_base[pack], base);
  }
  for (int k = table.first_outwards[pack]; k < table.first_outwards[pack + 1]; ++k)
  {
    sum = sum.with(table.outwards[k].lanes, at<double>(rows, table.outwards[k].joint));
  }
  return sum.lanes;
}

/// Adds to what each joint of a pack has what the joints that it carries hand on.
///
/// \param handed_on what each joint of the pack hands on but for what it carries
/// \param rows what the joints of the packs beyond hand on
template <int joints, int size>
[[gnu::always_inline]] static inline Vectors<double> carried_inwards(
  const SumTable<joints> & table, int pack, const Vectors<double> & own,
  const Vectors<double> & handed_on, const double (*rows)[size]) noexcept
{
  const EightVectors one{handed_on}, two = one + one.following<1>();
  const EightVectors four = two + two.following<2>();
  EightVectors sum = EightVectors{own} + one.moved(moves_of(table.beyond[2], pack));
  sum = sum + two.moved(moves_of(table.beyond[1], pack));
  sum = sum + four.moved(moves_of(table.beyond[0], pack));
  for (int k = table.first_inwards[pack]; k < table.first_inwards[pack + 1]; ++k)
  {
    sum = sum.with(table.inwards[k].lanes, at<double>(rows, table.inwards[k].joint));
  }
  return sum.lanes;
}

/// The sum of what the joints on the base hand on.
template <int joints, int size>
[[gnu::always_inline]] static inline Triple<double> handed_to_base(
  const SumTable<joints> & table, Triple<double> base, const double (*rows)[size]) noexcept
{
  for (int k = table.first_inwards[table.packs]; k < table.first_inwards[table.packs + 1]; ++k)
  {
    base = base + at<double>(rows, table.inwards[k].joint);
  }
  return base;
}

#endif  // __AVX512F__

/// What each link has, of what it has more than the one before: its rows; and what the one before
/// has, unless that is null.
///
/// What the next joint needs is kept at hand: from memory it would come later.
///
/// \param more what so many links have more, from a joint on
template <typename T, int joints, typename More, int size>
static void accumulate(
  const Tree<joints> & tree, const Triple<T> & base, const More & more, T (*rows)[size],
  T (*before)[size] = nullptr) noexcept
{
#ifdef __AVX512F__
  if constexpr (in_packs<T>)
  {
    for (int pack = 0; pack < tree.sums.packs; ++pack)
    {
      const int i = pack * lanes_of_sums;
      const Vectors<T> own = more(i);
      const Vectors<T> all = carried_outwards(tree.sums, pack, own, base, rows);
      write<T>(all, rows, i);
      if (before != nullptr)
      {
        write<T>(all - own, before, i);
      }
    }
    return;
  }
#endif
  for (int i = 0; i < joints; i += width<T>)
  {
    write<T>(more(i), rows, i);
  }
  Triple<T> carried = base;
  for (int i = 0; i < joints; ++i)
  {
    const int link = tree.link[i] - 1;
    if (link != i - 1)
    {
      carried = link < 0 ? base : at<T>(rows, link);
    }
    if (before != nullptr)
    {
      set(carried, before, i);
    }
    carried = carried + at<T>(rows, i);
    set(carried, rows, i);
  }
}

/// What each joint carries, from the outermost on: its rows and, handed on besides, others.
template <bool besides, typename T, int joints, int size>
[[gnu::always_inline]] static inline Triple<T> gather(
  const Tree<joints> & tree, Triple<T> base, T (*rows)[size], const T (*others)[size]) noexcept
{
  Triple<T> carried = zero<T>();
  for (int i = joints; i-- > 0;)
  {
    const int before = tree.link[i] - 1;
    carried = carried + at<T>(rows, i);
    set(carried, rows, i);
    if constexpr (besides)
    {
      carried = carried + at<T>(others, i);
    }
    if (before == i - 1)
    {
      continue;
    }
    if (before < 0)
    {
      base = base + carried;
    }
    else
    {
      set(at<T>(rows, before) + carried, rows, before);
    }
    carried = zero<T>();
  }
  return base + carried;
}

}  // namespace robcogen_ros::tree

#endif  // ROBCOGEN_ROS__TREE__SUMS_HPP_
