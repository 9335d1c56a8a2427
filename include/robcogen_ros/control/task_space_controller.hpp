// A controller of a tool without its middleware: states and references in, commands out.
#ifndef ROBCOGEN_ROS__CONTROL__TASK_SPACE_CONTROLLER_HPP_
#define ROBCOGEN_ROS__CONTROL__TASK_SPACE_CONTROLLER_HPP_

#include <algorithm>
#include <optional>

#include "robcogen_ros/control/parting.hpp"
#include "robcogen_ros/control/supervisor.hpp"
#include "robcogen_ros/control/task_law.hpp"

namespace robcogen_ros::control
{

/// Keeps a tool on its reference and carries the robot's weight when something is missing.
///
/// All members but the constructor are for real time: they allocate nothing, lock nothing and
/// throw nothing. Every command is finite and within the effort limits.
///
/// \tparam Robot one that is known at run time, on a fixed base
template <typename Robot>
class TaskSpaceController
{
public:
  using JointVector = typename Robot::JointVector;

  /// \param behaviour what of it does not change while the controller is active
  /// \param tool the frames
  /// \param period, state_timeout those of Patience
  TaskSpaceController(
    const parameters::TaskSpaceController & behaviour, const Tool<Robot> & tool, double period,
    std::optional<double> state_timeout, const Robot & robot)
  : failure_(control::parting(behaviour.failure_effort)),
    tool_(tool),
    supervisor_(behaviour, period, state_timeout, robot),
    reference_(behaviour.reference_timeout),
    bounds_(robot),
    motion_(robot),
    posture_(JointVector::Zero(robot.joint_count)),
    beyond_(posture_),
    command_(robot),
    no_command_(robot)
  {
  }

  /// Begins: nothing is known, and efforts beyond gravity's come up from zero.
  void activate() noexcept
  {
    supervisor_.activate();
    report_ = TaskReport();
    command_ = no_command_;
    beyond_.setZero();
  }

  /// Begins anew after time has leapt: states must come anew, and where the robot is found it is
  /// held.
  void doubt() noexcept { supervisor_.doubt(); }

  /// One cycle.
  ///
  /// \param settings the law; may change from cycle to cycle
  /// \param position readings of positions, NaN where there are none [rad or m]
  /// \param velocity the same of velocities [rad/s or m/s]; estimated for joints that never had one
  /// \param period time since the last cycle [s]
  const Command<Robot> & update(
    const TaskSettings<Robot> & settings, const JointVector & position,
    const JointVector & velocity, const TaskRequest & request, double period) noexcept
  {
    supervisor_.observe(position, velocity, period);
    const JointVector & q = measurements().position();
    if (measurements().complete())
    {
      motion_ = tool_.motion(settings.dynamics.robot, q, measurements().velocity());
    }
    supervisor_.feel(command_.effort, settings.dynamics.gravity, period);
    const StopReflex<Robot> & reflex = supervisor_.reflex();
    if (supervisor_.begun() || reflex.brakes())
    {
      reference_.hold(motion_.pose);
      posture_ = q;
    }
    if (supervisor_.begun())
    {
      bounds_.widen(q);
    }
    if (supervisor_.failed() || !measurements().complete())
    {
      command_ = parting(settings, failure_);
      beyond_.setZero();
      return command_;
    }
    const TaskRequest & heard = reflex.stopped() ? TaskRequest() : request;
    reference_.take(heard, motion_.pose, settings.bounds, period);
    act(settings, period);
    return command_;
  }

  /// Ends control: what to leave the robot with.
  Command<Robot> end(const TaskSettings<Robot> & settings, Parting kind) noexcept
  {
    reference_.rest();
    return parting(settings, kind);
  }

  const Command<Robot> & command() const noexcept { return command_; }
  const Measurements<Robot> & measurements() const noexcept { return supervisor_.measurements(); }
  const Supervisor<Robot> & supervisor() const noexcept { return supervisor_; }
  const ToolMotion<Robot> & motion() const noexcept { return motion_; }
  const TaskReference & reference() const noexcept { return reference_; }
  const TaskReport & report() const noexcept { return report_; }

private:
  /// Command to leave the robot with.
  Command<Robot> parting(const TaskSettings<Robot> & settings, Parting kind) const noexcept
  {
    if (kind == Parting::keep)
    {
      return command_;
    }
    const bool carried = kind == Parting::hold_gravity && measurements().complete();
    return carried ? TaskLaw<Robot>(settings).support(measurements().position()) : no_command_;
  }

  /// The command of a cycle in which the state is known, or was known a moment ago.
  void act(const TaskSettings<Robot> & settings, double period) noexcept
  {
    const TaskLaw<Robot> law(settings);
    const JointVector & q = measurements().position();
    const JointVector & qd = measurements().velocity();
    supervisor_.rise(period);
    const JointVector gravity = settings.dynamics.support(q);
    if (supervisor_.reflex().brakes())
    {
      const Command<Robot> braking =
        law.accelerating(q, qd, supervisor_.reflex().slowing(qd, period));
      slow(braking.effort - gravity, settings.effort_rates, period);
    }
    else
    {
      const JointVector effort = law.efforts(
        q, qd, motion_, reference_, settings.posture.value_or(posture_), bounds_, report_);
      slow(supervisor_.share() * (effort - gravity), settings.effort_rates, period);
    }
    command_ = law.bounded(gravity, gravity + beyond_, 1.0);
    if (command_.sound)
    {
      beyond_ = command_.effort - gravity;
      return;
    }
    supervisor_.fail(Condition::unsound);
    command_ = parting(settings, failure_);
    beyond_.setZero();
  }

  /// Brings efforts beyond gravity's to what is wanted, along a straight line, no faster than each
  /// joint may change.
  void slow(const JointVector & wanted, const JointVector & rates, double period) noexcept
  {
    const double time = period > 0.0 ? period : 0.0;
    double share = 1.0;
    for (Eigen::Index i = 0; i < wanted.size(); ++i)
    {
      const double change = std::abs(wanted(i) - beyond_(i)), most = rates(i) * time;
      share = change > most ? std::min(share, most / change) : share;
    }
    beyond_ = share < 1.0 ? JointVector(beyond_ + share * (wanted - beyond_)) : wanted;
  }

  const Parting failure_;
  const Tool<Robot> tool_;
  Supervisor<Robot> supervisor_;
  TaskReference reference_;
  JointBounds<Robot> bounds_;
  ToolMotion<Robot> motion_;
  JointVector posture_;  ///< where the robot was found
  JointVector beyond_;   ///< efforts of the last cycle beyond gravity's [N m or N]
  TaskReport report_;
  Command<Robot> command_;
  const Command<Robot> no_command_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__TASK_SPACE_CONTROLLER_HPP_
