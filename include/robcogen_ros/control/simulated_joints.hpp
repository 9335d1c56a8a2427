// The joints of a robot that moves by its generated forward dynamics, within its limits.
#ifndef ROBCOGEN_ROS__CONTROL__SIMULATED_JOINTS_HPP_
#define ROBCOGEN_ROS__CONTROL__SIMULATED_JOINTS_HPP_

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "robcogen_ros/arithmetic.hpp"
#include "robcogen_ros/control/dynamics.hpp"
#include "robcogen_ros/control/limits.hpp"

namespace robcogen_ros::control
{

/// Efforts are limited as the model says, the model's damping acts (its dry friction does not), and
/// joints stop at their ends. A joint whose ends are one position is held there.
///
/// \tparam Robot the Traits of a generated robot on a fixed base; needs its `forward_dynamics`
template <typename Robot>
class SimulatedJoints
{
public:
  using JointVector = typename Robot::JointVector;

  JointVector position = JointVector::Zero();  ///< [rad or m]
  JointVector velocity = JointVector::Zero();  ///< [rad/s or m/s]

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

  /// What the motors can give of an effort; nothing of one that is no number.
  double given(int joint, double effort) const noexcept
  {
    const double greatest = limits_.effort(joint);
    return std::clamp(std::isfinite(effort) ? effort : 0.0, -greatest, greatest);
  }

  /// Moves on under efforts: velocities first, positions with these (semi-implicit Euler).
  void advance(JointVector effort, double step) noexcept
  {
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      effort(i) -= Robot::damping_in_dynamics ? 0.0 : Robot::damping[i] * velocity(i);
    }
    velocity += step * acceleration(effort);
    position += step * velocity;
    stop();
  }

private:
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
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__SIMULATED_JOINTS_HPP_
