/// \file
/// The forward dynamics of two joints at once, which do not carry each other.
#ifndef ROBCOGEN_ROS__TREE__PAIRS_HPP_
#define ROBCOGEN_ROS__TREE__PAIRS_HPP_

#include <utility>

#include "robcogen_ros/tree/motion.hpp"
#include "robcogen_ros/tree/two_rows.hpp"

#ifdef __AVX512F__

namespace robcogen_ros::tree
{

/// What the pairs of joints start from: rows of three numbers and a fourth, those of the two joints
/// side by side.
template <int joints>
struct Bodies
{
  /// The last pair is none: it takes what belongs to no joint.
  alignas(64) double rows[joints + 1][rows_of_pair][2][half_row];

  enum RowName
  {
    /// The first row of the tensor, and yy.
    tensor,
    /// First moment, and mass.
    moment,
    /// Moment, and yz of the tensor.
    n,
    /// Force, and zz of the tensor.
    f,
    /// Axis, and the joint's own force.
    axis,
    /// Offset, and inertia of the rotor.
    offset
  };

  [[gnu::always_inline]] TwoRows of(int pair, RowName row) const noexcept
  {
    return {Pack<8>::read(rows[pair][row][0])};
  }
};

/// Four numbers of each of eight joints, as a row of each joint's rows.
///
/// \param places where the rows of each joint begin
template <int joints>
[[gnu::always_inline]] static inline void put_rows(
  const Vectors<double> & v, const Pack<8> & fourth, const std::ptrdiff_t * places,
  Bodies<joints> & bodies, typename Bodies<joints>::RowName row) noexcept
{
  const auto x = reinterpret_cast<__m512d>(v.x.values());
  const auto y = reinterpret_cast<__m512d>(v.y.values());
  const auto z = reinterpret_cast<__m512d>(v.z.values());
  const auto w = reinterpret_cast<__m512d>(fourth.values());
  const __m512i front = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
  const __m512i back = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  double * const rows = bodies.rows[0][row][0];
  const auto put = [&](const __m512d & xy, const __m512d & zw, int joint)
  {
    for (const auto & [from, i] : {std::pair{front, joint}, std::pair{back, joint + 2}})
    {
      const TwoRows two{Pack<8>(Pack<8>::Values(_mm512_permutex2var_pd(xy, from, zw)))};
      two.of<0>().lanes.write(rows + places[i]);
      two.of<1>().lanes.write(rows + places[i + 4]);
    }
  };
  put(_mm512_maskz_unpacklo_pd(0xff, x, y), _mm512_maskz_unpacklo_pd(0xff, z, w), 0);
  put(_mm512_maskz_unpackhi_pd(0xff, x, y), _mm512_maskz_unpackhi_pd(0xff, z, w), 1);
}

/// The rows of all joints, of inertias that are turned on the way, forces, axes and offsets; a
/// joint without a second one is both.
template <int joints>
static void put_bodies(
  const Tree<joints> & tree, const Links<double, joints> & links, const Flow<double, joints> & flow,
  const double * tau, Bodies<joints> & bodies) noexcept
{
  using Rows = Bodies<joints>;
  const JointNumbers<double, joints> forces(tree, tau);
  for (int i = 0; i < joints; i += lanes_of_sums)
  {
    const auto [m, h, top, rest] = turned_inertias(tree, links, i);
    const auto put = [&](const Vectors<double> & v, const Pack<8> & fourth, auto row)
    { put_rows(v, fourth, tree.places.of + i, bodies, row); };
    put(top, rest.x, Rows::tensor);
    put(h, m, Rows::moment);
    put(read<double>(flow.n, i), rest.y, Rows::n);
    put(read<double>(flow.f, i), rest.z, Rows::f);
    put(read<double>(links.pose + 6, i), forces(i), Rows::axis);
    put(read<double>(links.offset, i), read<double>(tree.armature + i), Rows::offset);
  }
  for (int k = 0; k < tree.pairs; ++k)
  {
    if (tree.pair[1][k] >= 0)
    {
      continue;
    }
    for (auto & row : bodies.rows[k])
    {
      Pack<4>::read(row[0]).write(row[1]);
    }
  }
}

/// The fourth number of each joint, in all lanes of its half.
[[gnu::always_inline]] static inline TwoRows last(const TwoRows & rows) noexcept
{
  return {ordered<0xff>(0xff, rows.lanes)};
}

/// The articulated inertias of two rigid bodies.
[[gnu::always_inline]] static inline Articulated<Both> articulated(
  const TwoRows & tensor, const TwoRows & moment, const TwoRows & n, const TwoRows & f,
  bool massless) noexcept
{
  const Pack<8> & h = moment.lanes;
  const auto negated = [](LaneSet lanes, const Pack<8> & all) -> TwoRows
  {
    const auto values = reinterpret_cast<__m512d>(all.values());
    return {Pack<8>::Values(_mm512_mask_sub_pd(values, lanes, _mm512_setzero_pd(), values))};
  };
  const auto mass = [&](LaneSet lanes) -> TwoRows
  { return {massless ? Pack<8>(0.0) : ordered<0xff>(lanes, h)}; };
  const TwoRows y{ordered<0x0d>(0x33, tensor.lanes)}, z{ordered<0x02>(0x11, tensor.lanes)};
  return {
    {tensor, y.replaced(0x44, last(n)), z.replaced(0x22, last(n)).replaced(0x44, last(f))},
    {negated(0x22, ordered<0x18>(0x66, h)), negated(0x44, ordered<0x02>(0x55, h)),
     negated(0x11, ordered<0x01>(0x33, h))},
    {mass(0x11), mass(0x22), mass(0x44)}};
}

/// An inertia and a force.
template <typename T>
struct Load
{
  Articulated<T> body;
  Pair<T> force;

