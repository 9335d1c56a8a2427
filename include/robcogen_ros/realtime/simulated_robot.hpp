// A robot that moves under efforts, by its generated forward dynamics.
#ifndef ROBCOGEN_ROS__REALTIME__SIMULATED_ROBOT_HPP_
#define ROBCOGEN_ROS__REALTIME__SIMULATED_ROBOT_HPP_

namespace robcogen_ros::realtime
{

/// \tparam Robot the Traits of a generated robot on a fixed base
template <typename Robot>
struct SimulatedRobot
{
  using JointVector = typename Robot::JointVector;

  JointVector q = JointVector::Zero();
  JointVector qd = JointVector::Zero();

  /// Moves on under efforts: velocities first, positions with the new velocities, which keeps the
  /// energy of a swinging robot bounded (semi-implicit Euler).
  void advance(const JointVector & effort, double step) noexcept
  {
    qd += step * Robot::forward_dynamics(q, qd, effort);
    q += step * qd;
  }
};

}  // namespace robcogen_ros::realtime

#endif  // ROBCOGEN_ROS__REALTIME__SIMULATED_ROBOT_HPP_
