/// \file
/// A robot's numbers as loops over the levels of its tree read them: the joints of a level are
/// computed at once. Each is carried by a joint of an earlier level, or by the base.
#ifndef ROBCOGEN_ROS__TREE__LEVEL_TABLE_HPP_
#define ROBCOGEN_ROS__TREE__LEVEL_TABLE_HPP_

#include <cstdint>

#include "robcogen_ros/tree/table.hpp"

namespace robcogen_ros
{

/// How many joints a level has at most; of more that could be computed at once, those that carry
/// shorter chains wait.
constexpr int lanes_of_levels = 4;

/// For each lane another one: as the halves of numbers, which is what AVX2 moves.
struct FromLanes
{
  alignas(32) std::int32_t halves[2 * lanes_of_levels];
};

/// The numbers of a robot whose joints all turn, an entry for each joint in a row. Places in a row
/// are in the order of levels; in a level, joints that carry longer chains come first, so that most
/// are in the lane of the joint that carries them.
template <int joints>
struct LevelTable
{
  /// The place of the base, which no level reads.
  static constexpr int base = joints + lanes_of_levels - 1;
  static constexpr int size = padded(base + 1);

  /// A joint of a level that is not carried by one of the level before.
  struct Late
  {
    /// All bits of its lane, and which one that is.
    alignas(32) std::int64_t to[lanes_of_levels];
    int lane;
    /// The place of what carries it.
    int carrier;
  };

  /// What joints of a level hand on to the one before: one of those, at most, that each joint there
  /// carries.
  struct Hand
  {
    FromLanes from;
    /// All bits of the lanes that get something.
    alignas(32) std::int64_t to[lanes_of_levels];
  };

  /// How many levels there are.
  int levels;
  /// The place of each level's first joint; last, how many joints there are.
  int first[joints + 1];
  /// Whether the level's joints are in the lanes of those of the level before that carry them.
  bool in_lane[joints];
  /// The lane of the joint that carries each.
  FromLanes carrier[joints];
  /// The joints of each level that others than those of the level before carry.
  int first_late[joints + 1];
  Late late[joints];
  /// Whether all that a level hands on is added lane by lane; if not, what is.
  bool adds_in_lane[joints];
  int first_hand[joints + 1];
  Hand hand[joints];
  /// All bits of the first level's lanes.
  alignas(32) std::int64_t on_base[lanes_of_levels];
  /// The link that each joint moves, as the robot's table numbers them; the base is 0.
  int link[joints];
  /// The entry of q.
  int coordinate[size];
  /// For each entry of q, its joint: lane, and level times the lanes of one.
  int lane[joints];
  /// As in the robot's table: what is added to q, inertia of the rotor, pose on the link before,
  /// first moment along x and tensor xx xy xz yy yz.
  alignas(64) double offset[size];
  alignas(64) double armature[size];
  alignas(64) double rotation[9][size];
  alignas(64) double position[3][size];
  alignas(64) double moment[size];
  alignas(64) double tensor[5][size];
};

namespace tree
{

/// Where the joints of a tree are among its levels.
template <int joints>
struct Levels
{
  /// How many levels there are, and the place of each one's first joint; last, of none.
  int count;
  int first[joints + 1];
  /// How many joints the longest chain has that begins with each.
  int length[joints];
  /// The joint of each place, and the place of each joint; -1 before it has one.
  int joint[joints];
  int place[joints];

  /// The place of what carries a joint; -1 of the base.
  constexpr int carrier(const int * link, int i) const noexcept
  {
    return link[i] > 0 ? place[link[i] - 1] : -1;
  }

  /// Whether one joint comes before another in a level: by its chain, or else by its carrier.
  constexpr bool precedes(const int * link, int i, int other) const noexcept
  {
    return length[i] != length[other] ? length[i] > length[other]
                                      : carrier(link, i) < carrier(link, other);
  }

  /// Whether a joint may be in a level that begins at a place: what carries it is before.
  constexpr bool is_ready(const int * link, int i, int start) const noexcept
  {
    const bool carried = link[i] == 0 || place[link[i] - 1] >= 0;
    return place[i] < 0 && carried && carrier(link, i) < start;
  }

