// A hardware component of ros2_control for an ankle that two motors move by two rods: motors on one
// side, pitch and roll on the other. Copy it for your linkage.
#include <cstddef>
#include <hardware_interface/types/hardware_interface_type_values.hpp>
#include <memory>
#include <pluginlib/class_list_macros.hpp>
#include <string>
#include <vector>

#include "drives.hpp"
#include "robcogen_ros/ros2_control/transmission.hpp"
#include "robcogen_ros/ros2_control/versions.hpp"

extern "C" const robcogen_model * robcogen_model_linkages__ankle(void);

namespace linkages
{

using hardware_interface::HW_IF_EFFORT;
using hardware_interface::HW_IF_POSITION;
using hardware_interface::HW_IF_VELOCITY;

/// The numbers of motors, or of joints.
struct Side
{
  std::vector<std::string> names;
  std::vector<double> position, velocity, effort;

  template <typename Infos>
  explicit Side(const Infos & infos) : position(infos.size()), velocity(position), effort(position)
  {
    for (const auto & info : infos)
    {
      names.push_back(info.name);
    }
  }

  /// Handles or interfaces of all of them.
  template <typename Handle>
  void append(std::vector<Handle> & to)
  {
    for (std::size_t i = 0; i < names.size(); ++i)
    {
      to.emplace_back(names[i], HW_IF_POSITION, &position[i]);
      to.emplace_back(names[i], HW_IF_VELOCITY, &velocity[i]);
      to.emplace_back(names[i], HW_IF_EFFORT, &effort[i]);
    }
  }
};

/// States of joints from those of motors, efforts of motors from commanded ones of joints. States
/// of motors can be looked at, too.
class AnkleHardware : public robcogen_ros::ros2_control::versions::System
{
public:
  std::vector<hardware_interface::StateInterface> export_state_interfaces() override
  {
    std::vector<hardware_interface::StateInterface> result;
    ROBCOGEN_ROS_OLD_INTERFACES_BEGIN
    joints_->append(result);
    motors_->append(result);
    ROBCOGEN_ROS_OLD_INTERFACES_END
    return result;
  }

  std::vector<hardware_interface::CommandInterface> export_command_interfaces() override
  {
    std::vector<hardware_interface::CommandInterface> result;
    ROBCOGEN_ROS_OLD_INTERFACES_BEGIN
    for (std::size_t i = 0; i < command_.size(); ++i)
    {
      result.emplace_back(joints_->names[i], HW_IF_EFFORT, &command_[i]);
    }
    ROBCOGEN_ROS_OLD_INTERFACES_END
    return result;
  }

  hardware_interface::return_type read(const rclcpp::Time &, const rclcpp::Duration &) override
  {
    drives_->read(motors_->position.data(), motors_->velocity.data(), motors_->effort.data());
    transmission_->actuator_to_joint();
    return hardware_interface::return_type::OK;
  }

  hardware_interface::return_type write(
    const rclcpp::Time &, const rclcpp::Duration & period) override
  {
    joints_->effort = command_;
    transmission_->joint_to_actuator();
    drives_->write(motors_->effort.data(), period.seconds());
    return hardware_interface::return_type::OK;
  }

private:
  hardware_interface::CallbackReturn set_up() override
  {
    const robcogen_model * const model = robcogen_model_linkages__ankle();
    try
    {
      const auto & rods = info_.transmissions.at(0);
      joints_ = std::make_unique<Side>(rods.joints);
      motors_ = std::make_unique<Side>(rods.actuators);
      command_.resize(joints_->names.size());
      drives_ = std::make_unique<Drives>(model);
      std::vector<transmission_interface::JointHandle> joints;
      std::vector<transmission_interface::ActuatorHandle> motors;
      joints_->append(joints);
      motors_->append(motors);
      transmission_ = std::make_unique<robcogen_ros::ros2_control::Transmission>(model);
      transmission_->configure(joints, motors);
    }
    catch (const std::exception & error)
    {
      RCLCPP_ERROR(rclcpp::get_logger(info_.name), "%s", error.what());
      return hardware_interface::CallbackReturn::ERROR;
    }
    return hardware_interface::CallbackReturn::SUCCESS;
  }

  std::unique_ptr<Side> joints_, motors_;
  std::vector<double> command_;  ///< efforts along joints [N m]
  std::unique_ptr<Drives> drives_;
  std::unique_ptr<transmission_interface::Transmission> transmission_;
};

}  // namespace linkages

PLUGINLIB_EXPORT_CLASS(linkages::AnkleHardware, hardware_interface::SystemInterface)
