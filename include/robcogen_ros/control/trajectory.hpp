// Motions through points at given times: Hermite polynomials of the degree that the points allow.
#ifndef ROBCOGEN_ROS__CONTROL__TRAJECTORY_HPP_
#define ROBCOGEN_ROS__CONTROL__TRAJECTORY_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace robcogen_ros::control
{

/// A point of a motion, NaN where nothing is told.
template <typename Vector>
struct Waypoint
{
  double time = 0.0;  ///< [s]
  Vector position, velocity, acceleration;
};

template <typename Vector>
using Waypoints = std::vector<Waypoint<Vector>>;

/// Most points of a motion that is taken from a message.
constexpr std::size_t most_waypoints = 1000;

/// Returns the velocity of a point; where it is not told one with which nothing overshoots the
/// point: the harmonic mean of the slopes on both sides, zero at the ends.
template <typename Vector>
Vector chosen_velocity(
  const Waypoints<Vector> & points, const Waypoint<Vector> & first, std::size_t i) noexcept
{
  const Waypoint<Vector> & now = i == 0 ? first : points[i];
  Vector chosen = now.position * 0.0;
  if (i > 0 && i + 1 < points.size())
  {
    const Waypoint<Vector> &before = i == 1 ? first : points[i - 1], &after = points[i + 1];
    const Vector come = (now.position - before.position) / (now.time - before.time);
    const Vector go = (after.position - now.position) / (after.time - now.time);
    for (Eigen::Index k = 0; k < chosen.size(); ++k)
    {
      chosen(k) = come(k) * go(k) > 0.0 ? 2.0 * come(k) * go(k) / (come(k) + go(k)) : chosen(k);
    }
  }
  return now.velocity.array().isNaN().select(chosen, now.velocity);
}

/// Returns the motion through points at a time, that of the first or the last point beyond them;
/// NaN in numbers that a point leaves open. For real time, in a time that grows with the logarithm
/// of their number.
///
/// A segment is of fifth degree in numbers whose accelerations are told at both of its ends, else
/// of third.
///
/// \param points whose times increase, at least one
/// \param first in place of the first of several
template <typename Vector>
Waypoint<Vector> at(
  const Waypoints<Vector> & points, const Waypoint<Vector> & first, double time) noexcept
{
  if (points.size() == 1)
  {
    return points.front();
  }
  const auto later = std::upper_bound(
    points.begin() + 1, points.end() - 1, time,
    [](double t, const Waypoint<Vector> & point) { return t < point.time; });
  const auto end = static_cast<std::size_t>(later - points.begin());
  const Waypoint<Vector> &a = end == 1 ? first : points[end - 1], &b = points[end];
  const double h = b.time - a.time, t = std::clamp(time - a.time, 0.0, h);
  const Vector v0 = chosen_velocity(points, first, end - 1);
  const Vector v1 = chosen_velocity(points, first, end), rise = b.position - a.position;
  Waypoint<Vector> result{time, a.position, v0, a.acceleration};
  for (Eigen::Index k = 0; k < rise.size(); ++k)
  {
    const bool fifth = std::isfinite(a.acceleration(k) + b.acceleration(k));
    const double v = h * v0(k), w = h * v1(k), r = rise(k);
    const double c = h * h * a.acceleration(k), d = h * h * b.acceleration(k);
    const double c2 = fifth ? 0.5 * c : 3.0 * r - 2.0 * v - w;
    const double c3 = fifth ? 10.0 * r - 6.0 * v - 4.0 * w - 1.5 * c + 0.5 * d : v + w - 2.0 * r;
    const double c4 = fifth ? -15.0 * r + 8.0 * v + 7.0 * w + 1.5 * c - d : 0.0;
    const double c5 = fifth ? 6.0 * r - 3.0 * (v + w) - 0.5 * (c - d) : 0.0;
    const double s = t / h;
    result.position(k) += s * (v + s * (c2 + s * (c3 + s * (c4 + s * c5))));
    result.velocity(k) = (v + s * (2.0 * c2 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / h;
    result.acceleration(k) =
      (2.0 * c2 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5))) / (h * h);
  }
  return result;
}

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__TRAJECTORY_HPP_
