// A robot that moves under efforts, by its generated forward dynamics.
#ifndef ROBCOGEN_ROS__REALTIME__SIMULATED_ROBOT_HPP_
#define ROBCOGEN_ROS__REALTIME__SIMULATED_ROBOT_HPP_

#include "robcogen_ros/control/dynamics.hpp"

namespace robcogen_ros::realtime
{

/// Robot without stops, and without friction but what is part of its dynamics.
///
/// \tparam Robot the Traits of a generated robot on a fixed base
template <typename Robot>
class SimulatedRobot
{
public:
  using JointVector = typename Robot::JointVector;

  JointVector q = JointVector::Zero();
  JointVector qd = JointVector::Zero();
  typename ConstantsOf<Robot>::Type constants;

  /// Moves on under efforts: velocities first, positions with the new velocities, which keeps the
  /// energy of a swinging robot bounded (semi-implicit Euler).
  void advance(const JointVector & effort, double step) noexcept
  {
    const auto function = [](const auto &... all) { return Robot::forward_dynamics(all...); };
    qd += step * with_constants<Robot>(constants, function, q, qd, effort);
    q += step * qd;
  }
};

}  // namespace robcogen_ros::realtime

#endif  // ROBCOGEN_ROS__REALTIME__SIMULATED_ROBOT_HPP_