  [[gnu::always_inline]] friend Load operator+(const Load & a, const Load & b) noexcept
  {
    return {a.body + b.body, a.force + b.force};
  }
};

/// The load of one of two joints.
template <int half>
[[gnu::always_inline]] static inline Load<double> load_of(const Load<Both> & load) noexcept
{
  const auto one = [](const Matrix<Both> & m) -> Matrix<double>
  { return {m.x.template of<half>(), m.y.template of<half>(), m.z.template of<half>()}; };
  return {
    {one(load.body.J), one(load.body.B), one(load.body.M)},
    {load.force.n.template of<half>(), load.force.f.template of<half>()}};
}

[[gnu::always_inline]] static inline Matrix<Both> with(
  const Matrix<Both> & m, LaneSet to, const Matrix<Both> & more) noexcept
{
  return {with(m.x, to, more.x), with(m.y, to, more.y), with(m.z, to, more.z)};
}

/// A load for both joints.
[[gnu::always_inline]] static inline Load<Both> twice(const Load<double> & load) noexcept
{
  const auto both = [](const Matrix<double> & m) -> Matrix<Both>
  { return {TwoRows::twice(m.x), TwoRows::twice(m.y), TwoRows::twice(m.z)}; };
  return {
    {both(load.body.J), both(load.body.B), both(load.body.M)},
    {TwoRows::twice(load.force.n), TwoRows::twice(load.force.f)}};
}

/// Adds a load in some lanes.
[[gnu::always_inline]] static inline Load<Both> with(
  const Load<Both> & load, LaneSet to, const Load<Both> & more) noexcept
{
  const auto & [body, force] = more;
  return {
    {with(load.body.J, to, body.J), with(load.body.B, to, body.B), with(load.body.M, to, body.M)},
    {with(load.force.n, to, force.n), with(load.force.f, to, force.f)}};
}

/// The answers of all pairs.
template <int joints>
struct PairHandles
{
  Bodies<joints> bodies;
  Handle<Both> pairs[joints];
};

/// The joints of a pair; the first takes both places where there is no second one.
struct JointPair
{
  int joint[2];
  int count;
};

template <int joints>
[[gnu::always_inline]] static inline JointPair pair_of(const Tree<joints> & tree, int k) noexcept
{
  const int first = tree.pair[0][k], second = tree.pair[1][k];
  return {{first, second < 0 ? first : second}, second < 0 ? 1 : 2};
}

/// The lanes of a pair's joints that are carried by those of the next pair in the same lanes.
template <int joints>
[[gnu::always_inline]] static inline LaneSet straight(
  const Tree<joints> & tree, const JointPair & pair, int k) noexcept
{
  const auto follows = [&](int half)
  {
    const int carrier = tree.link[pair.joint[half]] - 1;
    return carrier >= 0 && carrier == tree.pair[half][k + 1];
  };
  if (k + 1 == tree.pairs)
  {
    return 0;
  }
  return static_cast<LaneSet>(
    (follows(0) ? halves[0] : 0) | (pair.count > 1 && follows(1) ? halves[1] : 0));
}

/// Which joints of a pair turn.
template <int joints>
[[gnu::always_inline]] static inline Turning turning(
  const Tree<joints> & tree, const JointPair & pair) noexcept
{
  LaneSet lanes = 0;
  for (int half = 0; half < 2; ++half)
  {
    lanes |= tree.turns[pair.joint[half]] != 0 ? halves[half] : 0;
  }
  return {!tree.slides, lanes};
}

/// What joints have handed on to links that are not next, and to a floating base.
template <bool floating_base, int joints>
class HandedOn
{
public:
  Load<double> base{};

