// What the efforts of all laws have in common: weight, friction, limits.
#ifndef ROBCOGEN_ROS__CONTROL__EFFORTS_HPP_
#define ROBCOGEN_ROS__CONTROL__EFFORTS_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "robcogen_ros/control/dynamics.hpp"
#include "robcogen_ros/control/limits.hpp"
#include "robcogen_ros/control/saturation.hpp"
#include "robcogen_ros/parameters/joints.hpp"

namespace robcogen_ros::control
{

/// Speed [rad/s or m/s] from which dry friction is compensated fully.
constexpr double sliding = 0.01;

/// Settings that all laws have.
template <typename Robot>
struct EffortSettings
{
  using JointVector = typename Robot::JointVector;

  /// Greatest efforts [N m or N].
  JointVector effort_limits;
  /// True if the efforts of the model's joint friction are added.
  bool compensate_friction;
  /// The robot with the gravity and the parameters of the moment.
  Dynamics<Robot> dynamics;

  /// \param table of a controller's parameters
  /// \throws std::invalid_argument if a list has neither one value nor one for each joint
  template <typename Parameters>
  explicit EffortSettings(const Parameters & table, const Robot & robot)
  : effort_limits(Limits<Robot>(robot).effort),
    compensate_friction(table.compensate_friction),
    dynamics(robot)
  {
    effort_limits = effort_limits.cwiseMin(
      parameters::per_joint("effort_limits", table.effort_limits, effort_limits));
    if (!table.add_gravity)
    {
      dynamics.gravity = Eigen::Vector3d::Zero();
    }
    else if (!table.gravity.empty())
    {
      dynamics.gravity = Eigen::Vector3d(table.gravity.data());
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
  /// Share of the efforts beyond gravity's that saturation left, 1 if it did not act.
  double scale = 1.0;
  bool sound = true;  ///< whether the law gave finite efforts; if not, they only hold the robot

  explicit Command(const Robot & robot = Robot())
  : effort(JointVector::Zero(robot.joint_count)), gravity(effort)
  {
  }
};

/// Efforts that carry a robot's weight, and others on top of that, within limits.
///
/// \tparam Robot the Traits of a generated robot on a fixed base, or one that is known at run time
template <typename Robot>
class BoundedEfforts
{
public:
  using JointVector = typename Robot::JointVector;

  explicit BoundedEfforts(const EffortSettings<Robot> & settings) noexcept : settings_(settings) {}

  /// Efforts that carry the robot's weight and do nothing else.
  Command<Robot> support(const JointVector & q) const noexcept
  {
    Command<Robot> result(settings_.dynamics.robot);
    result.effort = result.gravity = limited(settings_.dynamics.support(q));
    return result;
  }

  /// Efforts within limits, if they are finite.
  ///
  /// \param gravity those that hold the robot still [N m or N]
  /// \param effort what is wanted, gravity's among it [N m or N]
  /// \param share which part of it beyond gravity's is given, 0 to 1
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

  /// Efforts that give the robot an acceleration, as far as limits let them.
  Command<Robot> accelerating(
    const JointVector & q, const JointVector & qd, const JointVector & qdd) const noexcept
  {
    return bounded(settings_.dynamics.support(q), settings_.dynamics.efforts(q, qd, qdd), 1.0);
  }

  /// Efforts of joint friction at a velocity [rad/s or m/s], as far as the dynamics lack them.
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

private:
  JointVector limited(JointVector effort) const noexcept
  {
    for (double & value : effort)
    {
      value = std::isfinite(value) ? value : 0.0;
    }
    return effort.cwiseMin(settings_.effort_limits).cwiseMax(-settings_.effort_limits);
  }

  const EffortSettings<Robot> & settings_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__EFFORTS_HPP_