  /// Puts the joints that carry the longest chains into the next level.
  constexpr void add_level(const int * link) noexcept
  {
    const int start = first[count];
    int chosen[lanes_of_levels + 1]{}, taken = 0;
    for (int i = 0; i < joints; ++i)
    {
      if (is_ready(link, i, start))
      {
        int k = taken;
        for (; k > 0 && precedes(link, i, chosen[k - 1]); --k)
        {
          chosen[k] = chosen[k - 1];
        }
        chosen[k] = i;
        taken = taken < lanes_of_levels ? taken + 1 : taken;
      }
    }
    for (int k = 0; k < taken; ++k)
    {
      joint[start + k] = chosen[k];
      place[chosen[k]] = start + k;
    }
    first[++count] = start + taken;
  }
};

/// As few levels as there can be (T. Hu, Parallel sequencing and assembly line problems, Operations
/// Research, 1961), of a tree whose joints come after those that carry them.
template <int joints>
constexpr Levels<joints> levels_of(const int * link) noexcept
{
  Levels<joints> levels{};
  for (int i = joints; i-- > 0;)
  {
    levels.place[i] = -1;
    ++levels.length[i];
    if (link[i] > 0 && levels.length[link[i] - 1] < levels.length[i])
    {
      levels.length[link[i] - 1] = levels.length[i];
    }
  }
  while (levels.first[levels.count] < joints)
  {
    levels.add_level(link);
  }
  return levels;
}

/// Sets one lane.
constexpr void set_lane(FromLanes & lanes, int lane, int from) noexcept
{
  lanes.halves[2 * lane] = 2 * from;
  lanes.halves[2 * lane + 1] = 2 * from + 1;
}

/// Sets what the joints of a level get from those that carry them, and hand on to these.
///
/// \param link the link that each joint is on; the base is 0
template <int joints>
constexpr void set_level(
  LevelTable<joints> & table, const int * link, const Levels<joints> & levels, int level) noexcept
{
  const int first = table.first[level], end = table.first[level + 1];
  const int before = level > 0 ? table.first[level - 1] : -1;
  int late = table.first_late[level], carried[lanes_of_levels]{};
  int & hands = table.first_hand[level + 1] = table.first_hand[level];
  table.in_lane[level] = true;
  for (int place = first; level > 0 && place < end; ++place)
  {
    const int own = place - first, carrier = levels.carrier(link, levels.joint[place]);
    if (carrier < before)
    {
      table.late[late].to[own] = -1;
      table.late[late].lane = own;
      table.late[late++].carrier = carrier < 0 ? table.base : carrier;
      set_lane(table.carrier[level], own, own);
      continue;
    }
    const int other = carrier - before, k = table.first_hand[level] + carried[other]++;
    set_lane(table.carrier[level], own, other);
    table.in_lane[level] &= own == other;
    set_lane(table.hand[k].from, other, own);
    table.hand[k].to[other] = -1;
    hands = k < hands ? hands : k + 1;
  }
  table.in_lane[level] &= late == table.first_late[level];
  const bool all = level > 0 && end - first == first - before;
  table.adds_in_lane[level] = all && table.in_lane[level];
  table.first_late[level + 1] = late;
}

/// Copies the numbers of a joint to its place.
template <int joints>
constexpr void copy_joint(
  LevelTable<joints> & table, int place, const Tree<joints> & tree, int i) noexcept
{
  table.link[place] = i + 1;
  table.coordinate[place] = tree.coordinate[i];
  table.offset[place] = tree.offset[i];
  table.armature[place] = tree.armature[i];
  for (int k = 0; k < 9; ++k)
  {
    table.rotation[k][place] = tree.rotation[k][i];
  }
  for (int k = 0; k < 3; ++k)
  {
    table.position[k][place] = tree.position[k][i];
  }
  table.moment[place] = tree.inertia[1][i];
  for (int k = 0; k < 5; ++k)
  {
    table.tensor[k][place] = tree.inertia[4 + k][i];
  }
}

/// The table of a robot whose joints all turn.
template <int joints>
constexpr LevelTable<joints> level_table(const Tree<joints> & tree) noexcept
{
  const Levels<joints> levels = levels_of<joints>(tree.link);
  LevelTable<joints> table{};
  table.levels = levels.count;
  for (int level = 0; level < table.levels; ++level)
  {
    table.first[level + 1] = levels.first[level + 1];
    for (int place = levels.first[level]; place < levels.first[level + 1]; ++place)
    {
      const int i = levels.joint[place], lane = place - levels.first[level];
      copy_joint(table, place, tree, i);
      table.lane[tree.coordinate[i]] = level * lanes_of_levels + lane;
      table.on_base[lane] |= level == 0 ? -1 : 0;
    }
    set_level(table, tree.link, levels, level);
  }
  return table;
}

}  // namespace tree
}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__LEVEL_TABLE_HPP_
