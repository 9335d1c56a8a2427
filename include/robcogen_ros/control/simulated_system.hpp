// Hardware for ros2_control that is none: a robot moving by its generated forward dynamics.
#ifndef ROBCOGEN_ROS__CONTROL__SIMULATED_SYSTEM_HPP_
#define ROBCOGEN_ROS__CONTROL__SIMULATED_SYSTEM_HPP_

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "robcogen_ros/control/initial_positions.hpp"
#include "robcogen_ros/control/ros2_control_versions.hpp"
#include "robcogen_ros/control/simulated_joints.hpp"

namespace robcogen_ros::control
{

/// Effort commands in, positions and velocities out.
///
/// Steps of at most a millisecond, of `SimulatedJoints`. Positions begin at the `initial_value` of
/// their state interfaces, or at the stop that is nearest to it. An effort that is no number counts
/// as zero; the model's own parameters have their defaults.
///
/// \tparam Robot the Traits of a generated robot on a fixed base; needs its `forward_dynamics`
template <typename Robot>
class SimulatedSystem : public versions::System
{
public:
  using JointVector = typename Robot::JointVector;
  using return_type = hardware_interface::return_type;

  std::vector<hardware_interface::StateInterface> export_state_interfaces() override
  {
    std::vector<hardware_interface::StateInterface> result;
    ROBCOGEN_ROS_OLD_INTERFACES_BEGIN
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      result.emplace_back(Robot::joint_names[i], "position", &joints_.position(i));
      result.emplace_back(Robot::joint_names[i], "velocity", &joints_.velocity(i));
      result.emplace_back(Robot::joint_names[i], "effort", &effort_(i));
    }
    ROBCOGEN_ROS_OLD_INTERFACES_END
    return result;
  }

  std::vector<hardware_interface::CommandInterface> export_command_interfaces() override
  {
    std::vector<hardware_interface::CommandInterface> result;
    ROBCOGEN_ROS_OLD_INTERFACES_BEGIN
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      result.emplace_back(Robot::joint_names[i], "effort", &command_(i));
    }
    ROBCOGEN_ROS_OLD_INTERFACES_END
    return result;
  }

  return_type read(const rclcpp::Time &, const rclcpp::Duration & period) override
  {
    constexpr double longest = 0.001;
    const double time = std::clamp(period.seconds(), 0.0, 1.0);
    const double steps = std::ceil(time / longest);
    for (double i = 0; i < steps; ++i)
    {
      joints_.advance(effort_, time / steps);
    }
    return return_type::OK;
  }

  return_type write(const rclcpp::Time &, const rclcpp::Duration &) override
  {
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      effort_(i) = joints_.given(i, command_(i));
    }
    return return_type::OK;
  }

protected:
  hardware_interface::CallbackReturn set_up() override
  {
    joints_.position = initial_positions<Robot>(info_);
    joints_.stop();
    return hardware_interface::CallbackReturn::SUCCESS;
  }

  SimulatedJoints<Robot> joints_;
  JointVector effort_ = JointVector::Zero();   ///< as limited [N m or N]
  JointVector command_ = JointVector::Zero();  ///< [N m or N]
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__SIMULATED_SYSTEM_HPP_
