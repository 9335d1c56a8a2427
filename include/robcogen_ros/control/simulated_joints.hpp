// The joints of a robot that moves by its generated forward dynamics, within its limits.
#ifndef ROBCOGEN_ROS__CONTROL__SIMULATED_JOINTS_HPP_
#define ROBCOGEN_ROS__CONTROL__SIMULATED_JOINTS_HPP_

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <string>

#include "robcogen_ros/arithmetic.hpp"
#include "robcogen_ros/control/dynamics.hpp"
#include "robcogen_ros/control/limits.hpp"

namespace robcogen_ros::control
{

/// Efforts are limited as the model says, and none where one is no number; the model's damping acts
/// (its dry friction does not), and joints stop at their ends. A joint whose ends are one position
/// is held there.
///
/// \tparam Robot the Traits of a generated robot on a fixed base; needs its `forward_dynamics`
template <typename Robot>
class SimulatedJoints
{
public:
  using JointVector = typename Robot::JointVector;
  static constexpr bool waits = false;  ///< for a controller, before it moves

  JointVector position = JointVector::Zero();  ///< [rad or m]
  JointVector velocity = JointVector::Zero();  ///< [rad/s or m/s]

  SimulatedJoints() = default;

  /// At rest at positions [rad or m], or at the stops that are nearest to them.
  ///
  /// \param unused parameters of hardware
  template <typename Parameters>
  SimulatedJoints(const Parameters & unused, const JointVector & q) noexcept : position(q)
  {
    static_cast<void>(unused);
    stop();
  }

  /// What is wrong: nothing.
  const char * problem() const noexcept { return nullptr; }

  /// Calls `visit(name, interface, number)` with each reading; the numbers stay where they are.
  template <typename Visit>
  void each_reading(const Visit & visit)
  {
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      visit(Robot::joint_names[i], std::string("position"), position(i));
      visit(Robot::joint_names[i], std::string("velocity"), velocity(i));
      visit(Robot::joint_names[i], std::string("effort"), effort_(i));
    }
  }

  /// Moves on under commanded efforts [N m or N], in steps of at most a millisecond.
  ///
  /// \param time how long, at most a second [s]
  void advance(const JointVector & command, double time) noexcept
  {
    constexpr double longest = 0.001;
    time = std::clamp(time, 0.0, 1.0);
    const double steps = std::ceil(time / longest);
    effort_ = limits_.given(command);
    for (double i = 0.0; i < steps; ++i)
    {
      move(time / steps);
    }
  }

private:
  /// Moves positions to where the stops leave them.
  void stop() noexcept
  {
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      const double within = std::clamp(position(i), limits_.lower(i), limits_.upper(i));
      velocity(i) = within == position(i) && !held(i) ? velocity(i) : 0.0;
      position(i) = within;
    }
  }

  /// Velocities first, positions with these (semi-implicit Euler).
  void move(double step) noexcept
  {
    JointVector effort = effort_;
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      effort(i) -= Robot::damping_in_dynamics ? 0.0 : Robot::damping[i] * velocity(i);
    }
    velocity += step * acceleration(effort);
    position += step * velocity;
    stop();
  }

  bool held(int joint) const noexcept { return limits_.lower(joint) == limits_.upper(joint); }

  /// Accelerations, with the efforts at joints that are held which keep them at rest.
  JointVector acceleration(const JointVector & effort) const noexcept
  {
    const JointVector free = free_acceleration(effort);
    Eigen::Matrix<double, Robot::joint_count, Robot::joint_count> response;
    response.setIdentity();
    JointVector missing = JointVector::Zero();
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      if (held(i))
      {
        JointVector more = effort;
        more(i) += 1.0;
        response.col(i) = free_acceleration(more) - free;
        missing(i) = -free(i);
      }
    }
    if ((missing.array() == 0.0).all())
    {
      return free;
    }
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      if (!held(i))
      {
        response.row(i).setZero();
        response(i, i) = 1.0;
      }
    }
    return free_acceleration(effort + response.partialPivLu().solve(missing));
  }

  JointVector free_acceleration(const JointVector & effort) const noexcept
  {
    const auto function = [](const auto &... all) { return Robot::forward_dynamics(all...); };
    return with_constants<Robot>(constants_, function, position, velocity, effort);
  }

  const Limits<Robot> limits_;
  const typename ConstantsOf<Robot>::Type constants_{};
  JointVector effort_ = JointVector::Zero();  ///< as limited [N m or N]
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__SIMULATED_JOINTS_HPP_
