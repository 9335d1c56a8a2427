/// \file
/// Sums of vectors along a tree: over the joints that carry each joint, and over those that it
/// carries. Of double as many joints at once as a table of sums has in a pack, if a register holds
/// them; otherwise joint after joint.
#ifndef ROBCOGEN_ROS__TREE__SUMS_HPP_
#define ROBCOGEN_ROS__TREE__SUMS_HPP_

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "robcogen_ros/tree/vectors.hpp"

namespace robcogen_ros::tree
{

/// Whether vectors of this type are summed up a pack at a time.
template <typename T>
constexpr bool in_packs = width<T> == lanes_of_sums;

#ifdef __AVX512F__

/// Numbers of other lanes, in the lanes that get any; zero in others.
[[gnu::always_inline]] static inline Pack<8> moved(
  const Pack<8> & numbers, const __m512i & from, LaneSet to) noexcept
{
  return Pack<8>::Values(
    _mm512_maskz_permutexvar_pd(to, from, reinterpret_cast<__m512d>(numbers.values())));
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

  [[gnu::always_inline]] EightVectors moved(const __m512i & from, LaneSet to) const noexcept
  {
    return {
      {tree::moved(lanes.x, from, to), tree::moved(lanes.y, from, to),
       tree::moved(lanes.z, from, to)}};
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

/// The lanes that a pack's joints get something from.
[[gnu::always_inline]] static inline __m512i lanes_at(const std::uint8_t * from) noexcept
{
  return _mm512_maskz_cvtepu8_epi64(0xff, _mm_loadl_epi64(reinterpret_cast<const __m128i *>(from)));
}

/// Adds to what each joint has what the joints that carry it have, and the base.
///
/// \param told what those that carry each have together, unless it is null
template <int joints, int size>
static void sum_outwards(
  const SumTable<joints> & table, const Triple<double> & base, double (*rows)[size],
  double (*told)[size]) noexcept
{
  for (int pack = 0; pack < table.packs; ++pack)
  {
    const int i = pack * lanes_of_sums;
    const auto passages = [&](const auto & take)
    {
      for (int k = table.first_outwards[pack]; k < table.first_outwards[pack + 1]; ++k)
      {
        const auto & passage = table.outwards[k];
        take(passage, passage.joint < 0 ? base : at<double>(rows, passage.joint));
      }
    };
    EightVectors sum{read<double>(rows, i)};
    for (const auto & step : table.before)
    {
      sum = sum + sum.moved(lanes_at(step.from + i), step.to[pack]);
    }
    passages([&](const auto & passage, const Triple<double> & v)
             { sum = sum.with(passage.lanes, v); });
    write<double>(sum.lanes, rows, i);
    if (told != nullptr)
    {
      EightVectors before = sum.moved(lanes_at(table.before[0].from + i), table.before[0].to[pack]);
      passages([&](const auto & passage, const Triple<double> & v)
               { before = before.replaced(passage.next, v); });
      write<double>(before.lanes, told, i);
    }
  }
}

/// Adds to what each joint has what the joints that it carries have, and hand on besides; the sum
/// of all and the base's.
template <bool besides, int joints, int size>
static Triple<double> sum_inwards(
  const SumTable<joints> & table, Triple<double> base, double (*rows)[size],
  const double (*others)[size]) noexcept
{
  const auto handed_on = [&](int joint)
  {
    const Triple<double> own = at<double>(rows, joint);
    return besides ? own + at<double>(others, joint) : own;
  };
  const __m512i next = _mm512_setr_epi64(1, 2, 3, 4, 5, 6, 7, 0);
  const __m512i second = _mm512_setr_epi64(2, 3, 4, 5, 6, 7, 0, 0);
  for (int pack = table.packs; pack-- > 0;)
  {
    const int i = pack * lanes_of_sums;
    EightVectors sum{read<double>(rows, i)};
    for (int k = table.first_inwards[pack]; k < table.first_inwards[pack + 1]; ++k)
    {
      sum = sum.with(table.inwards[k].lanes, handed_on(table.inwards[k].joint));
    }
    const EightVectors one = besides ? sum + EightVectors{read<double>(others, i)} : sum;
    const EightVectors two = one + one.moved(next, 0x7f), four = two + two.moved(second, 0x3f);
    const EightVectors * const stretches[] = {&four, &two, &one};
    for (int step = 0; step < steps_of_sums; ++step)
    {
      const auto & beyond = table.beyond[step];
      sum = sum + stretches[step]->moved(lanes_at(beyond.from + i), beyond.to[pack]);
    }
    write<double>(sum.lanes, rows, i);
  }
  for (int k = table.first_inwards[table.packs]; k < table.first_inwards[table.packs + 1]; ++k)
  {
    base = base + handed_on(table.inwards[k].joint);
  }
  return base;
}

#endif  // __AVX512F__

/// What each link has more than the one before, to what it has; what the one before has is told,
/// unless that is null.
///
/// What the next joint needs is kept at hand: from memory it would come later.
template <typename T, int joints, int size>
static void accumulate(
  const Tree<joints> & tree, const Triple<T> & base, T (*rows)[size], T (*told)[size]) noexcept
{
#ifdef __AVX512F__
  if constexpr (in_packs<T>)
  {
    sum_outwards(tree.sums, base, rows, told);
    return;
  }
#endif
  Triple<T> carried = base;
  for (int i = 0; i < joints; ++i)
  {
    const int before = tree.link[i] - 1;
    if (before != i - 1)
    {
      carried = before < 0 ? base : at<T>(rows, before);
    }
    if (told != nullptr)
    {
      set(carried, told, i);
    }
    carried = carried + at<T>(rows, i);
    set(carried, rows, i);
  }
}

template <typename T, int joints, int size>
static void accumulate(const Tree<joints> & tree, const Triple<T> & base, T (*rows)[size]) noexcept
{
  accumulate(tree, base, rows, static_cast<T(*)[size]>(nullptr));
}

/// What each joint carries, from the outermost on: its rows and, handed on besides, others.
template <bool besides, typename T, int joints, int size>
static Triple<T> gather(
  const Tree<joints> & tree, Triple<T> base, T (*rows)[size], const T (*others)[size]) noexcept
{
#ifdef __AVX512F__
  if constexpr (in_packs<T>)
  {
    return sum_inwards<besides>(tree.sums, base, rows, others);
  }
#endif
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
