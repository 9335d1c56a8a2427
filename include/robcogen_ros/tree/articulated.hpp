/// \file
/// Articulated bodies, and what is left of one without its joint (Featherstone, Rigid Body Dynamics
/// Algorithms, 2008, chapter 7), of one joint or of several at once.
#ifndef ROBCOGEN_ROS__TREE__ARTICULATED_HPP_
#define ROBCOGEN_ROS__TREE__ARTICULATED_HPP_

#include "robcogen_ros/tree/rows.hpp"

namespace robcogen_ros::tree
{

/// Articulated-body inertia (Featherstone 2008, section 7.1): [n; f] = [J w + B v; B' w + M v].
template <typename T>
struct Articulated
{
  Matrix<T> J, B, M;

  [[gnu::always_inline]] friend Articulated operator+(
    const Articulated & a, const Articulated & b) noexcept
  {
    return {a.J + b.J, a.B + b.B, a.M + b.M};
  }
};

/// A moment and a force, or an angular and a linear acceleration.
template <typename T>
struct Pair
{
  Row<T> n, f;

  [[gnu::always_inline]] friend Pair operator+(const Pair & a, const Pair & b) noexcept
  {
    return {a.n + b.n, a.f + b.f};
  }

  [[gnu::always_inline]] friend T dot(const Pair & a, const Pair & b) noexcept
  {
    return dots(a.n, b.n, a.f, b.f);
  }
};

/// The axis of a joint, and its origin from that of the joint before: as three numbers and as rows,
/// since either takes time to be made of the other.
template <typename T>
struct JointLine
{
  Triple<T> axis;
  Row<T> along;
  Triple<T> offset;
  Row<T> lever;
};

/// What a joint answers with, when its predecessor accelerates.
template <typename T>
struct Handle
{
  /// Force that an acceleration of the joint takes, about the predecessor's origin, for what it
  /// takes along its axis.
  Pair<T> along;
  /// Acceleration if the predecessor had none.
  T change;
};

/// The articulated inertia of a rigid body.
template <typename T>
[[gnu::always_inline]] static inline Articulated<T> articulated(
  const T & m, const Triple<T> & h, const Triple<T> & top, const Triple<T> & rest) noexcept
{
  const T none(0);
  return {
    {row(top), row(top.y, rest.x, rest.y), row(top.z, rest.y, rest.z)},
    {row(none, T(-h.z), h.y), row(h.z, none, T(-h.x)), row(T(-h.y), h.x, none)},
    {row(m, none, none), row(none, m, none), row(none, none, m)}};
}

/// One of two, for a joint that turns or one that slides.
template <typename Row>
[[gnu::always_inline]] static inline Row chosen(
  bool turns, const Row & turning, const Row & sliding) noexcept
{
  return turns ? turning : sliding;
}

/// The force that a unit acceleration of a joint takes.
template <typename T>
[[gnu::always_inline]] static inline Pair<T> force_along(
  const Articulated<T> & body, const Triple<T> & axis, bool turns) noexcept
{
  if (turns)
  {
    return {body.J.after(axis), body.B.after(axis)};
  }
  return {body.B.times(row(axis)), body.M.after(axis)};
}

/// The inertia less that which a joint gives way to: U K', U and K parallel.
template <typename T>
[[gnu::always_inline]] static inline Articulated<T> less_outer(
  const Articulated<T> & body, const Pair<T> & U, const Pair<T> & K) noexcept
{
  const Triple<T> n = triple(U.n), f = triple(U.f);
  return {body.J.less(n, K.n), body.B.less(n, K.f), body.M.less(f, K.f)};
}

/// An inertia about a point, of one that is about another at r from it: with P = r x, B' = B + P M
/// and J' = J + P B^T - B' P (Featherstone 2008, appendix A.3).
template <typename T>
[[gnu::always_inline]] static inline Articulated<T> shifted(
  const Articulated<T> & body, const Triple<T> & r, const Row<T> & lever) noexcept
{
  const Matrix<T> B = body.B.plus_columns(r, body.M);
  const Matrix<T> J = body.J.plus_columns(r, transposed(body.B));
  return {J + B.rows_after(lever), B, body.M};
}

/// A force about a point, of one that is about another at r from it.
template <typename T>
[[gnu::always_inline]] static inline Pair<T> shifted(
  const Pair<T> & force, const Row<T> & r) noexcept
{
  return {force.n + cross(r, force.f), force.f};
}

/// What a joint leaves to the link before: inertia and force about its origin, and a handle.
template <typename T>
struct Removed
{
  Articulated<T> body;
  Pair<T> force;
  Handle<T> handle;
};

/// Takes a joint away from what it moves (Featherstone 2008, table 7.1).
///
/// The inertia is shifted before what the joint gives way to is taken off: the division of that
/// ends late.
///
/// \param tau the joint's force
template <typename T, typename Turns>
[[gnu::always_inline]] static inline Removed<T> removed(
  const Articulated<T> & body, const Pair<T> & force, const JointLine<T> & line,
  const Turns & turns, const T & armature, const T & tau) noexcept
{
  const Pair<T> own = force_along(body, line.axis, turns), U = shifted(own, line.lever);
  const T inverse = T(1) / (dot(line.along, chosen(turns, own.n, own.f)) + armature);
  const T u = tau - dot(line.along, chosen(turns, force.n, force.f));
  const Pair<T> K{U.n * inverse, U.f * inverse}, handed = shifted(force, line.lever);
  return {
    less_outer(shifted(body, line.offset, line.lever), U, K),
    {handed.n + K.n * u, handed.f + K.f * u},
    {K, u * inverse}};
}

}  // namespace robcogen_ros::tree

#endif  // ROBCOGEN_ROS__TREE__ARTICULATED_HPP_
