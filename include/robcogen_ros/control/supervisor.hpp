// Whether a robot can be controlled just now, and how far: states that fail, cycles that are
// missed, pushes.
#ifndef ROBCOGEN_ROS__CONTROL__SUPERVISOR_HPP_
#define ROBCOGEN_ROS__CONTROL__SUPERVISOR_HPP_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "robcogen_ros/control/measurements.hpp"
#include "robcogen_ros/control/stop_reflex.hpp"

namespace robcogen_ros::control
{

/// Conditions in which a cycle ends.
enum class Condition
{
  normal,
  stale,    ///< states are missing, the last ones are used
  lost,     ///< states have been missing for too long
  unsound,  ///< the law gave an effort that is not finite
  stopped,  ///< something has pushed the arm
};

/// Names of the conditions, in the order of the enumeration.
constexpr std::array<std::string_view, 5> condition_names{
  "normal", "stale", "lost", "unsound", "stopped"};

/// Times and cycles for which missing states are borne.
struct Patience
{
  /// \param table of a controller's parameters
  /// \param nominal_period time between cycles [s]; 0: as they come
  /// \param timeout longest time without a state of a joint, 0: for ever [s]. States then come
  /// joint
  ///   by joint and at any time, and control begins anew where they come back. Without it cycles
  ///   are counted, and control ends for good.
  template <typename Parameters>
  Patience(const Parameters & table, double nominal_period, std::optional<double> timeout)
  : period(nominal_period),
    state_timeout(timeout),
    activation_time(table.activation_time),
    max_stale_cycles(table.max_stale_cycles),
    max_missed_cycles(table.max_missed_cycles),
    estimate_velocity(table.estimate_velocity)
  {
  }

  double period;
  std::optional<double> state_timeout;
  double activation_time;  ///< in which efforts beyond gravity's come up [s]
  std::int64_t max_stale_cycles, max_missed_cycles;
  bool estimate_velocity;
};

/// Watches over the states of a robot, the time between cycles, the rise of efforts, and pushes.
///
/// All members but the constructor are for real time: they allocate nothing, lock nothing and
/// throw nothing.
///
/// \tparam Robot the Traits of a generated robot, or one that is known at run time
template <typename Robot>
class Supervisor
{
public:
  using JointVector = typename Robot::JointVector;

  /// \param table of a controller's parameters
  /// \param period, timeout those of Patience
  template <typename Parameters>
  Supervisor(
    const Parameters & table, double period, std::optional<double> timeout, const Robot & robot)
  : patience_(table, period, timeout),
    unknown_(JointVector::Constant(robot.joint_count, std::numeric_limits<double>::quiet_NaN())),
    measurements_(robot),
    reflex_(table, robot)
  {
  }

  /// Begins: nothing is known, and efforts beyond gravity's come up from zero.
  void activate() noexcept
  {
    measurements_.forget();
    reflex_.activate();
    condition_ = Condition::normal;
    share_ = 0.0;
    begun_ = found_ = failed_ = false;
  }

  /// Time has leapt: states must come anew. Returns whether control ends with it.
  bool doubt() noexcept
  {
    measurements_.doubt();
    if (found_)
    {
      fail(Condition::lost);
    }
    return found_;
  }

  /// Takes a cycle's readings; arguments as those of a controller's `update`. Returns whether
  /// control ends with it.
  bool observe(const JointVector & position, const JointVector & velocity, double period) noexcept
  {
    learn(period);
    count(period);
    const std::optional<double> & timeout = patience_.state_timeout;
    measurements_.wait(timeout ? std::min(period, longest_wait * *timeout) : 0.0);
    measurements_.take(position, patience_.estimate_velocity ? unknown_ : velocity, period);
    find();
    if (failed_)
    {
      return false;
    }
    condition_ = measurements_.missing() > 0 ? Condition::stale : Condition::normal;
    if (lost())
    {
      fail(Condition::lost);
    }
    return failed_;
  }

