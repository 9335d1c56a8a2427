/// \file
/// A robot's numbers as loops over the levels of its tree read them: joints that as many others
/// carry are one level, and are computed at once.
#ifndef ROBCOGEN_ROS__TREE__LEVEL_TABLE_HPP_
#define ROBCOGEN_ROS__TREE__LEVEL_TABLE_HPP_

#include <cstdint>

#include "robcogen_ros/tree/table.hpp"

namespace robcogen_ros
{

/// How many joints a level has at most.
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
  static constexpr int size = padded(joints + lanes_of_levels - 1);

  /// What joints of a level hand on inwards: one of those, at most, that each joint carries.
  struct Hand
  {
    FromLanes from;
    /// All bits of the lanes that get something.
    alignas(32) std::int64_t to[lanes_of_levels];
  };

  /// How many levels there are; none where one is too wide.
  int levels;
  /// The place of each level's first joint; last, how many joints there are.
  int first[joints + 1];
  /// Whether the level's joints are in the lanes of those that carry them.
  bool in_lane[joints];
  /// The lane of the joint that carries each.
  FromLanes carrier[joints];
  /// What each level hands on; nothing where lane adds to lane.
  int first_hand[joints + 1];
  Hand hand[joints];
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
  /// How many joints carry each.
  int level[joints];
  /// How many joints the longest chain has that begins with each.
  int length[joints];
  /// The joint of each place, and the place of each joint.
  int joint[joints];
  int place[joints];

  /// Whether one joint of a level comes before another: by its chain, or else by its carrier.
  constexpr bool precedes(const int * link, int i, int other) const noexcept
  {
    const auto place_of_carrier = [&](int k) { return link[k] > 0 ? place[link[k] - 1] : 0; };
    return length[i] != length[other] ? length[i] > length[other]
                                      : place_of_carrier(i) < place_of_carrier(other);
  }
};

/// The levels of a tree whose joints come after those that carry them.
template <int joints>
constexpr Levels<joints> levels_of(const int * link) noexcept
{
  Levels<joints> levels{};
  for (int i = 0; i < joints; ++i)
  {
    levels.level[i] = link[i] > 0 ? levels.level[link[i] - 1] + 1 : 0;
  }
  for (int i = joints; i-- > 0;)
  {
    ++levels.length[i];
    if (link[i] > 0 && levels.length[link[i] - 1] < levels.length[i])
    {
      levels.length[link[i] - 1] = levels.length[i];
    }
  }
  for (int level = 0, first = 0, end = 0; end < joints; ++level, first = end)
  {
    for (int i = 0; i < joints; ++i)
    {
      if (levels.level[i] != level)
      {
        continue;
      }
      int place = end++;
      for (; place > first && levels.precedes(link, i, levels.joint[place - 1]); --place)
      {
        levels.joint[place] = levels.joint[place - 1];
        levels.place[levels.joint[place]] = place;
      }
      levels.joint[place] = i;
      levels.place[i] = place;
    }
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
  const int before = level > 0 ? table.first[level - 1] : 0;
  const auto carrier_of = [&](int place)
  { return levels.place[link[levels.joint[place]] - 1] - before; };
  table.in_lane[level] = true;
  for (int place = first; level > 0 && place < end; ++place)
  {
    set_lane(table.carrier[level], place - first, carrier_of(place));
    table.in_lane[level] &= place - first == carrier_of(place);
  }
  table.first_hand[level + 1] = table.first_hand[level];
  if (level == 0 || (table.in_lane[level] && end - first == first - before))
  {
    return;
  }
  int carried[lanes_of_levels]{};
  for (int place = first; place < end; ++place)
  {
    const int carrier = carrier_of(place), k = table.first_hand[level] + carried[carrier]++;
    set_lane(table.hand[k].from, carrier, place - first);
    table.hand[k].to[carrier] = -1;
    table.first_hand[level + 1] =
      k < table.first_hand[level + 1] ? table.first_hand[level + 1] : k + 1;
  }
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
  for (int place = 0, lane = 0; place < joints; ++place, ++lane)
  {
    const int i = levels.joint[place];
    if (table.levels == levels.level[i])
    {
      table.first[table.levels++] = place;
      lane = 0;
    }
    if (lane == lanes_of_levels)
    {
      return {};
    }
    copy_joint(table, place, tree, i);
    table.lane[tree.coordinate[i]] = (table.levels - 1) * lanes_of_levels + lane;
  }
  table.first[table.levels] = joints;
  for (int level = 0; level < table.levels; ++level)
  {
    set_level(table, tree.link, levels, level);
  }
  return table;
}

}  // namespace tree
}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__LEVEL_TABLE_HPP_
