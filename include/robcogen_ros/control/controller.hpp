// A controller without its middleware: states and references in, commands out, cycle by cycle.
#ifndef ROBCOGEN_ROS__CONTROL__CONTROLLER_HPP_
#define ROBCOGEN_ROS__CONTROL__CONTROLLER_HPP_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "robcogen_ros/control/law.hpp"
#include "robcogen_ros/control/measurements.hpp"
#include "robcogen_ros/control/parting.hpp"
#include "robcogen_ros/control/reference.hpp"

namespace robcogen_ros::control
{

/// How a cycle went.
enum class Condition
{
  normal,
  stale,    ///< states are missing, the last ones are used
  lost,     ///< states have been missing for too long
  unsound,  ///< the law gave an effort that is not finite
};

/// Names of the conditions, in the order of the enumeration.
constexpr std::array<std::string_view, 4> condition_names{"normal", "stale", "lost", "unsound"};

/// Keeps a robot on its reference and carries its weight when something is missing.
///
/// All members but the constructor are for real time: they allocate nothing, lock nothing and
/// throw nothing. Every command is finite and within the effort limits.
///
/// \tparam Robot the Traits of a generated robot on a fixed base
template <typename Robot>
class Controller
{
public:
  using JointVector = typename Robot::JointVector;

  /// \param behaviour what of it does not change while the controller is active
  /// \param period nominal time between cycles [s]; 0: as they come
  /// \param state_timeout longest time without a state of a joint, 0: for ever [s]. States then
  ///   come joint by joint and at any time, and control begins anew where they come back. Without
  ///   it cycles are counted, and control ends for good.
  Controller(
    const parameters::InverseDynamicsController & behaviour, double period,
    std::optional<double> state_timeout = std::nullopt, const Robot & robot = Robot())
  : behaviour_(behaviour),
    nominal_period_(period),
    state_timeout_(state_timeout),
    failure_(control::parting(behaviour.failure_effort)),
    nothing_(nothing(robot)),
    measurements_(robot),
    reference_(robot),
    command_(robot),
    no_command_(robot)
  {
  }

  /// Begins: nothing is known, and efforts beyond gravity's come up from zero.
  void activate() noexcept
  {
    measurements_.forget();
    reference_.forget();
    command_ = no_command_;
    condition_ = Condition::normal;
    share_ = 0.0;
    begun_ = found_ = failed_ = false;
  }

  /// Begins anew after time has leapt: states must come anew, and where the robot is found it is
  /// held. Efforts are there at once, for it may be moving and is to be braked.
  void doubt() noexcept
  {
    measurements_.doubt();
    if (found_)
    {
      fail(Condition::lost);
    }
  }

  /// One cycle.
  ///
  /// \param settings the law; may change from cycle to cycle
  /// \param position readings of positions, NaN where there are none [rad or m]
  /// \param velocity the same of velocities [rad/s or m/s]; estimated for joints that never had one
  /// \param given the reference, NaN where there is none
  /// \param period time since the last cycle [s]
  const Command<Robot> & update(
    const Settings<Robot> & settings, const JointVector & position, const JointVector & velocity,
    const MotionState<Robot> & given, double period) noexcept
  {
    learn(period);
    count(period);
    measurements_.wait(state_timeout_ ? std::min(period, longest_wait * *state_timeout_) : 0.0);
    measurements_.take(
      position, behaviour_.estimate_velocity ? nothing_.velocity : velocity, period);
    find();
    if (!failed_ && lost())
    {
      fail(Condition::lost);
    }
    if (failed_)
    {
      command_ = parting(settings, failure_);
      return command_;
    }
    reference_.take(given);
    condition_ = measurements_.missing() > 0 ? Condition::stale : Condition::normal;
    act(settings, period);
    return command_;
  }

  /// Ends control: what to leave the robot with, with its reference at rest.
  Command<Robot> end(const Settings<Robot> & settings, Parting kind) noexcept
  {
    reference_.rest();
    return parting(settings, kind);
  }

  /// What to leave the robot with.
  Command<Robot> parting(const Settings<Robot> & settings, Parting kind) const noexcept
  {
    if (kind == Parting::keep)
    {
      return command_;
    }
    const bool carried = kind == Parting::hold_gravity && measurements_.complete();
    return carried ? ControlLaw<Robot>(settings).support(measurements_.position()) : no_command_;
  }

