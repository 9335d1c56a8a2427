// What goes on being wrong with a robot on legs, in words.
#ifndef ROBCOGEN_ROS__CONTROL__TROUBLES_HPP_
#define ROBCOGEN_ROS__CONTROL__TROUBLES_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "robcogen_ros/control/foot_name.hpp"
#include "robcogen_ros/control/whole_body_loop.hpp"
#include "robcogen_ros/estimator/reading.hpp"
#include "robcogen_ros/sizes.hpp"
#include "robcogen_ros/whole_body/command.hpp"

namespace robcogen_ros::control
{

/// A fault, the share of the cycles in which it is told, and how.
struct Trouble
{
  std::uint32_t fault;
  bool of_estimator;  ///< else of whole_body::Fault
  double share;
  const char * text;
};

constexpr Trouble troubles[] = {
  {static_cast<std::uint32_t>(whole_body::Fault::all_contacts_lost), false, 0.5,
   "no foot touches the ground, by their forces: only the posture is kept"},
  {static_cast<std::uint32_t>(whole_body::Fault::schedule_disagrees), false, 0.5,
   "feet touch the ground that are to swing, or do not that are to stand"},
  {static_cast<std::uint32_t>(whole_body::Fault::reference_out_of_reach), false, 0.5,
   "trunk or feet are to go farther or faster than the robot can: it has fallen, or too much is "
   "asked"},
  {static_cast<std::uint32_t>(whole_body::Fault::cannot_step), false, 0.5,
   "the robot is to step, but cannot lean over any of its feet: they are too far apart, or the dry "
   "friction of joints holds it"},
  {static_cast<std::uint32_t>(whole_body::Fault::gait_not_played), false, 0.5,
   "the velocity of the gait of gait_file is asked for, but the gait does not begin: as feet lift "
   "off, its trunk sways more than in steps of its period. Find one with a reach of 0.9 and "
   "shorter strides"},
  {static_cast<std::uint32_t>(whole_body::Fault::velocities_zero), false, 0.5,
   "velocities of all joints are zero though they move: they are estimated from positions"},
  {static_cast<std::uint32_t>(estimator::Fault::foot_slips), true, 0.05,
   "feet slip, or their forces tell contacts that are none"},
};

/// Counts cycles with faults, and how long feet have not touched the ground.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
class Troubles
{
public:
  explicit Troubles(const Robot & robot) noexcept : feet_(robot.contact_count) {}

  /// Takes in a cycle; for real time.
  ///
  /// \param step time since the last one [s]
  /// \param moves whether a reference moves trunk or feet
  void take(const WholeBodyLoop<Robot> & loop, double step, bool moves) noexcept
  {
    time_ += step;
    controlled_ = loop.known() && loop.condition() <= WholeBodyCondition::stale;
    moved_ = moves ? 0.0 : moved_ + step;
    airborne_ = true;
    for (std::size_t foot = 0; foot < feet_; ++foot)
    {
      open_[foot] = loop.closed()[foot] || !loop.known() ? 0.0 : open_[foot] + step;
      unfelt_[foot] = loop.unfelt(foot);
      airborne_ = airborne_ && open_[foot] > longest_swing;
    }
    ++cycles_;
    const std::uint32_t estimated = loop.estimator() ? loop.estimator()->faults() : 0u;
    lean_ = controlled_ ? loop.lean() : 0.0;
    for (std::size_t i = 0; controlled_ && i < std::size(troubles); ++i)
    {
      const std::uint32_t faults = troubles[i].of_estimator ? estimated : loop.faults();
      counts_[i] += (faults & troubles[i].fault) != 0u ? 1u : 0u;
    }
  }

  /// Whether the force of a foot seems to be missing: it rests on the ground that it does not feel,
  /// or has not touched it for longer than a swing while others have and no reference moves it.
  bool misses(std::size_t foot) const noexcept
  {
    const bool late = open_[foot] > longest_swing && !airborne_ && moved_ >= longest_swing;
    return controlled_ && (late || unfelt_[foot]);
  }

  /// Returns what has gone on since an earlier count, in words. Not for real time.
  std::vector<std::string> since(const Troubles & before, const Robot & robot) const
  {
    std::vector<std::string> result;
    const auto cycles = static_cast<double>(cycles_ - before.cycles_);
    for (std::size_t i = 0; i < std::size(troubles); ++i)
    {
      const auto count = static_cast<double>(counts_[i] - before.counts_[i]);
      if (count > troubles[i].share * cycles)
      {
        result.emplace_back(troubles[i].text);
      }
    }
    if (lean_ > 0.0)
    {
      result.push_back(
        estimator::words_of(
          lean_,
          " rad from where the feet bear the robot: set imu_frame to the frame that it measures "
          "in, or mend the zeros of joints; else the robot runs away as it steps"));
    }
    for (std::size_t foot = 0; foot < feet_; ++foot)
    {
      if (misses(foot))
      {
        result.push_back(
          "foot '" + foot_name(robot.contact_names[foot]) +
          "' does not feel the ground: is its force measured?");
      }
    }
    return result;
  }

  double time() const noexcept { return time_; }  ///< of all cycles [s]

private:
  static constexpr int most_feet = SizesOf<Robot>::most_contacts;
  static constexpr double longest_swing = 1.0;  ///< [s]

  std::size_t feet_;
  std::uint64_t cycles_ = 0;
  std::array<std::uint64_t, std::size(troubles)> counts_{};
  std::array<double, most_feet> open_{};  ///< time without touching the ground [s]
  std::array<bool, most_feet> unfelt_{};
  double time_ = 0.0;
  double lean_ = 0.0;             ///< of the IMU [rad]
  double moved_ = longest_swing;  ///< time since a reference moved something [s]
  bool airborne_ = false;
  bool controlled_ = false;
};

/// Tells what goes on being wrong once, and again where it comes back after a while. Not for real
/// time.
template <typename Robot>
class ToldTroubles
{
public:
  explicit ToldTroubles(const Robot & robot) : robot_(robot), before_(robot) {}

  /// Returns what has gone on since the last call and was not told, a sentence a line.
  std::string news(const Troubles<Robot> & now)
  {
    constexpr double away = 2.0;  // [s]
    std::string result;
    for (const std::string & text : now.since(before_, robot_))
    {
      const auto last = seen_.find(text);
      result += last == seen_.end() || now.time() - last->second > away ? text + "\n" : "";
      seen_[text] = now.time();
    }
    before_ = now;
    return result;
  }

private:
  const Robot robot_;
  Troubles<Robot> before_;
  std::map<std::string, double> seen_;  ///< when each went on last [s]
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__TROUBLES_HPP_
