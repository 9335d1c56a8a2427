// Which feet touch the ground, from forces that may be missing.
#ifndef ROBCOGEN_ROS__CONTROL__CONTACT_MEASUREMENT_HPP_
#define ROBCOGEN_ROS__CONTROL__CONTACT_MEASUREMENT_HPP_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace robcogen_ros::control
{

/// A foot touches as its force says, with hysteresis, and where that is silent as it is to.
///
/// So it does where it is to touch and rests on the ground, but is not felt: its sensor is taken
/// for dead until it feels something.
///
/// \tparam most the greatest number of feet
template <int most>
class ContactMeasurement
{
public:
  using Closed = std::array<bool, static_cast<std::size_t>(most)>;

  /// \param patience how long a force counts that is not told again [s]; 0: no longer than a cycle
  explicit ContactMeasurement(double patience) noexcept : patience_(patience) { forget(); }

  void forget() noexcept
  {
    closed_.fill(false);
    silent_.fill(std::numeric_limits<double>::infinity());
    resting_.fill(0.0);
    silences_ = 0;
  }

  /// Judges a foot.
  ///
  /// \param force its size, NaN where there is none [N]
  /// \param threshold the least force of a foot that is to touch and does, by whether it touched
  ///   before [N]
  /// \param scheduled whether it is to touch
  /// \param rests tells whether it rests on the ground, by where it is and how it moves
  /// \param step time since the last cycle [s]
  template <typename Rests>
  void take(
    std::size_t foot, double force, const std::array<double, 2> & threshold, bool scheduled,
    const Rests & rests, double step) noexcept
  {
    double & silent = silent_[foot];
    const bool told = std::isfinite(force), heard_before = silent <= patience_;
    silent = told ? 0.0 : silent + step;
    const bool heard = told || (patience_ > 0.0 && silent <= patience_);
    silences_ += heard_before && !heard ? 1 : 0;
    const double least = (scheduled ? 1.0 : in_air) * threshold[closed_[foot]];
    const bool felt = told && force > least, touches = told ? felt : closed_[foot];
    double & resting = resting_[foot];
    if (felt || !heard)
    {
      resting = 0.0;
    }
    else if (!unfelt(foot))
    {
      resting = scheduled && !touches && rests() ? resting + step : 0.0;
    }
    closed_[foot] = heard && !unfelt(foot) ? touches : scheduled;
  }

  /// Whether a foot rests on the ground that its sensor does not feel.
  bool unfelt(std::size_t foot) const noexcept { return resting_[foot] > doubt; }
  /// Whether any does.
  bool any_unfelt() const noexcept
  {
    return *std::max_element(resting_.begin(), resting_.end()) > doubt;
  }
  const Closed & closed() const noexcept { return closed_; }
  /// Number of times that the force of a foot fell silent.
  int silences() const noexcept { return silences_; }

private:
  static constexpr double in_air = 10.0;  ///< threshold of other feet, above the noise of sensors
  /// Time for which a foot rests that is not felt, until its sensor is taken for dead [s].
  static constexpr double doubt = 0.05;

  const double patience_;
  Closed closed_{};
  std::array<double, static_cast<std::size_t>(most)> silent_{};   ///< since it was told [s]
  std::array<double, static_cast<std::size_t>(most)> resting_{};  ///< not felt, so long [s]
  int silences_ = 0;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__CONTACT_MEASUREMENT_HPP_
