// Where the capture point of a robot is that steps steadily.
#ifndef ROBCOGEN_ROS__LEGGED__STRIDE_HPP_
#define ROBCOGEN_ROS__LEGGED__STRIDE_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

#include "robcogen_ros/legged/pattern.hpp"

namespace robcogen_ros::legged
{

/// Steps of feet that take turns, each half a period after those before: two of them, or two pairs.
///
/// Over a center of pressure amidst the feet that stand the capture point runs away from them by
/// `exp(w t)`. After half a period the next ones are to be there, as far from it as these were. So
/// it is ahead of them by `v t / (exp(w t) - 1)`, and, where they are not below the middle of the
/// robot but aside by `m`, by `-2 m / (exp(w t) + 1)` (Englsberger, Ott, Albu-Schaeffer 2015).
///
/// \tparam feet their greatest number
template <int feet>
class Stride
{
public:
  using Point = Eigen::Vector2d;
  using Stands = std::array<bool, feet>;

  /// \param pattern that is followed; kept by reference
  /// \param below where feet stand below their middle, of heading axes [m]
  Stride(const Pattern<feet> & pattern, const std::array<Point, feet> & below) noexcept
  : pattern_(pattern)
  {
    middles_.fill(Point::Zero());
    for (int foot = 0; foot < pattern.count; ++foot)
    {
      const Stands with = group(foot);
      const auto count = std::count(with.begin(), with.end(), true);
      for (int other = 0; other < pattern.count; ++other)
      {
        middles_[foot] += with[other] ? Point(below[other] / count) : Point(Point::Zero());
      }
      sways_ = sways_ || middles_[foot].norm() > beside * below[foot].norm();
    }
  }

  /// True if feet that touch down together are beside the middle of all, so that the robot sways
  /// from some to the others: two feet in turn do, pairs of a pace, but not those of a trot.
  bool sways() const noexcept { return sways_; }

  /// Middle of the feet that touch down together with one, of heading axes [m]; zero of none, -1.
  Point middle(int foot) const noexcept { return foot < 0 ? Point(Point::Zero()) : middles_[foot]; }

  /// The feet that touch down together with one.
  Stands group(int foot) const noexcept
  {
    Stands result{};
    for (int other = 0; other < pattern_.count; ++other)
    {
      result[other] = pattern_.phases[foot] == pattern_.phases[other];
    }
    return result;
  }

  /// One of the feet that were the last to touch down, all of which stand; -1 if there are none.
  int newest(const Stands & stands, double phase) const noexcept
  {
    int result = -1;
    double least = 1.0;
    for (int foot = 0; foot < pattern_.count; ++foot)
    {
      const Stands with = group(foot);
      bool all = true;
      for (int other = 0; other < pattern_.count; ++other)
      {
        all = all && (!with[other] || stands[other]);
      }
      const double since = pattern_.since_touch_down(foot, phase);
      result = all && since < least ? foot : result;
      least = all ? std::fmin(since, least) : least;
    }
    return result;
  }

  /// The capture point from the middle of feet at their touch-down, of heading axes [m].
  ///
  /// \param foot one of them; -1: all, in turn on both sides of their middle
  /// \param rate of the pendulum [1/s]
  Point ahead(int foot, const Point & velocity, double rate) const noexcept
  {
    const double time = 0.5 * pattern_.period, grows = std::exp(rate * time);
    return velocity * time / (grows - 1.0) - 2.0 / (grows + 1.0) * middle(foot);
  }

  /// Capture point at a phase of the cycle while they stand; of all, since the last of them
  /// touched down.
  Point departed(int foot, const Stands & stands, const Point & velocity, double rate, double phase)
    const noexcept
  {
    double since = 1.0;
    for (int other = 0; other < pattern_.count; ++other)
    {
      const bool counts = foot < 0 ? stands[other] : other == foot;
      since = counts ? std::fmin(since, pattern_.since_touch_down(other, phase)) : since;
    }
    return std::exp(rate * since * pattern_.period) * ahead(foot, velocity, rate);
  }

private:
  static constexpr double beside = 0.2;  ///< of the way to a foot, that its group is at least

  const Pattern<feet> & pattern_;
  std::array<Point, feet> middles_{};
  bool sways_ = false;
};

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__STRIDE_HPP_
