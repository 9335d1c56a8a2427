// Control laws on exact dynamics.
#ifndef ROBCOGEN_ROS__CONTROL__LAW_HPP_
#define ROBCOGEN_ROS__CONTROL__LAW_HPP_

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string_view>

#include "robcogen_ros/control/angles.hpp"
#include "robcogen_ros/control/efforts.hpp"
#include "robcogen_ros/parameters/inverse_dynamics_controller.hpp"

namespace robcogen_ros::control
{

/// Control laws; the reference's own effort is added in each.
enum class Mode
{
  gravity,          ///< g(q)
  compensation,     ///< C(q, qd) qd + g(q)
  pd_gravity,       ///< Kp e + Kd e' + g(q)
  computed_torque,  ///< H(q) (qdd_r + Kp e + Kd e') + C(q, qd) qd + g(q)
  feed_forward,     ///< inverse dynamics of the reference, for drives with a loop of their own
};

/// Names of the modes, in the order of the enumeration.
constexpr std::array<std::string_view, 5> mode_names{
  "gravity", "compensation", "pd_gravity", "computed_torque", "feed_forward"};

/// The mode of a name, if there is one.
constexpr std::optional<Mode> find_mode(std::string_view name) noexcept
{
  for (std::size_t i = 0; i < mode_names.size(); ++i)
  {
    if (mode_names[i] == name)
    {
      return static_cast<Mode>(i);
    }
  }
  return std::nullopt;
}

/// Returns true if a mode follows positions; the others add the reference's effort alone.
constexpr bool follows(Mode mode) noexcept
{
  return mode != Mode::gravity && mode != Mode::compensation;
}

/// Positions, velocities, accelerations, and efforts to add; one value a joint.
template <typename Robot>
struct MotionState
{
  using JointVector = typename Robot::JointVector;

  JointVector position;      ///< [rad or m]
  JointVector velocity;      ///< [rad/s or m/s]
  JointVector acceleration;  ///< [rad/s^2 or m/s^2]
  JointVector effort;        ///< [N m or N]

  MotionState() : MotionState(Robot()) {}
  explicit MotionState(const Robot & robot) { rest(JointVector::Zero(robot.joint_count)); }
  MotionState(
    const JointVector & q, const JointVector & qd, const JointVector & qdd, const JointVector & tau)
  : position(q), velocity(qd), acceleration(qdd), effort(tau)
  {
  }

  /// Standing at a position, without effort.
  void rest(const JointVector & at) noexcept
  {
    position = at;
    velocity.setZero(at.size());
    acceleration.setZero(at.size());
    effort.setZero(at.size());
  }
};

/// Parameters of control, as they are for the joints of a robot.
template <typename Robot>
struct Settings : EffortSettings<Robot>
{
  using JointVector = typename Robot::JointVector;
  using Parameters = parameters::InverseDynamicsController;

  Mode mode;
  /// Gains on position errors: [1/s^2] in computed torque, [N m/rad, N/m] in PD + gravity.
  JointVector kp;
  /// Gains on velocity errors: [1/s] in computed torque, [N m s/rad, N s/m] in PD + gravity.
  JointVector kd;
  /// Greatest efforts of motors where these are commanded, beside those of the model; those of
  /// joints are infinite then [N m or N].
  JointVector motor_limits;
  /// True if computed torque has the reference's acceleration and the terms of velocity; else it
  /// is `H(q) (Kp e + Kd e') + g(q)`.
  bool feed_forward;

  static constexpr double endless = std::numeric_limits<double>::infinity();

  Settings() : Settings(Parameters()) {}

  /// \throws std::invalid_argument if a list has neither one value nor one for each joint
  explicit Settings(const Parameters & given, const Robot & robot = Robot())
  : EffortSettings<Robot>(given, robot),
    mode(*find_mode(given.mode)),
    kp(parameters::per_joint<JointVector>("kp", given.kp, robot.joint_count)),
    kd(parameters::per_joint<JointVector>("kd", given.kd, robot.joint_count)),
    motor_limits(JointVector::Constant(robot.joint_count, endless)),
    feed_forward(given.feed_forward)
  {
    if (given.space == "motor")
    {
      this->effort_limits = motor_limits;
      motor_limits = parameters::per_joint("effort_limits", given.effort_limits, motor_limits);
    }
  }
};

/// Efforts from where a robot is and where it should be.
///
/// Pure: a function of its arguments. It allocates nothing, locks nothing and throws nothing.
///
/// \tparam Robot the Traits of a generated robot on a fixed base; needs its `inverse_dynamics`
template <typename Robot>
class ControlLaw : public BoundedEfforts<Robot>
{
public:
  using JointVector = typename Robot::JointVector;
  using BoundedEfforts<Robot>::support;

  explicit ControlLaw(const Settings<Robot> & settings) noexcept
  : BoundedEfforts<Robot>(settings), settings_(settings)
  {
  }

  /// Efforts within limits.
  ///
  /// \param q positions [rad or m]
  /// \param qd velocities [rad/s or m/s]
  /// \param reference where to be
  /// \param share which part of the efforts beyond gravity's is given, 0 to 1
  Command<Robot> command(
    const JointVector & q, const JointVector & qd, const MotionState<Robot> & reference,
    double share = 1.0) const noexcept
  {
    const JointVector gravity = settings_.dynamics.support(q);
    return this->bounded(gravity, wanted(q, qd, reference, gravity) + reference.effort, share);
  }

  /// Efforts that carry the robot's weight, and others on top of that.
  ///
  /// \param q positions [rad or m]
  /// \param added the others [N m or N]
  /// \param share which part of these is given, 0 to 1
  Command<Robot> support(
    const JointVector & q, const JointVector & added, double share) const noexcept
  {
    const JointVector gravity = settings_.dynamics.support(q);
    return this->bounded(gravity, gravity + added, share);
  }

private:
  JointVector wanted(
    const JointVector & q, const JointVector & qd, const MotionState<Robot> & reference,
    const JointVector & gravity) const noexcept
  {
    const Dynamics<Robot> & dynamics = settings_.dynamics;
    const JointVector rest = JointVector::Zero(q.size());
    switch (settings_.mode)
    {
      case Mode::gravity:
        return gravity;
      case Mode::compensation:
        return dynamics.efforts(q, qd, rest);
      case Mode::pd_gravity:
        return gravity + feedback(q, qd, reference);
      case Mode::feed_forward:
        return dynamics.efforts(reference.position, reference.velocity, reference.acceleration) +
               this->lost(reference.velocity);
      case Mode::computed_torque:
        break;
    }
    if (!settings_.feed_forward)
    {
      return dynamics.efforts(q, rest, feedback(q, qd, reference));
    }
    return dynamics.efforts(q, qd, reference.acceleration + feedback(q, qd, reference)) +
           this->lost(reference.velocity);
  }

  JointVector feedback(
    const JointVector & q, const JointVector & qd,
    const MotionState<Robot> & reference) const noexcept
  {
    const JointVector error = wrapped(settings_.dynamics.robot, reference.position - q);
    return settings_.kp.cwiseProduct(error) + settings_.kd.cwiseProduct(reference.velocity - qd);
  }

  const Settings<Robot> & settings_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__LAW_HPP_
