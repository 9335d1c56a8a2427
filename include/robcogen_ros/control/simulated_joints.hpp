// The joints of a robot on a fixed base that moves by its generated forward dynamics.
#ifndef ROBCOGEN_ROS__CONTROL__SIMULATED_JOINTS_HPP_
#define ROBCOGEN_ROS__CONTROL__SIMULATED_JOINTS_HPP_

#include <algorithm>
#include <cmath>
#include <string>

#include "robcogen_ros/control/simulation.hpp"

namespace robcogen_ros::control
{

/// A Simulation with the model's friction, stops and gravity, and readings of its joints.
///
/// \tparam Robot the Traits of a generated robot on a fixed base
template <typename Robot>
class SimulatedJoints
{
public:
  using JointVector = typename Robot::JointVector;
  using Drive = typename Simulation<Robot>::Drive;

  /// Puts the robot at rest at positions [rad or m], or at the stops that are nearest to them.
  ///
  /// \param unused parameters of hardware
  template <typename Parameters>
  SimulatedJoints(
    const Parameters & unused, const JointVector & q, const Robot & robot = Robot()) noexcept
  : robot_(robot), simulation_(SimulationSettings<Robot>(robot))
  {
    static_cast<void>(unused);
    ground::State<Robot> start(robot_);
    start.q = q;
    fault_ = simulation_.place(start);
    read();
  }

  /// Returns what is wrong, as when the motion has run away; null if nothing is.
  const char * problem() const noexcept
  {
    const auto fault = static_cast<std::size_t>(fault_);
    return fault_ == SimulationFault::none ? nullptr : simulation_fault_names[fault];
  }

  /// Calls `visit(name, interface, number)` with each reading; the numbers stay where they are.
  template <typename Visit>
  void each_reading(const Visit & visit)
  {
    for (int i = 0; i < robot_.joint_count; ++i)
    {
      visit(robot_.joint_names[i], std::string("position"), position_(i));
      visit(robot_.joint_names[i], std::string("velocity"), velocity_(i));
      visit(robot_.joint_names[i], std::string("effort"), effort_(i));
    }
  }

  /// Moves on under commanded efforts [N m or N], in steps of at most a millisecond; at rest after
  /// a fault.
  ///
  /// \param time how long, at most a second [s]
  void advance(const JointVector & command, double time) noexcept
  {
    move(time, [&](double step) { return simulation_.advance(command, step); });
  }

  /// Moves on under what motors give [N m or N], whatever it is along the joints.
  void drive(const Drive & along, const JointVector & given, double time) noexcept
  {
    move(time, [&](double step) { return simulation_.drive(&along, given, step); });
  }

  const JointVector & q() const noexcept { return position_; }   ///< [rad or m]
  const JointVector & qd() const noexcept { return velocity_; }  ///< [rad/s or m/s]

private:
  template <typename Step>
  void move(double time, const Step & step) noexcept
  {
    constexpr double longest = 0.001;
    time = std::clamp(time, 0.0, 1.0);
    const double steps = std::ceil(time / longest);
    for (double i = 0.0; i < steps && fault_ == SimulationFault::none; ++i)
    {
      fault_ = step(time / steps);
    }
    read();
  }

  void read() noexcept
  {
    position_ = simulation_.state().q;
    velocity_ = simulation_.state().qd();
    effort_ = simulation_.effort();
  }

  const Robot robot_;
  Simulation<Robot> simulation_;
  SimulationFault fault_;
  JointVector position_, velocity_, effort_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__SIMULATED_JOINTS_HPP_