  const Command<Robot> & command() const noexcept { return command_; }
  const Measurements<Robot> & measurements() const noexcept { return measurements_; }
  /// The reference of the last cycle, for drives with loops of their own too. While the state of
  /// the robot is not known its position is NaN, and it is at rest.
  MotionState<Robot> reference() const noexcept
  {
    MotionState<Robot> unknown = nothing_;
    unknown.rest(nothing_.position);
    return measurements_.complete() ? reference_.at(measurements_.position()) : unknown;
  }
  Condition condition() const noexcept { return condition_; }
  /// Whether the position found in the last cycle is held from then on.
  bool begun() const noexcept { return begun_; }
  /// Whether control has ended by itself; without a timeout only activate() begins anew.
  bool failed() const noexcept { return failed_; }
  /// Cycles that did not come, since the start.
  std::uint64_t missed_cycles() const noexcept { return missed_; }
  /// Which part of the efforts beyond gravity's is given, 0 to 1.
  double share() const noexcept { return share_; }

private:
  /// Follows the time between cycles slowly, where it is not known.
  void learn(double period) noexcept
  {
    if (nominal_period_ > 0.0 || !(period > 0.0) || !std::isfinite(period))
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
    if (state_timeout_ || !(cycles > 1.5))
    {
      return;
    }
    const double missed = std::min(std::round(cycles) - 1.0, 1e9);
    missed_ += static_cast<std::uint64_t>(missed);
    if (missed > static_cast<double>(behaviour_.max_missed_cycles))
    {
      share_ = 0.0;
    }
  }

  /// Holds the robot where it is found, first and after a loss.
  void find() noexcept
  {
    const bool known =
      state_timeout_ ? measurements_.fresh(*state_timeout_) : measurements_.complete();
    begun_ = known && (!found_ || (failed_ && state_timeout_));
    found_ = found_ || begun_;
    failed_ = failed_ && !(begun_ && state_timeout_);
    if (begun_ && behaviour_.hold_position_on_activation)
    {
      reference_.hold(measurements_.position());
    }
  }

  /// Whether states have been missing for too long.
  bool lost() const noexcept
  {
    return state_timeout_ ? found_ && !measurements_.fresh(*state_timeout_)
                          : measurements_.missing() > behaviour_.max_stale_cycles;
  }

  /// Ends control: the robot is to stand where it was seen last.
  void fail(Condition condition) noexcept
  {
    failed_ = true;
    condition_ = condition;
    reference_.forget();
    if (measurements_.complete())
    {
      reference_.hold(measurements_.position());
    }
  }

  /// Lets efforts beyond gravity's come up.
  void rise(double period) noexcept
  {
    const double step = std::clamp(period, 0.0, 2.0 * period_);
    const double ramp = behaviour_.activation_time > 0.0 ? step / behaviour_.activation_time : 1.0;
    share_ = std::min(1.0, share_ + (ramp >= 0.0 ? ramp : 0.0));
  }

  /// The command of a cycle in which the state is known, or was known a moment ago.
  void act(const Settings<Robot> & settings, double period) noexcept
  {
    const ControlLaw<Robot> law(settings);
    const bool acts = !follows(settings.mode) || reference_.known();
    const JointVector & q = measurements_.position();
    const MotionState<Robot> wanted = reference_.at(q);
    if (!measurements_.complete())
    {
      command_ = no_command_;
    }
    else if (acts || (wanted.effort.array() != 0.0).any())
    {
      rise(period);
      command_ = acts ? law.command(q, measurements_.velocity(), wanted, share_)
                      : law.support(q, wanted.effort, share_);
    }
    else
    {
      command_ = law.support(q);
    }
    if (!command_.sound)
    {
      fail(Condition::unsound);
      command_ = parting(settings, failure_);
    }
  }

  const parameters::InverseDynamicsController behaviour_;
  const double nominal_period_;
  double period_ = nominal_period_;  ///< time between cycles [s]
  const std::optional<double> state_timeout_;
  const Parting failure_;
  const MotionState<Robot> nothing_;
  Measurements<Robot> measurements_;
  Reference<Robot> reference_;
  Command<Robot> command_;
  const Command<Robot> no_command_;
  Condition condition_ = Condition::normal;
  double share_ = 0.0;
  bool begun_ = false;
  bool found_ = false;
  bool failed_ = false;
  std::uint64_t missed_ = 0;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__CONTROLLER_HPP_
