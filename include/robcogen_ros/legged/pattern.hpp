// When which foot stands.
#ifndef ROBCOGEN_ROS__LEGGED__PATTERN_HPP_
#define ROBCOGEN_ROS__LEGGED__PATTERN_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

namespace robcogen_ros::legged
{

/// A periodic footfall pattern.
///
/// \tparam feet their greatest number
template <int feet>
struct Pattern
{
  double period = 1.0;                ///< of the cycle [s]
  double duty = 1.0;                  ///< share of it in which a foot stands
  std::array<double, feet> phases{};  ///< share of it at which each foot touches down
  int count = feet;                   ///< how many feet there are

  bool valid() const noexcept
  {
    bool result = std::isfinite(period) && period > 0.0 && duty > 0.0 && duty <= 1.0;
    for (const double phase : phases)
    {
      result = result && phase >= 0.0 && phase < 1.0;
    }
    return result;
  }

  /// Share of the cycle that has passed since a foot's touch-down, at a phase of the cycle.
  double since_touch_down(int foot, double phase) const noexcept
  {
    const double since = phase - phases[foot];
    return since - std::floor(since);
  }

  bool stands(int foot, double phase) const noexcept
  {
    return since_touch_down(foot, phase) < duty;
  }

  /// Returns the feet that stand at a phase of the cycle, right after lift-offs then.
  std::array<bool, feet> standing(double phase) const noexcept
  {
    std::array<bool, feet> result{};
    for (int foot = 0; foot < count; ++foot)
    {
      result[foot] = stands(foot, phase + 1e-9);
    }
    return result;
  }

  /// True if a foot stands at any time: where one lifts off, another does.
  bool carries() const noexcept
  {
    bool result = true;
    for (int foot = 0; foot < count; ++foot)
    {
      const std::array<bool, feet> stand = standing(lift_off(foot));
      result = result && std::find(stand.begin(), stand.end(), true) != stand.end();
    }
    return result;
  }

  /// The phase of the cycle at which a foot lifts off.
  double lift_off(int foot) const noexcept
  {
    const double phase = phases[foot] + duty;
    return phase - std::floor(phase);
  }

  /// Share of the cycle until a foot lifts off, 0 to 1; 0 where it is about now, whatever
  /// was rounded.
  double until_lift_off(int foot, double phase) const noexcept
  {
    double until = lift_off(foot) - phase;
    until -= std::floor(until);
    return until > 1.0 - 1e-9 ? 0.0 : until;
  }

  /// Share of the cycle until the next foot lifts off.
  double until_lift_off(double phase) const noexcept
  {
    double result = 1.0;
    for (int foot = 0; foot < count; ++foot)
    {
      result = std::fmin(result, until_lift_off(foot, phase));
    }
    return result;
  }

  /// Share of the cycle on all feet before a foot lifts off; 0 where others swing then.
  double pause(int foot) const noexcept
  {
    double result = duty;
    for (int other = 0; other < count; ++other)
    {
      const double since = since_touch_down(other, lift_off(foot));
      result = other == foot ? result : std::fmin(result, since < duty ? since : 0.0);
    }
    return result;
  }

  /// Time of a foot in the air [s].
  double swing_time() const noexcept { return (1.0 - duty) * period; }

  /// True if at most one of more than two feet is in the air at once: a walk that may rest.
  bool one_at_a_time() const noexcept
  {
    if (count <= 2)
    {
      return false;
    }
    for (int foot = 0; foot < count; ++foot)
    {
      for (int other = 0; other < count; ++other)
      {
        if (other != foot && !stands(other, lift_off(foot)))
        {
          return false;
        }
      }
    }
    return true;
  }
};

/// Rank of feet around their middle, counter-clockwise from straight ahead.
///
/// \param places of the feet, x ahead and y to the left [m]
/// \param count how many feet there are
template <int feet>
std::array<int, feet> ranks_around(
  const std::array<Eigen::Vector2d, feet> & places, int count = feet) noexcept
{
  Eigen::Vector2d middle = Eigen::Vector2d::Zero();
  for (int foot = 0; foot < count; ++foot)
  {
    middle += places[foot] / count;
  }
  const auto angle = [&](int foot)
  {
    const Eigen::Vector2d from = places[foot] - middle;
    const double turn = std::atan2(from.y(), from.x());
    return turn < 0.0 ? turn + 2.0 * M_PI : turn;
  };
  std::array<int, feet> result{};
  for (int foot = 0; foot < count; ++foot)
  {
    for (int other = 0; other < count; ++other)
    {
      const bool before =
        angle(other) < angle(foot) || (angle(other) == angle(foot) && other < foot);
      result[foot] += before ? 1 : 0;
    }
  }
  return result;
}

/// A trot: feet across from each other swing together, so of four feet two diagonals take turns,
/// and two feet.
template <int feet>
Pattern<feet> trot(
  const std::array<Eigen::Vector2d, feet> & places, double period, double duty = 0.55,
  int count = feet) noexcept
{
  static_assert(feet % 2 == 0, "a trot is for an even number of feet");
  Pattern<feet> result{period, duty, {}, count};
  const auto ranks = ranks_around<feet>(places, count);
  for (int foot = 0; foot < count; ++foot)
  {
    result.phases[foot] = ranks[foot] % 2 == 0 ? 0.0 : 0.5;
  }
  return result;
}

/// A walk: of two feet in turns, of four in lateral sequence: left hind, left fore, right hind,
/// right fore.
///
/// \tparam feet their greatest number, of which so many are there
template <int feet>
Pattern<feet> walk(
  const std::array<Eigen::Vector2d, feet> & places, double period, double duty = 0.85,
  int count = feet) noexcept
{
  if (count == 2)
  {
    return trot<feet>(places, period, duty, count);
  }
  // Ranks are left fore, left hind, right hind, right fore.
  constexpr double phase_of_rank[] = {0.25, 0.0, 0.5, 0.75};
  Pattern<feet> result{period, duty, {}, count};
  const auto ranks = ranks_around<feet>(places, count);
  for (int foot = 0; foot < count; ++foot)
  {
    result.phases[foot] = phase_of_rank[ranks[foot]];
  }
  return result;
}

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__PATTERN_HPP_
