/// \file
/// Which lanes are added where several joints' numbers are summed up along a tree at once.
///
/// A pack is eight joints in the order of the table. Within a pack, sums over what carries a joint
/// double their length with each step, and sums over what a joint carries, which follows it, are
/// made of stretches of 4, 2 and 1. Between packs, they are handed on joint by joint.
#ifndef ROBCOGEN_ROS__TREE__SUM_TABLE_HPP_
#define ROBCOGEN_ROS__TREE__SUM_TABLE_HPP_

#include <cstdint>

namespace robcogen_ros
{

/// Joints of a pack, and steps in which a sum over all of them is made.
constexpr int lanes_of_sums = 8, steps_of_sums = 3;

/// Lanes of packs, a bit for each.
using LaneSet = std::uint8_t;

/// The table of a tree.
template <int joints>
struct SumTable
{
  static constexpr int packs = (joints + lanes_of_sums - 1) / lanes_of_sums;

  /// The lanes of each pack that get something, and from which lane each does.
  struct Step
  {
    alignas(64) std::int64_t from[packs * lanes_of_sums];
    LaneSet to[packs];
  };

  /// What a joint hands on between packs.
  struct Passage
  {
    /// The joint.
    int joint;
    /// The lanes that get it: outwards those that it carries, inwards those that carry it.
    LaneSet lanes;
  };

  /// Outwards: the joint that carries another within the pack, the second before it, the fourth.
  Step before[steps_of_sums];
  /// Inwards: where a stretch of 4, 2, 1 joints begins that another carries.
  Step beyond[steps_of_sums];
  /// The lanes that are on the base.
  LaneSet on_base[packs];
  /// Passages into each pack from where its joints are carried: up to the next pack's first.
  Passage outwards[joints];
  int first_outwards[packs + 1];
  /// Passages into each pack from others that its joints carry; last those into the base.
  Passage inwards[joints];
  int first_inwards[packs + 2];
};

namespace tree
{

/// The lane of a joint, as a set.
constexpr LaneSet lane_of(int joint) noexcept
{
  return static_cast<LaneSet>(1 << joint % lanes_of_sums);
}

/// The joint that carries another, if it is in the same pack; or else -1.
constexpr int in_pack(const int * link, int joint) noexcept
{
  const int before = joint < 0 ? -1 : link[joint] - 1;
  return before >= joint / lanes_of_sums * lanes_of_sums ? before : -1;
}

/// A joint and those of its pack that carry it, and the first of these.
struct Line
{
  LaneSet lanes;
  int root;
};

constexpr Line line_to(const int * link, int joint) noexcept
{
  Line line{0, joint};
  for (int i = joint; i >= 0; i = in_pack(link, i))
  {
    line = {static_cast<LaneSet>(line.lanes | lane_of(i)), i};
  }
  return line;
}

/// Sets what a joint gets from the pack's joints that carry it, and from other packs.
template <int joints>
constexpr void set_outwards(
  SumTable<joints> & table, const int * link, int joint, int & end) noexcept
{
  const int pack = joint / lanes_of_sums;
  for (int length = 1, step = 0; step < steps_of_sums; length *= 2, ++step)
  {
    int from = joint;
    for (int k = 0; k < length; ++k)
    {
      from = in_pack(link, from);
    }
    if (from >= 0)
    {
      table.before[step].from[joint] = from % lanes_of_sums;
      table.before[step].to[pack] |= lane_of(joint);
    }
  }
  const int carrier = link[line_to(link, joint).root] - 1;
  if (carrier < 0)
  {
    table.on_base[pack] |= lane_of(joint);
    return;
  }
  int place = table.first_outwards[pack];
  while (place < end && table.outwards[place].joint != carrier)
  {
    ++place;
  }
  end = place < end ? end : place + 1;
  table.outwards[place].joint = carrier;
  table.outwards[place].lanes |= lane_of(joint);
}

/// Sets what a joint gets from those in its pack that it carries; these follow it.
template <int joints>
constexpr void set_inwards(SumTable<joints> & table, int joint, int end) noexcept
{
  const int pack = joint / lanes_of_sums, rest = (pack + 1) * lanes_of_sums;
  int from = joint + 1;
  const int carried = (end < rest ? end : rest) - from;
  for (int length = lanes_of_sums / 2, step = 0; step < steps_of_sums; length /= 2, ++step)
  {
    if ((carried & length) != 0)
    {
      table.beyond[step].from[joint] = from % lanes_of_sums;
      table.beyond[step].to[pack] |= lane_of(joint);
      from += length;
    }
  }
}

/// The table of joints that are numbered depth first.
///
/// \param link the link that each joint is on; the base is 0
/// \param end the first joint that is not beyond each
template <int joints>
constexpr SumTable<joints> sum_table(const int * link, const double * end) noexcept
{
  SumTable<joints> table{};
  constexpr int packs = SumTable<joints>::packs;
  for (int i = 0, passages = 0; i < joints; ++i)
  {
    if (i % lanes_of_sums == 0)
    {
      table.first_outwards[i / lanes_of_sums] = passages;
    }
    set_outwards(table, link, i, passages);
    table.first_outwards[i / lanes_of_sums + 1] = passages;
    set_inwards(table, i, static_cast<int>(end[i]));
  }
  int passages = 0;
  for (int pack = 0; pack <= packs; ++pack)
  {
    table.first_inwards[pack] = passages;
    for (int i = 0; i < joints; ++i)
    {
      const int into = link[i] == 0 ? packs : (link[i] - 1) / lanes_of_sums;
      if (into == pack && in_pack(link, i) < 0)
      {
        table.inwards[passages].joint = i;
        table.inwards[passages++].lanes = line_to(link, link[i] - 1).lanes;
      }
    }
  }
  table.first_inwards[packs + 1] = passages;
  return table;
}

}  // namespace tree
}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__SUM_TABLE_HPP_
