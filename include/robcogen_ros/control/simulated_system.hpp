// Hardware for ros2_control that is none: a robot moving by its generated dynamics.
#ifndef ROBCOGEN_ROS__CONTROL__SIMULATED_SYSTEM_HPP_
#define ROBCOGEN_ROS__CONTROL__SIMULATED_SYSTEM_HPP_

#include <optional>
#include <rclcpp/logging.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "robcogen_ros/control/initial_positions.hpp"
#include "robcogen_ros/control/ros2_control_versions.hpp"
#include "robcogen_ros/control/simulated_joints.hpp"

namespace robcogen_ros::control
{

/// Effort commands in, readings of a simulation out.
///
/// Joints start at the `initial_value` of their position's state interface. Time begins with the
/// first controller that claims efforts, where the simulation waits. What it cannot go on from ends
/// the run: `read()` then returns ERROR. The model's own parameters have their defaults.
///
/// \tparam Robot the Traits of a generated robot
/// \tparam Simulation made of the parameters of `<hardware>` and the positions of the joints
template <typename Robot, typename Simulation = SimulatedJoints<Robot>>
class SimulatedSystem : public versions::System
{
public:
  using JointVector = typename Robot::JointVector;
  using CallbackReturn = hardware_interface::CallbackReturn;
  using return_type = hardware_interface::return_type;

  std::vector<hardware_interface::StateInterface> export_state_interfaces() override
  {
    std::vector<hardware_interface::StateInterface> result;
    ROBCOGEN_ROS_OLD_INTERFACES_BEGIN
    simulation_->each_reading(
      [&result](const char * name, const std::string & interface, double & value)
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

  return_type perform_command_mode_switch(
    const std::vector<std::string> & claimed, const std::vector<std::string> &) override
  {
    for (const std::string_view name : claimed)
    {
      begun_ = begun_ || Robot::find_joint(name.substr(0, name.find('/')));
    }
    return return_type::OK;
  }

  return_type read(const rclcpp::Time &, const rclcpp::Duration & period) override
  {
    if (begun_)
    {
      simulation_->advance(written_, period.seconds());
    }
    return goes_on() ? return_type::OK : return_type::ERROR;
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
      simulation_.emplace(info_.hardware_parameters, initial_positions<Robot>(info_));
    }
    catch (const std::invalid_argument & error)
    {
      RCLCPP_ERROR(rclcpp::get_logger(info_.name), "%s", error.what());
      return CallbackReturn::ERROR;
    }
    return goes_on() ? CallbackReturn::SUCCESS : CallbackReturn::ERROR;
  }

private:
  bool goes_on() const
  {
    const char * const problem = simulation_->problem();
    if (problem != nullptr)
    {
      RCLCPP_ERROR(rclcpp::get_logger(info_.name), "%s", problem);
    }
    return problem == nullptr;
  }

  std::optional<Simulation> simulation_;
  bool begun_ = !Simulation::waits;
  JointVector command_ = JointVector::Zero();  ///< [N m or N]
  JointVector written_ = JointVector::Zero();
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__SIMULATED_SYSTEM_HPP_