  /// Looks for what pushes the robot, after observe().
  ///
  /// \param acted efforts since the last cycle [N m or N]
  /// \param gravity as they have it; none: the model's
  void feel(
    const JointVector & acted, const std::optional<Eigen::Vector3d> & gravity,
    double period) noexcept
  {
    const bool known = measurements_.complete() && measurements_.missing() == 0 && !begun_;
    const JointVector & position = known ? measurements_.position() : unknown_;
    reflex_.observe(position, measurements_.velocity(), acted, gravity, period);
    const bool only = reflex_.stopped() && condition_ == Condition::normal;
    condition_ = only ? Condition::stopped : condition_;
  }

  /// Ends control.
  void fail(Condition condition) noexcept
  {
    failed_ = true;
    condition_ = condition;
  }

  /// Lets efforts beyond gravity's come up.
  void rise(double period) noexcept
  {
    const double step = std::clamp(period, 0.0, 2.0 * period_);
    const double ramp = patience_.activation_time > 0.0 ? step / patience_.activation_time : 1.0;
    share_ = std::min(1.0, share_ + (ramp >= 0.0 ? ramp : 0.0));
  }

  const Measurements<Robot> & measurements() const noexcept { return measurements_; }
  Condition condition() const noexcept { return condition_; }
  /// Reflex by which the robot stops because something pushes it.
  const StopReflex<Robot> & reflex() const noexcept { return reflex_; }
  /// True if the robot was found in the last cycle, first or after a loss.
  bool begun() const noexcept { return begun_; }
  /// True if control has ended by itself; without a timeout only activate() begins anew.
  bool failed() const noexcept { return failed_; }
  /// Cycles that did not come, since the start.
  std::uint64_t missed_cycles() const noexcept { return missed_; }
  /// Share of the efforts beyond gravity's that is given, 0 to 1.
  double share() const noexcept { return share_; }

private:
  /// Follows the time between cycles slowly, where it is not known.
  void learn(double period) noexcept
  {
    if (patience_.period > 0.0 || !(period > 0.0) || !std::isfinite(period))
    {
      return;
    }
    constexpr double share = 0.05;
    period_ += period_ > 0.0 ? share * (std::min(period, 2.0 * period_) - period_) : period;
  }

  /// Counts cycles that did not come; after many, efforts come up anew.
  void count(double period) noexcept
  {
    const double cycles = period / period_;
    if (patience_.state_timeout || !(cycles > 1.5))
    {
      return;
    }
    const double missed = std::min(std::round(cycles) - 1.0, 1e9);
    missed_ += static_cast<std::uint64_t>(missed);
    if (missed > static_cast<double>(patience_.max_missed_cycles))
    {
      share_ = 0.0;
    }
  }

  /// Finds the robot, first and after a loss.
  void find() noexcept
  {
    const std::optional<double> & timeout = patience_.state_timeout;
    const bool known = timeout ? measurements_.fresh(*timeout) : measurements_.complete();
    begun_ = known && (!found_ || (failed_ && timeout));
    found_ = found_ || begun_;
    failed_ = failed_ && !(begun_ && timeout);
  }

  /// True if states have been missing for too long.
  bool lost() const noexcept
  {
    const std::optional<double> & timeout = patience_.state_timeout;
    return timeout ? found_ && !measurements_.fresh(*timeout)
                   : measurements_.missing() > patience_.max_stale_cycles;
  }

  const Patience patience_;
  double period_ = patience_.period;  ///< time between cycles [s]
  const JointVector unknown_;
  Measurements<Robot> measurements_;
  StopReflex<Robot> reflex_;
  Condition condition_ = Condition::normal;
  double share_ = 0.0;
  bool begun_ = false;
  bool found_ = false;
  bool failed_ = false;
  std::uint64_t missed_ = 0;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__SUPERVISOR_HPP_
