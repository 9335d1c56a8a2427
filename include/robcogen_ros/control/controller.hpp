// A controller without its middleware: states and references in, commands out, cycle by cycle.
#ifndef ROBCOGEN_ROS__CONTROL__CONTROLLER_HPP_
#define ROBCOGEN_ROS__CONTROL__CONTROLLER_HPP_

#include <cstdint>
#include <optional>
#include <stdexcept>

#include "robcogen_ros/control/law.hpp"
#include "robcogen_ros/control/parting.hpp"
#include "robcogen_ros/control/reference.hpp"
#include "robcogen_ros/control/supervisor.hpp"

namespace robcogen_ros::control
{

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
  /// \param period, state_timeout those of Patience
  /// \throws std::invalid_argument as StopReflex, and of motors, whose limits it does not know
  Controller(
    const parameters::InverseDynamicsController & behaviour, double period,
    std::optional<double> state_timeout = std::nullopt, const Robot & robot = Robot())
  : holds_(behaviour.hold_position_on_activation),
    failure_(control::parting(behaviour.failure_effort)),
    nothing_(nothing(robot)),
    supervisor_(behaviour, period, state_timeout, robot),
    reference_(robot),
    command_(robot),
    no_command_(robot)
  {
    if (behaviour.space == "motor" && !behaviour.stop_efforts.empty())
    {
      throw std::invalid_argument("stop_efforts: expected none in space motor");
    }
  }

  /// Begins: nothing is known, and efforts beyond gravity's come up from zero.
  void activate() noexcept
  {
    supervisor_.activate();
    reference_.forget();
    command_ = no_command_;
  }

  /// Begins anew after time has leapt: states must come anew, and where the robot is found it is
  /// held. Efforts are there at once, for it may be moving and is to be braked.
  void doubt() noexcept
  {
    if (supervisor_.doubt())
    {
      stand();
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
    const bool ends = supervisor_.observe(position, velocity, period);
    if (supervisor_.begun() && holds_)
    {
      reference_.hold(measurements().position());
    }
    if (ends)
    {
      stand();
    }
    if (supervisor_.failed())
    {
      command_ = parting(settings, failure_);
      return command_;
    }
    supervisor_.feel(command_.effort, settings.dynamics.gravity, period);
    if (supervisor_.reflex().brakes())
    {
      stand();
    }
    reference_.take(supervisor_.reflex().stopped() ? nothing_ : given);
    act(settings, period);
    return command_;
  }

  /// Ends control: what to leave the robot with, with its reference at rest.
  Command<Robot> end(const Settings<Robot> & settings, Parting kind) noexcept
  {
    reference_.rest();
    return parting(settings, kind);
  }

  /// Command to leave the robot with.
  Command<Robot> parting(const Settings<Robot> & settings, Parting kind) const noexcept
  {
    if (kind == Parting::keep)
    {
      return command_;
    }
    const bool carried = kind == Parting::hold_gravity && measurements().complete();
    return carried ? ControlLaw<Robot>(settings).support(measurements().position()) : no_command_;
  }

  const Command<Robot> & command() const noexcept { return command_; }
  const Measurements<Robot> & measurements() const noexcept { return supervisor_.measurements(); }
  /// The reference of the last cycle, for drives with loops of their own too. While the state of
  /// the robot is not known its position is NaN, and it is at rest.
  MotionState<Robot> reference() const noexcept
  {
    MotionState<Robot> unknown = nothing_;
    unknown.rest(nothing_.position);
    return measurements().complete() ? reference_.at(measurements().position()) : unknown;
  }
  /// Supervision: states, missed cycles, the rise of efforts.
  const Supervisor<Robot> & supervisor() const noexcept { return supervisor_; }

private:
  /// The robot is to stand where it was seen last.
  void stand() noexcept
  {
    reference_.forget();
    if (measurements().complete())
    {
      reference_.hold(measurements().position());
    }
  }

  /// The command of a cycle in which the state is known, or was known a moment ago.
  void act(const Settings<Robot> & settings, double period) noexcept
  {
    const ControlLaw<Robot> law(settings);
    const bool acts = !follows(settings.mode) || reference_.known();
    const JointVector & q = measurements().position();
    const JointVector & qd = measurements().velocity();
    const MotionState<Robot> wanted = reference_.at(q);
    if (!measurements().complete())
    {
      command_ = no_command_;
    }
    else if (supervisor_.reflex().brakes())
    {
      command_ = law.accelerating(q, qd, supervisor_.reflex().slowing(qd, period));
    }
    else if (acts || (wanted.effort.array() != 0.0).any())
    {
      supervisor_.rise(period);
      const double share = supervisor_.share();
      command_ = acts ? law.command(q, qd, wanted, share) : law.support(q, wanted.effort, share);
    }
    else
    {
      command_ = law.support(q);
    }
    if (!command_.sound)
    {
      supervisor_.fail(Condition::unsound);
      stand();
      command_ = parting(settings, failure_);
    }
  }

  const bool holds_;
  const Parting failure_;
  const MotionState<Robot> nothing_;
  Supervisor<Robot> supervisor_;
  Reference<Robot> reference_;
  Command<Robot> command_;
  const Command<Robot> no_command_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__CONTROLLER_HPP_
