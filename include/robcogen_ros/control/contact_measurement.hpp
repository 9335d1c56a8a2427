// Which feet touch the ground, from forces that may be missing.
#ifndef ROBCOGEN_ROS__CONTROL__CONTACT_MEASUREMENT_HPP_
#define ROBCOGEN_ROS__CONTROL__CONTACT_MEASUREMENT_HPP_

#include <Eigen/Core>
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
/// for dead until it feels something. So do all feet where what they feel ends at once, but the
/// robot is held as before.
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
    felt_.fill(0.0);
    borne_ = std::numeric_limits<double>::infinity();
    deaf_ = 0.0;
    silences_ = 0;
  }

  /// Looks whether all feet feel nothing from one moment to the next, before each is judged.
  ///
  /// \param forces sizes of those that are told, NaN for others, a foot a column [N]
  /// \param weight of the robot, \param least force of a foot that touches [N]
  /// \param held tells whether the robot is held as by feet that stand
  template <typename Forces, typename Held>
  void listen(
    const Forces & forces, double weight, double least, const Held & held, double step) noexcept
  {
    const auto count = static_cast<std::size_t>(forces.size());
    double sum = 0.0, most_felt = 0.0;
    for (std::size_t foot = 0; foot < count; ++foot)
    {
      const double force = forces(static_cast<Eigen::Index>(foot));
      felt_[foot] = std::isfinite(force) ? force : felt_[foot];
      sum += felt_[foot];
      most_felt = std::max(most_felt, felt_[foot]);
    }
    borne_ = sum > 0.5 * weight ? 0.0 : borne_ + step;
    if (most_felt > least)
    {
      deaf_ = 0.0;
    }
    else if (deaf_ <= doubt && (deaf_ > 0.0 || borne_ <= sudden))
    {
      const bool fails = held();
      deaf_ = fails ? deaf_ + step : 0.0;
      borne_ = fails ? borne_ : std::numeric_limits<double>::infinity();
    }
    if (deaf_ > doubt)
    {
      std::fill_n(resting_.begin(), count, 2.0 * doubt);
    }
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
    closed_[foot] = heard && !unfelt(foot) && deaf_ == 0.0 ? touches : scheduled;
  }

  /// Whether a foot rests on the ground that its sensor does not feel.
  bool unfelt(std::size_t foot) const noexcept { return resting_[foot] > doubt; }
  /// Whether any does.
  bool any_unfelt() const noexcept
  {
    return *std::max_element(resting_.begin(), resting_.end()) > doubt;
  }
  const Closed & closed() const noexcept { return closed_; }
  /// Which feet touch; where forces are waited for, of those only that ever told one.
  Closed told(bool waits) const noexcept
  {
    Closed result = closed_;
    for (std::size_t foot = 0; foot < result.size(); ++foot)
    {
      result[foot] = result[foot] && (!waits || std::isfinite(silent_[foot]));
    }
    return result;
  }
  /// Number of times that the force of a foot fell silent.
  int silences() const noexcept { return silences_; }

private:
  static constexpr double in_air = 10.0;  ///< threshold of other feet, above the noise of sensors
  /// Time for which a foot rests that is not felt, until its sensor is taken for dead [s].
  static constexpr double doubt = 0.05;
  static constexpr double sudden = 0.02;  ///< in which all of what bears the robot may fail [s]

  const double patience_;
  Closed closed_{};
  std::array<double, static_cast<std::size_t>(most)> silent_{};   ///< since it was told [s]
  std::array<double, static_cast<std::size_t>(most)> resting_{};  ///< not felt, so long [s]
  std::array<double, static_cast<std::size_t>(most)> felt_{};     ///< what each told last [N]
  double borne_ = 0.0;  ///< since feet felt half of the robot [s]
  double deaf_ = 0.0;   ///< for how long none has felt what it stands on [s]
  int silences_ = 0;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__CONTACT_MEASUREMENT_HPP_
