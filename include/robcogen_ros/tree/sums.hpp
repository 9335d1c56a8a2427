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

  [[gnu::always_inline]] EightVectors replaced(
    LaneSet to, const EightVectors & others) const noexcept
  {
    const auto each = [&](const Pack<8> & own, const Pack<8> & other) -> Pack<8>
    {
      return Pack<8>::Values(_mm512_mask_mov_pd(
        reinterpret_cast<__m512d>(own.values()), to, reinterpret_cast<__m512d>(other.values())));
    };
    return {
      {each(lanes.x, others.lanes.x), each(lanes.y, others.lanes.y),
       each(lanes.z, others.lanes.z)}};
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

/// What the joints of a pack have together with those that carry them, and what those have.
struct Carried
{
  Vectors<double> all, before;
};

/// Adds to what each joint of a pack has what the joints that carry it have, and the base.
///
/// \param rows what the joints of the packs before have, with what carries them
template <int joints, int size>
[[gnu::always_inline]] static inline Carried carried_outwards(
  const SumTable<joints> & table, int pack, const Vectors<double> & own,
  const Triple<double> & base, const double (*rows)[size]) noexcept
{
  const int i = pack * lanes_of_sums;
  EightVectors sum{own};
  for (const auto & step : table.before)
  {
    sum = sum + sum.moved(lanes_at(step.from + i), step.to[pack]);
  }
  EightVectors entering{{0.0, 0.0, 0.0}};
  LaneSet direct = 0;
  for (int k = table.first_outwards[pack]; k < table.first_outwards[pack + 1]; ++k)
  {
    const auto & passage = table.outwards[k];
    const auto v = passage.joint < 0 ? base : at<double>(rows, passage.joint);
    entering = entering.replaced(passage.lanes, v);
    direct |= passage.next;
  }
  sum = sum + entering;
  const auto & next = table.before[0];
  return {
    sum.lanes, sum.moved(lanes_at(next.from + i), next.to[pack]).replaced(direct, entering).lanes};
}

/// Adds to what each joint of a pack has what the joints that it carries have, and hand on besides.
///
/// \param handed_on what a joint of a pack beyond hands on
template <bool besides, int joints, typename HandedOn>
[[gnu::always_inline]] static inline Vectors<double> carried_inwards(
  const SumTable<joints> & table, int pack, const Vectors<double> & own,
  const Vectors<double> & other, const HandedOn & handed_on) noexcept
{
  const __m512i next = _mm512_setr_epi64(1, 2, 3, 4, 5, 6, 7, 0);
  const __m512i second = _mm512_setr_epi64(2, 3, 4, 5, 6, 7, 0, 0);
  EightVectors sum{own};
  for (int k = table.first_inwards[pack]; k < table.first_inwards[pack + 1]; ++k)
  {
    sum = sum.with(table.inwards[k].lanes, handed_on(table.inwards[k].joint));
  }
  const EightVectors one = besides ? sum + EightVectors{other} : sum;
  const EightVectors two = one + one.moved(next, 0x7f), four = two + two.moved(second, 0x3f);
  const EightVectors * const stretches[] = {&four, &two, &one};
  for (int step = 0; step < steps_of_sums; ++step)
  {
    const auto & beyond = table.beyond[step];
    sum =
      sum + stretches[step]->moved(lanes_at(beyond.from + pack * lanes_of_sums), beyond.to[pack]);
  }
  return sum.lanes;
}

/// The sum of what the joints on the base hand on.
template <int joints, typename HandedOn>
[[gnu::always_inline]] static inline Triple<double> handed_to_base(
  const SumTable<joints> & table, Triple<double> base, const HandedOn & handed_on) noexcept
{
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
    for (int pack = 0; pack < tree.sums.packs; ++pack)
    {
      const int i = pack * lanes_of_sums;
      const Carried found = carried_outwards(tree.sums, pack, read<T>(rows, i), base, rows);
      write<T>(found.all, rows, i);
      if (told != nullptr)
      {
        write<T>(found.before, told, i);
      }
    }
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
