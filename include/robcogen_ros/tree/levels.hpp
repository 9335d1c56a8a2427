/// \file
/// Joint forces by loops over the levels of a tree, along the links' own axes (Luh, Walker and
/// Paul, On-Line Computational Scheme for Mechanical Manipulators, 1980), a level at once.
///
/// The loops over joints turn all that they sum up into the base, so that sums need not wait for
/// rotations. Where a level has joints enough, waiting costs less than that.
#ifndef ROBCOGEN_ROS__TREE__LEVELS_HPP_
#define ROBCOGEN_ROS__TREE__LEVELS_HPP_

#include "robcogen_ros/tree/level_vectors.hpp"
#include "robcogen_ros/tree/motion.hpp"

namespace robcogen_ros::tree
{

/// Whether levels are taken: where lanes can change places, and a level has joints enough on the
/// average. With packs of eight, turning all into the base takes less time, too.
template <typename T, int joints>
static constexpr bool takes_levels(const LevelTable<joints> & table) noexcept
{
#ifdef __AVX2__
  const bool wide = in_packs<T> ? 2 * joints >= 3 * table.levels : 8 * joints >= 9 * table.levels;
  return std::is_same_v<T, double> && table.levels > 0 && wide;
#else
  return table.levels < 0;
#endif
}

#ifdef __AVX2__

/// What is computed of the joints, an entry for each place in a row.
template <int joints>
struct LevelFlow
{
  static constexpr int size = LevelTable<joints>::size;
  /// Rates of the joints, and their changes.
  alignas(64) double rates[size];
  alignas(64) double changes[size];
  /// The link's axes x and y along those of the link before.
  alignas(64) double axes[6][size];
  /// Angular velocity and acceleration of the link; acceleration of its origin less gravity; all
  /// along its own axes.
  alignas(64) double w[3][size];
  alignas(64) double wd[3][size];
  alignas(64) double a[3][size];
  /// Moment about the joint's origin, and force, that the link takes; of the base, about its
  /// origin.
  alignas(64) double n[3][size];
  alignas(64) double f[3][size];
  /// Forces along the joints, a whole pack of each level.
  alignas(32) double tau[lanes_of_levels * joints];
};

/// The axis of a level's joints along the axes of the link before.
template <int joints>
[[gnu::always_inline]] static inline LevelVectors axis_of_level(
  const LevelTable<joints> & table, int i) noexcept
{
  return {
    of_level(table.rotation[2] + i), of_level(table.rotation[5] + i),
    of_level(table.rotation[8] + i)};
}

/// Puts rates of the joints and their changes, and the links' axes, into the flow.
///
/// Numbers are copied two packs before they are read: until what was stored one by one is in the
/// cache, it can't be read as a pack.
template <int joints, typename Changes>
static void take_turns(
  const LevelTable<joints> & table, const double * q, const double * qd, const Changes & qdd,
  LevelFlow<joints> & flow) noexcept
{
  constexpr int size = LevelTable<joints>::size;
  alignas(64) double positions[size];
  const auto copy = [&](int from)
  {
    for (int i = from; i < from + 8; i += 2)
    {
      const int k = table.coordinate[i], next = table.coordinate[i + 1];
      Pack<2>(q[k], q[next]).write(positions + i);
      Pack<2>(qd[k], qd[next]).write(flow.rates + i);
      if constexpr (!std::is_same_v<Changes, Unaccelerated>)
      {
        Pack<2>(qdd[k], qdd[next]).write(flow.changes + i);
      }
    }
  };
  copy(0);
  if (joints > 8)
  {
    copy(8);
  }
  for (int i = 0; i < joints; i += width<double>)
  {
    if (i % 8 == 0 && i + 16 < joints)
    {
      copy(i + 16);
    }
    Numbers<double> s, c;
    turn_by(Numbers<double>(read<double>(positions + i) + read<double>(table.offset + i)), s, c);
    const Vectors<double> x = column<double>(table.rotation, i);
    const Vectors<double> y = column<double>(table.rotation + 1, i);
    write<double>(x * c + y * s, flow.axes, i);
    write<double>(y * c - x * s, flow.axes + 3, i);
  }
}

/// The motions of all links, from that of the base.
template <bool accelerated, int joints>
[[gnu::noinline]] static void find_motions(
  const LevelTable<joints> & table, const BodyMotion<double> & base,
  LevelFlow<joints> & flow) noexcept
{
  using Number = Pack<lanes_of_levels>;
  const auto in_each = [](const Triple<double> & v)
  { return LevelVectors{Number(v.x), Number(v.y), Number(v.z)}; };
  LevelVectors w = in_each(base.w), wd = in_each(base.wd), a = in_each(base.a);
  set(base.w, flow.w, table.base);
  set(base.wd, flow.wd, table.base);
  set(base.a, flow.a, table.base);
  for (int level = 0; level < table.levels; ++level)
  {
    const int i = table.first[level];
    if (!table.in_lane[level])
    {
      w = moved(w, table.carrier[level]);
      wd = moved(wd, table.carrier[level]);
      a = moved(a, table.carrier[level]);
      for (int k = table.first_late[level]; k < table.first_late[level + 1]; ++k)
      {
        const auto & late = table.late[k];
        w = with(w, late.to, flow.w, late.carrier);
        wd = with(wd, late.to, flow.wd, late.carrier);
        a = with(a, late.to, flow.a, late.carrier);
      }
    }
    const LevelVectors x = of_level(flow.axes, i), y = of_level(flow.axes + 3, i);
    const LevelVectors z = axis_of_level(table, i), p = of_level(table.position, i);
    const Number rate = of_level(flow.rates + i);
    a = into(x, y, z, a + plus_cross(cross(wd, p), w, cross(w, p)));
    w = {dot(x, w), dot(y, w), plus_dot(rate, z, w)};
    const Number change = accelerated ? of_level(flow.changes + i) : Number(0.0);
    wd = {
      plus_dot(rate * w.y, x, wd), plus_dot(Number(0.0) - rate * w.x, y, wd),
      plus_dot(change, z, wd)};
    put_level(w, flow.w[0] + i, flow.w[1] + i, flow.w[2] + i);
    put_level(wd, flow.wd[0] + i, flow.wd[1] + i, flow.wd[2] + i);
    put_level(a, flow.a[0] + i, flow.a[1] + i, flow.a[2] + i);
  }
}

/// The moments and forces that the motions of the links take.
template <int joints>
[[gnu::noinline]] static void find_net_forces(
  const LevelTable<joints> & table, LevelFlow<joints> & flow) noexcept
{
  for (int i = 0; i < joints; i += width<double>)
  {
    const Vectors<double> top = read<double>(table.tensor, i);
    const Vectors<double> rest{
      read<double>(table.tensor[3] + i), read<double>(table.tensor[4] + i), 0.0};
    const auto force = turning_force<Numbers<double>>(
      read<double>(table.moment + i), top, rest, read<double>(flow.w, i), read<double>(flow.wd, i),
      read<double>(flow.a[1] + i), read<double>(flow.a[2] + i));
    write<double>(force.n, flow.n, i);
    write<double>(force.f, flow.f, i);
  }
}

/// Takes forces from outside off those that the links and the base need.
template <int joints, typename Outside>
static void take_off(
  const LevelTable<joints> & table, const Outside & outside, LevelFlow<joints> & flow) noexcept
{
  const auto take = [&](const Wrench<double> & force, int place)
  {
    set(at<double>(flow.n, place) - force.n, flow.n, place);
    set(at<double>(flow.f, place) - force.f, flow.f, place);
  };
  take(outside.on(0), table.base);
  for (int i = 0; i < joints; ++i)
  {
    take(outside.on(table.link[i]), i);
  }
}

/// Adds what joints of a level hand on to others than those of the level before.
template <int joints>
static void hand_on_late(
  const LevelTable<joints> & table, int level, const Wrench<Pack<lanes_of_levels>> & handed,
  LevelFlow<joints> & flow) noexcept
{
  alignas(32) double n[3][lanes_of_levels], f[3][lanes_of_levels];
  put_level(handed.n, n[0], n[1], n[2]);
  put_level(handed.f, f[0], f[1], f[2]);
  for (int k = table.first_late[level]; k < table.first_late[level + 1]; ++k)
  {
    const int to = table.late[k].carrier, from = table.late[k].lane;
    set(at<double>(flow.n, to) + at<double>(n, from), flow.n, to);
    set(at<double>(flow.f, to) + at<double>(f, from), flow.f, to);
  }
}

/// Adds what joints of a level hand on to those of the level before.
template <int joints>
[[gnu::always_inline]] static inline void hand_on(
  const LevelTable<joints> & table, int level, const Wrench<Pack<lanes_of_levels>> & handed,
  Wrench<Pack<lanes_of_levels>> & sum) noexcept
{
  for (int k = table.first_hand[level]; k < table.first_hand[level + 1]; ++k)
  {
    const auto & hand = table.hand[k];
    sum.n = sum.n + only(moved(handed.n, hand.from), hand.to);
    sum.f = sum.f + only(moved(handed.f, hand.from), hand.to);
  }
}

/// The force of each joint, and that which all of them and the base take of the base.
template <bool accelerated, int joints>
[[gnu::noinline]] static Wrench<double> gather_forces(
  const LevelTable<joints> & table, LevelFlow<joints> & flow) noexcept
{
  int level = table.levels - 1, i = table.first[level];
  Wrench<Pack<lanes_of_levels>> sum{of_level(flow.n, i), of_level(flow.f, i)};
  for (;; --level)
  {
    const LevelVectors x = of_level(flow.axes, i), y = of_level(flow.axes + 3, i);
    const LevelVectors z = axis_of_level(table, i), p = of_level(table.position, i);
    auto along = sum.n.z;
    if constexpr (accelerated)
    {
      along = along + of_level(table.armature + i) * of_level(flow.changes + i);
    }
    along.write(flow.tau + level * lanes_of_levels);
    const LevelVectors force = out_of(x, y, z, sum.f);
    // What waits for the moment of the level beyond comes last.
    const auto with_moment = [&](const LevelVectors & rest)
    { return plus_cross(rest, p, force) + x * sum.n.x + y * sum.n.y + z * sum.n.z; };
    if (table.adds_in_lane[level])
    {
      i = table.first[level - 1];
      sum = {with_moment(of_level(flow.n, i)), of_level(flow.f, i) + force};
      continue;
    }
    const auto none = Pack<lanes_of_levels>(0.0);
    const Wrench<Pack<lanes_of_levels>> handed{with_moment({none, none, none}), force};
    if (table.first_late[level] < table.first_late[level + 1])
    {
      hand_on_late(table, level, handed, flow);
    }
    if (level == 0)
    {
      return {
        at<double>(flow.n, table.base) + total(handed.n, table.on_base),
        at<double>(flow.f, table.base) + total(handed.f, table.on_base)};
    }
    i = table.first[level - 1];
    sum = {of_level(flow.n, i), of_level(flow.f, i)};
    hand_on(table, level, handed, sum);
  }
}

/// The joint forces that give a motion, and the wrench on the base.
///
/// That the table is a constant is hidden from g++, which would put what it knows of the first
/// level into registers that the loops over levels need.
///
/// \param own what the base itself takes
template <int joints, typename Changes, typename Outside>
static Wrench<double> newton_euler(
  const LevelTable<joints> & constant, const double * q, const double * qd, const Changes & qdd,
  const BodyMotion<double> & base, const Wrench<double> & own, const Outside & outside,
  double * tau) noexcept
{
  constexpr bool accelerated = !std::is_same_v<Changes, Unaccelerated>;
  fetch<double, 1200>(find_motions<accelerated, joints>);
  fetch<double, 400>(find_net_forces<joints>);
  fetch<double, 1700>(gather_forces<accelerated, joints>);
  LevelFlow<joints> flow;
  const LevelTable<joints> * hidden = &constant;
  asm("" : "+r"(hidden));
  const LevelTable<joints> & table = *hidden;
  take_turns(table, q, qd, qdd, flow);
  find_motions<accelerated>(table, base, flow);
  find_net_forces(table, flow);
  set(own.n, flow.n, table.base);
  set(own.f, flow.f, table.base);
  if constexpr (!std::is_same_v<Outside, NoForces>)
  {
    take_off(table, outside, flow);
  }
  const Wrench<double> wrench = gather_forces<accelerated>(table, flow);
  for (int k = 0; k < joints; ++k)
  {
    tau[k] = flow.tau[table.lane[k]];
  }
  return wrench;
}

/// The same of a robot on a fixed base, whose own wrench nobody asks for.
template <int joints, typename Changes, typename Outside>
static void newton_euler(
  const LevelTable<joints> & table, const double * q, const double * qd, const Changes & qdd,
  const Triple<double> & gravity, const Outside & outside, double * tau) noexcept
{
  const Triple<double> none = zero<double>();
  newton_euler(table, q, qd, qdd, {none, none, none - gravity}, {none, none}, outside, tau);
}

/// The same of a robot on a floating base: tau and the wrench on the base.
template <int joints, typename Changes, typename Outside>
static void newton_euler(
  const LevelTable<joints> & table, const Tree<joints> & robot, const double * q, const double * qd,
  const Changes & qdd, const BodyMotion<double> & base, const Outside & outside, double * tau,
  double * base_wrench) noexcept
{
  const Wrench<double> own = force_of_base(robot, base);
  const auto wrench = newton_euler(table, q, qd, qdd, base, own, outside, tau);
  put(wrench.n, wrench.f, base_wrench);
}

#endif  // __AVX2__

}  // namespace robcogen_ros::tree

#endif  // ROBCOGEN_ROS__TREE__LEVELS_HPP_
