// Six joints that bring a frame to a pose, where their axes are special.
#ifndef ROBCOGEN_ROS__INVERSE_KINEMATICS__SIX_HPP_
#define ROBCOGEN_ROS__INVERSE_KINEMATICS__SIX_HPP_

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "robcogen_ros/inverse_kinematics/three.hpp"

namespace robcogen_ros::inverse_kinematics
{

using Six = std::array<double, 6>;
using Sixes = Few<Six, 32>;
using SixAxes = std::array<Axis, 6>;

/// Tolerances within which axes count as special.
struct Tolerance
{
  double angle;   ///< [rad]
  double length;  ///< [m]
  double slack;   ///< how far beyond its reach, relative to it, a part of the chain is followed
};

/// Special forms of six axes.
enum class Special
{
  nothing,
  wrist,          ///< the last three meet in a point
  three_parallel  ///< the second to the fourth are parallel
};

/// Six axes, moved onto what is special about them.
struct SixForm
{
  Special special = Special::nothing;
  bool reversed = false;               ///< whether that is so from the tip to the root
  double off = 0.0;                    ///< how far they were moved, as a share of the tolerance
  SixAxes axes;                        ///< from the tip to the root if reversed
  Vector3d center = Vector3d::Zero();  ///< of a wrist
};

constexpr double least_angle = 0.05;
/// True if axes are well away from being parallel [sine of the angle].
inline bool across(const Axis & one, const Axis & two) noexcept
{
  return one.direction.cross(two.direction).norm() > least_angle;
}

/// Returns the point that is next to three axes in the least squares.
inline Vector3d common_point(const Axis & one, const Axis & two, const Axis & three) noexcept
{
  Matrix3d sum = Matrix3d::Zero();
  Vector3d right = Vector3d::Zero();
  for (const Axis * axis : {&one, &two, &three})
  {
    const Matrix3d flat = Matrix3d::Identity() - axis->direction * axis->direction.transpose();
    sum += flat;
    right += flat * axis->point;
  }
  return sum.inverse() * right;
}

/// Moves two axes so that they meet or are parallel, whichever they nearly do.
///
/// \returns how far they were off, as a share of the tolerance; 2 if they do neither
inline double make_special(Axis & one, Axis & two, const Tolerance & within) noexcept
{
  const double sine = one.direction.cross(two.direction).norm();
  const double angle = sine / within.angle;
  if (angle <= 1.0)
  {
    const double sign = one.direction.dot(two.direction) > 0.0 ? 1.0 : -1.0;
    one.direction = (one.direction + sign * two.direction).normalized();
    two.direction = sign * one.direction;
    return angle;
  }
  const Vector3d here = nearest_point(one, two), there = nearest_point(two, one);
  const double apart = (here - there).norm() / within.length;
  if (sine < least_angle || apart > 1.0)
  {
    return 2.0;
  }
  one.point = two.point = (here + there) / 2.0;
  return apart;
}

/// Makes two of three axes special that nearly are.
///
/// \returns how far they were off
inline double make_special(Axis & one, Axis & two, Axis & three, const Tolerance & within) noexcept
{
  Axis first = one, second = two, other = two, last = three;
  const double before = make_special(first, second, within);
  const double behind = make_special(other, last, within);
  if (std::min(before, behind) > 1.0)
  {
    return 0.0;  // general axes need a polynomial of degree 4
  }
  if (before <= behind)
  {
    one = first;
    two = second;
    return before;
  }
  two = other;
  three = last;
  return behind;
}

inline SixForm wrist_of(SixAxes axes, const Tolerance & within) noexcept
{
  SixForm result;
  if (!across(axes[3], axes[4]) || !across(axes[4], axes[5]))
  {
    return result;
  }
  result.center = common_point(axes[3], axes[4], axes[5]);
  for (std::size_t i = 3; i < 6; ++i)
  {
    const double apart = (axes[i].foot(result.center) - result.center).norm();
    result.off = std::max(result.off, apart / within.length);
    axes[i].point = result.center;
  }
  if (result.off > 1.0 || (!across(axes[0], axes[1]) && !across(axes[1], axes[2])))
  {
    return result;
  }
  result.off = std::max(result.off, make_special(axes[0], axes[1], axes[2], within));
  result.special = Special::wrist;
  result.axes = axes;
  return result;
}

inline SixForm three_parallel_of(SixAxes axes, const Tolerance & within) noexcept
{
  SixForm result;
  Vector3d mean = axes[1].direction;
  for (std::size_t i = 2; i < 4; ++i)
  {
    mean += axes[i].direction * (axes[i].direction.dot(axes[1].direction) > 0.0 ? 1.0 : -1.0);
  }
  mean.normalize();
  for (std::size_t i = 1; i < 4; ++i)
  {
    const double off = axes[i].direction.cross(mean).norm();
    result.off = std::max(result.off, off / within.angle);
    axes[i].direction = axes[i].direction.dot(mean) > 0.0 ? mean : Vector3d(-mean);
  }
  if (
    result.off > 1.0 || !across(axes[0], axes[1]) || !across(axes[3], axes[4]) ||
    !across(axes[4], axes[5]))
  {
    return result;
  }
  const double apart = make_special(axes[4], axes[5], within);
  result.off = std::max(result.off, apart > 1.0 ? 0.0 : apart);
  result.special = Special::three_parallel;
  result.axes = axes;
  return result;
}

/// Returns what is special about six axes, in the order or the reverse that it takes least to move
/// them.
inline SixForm form_of(const SixAxes & axes, const Tolerance & within) noexcept
{
  SixAxes backwards;
  for (std::size_t i = 0; i < 6; ++i)
  {
    backwards[i] = axes[5 - i].reversed();
  }
  SixForm best;
  for (const bool reversed : {false, true})
  {
    for (const auto & find : {wrist_of, three_parallel_of})
    {
      SixForm found = find(reversed ? backwards : axes, within);
      found.reversed = reversed;
      if (
        found.special != Special::nothing &&
        (best.special == Special::nothing || found.off < best.off - 1e-3))
      {
        best = found;
      }
    }
  }
  return best;
}

inline std::array<Axis, 3> three_of(const SixAxes & axes, std::size_t first) noexcept
{
  return {axes[first], axes[first + 1], axes[first + 2]};
}

/// Adds the positions at which three joints and a wrist displace as is wanted.
inline void solve_wrist(
  const SixForm & form, const Pose & wanted, const Six & spare, double slack,
  Sixes & found) noexcept
{
  const auto arm = three_of(form.axes, 0), wrist = three_of(form.axes, 3);
  for (const Vector3d & q : reach(arm, form.center, wanted.point(form.center), slack))
  {
    const Matrix3d left = rotation_of(arm, q).transpose() * wanted.rotation;
    for (const Vector3d & w : orient(wrist, left, spare[3], slack))
    {
      found.add({q(0), q(1), q(2), w(0), w(1), w(2)});
    }
  }
}

/// Adds the positions of the three parallel joints, those of the others being known.
inline void solve_plane(
  const SixForm & form, const Pose & wanted, Six q, double slack, Sixes & found) noexcept
{
  const Axis &two = form.axes[1], &three = form.axes[2], &four = form.axes[3];
  const Vector3d & h = two.direction;
  const Pose ends = form.axes[4].at(q[4]) * form.axes[5].at(q[5]);
  const Pose left = form.axes[0].at(-q[0]) * wanted * ends.inverse();
  const auto flat = [&h](const Vector3d & x) { return Vector3d(x - h * h.dot(x)); };
  const Vector3d upper = flat(three.point - two.point), lower = flat(four.point - three.point);
  const Vector3d goal = flat(left.point(four.point) - two.point);
  const double sign = three.direction.dot(h) > 0.0 ? 1.0 : -1.0;
  const double last = four.direction.dot(h) > 0.0 ? 1.0 : -1.0;
  const Vector3d side = h.unitOrthogonal();
  const double whole = angle_between(h, side, left.rotation * side).value_or(0.0);
  const double square = goal.squaredNorm() - upper.squaredNorm() - lower.squaredNorm();
  for (const double bend :
       angles_of_sum(upper.dot(lower), upper.dot(h.cross(lower)), square / 2.0, slack))
  {
    const Vector3d both = upper + rotation_about(h, bend) * lower;
    const double swing = angle_between(h, both, goal).value_or(0.0);
    q[1] = swing;
    q[2] = sign * bend;
    q[3] = last * (whole - swing - bend);
    found.add(q);
  }
}

/// Adds the positions at which six joints displace as is wanted, of which three are parallel.
///
/// What these leave alone, a direction and a height, gives the first and the fifth.
inline void solve_three_parallel(
  const SixForm & form, const Pose & wanted, const Six & spare, double slack,
  Sixes & found) noexcept
{
  const auto & axes = form.axes;
  const Vector3d &h = axes[1].direction, &last = axes[5].direction;
  const Vector3d tip = nearest_point(axes[5], axes[4]);
  const Vector3d end = wanted.rotation * last, goal = wanted.point(tip) - axes[0].point;
  // h turned by the first joint, and how the fifth turns what is behind it, as (cosine, sine, 1)
  const Vector3d &a = axes[0].direction, &b = axes[4].direction;
  Matrix3d turned;
  turned << h - a * a.dot(h), a.cross(h), a * a.dot(h);
  const auto behind = [&b, &h](const Vector3d & x)
  {
    const Vector3d part = x - b * b.dot(x);
    return Eigen::RowVector3d(h.dot(part), h.dot(b.cross(x)), h.dot(b) * b.dot(x));
  };
  const Eigen::RowVector3d first = end.transpose() * turned, other = goal.transpose() * turned;
  const Eigen::RowVector3d third = behind(last), fourth = behind(tip - axes[4].point);
  Eigen::Matrix2d A, B;
  A << first.head<2>(), other.head<2>();
  B << -third.head<2>(), -fourth.head<2>();
  const Eigen::Vector2d e(
    third(2) - first(2), fourth(2) + h.dot(axes[4].point - axes[0].point) - other(2));
  for (const Eigen::Vector2d & pair : angle_pairs(A, B, e, slack))
  {
    Six q{};
    q[0] = pair(0);
    q[4] = pair(1);
    const Vector3d from = rotation_about(b, -q[4]) * h;
    const Vector3d to = wanted.rotation.transpose() * (rotation_about(a, q[0]) * h);
    const auto angle = angle_between(last, from, to);
    if (angle)
    {
      q[5] = -*angle;
      solve_plane(form, wanted, q, slack, found);
      continue;
    }
    // the fourth and the last joint are in line: one of some hands is within reach
    const int before = found.size();
    for (int i = 0; i < 8 && found.size() == before; ++i)
    {
      q[5] = spare[5] + i * M_PI / 4.0;
      solve_plane(form, wanted, q, slack, found);
    }
  }
}

/// Returns the positions at which six joints displace as is wanted, each within half a turn.
///
/// \param spare of joints that may stand anywhere
inline Sixes solve_six(const SixForm & form, const Pose & wanted, Six spare, double slack) noexcept
{
  Sixes found, result;
  if (form.reversed)
  {
    std::reverse(spare.begin(), spare.end());
  }
  const Pose goal = form.reversed ? wanted.inverse() : wanted;
  if (form.special == Special::nothing)
  {
    return result;
  }
  (form.special == Special::wrist ? solve_wrist : solve_three_parallel)(
    form, goal, spare, slack, found);
  for (Six q : found)
  {
    if (form.reversed)
    {
      std::reverse(q.begin(), q.end());
    }
    std::transform(q.begin(), q.end(), q.begin(), within_half_turn);
    result.add(q);
  }
  return result;
}

}  // namespace robcogen_ros::inverse_kinematics

#endif  // ROBCOGEN_ROS__INVERSE_KINEMATICS__SIX_HPP_