  HandedOn() noexcept
  {
    for (int & place : place_)
    {
      place = none;
    }
  }

  /// Adds what the joints of a pair were given: their places are free again.
  [[gnu::always_inline]] Load<Both> with(Load<Both> load, const JointPair & pair) noexcept
  {
    for (int half = 0; half < pair.count; ++half)
    {
      const int place = place_[pair.joint[half]];
      if (place != none)
      {
        load = tree::with(load, halves[half], twice(sums_[place]));
        free_[free_count_++] = place;
      }
    }
    return load;
  }

  /// Adds what one of a pair hands on.
  [[gnu::always_inline]] void add(int carrier, const Load<double> & load) noexcept
  {
    if (carrier < 0)
    {
      base = floating_base ? base + load : base;
      return;
    }
    int & place = place_[carrier];
    if (place != none)
    {
      sums_[place] = sums_[place] + load;
      return;
    }
    place = free_count_ > 0 ? free_[--free_count_] : used_++;
    sums_[place] = load;
  }

private:
  /// No place; and how many there are: each that is taken has a joint that hands on, and one that
  /// waits.
  static constexpr int none = -1, most = (joints + 1) / 2;
  /// Few wait at any time: their places are used again, since these are in the first cache.
  Load<double> sums_[most];
  int place_[joints];
  int free_[most];
  int free_count_ = 0, used_ = 0;
};

/// Takes all joints away, two at once, as the function for other numbers does.
template <bool floating_base, int joints>
static void remove_joints(
  const Tree<joints> & tree, const Links<double, joints> & links, const Flow<double, joints> & flow,
  const double * tau, Articulated<double> & base, Pair<double> & base_force,
  PairHandles<joints> & handles) noexcept
{
  using Rows = Bodies<joints>;
  put_bodies(tree, links, flow, tau, handles.bodies);
  HandedOn<floating_base, joints> handed_on;
  Load<Both> kept{};
  LaneSet lanes = 0;
  for (int k = 0; k < tree.pairs; ++k)
  {
    const JointPair pair = pair_of(tree, k);
    const int a = pair.joint[0], b = pair.joint[1];
    const auto rows = [&](typename Rows::RowName row) { return handles.bodies.of(k, row); };
    const TwoRows n = rows(Rows::n), f = rows(Rows::f), axis = rows(Rows::axis);
    const TwoRows lever = rows(Rows::offset);
    const Load<Both> own{
      articulated(rows(Rows::tensor), rows(Rows::moment), n, f, !tree.slides), {n, f}};
    const Load<Both> load = handed_on.with(with(own, lanes, kept), pair);
    const auto rest = removed<Both>(
      load.body, load.force, {triple(axis), axis, triple(lever), lever}, turning(tree, pair),
      last(lever).lanes, last(axis).lanes);
    // One by one: as a whole, it would be copied by way of memory.
    Handle<Both> & handle = handles.pairs[k];
    handle.along.n.lanes = rest.handle.along.n.lanes;
    handle.along.f.lanes = rest.handle.along.f.lanes;
    handle.change.lanes = rest.handle.change.lanes;
    kept = {rest.body, rest.force};
    lanes = straight(tree, pair, k);
    if ((lanes & halves[0]) == 0)
    {
      handed_on.add(tree.link[a] - 1, load_of<0>(kept));
    }
    if (pair.count > 1 && (lanes & halves[1]) == 0)
    {
      handed_on.add(tree.link[b] - 1, load_of<1>(kept));
    }
  }
  if (!floating_base)
  {
    return;
  }
  base = base + handed_on.base.body;
  base_force = base_force + handed_on.base.force;
}

/// The accelerations of the links before a pair: those from a pair before are at hand already.
template <int joints>
[[gnu::always_inline]] static inline Pair<Both> carried_by(
  const Tree<joints> & tree, const JointPair & pair, LaneSet at_hand, Pair<Both> carried,
  const Pair<double> & base, const Pair<double> (&changes)[joints]) noexcept
{
  const auto from = [&](int joint) -> const Pair<double> &
  { return tree.link[joint] > 0 ? changes[tree.link[joint] - 1] : base; };
  const auto take = [&](LaneSet half, const Pair<double> & own)
  { carried = {carried.n.replaced(half, own.n), carried.f.replaced(half, own.f)}; };
  if ((at_hand & halves[0]) == 0)
  {
    take(halves[0], from(pair.joint[0]));
  }
  if ((at_hand & halves[1]) == 0)
  {
    take(halves[1], from(pair.joint[1]));
  }
  return carried;
}

/// The accelerations of all joints, two at once, as the function for other numbers finds them.
template <int joints>
static void find_accelerations(
  const Tree<joints> & tree, const Links<double, joints> &, const Pair<double> & base,
  const PairHandles<joints> & handles, double * qdd) noexcept
{
  using Rows = Bodies<joints>;
  Pair<double> changes[joints];
  Pair<Both> carried{{Pack<8>(0.0)}, {Pack<8>(0.0)}};
  for (int k = tree.pairs; k-- > 0;)
  {
    const JointPair pair = pair_of(tree, k);
    const int a = pair.joint[0], b = pair.joint[1];
    carried = carried_by(tree, pair, straight(tree, pair, k), carried, base, changes);
    const TwoRows axis = handles.bodies.of(k, Rows::axis);
    const TwoRows lever = handles.bodies.of(k, Rows::offset);
    const Handle<Both> & handle = handles.pairs[k];
    const TwoRows w = carried.n, v = carried.f + cross(w, lever);
    const Both own = less_dots(handle.change, handle.along.n, w, handle.along.f, carried.f);
    const TwoRows gained = axis * own;
    const Turning turns = turning(tree, pair);
    carried = {chosen(turns, w + gained, w), chosen(turns, v, v + gained)};
    changes[b] = {carried.n.template of<1>(), carried.f.template of<1>()};
    changes[a] = {carried.n.template of<0>(), carried.f.template of<0>()};
    qdd[tree.coordinate[b]] = own.lanes[lanes_of_sums / 2];
    qdd[tree.coordinate[a]] = own.lanes[0];
  }
}

}  // namespace robcogen_ros::tree

#endif  // __AVX512F__

#endif  // ROBCOGEN_ROS__TREE__PAIRS_HPP_
