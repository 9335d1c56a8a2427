// Settings of an observer of external forces.
#ifndef ROBCOGEN_ROS__OBSERVER__SETTINGS_HPP_
#define ROBCOGEN_ROS__OBSERVER__SETTINGS_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/parameters/external_force_broadcaster.hpp"
#include "robcogen_ros/parameters/joints.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::observer
{

/// Measurement of a robot.
///
/// \tparam Robot the Traits of a generated robot
template <typename Robot>
struct Measurement
{
  using JointVector = typename Robot::JointVector;

  JointVector q;   ///< positions [rad or m]
  JointVector qd;  ///< velocities [rad/s or m/s]
  /// Efforts that have acted since the measurement before: measured ones, or those commanded then
  /// [N m or N].
  JointVector tau;
  /// Spatial velocity [w; v] of a floating base in its own axes [rad/s, m/s].
  typename Robot::Vector6 base_velocity = Robot::Vector6::Zero();
  /// Acceleration of free fall in the axes of the base [m/s^2]. A fixed base that gives none has
  /// that of its model; a floating one must give it.
  std::optional<Eigen::Vector3d> gravity;

  Measurement() noexcept : Measurement(Robot()) {}
  explicit Measurement(const Robot & robot) noexcept
  : q(JointVector::Zero(robot.joint_count)), qd(q), tau(q)
  {
  }

  bool finite() const noexcept
  {
    return q.allFinite() && qd.allFinite() && tau.allFinite() && base_velocity.allFinite() &&
           (!gravity || gravity->allFinite());
  }
};

/// Problems that settings may have.
constexpr const char * setting_problems[] = {
  "gain: expected more than 0",
  "damping: expected 0 or more",
  "joint_friction: expected 0 or more",
  "sliding: expected more than 0",
  "friction_tolerance: expected 0 or more",
  "joint_threshold: expected 0 or more",
  "base_force_threshold: expected more than 0",
  "base_moment_threshold: expected more than 0",
  "contact_threshold: expected 0 or more",
  "release: expected 0 to 1",
  "contact_damping: expected more than 0",
};

/// Settings of an observer; docs/external_forces.md lists its parameters with their defaults.
///
/// \tparam Robot the Traits of a generated robot; needs its `generalized_momentum`
template <typename Robot>
struct Settings
{
  using JointVector = typename Robot::JointVector;

  Robot robot;
  /// Gain K of the observer [1/s]: what acts is followed with a first-order lag of 1/K.
  double gain;

  /// Friction that is taken off the efforts, unless it is part of the robot's dynamics.
  JointVector damping;   ///< [N m s/rad or N s/m]
  JointVector friction;  ///< [N m or N]
  /// Speed from which dry friction is fully there [rad/s or m/s]; below, it is anything up to that.
  double sliding = 0.01;
  /// Possible distance of friction from what the model says, as a share of it.
  double friction_tolerance;

  /// External efforts on joints that are taken for real, beyond what friction can explain
  /// [N m or N]. By default 2 % of the effort limits, 1 where there are none.
  JointVector joint_threshold;
  double base_force_threshold;   ///< the same of a push at a floating base [N]
  double base_moment_threshold;  ///< [N m]
  /// Force of a contact that is taken for real [N]. By default of a floating base a twentieth of
  /// the robot's weight, of a fixed one 5 N.
  double contact_threshold;
  /// Share of a threshold below which what was taken for real is no more.
  double release;

  /// True if anything but contacts may push a floating base. If not, the forces of contacts are
  /// those that explain the base's motion as well: legs that are stretched need it.
  bool base_is_free = true;
  /// Damping that bounds the forces of contacts where their limbs are singular [1/N^2].
  double contact_damping = 1e-6;
  /// Distance from a position limit at which an end stop may bear a force [rad or m].
  double stop_margin = 0.01;

  /// Constants that are made of the parameters that a robot leaves open.
  typename ConstantsOf<Robot>::Type constants;

  Settings() : Settings(parameters::ExternalForceBroadcaster()) {}

  /// \throws std::invalid_argument if a list has neither one value nor one for each joint
  explicit Settings(const parameters::ExternalForceBroadcaster & given, const Robot & of = Robot())
  : robot(of),
    gain(given.gain),
    damping(robot.joint_count),
    friction(robot.joint_count),
    friction_tolerance(given.friction_tolerance),
    joint_threshold(robot.joint_count),
    base_force_threshold(given.base_force_threshold),
    base_moment_threshold(given.base_moment_threshold),
    contact_threshold(given.contact_threshold),
    release(given.release)
  {
    for (int i = 0; i < robot.joint_count; ++i)
    {
      const double limit = robot.effort_limits[i];
      damping(i) = robot.damping[i];
      friction(i) = robot.friction[i];
      joint_threshold(i) = std::isfinite(limit) ? 0.02 * limit : 1.0;
    }
    joint_threshold =
      parameters::per_joint("joint_thresholds", given.joint_thresholds, joint_threshold);
    if (contact_threshold == 0.0)
    {
      contact_threshold = robot.floating_base ? 0.05 * weight() : 5.0;
    }
  }

  /// The first of setting_problems that there is; -1 if there is none.
  int problem() const noexcept
  {
    const auto amount = [](double value) { return value >= 0.0 && std::isfinite(value); };
    const auto amounts = [](const JointVector & values)
    { return values.allFinite() && (values.array() >= 0.0).all(); };
    const bool good[] = {
      amount(gain) && gain > 0.0,
      amounts(damping),
      amounts(friction),
      amount(sliding) && sliding > 0.0,
      amount(friction_tolerance),
      (joint_threshold.array() >= 0.0).all(),
      base_force_threshold > 0.0,
      base_moment_threshold > 0.0,
      contact_threshold >= 0.0,
      release >= 0.0 && release <= 1.0,
      amount(contact_damping) && contact_damping > 0.0};
    static_assert(std::size(good) == std::size(setting_problems));
    const auto wrong = std::find(std::begin(good), std::end(good), false);
    return wrong == std::end(good) ? -1 : static_cast<int>(wrong - std::begin(good));
  }

private:
  /// Mass times standard gravity [N]: what the momentum of a robot that falls from rest gains.
  double weight() const noexcept
  {
    if constexpr (SizesOf<Robot>::may_float)
    {
      const auto function = [&](const auto &... all)
      { return robot.generalized_momentum(all...).bias; };
      const JointVector rest = JointVector::Zero(robot.joint_count);
      const typename Robot::Vector6 still = Robot::Vector6::Zero();
      const Eigen::Vector3d down = standard_gravity();
      return -with_constants<Robot>(constants, function, rest, rest, still, down)(5);
    }
    return 0.0;
  }
};

}  // namespace robcogen_ros::observer

#endif  // ROBCOGEN_ROS__OBSERVER__SETTINGS_HPP_
