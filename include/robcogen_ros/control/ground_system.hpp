// Hardware for ros2_control that is none: a robot on legs on a simulated ground.
#ifndef ROBCOGEN_ROS__CONTROL__GROUND_SYSTEM_HPP_
#define ROBCOGEN_ROS__CONTROL__GROUND_SYSTEM_HPP_

#include <optional>
#include <rclcpp/logging.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "robcogen_ros/control/initial_positions.hpp"
#include "robcogen_ros/control/robot_on_ground.hpp"
#include "robcogen_ros/control/ros2_control_versions.hpp"

namespace robcogen_ros::control
{

/// Effort commands in; readings of RobotOnGround out.
///
/// Joints start at the `initial_value` of their position's state interface. Parameters of
/// `<hardware>` are those of GroundDescription. A fault, as of a robot that has fallen, ends the
/// run: `read()` then returns ERROR. The model's own parameters have their defaults.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
class GroundSystem : public versions::System
{
public:
  using JointVector = typename Robot::JointVector;
  using CallbackReturn = hardware_interface::CallbackReturn;
  using return_type = hardware_interface::return_type;

  std::vector<hardware_interface::StateInterface> export_state_interfaces() override
  {
    std::vector<hardware_interface::StateInterface> result;
    ROBCOGEN_ROS_OLD_INTERFACES_BEGIN
    robot_->each_reading([&result](const char * name, const std::string & interface, double & value)
                         { result.emplace_back(name, interface, &value); });
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
    robot_->advance(written_, period.seconds());
    if (robot_->fault() == ground::Fault::none)
    {
      return return_type::OK;
    }
    say(robot_->fault());
    return return_type::ERROR;
  }

  return_type write(const rclcpp::Time &, const rclcpp::Duration &) override
  {
    written_ = command_;
    return return_type::OK;
  }

protected:
  CallbackReturn set_up() override
  {
    try
    {
      const GroundDescription<Robot> description(info_.hardware_parameters);
      robot_.emplace(description, initial_positions<Robot>(info_));
    }
    catch (const std::invalid_argument & error)
    {
      RCLCPP_ERROR(logger(), "%s", error.what());
      return CallbackReturn::ERROR;
    }
    if (robot_->fault() != ground::Fault::none)
    {
      say(robot_->fault());
      return CallbackReturn::ERROR;
    }
    return CallbackReturn::SUCCESS;
  }

private:
  rclcpp::Logger logger() const { return rclcpp::get_logger(info_.name); }

  void say(ground::Fault fault) const
  {
    RCLCPP_ERROR(logger(), "%s", ground_fault_names[static_cast<std::size_t>(fault)]);
  }

  std::optional<RobotOnGround<Robot>> robot_;
  JointVector command_ = JointVector::Zero();  ///< [N m or N]
  JointVector written_ = JointVector::Zero();
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__GROUND_SYSTEM_HPP_
