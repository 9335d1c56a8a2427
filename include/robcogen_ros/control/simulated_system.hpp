// Hardware for ros2_control that is none: a robot moving by its generated forward dynamics.
#ifndef ROBCOGEN_ROS__CONTROL__SIMULATED_SYSTEM_HPP_
#define ROBCOGEN_ROS__CONTROL__SIMULATED_SYSTEM_HPP_

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "robcogen_ros/control/dynamics.hpp"
#include "robcogen_ros/control/limits.hpp"
#include "robcogen_ros/control/ros2_control_versions.hpp"

namespace robcogen_ros::control
{

/// Effort commands in, positions and velocities out.
///
/// Steps of at most a millisecond, velocities first (semi-implicit Euler); efforts are limited as
/// the model says, the model's damping acts (its dry friction does not), and joints stop at their
/// ends. Positions begin at the `initial_value` of their state interfaces. An effort that is no
/// number counts as zero; the model's own parameters have their defaults.
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
      result.emplace_back(Robot::joint_names[i], "position", &position_(i));
      result.emplace_back(Robot::joint_names[i], "velocity", &velocity_(i));
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
      advance(time / steps);
    }
    return return_type::OK;
  }

  return_type write(const rclcpp::Time &, const rclcpp::Duration &) override
  {
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      const double effort = std::isfinite(command_(i)) ? command_(i) : 0.0;
      effort_(i) = std::clamp(effort, -limits_.effort(i), limits_.effort(i));
    }
    return return_type::OK;
  }

protected:
  hardware_interface::CallbackReturn set_up() override
  {
    for (const auto & joint : info_.joints)
    {
      const auto index = Robot::find_joint(joint.name);
      for (const auto & interface : joint.state_interfaces)
      {
        if (index && interface.name == "position" && !interface.initial_value.empty())
        {
          position_(static_cast<Eigen::Index>(*index)) = std::stod(interface.initial_value);
        }
      }
    }
    return hardware_interface::CallbackReturn::SUCCESS;
  }

  JointVector position_ = JointVector::Zero();  ///< [rad or m]
  JointVector velocity_ = JointVector::Zero();  ///< [rad/s or m/s]
  JointVector effort_ = JointVector::Zero();    ///< as limited [N m or N]
  JointVector command_ = JointVector::Zero();   ///< [N m or N]

private:
  void advance(double step) noexcept
  {
    JointVector effort = effort_;
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      effort(i) -= Robot::damping_in_dynamics ? 0.0 : Robot::damping[i] * velocity_(i);
    }
    velocity_ += step * acceleration(effort);
    position_ += step * velocity_;
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      const double within = std::clamp(position_(i), limits_.lower(i), limits_.upper(i));
      velocity_(i) = within == position_(i) ? velocity_(i) : 0.0;
      position_(i) = within;
    }
  }

  JointVector acceleration(const JointVector & effort) const noexcept
  {
    if constexpr (has_parameters<Robot>)
    {
      return Robot::forward_dynamics(position_, velocity_, effort, constants_);
    }
    else
    {
      return Robot::forward_dynamics(position_, velocity_, effort);
    }
  }

  const Limits<Robot> limits_;
  const typename ConstantsOf<Robot>::Type constants_{};
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__SIMULATED_SYSTEM_HPP_
