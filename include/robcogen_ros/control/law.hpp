// Control laws on exact dynamics.
#ifndef ROBCOGEN_ROS__CONTROL__LAW_HPP_
#define ROBCOGEN_ROS__CONTROL__LAW_HPP_

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "robcogen_ros/control/angles.hpp"
#include "robcogen_ros/control/dynamics.hpp"
#include "robcogen_ros/control/limits.hpp"
#include "robcogen_ros/control/saturation.hpp"
#include "robcogen_ros/parameters/inverse_dynamics_controller.hpp"
#include "robcogen_ros/parameters/joints.hpp"

namespace robcogen_ros::control
{

/// What efforts are made of; the reference's own effort is added in each.
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

/// Whether a mode follows positions; the others add the reference's effort and follow nothing.
constexpr bool follows(Mode mode) noexcept
{
  return mode != Mode::gravity && mode != Mode::compensation;
}

/// Speed [rad/s or m/s] from which dry friction is compensated fully.
constexpr double sliding = 0.01;

/// Where to be, how fast, and the effort to add; one value a joint.
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

/// How to control: parameters as they are for the joints of a robot.
template <typename Robot>
struct Settings
{
  using JointVector = typename Robot::JointVector;
  using Parameters = parameters::InverseDynamicsController;

  Mode mode;
  /// Gains on position errors: [1/s^2] in computed torque, [N m/rad, N/m] in PD + gravity.
  JointVector kp;
  /// Gains on velocity errors: [1/s] in computed torque, [N m s/rad, N s/m] in PD + gravity.
  JointVector kd;
  /// Greatest efforts [N m or N].
  JointVector effort_limits;
  /// Whether computed torque has the reference's acceleration and the terms of velocity; without,
  /// `H(q) (Kp e + Kd e') + g(q)` is left.
  bool feed_forward;
  /// Whether it adds what the model's joint friction takes at the reference's velocity.
  bool compensate_friction;
  /// The robot with the gravity and the parameters of the moment.
  Dynamics<Robot> dynamics;

  Settings() : Settings(Parameters()) {}

  /// \throws std::invalid_argument if a list has neither one value nor one for each joint
  explicit Settings(const Parameters & given, const Robot & robot = Robot())
  : mode(*find_mode(given.mode)),
    kp(parameters::per_joint<JointVector>("kp", given.kp, robot.joint_count)),
    kd(parameters::per_joint<JointVector>("kd", given.kd, robot.joint_count)),
    effort_limits(Limits<Robot>(robot).effort),
    feed_forward(given.feed_forward),
    compensate_friction(given.compensate_friction),
    dynamics(robot)
  {
    effort_limits = effort_limits.cwiseMin(
      parameters::per_joint("effort_limits", given.effort_limits, effort_limits));
    if (!given.add_gravity)
    {
      dynamics.gravity = Eigen::Vector3d::Zero();
    }
    else if (!given.gravity.empty())
    {
      dynamics.gravity = Eigen::Vector3d(given.gravity.data());
    }
  }
};

/// Efforts for the robot.
template <typename Robot>
struct Command
{
  using JointVector = typename Robot::JointVector;

  JointVector effort;   ///< finite and within limits [N m or N]
  JointVector gravity;  ///< the part of it that carries the weight [N m or N]
  /// What saturation left of the efforts beyond gravity's, 1 if it did not act.
  double scale = 1.0;
  bool sound = true;  ///< whether the law gave finite efforts; if not, they only hold the robot

  explicit Command(const Robot & robot = Robot())
  : effort(JointVector::Zero(robot.joint_count)), gravity(effort)
  {
  }
};

/// Efforts from where a robot is and where it should be.
///
/// Pure: a function of its arguments. It allocates nothing, locks nothing and throws nothing.
///
/// \tparam Robot the Traits of a generated robot on a fixed base; needs its `inverse_dynamics`
template <typename Robot>
class ControlLaw
{
public:
  using JointVector = typename Robot::JointVector;

  explicit ControlLaw(const Settings<Robot> & settings) : settings_(settings) {}

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
    return bounded(gravity, wanted(q, qd, reference, gravity) + reference.effort, share);
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
    return bounded(gravity, gravity + added, share);
  }

  /// Efforts that carry the robot's weight and do nothing else.
  Command<Robot> support(const JointVector & q) const noexcept
  {
    Command<Robot> result(settings_.dynamics.robot);
    result.effort = result.gravity = limited(settings_.dynamics.support(q));
    return result;
  }

private:
  /// Efforts within limits, if they are finite.
  Command<Robot> bounded(
    const JointVector & gravity, const JointVector & effort, double share) const noexcept
  {
    Command<Robot> result(settings_.dynamics.robot);
    result.gravity = limited(gravity);
    result.effort = gravity + share * (effort - gravity);
    if (!result.effort.allFinite())
    {
      result.effort = result.gravity;
      result.sound = false;
      return result;
    }
    result.scale = saturate(result.effort, gravity, settings_.effort_limits);
    return result;
  }

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
               lost(reference.velocity);
      case Mode::computed_torque:
        break;
    }
    if (!settings_.feed_forward)
    {
      return dynamics.efforts(q, rest, feedback(q, qd, reference));
    }
    return dynamics.efforts(q, qd, reference.acceleration + feedback(q, qd, reference)) +
           lost(reference.velocity);
  }

  JointVector feedback(
    const JointVector & q, const JointVector & qd,
    const MotionState<Robot> & reference) const noexcept
  {
    const JointVector error = wrapped(settings_.dynamics.robot, reference.position - q);
    return settings_.kp.cwiseProduct(error) + settings_.kd.cwiseProduct(reference.velocity - qd);
  }

  /// What joint friction takes at a velocity.
  JointVector lost(const JointVector & velocity) const noexcept
  {
    const Robot & robot = settings_.dynamics.robot;
    JointVector result = JointVector::Zero(velocity.size());
    for (int i = 0; i < robot.joint_count && settings_.compensate_friction; ++i)
    {
      const double rate = velocity(i);
      result(i) += robot.damping_in_dynamics ? 0.0 : robot.damping[i] * rate;
      result(i) += robot.friction_in_dynamics ? 0.0 : robot.friction[i] * std::tanh(rate / sliding);
    }
    return result;
  }

  JointVector limited(JointVector effort) const noexcept
  {
    for (double & value : effort)
    {
      value = std::isfinite(value) ? value : 0.0;
    }
    return effort.cwiseMin(settings_.effort_limits).cwiseMax(-settings_.effort_limits);
  }

  const Settings<Robot> & settings_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__LAW_HPP_
