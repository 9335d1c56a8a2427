// A ros2_control broadcaster of what acts on a robot from outside.
#ifndef ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_BROADCASTER_HPP_
#define ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_BROADCASTER_HPP_

#include <controller_interface/controller_interface.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "robcogen_ros/control/base_measurement.hpp"
#include "robcogen_ros/control/external_force_parameters.hpp"
#include "robcogen_ros/control/external_force_topics.hpp"
#include "robcogen_ros/control/node_parameters.hpp"
#include "robcogen_ros/control/semantic_numbers.hpp"
#include "robcogen_ros/control/state_sources.hpp"

namespace robcogen_ros::control
{

/// Reads joints, and the motion of a floating base; commands nothing. What it tells is
/// observer::Broadcast; docs/external_forces.md tells all. A cycle in which a state is missing
/// leaves what was told.
///
/// \tparam Robot the Traits of a generated robot
template <typename Robot>
class ExternalForceBroadcaster : public controller_interface::ControllerInterface
{
public:
  using CallbackReturn = controller_interface::CallbackReturn;
  using return_type = controller_interface::return_type;
  using Configuration = ExternalForceConfiguration<Robot>;

  CallbackReturn on_init() override
  {
    try
    {
      parameters_.emplace(get_node());
    }
    catch (const std::exception & error)
    {
      RCLCPP_ERROR(get_node()->get_logger(), "%s", error.what());
      return CallbackReturn::ERROR;
    }
    return CallbackReturn::SUCCESS;
  }

  controller_interface::InterfaceConfiguration command_interface_configuration() const override
  {
    return {controller_interface::interface_configuration_type::NONE, {}};
  }

  controller_interface::InterfaceConfiguration state_interface_configuration() const override
  {
    std::vector<std::string> names;
    each_state([&names](const std::string & name, double &) { names.push_back(name); });
    return {controller_interface::interface_configuration_type::INDIVIDUAL, names};
  }

  CallbackReturn on_configure(const rclcpp_lifecycle::State &) override
  {
    if (!parameters_->configure())
    {
      return CallbackReturn::FAILURE;
    }
    broadcast_.emplace(parameters_->configuration().settings);
    topics_.emplace(get_node(), parameters_->configuration().publish_rate);
    return CallbackReturn::SUCCESS;
  }

  CallbackReturn on_cleanup(const rclcpp_lifecycle::State &) override
  {
    topics_.reset();
    broadcast_.reset();
    parameters_->release();
    return CallbackReturn::SUCCESS;
  }

  CallbackReturn on_activate(const rclcpp_lifecycle::State &) override
  {
    sources_.clear();
    each_state([this](const std::string & name, double & value)
               { sources_.bind(state_interfaces_, name, value); });
    if (!sources_.complete())
    {
      RCLCPP_ERROR(get_node()->get_logger(), "not all interfaces that are needed are there");
      return CallbackReturn::ERROR;
    }
    parameters_->set_active(true);
    broadcast_->reset();
    return CallbackReturn::SUCCESS;
  }

  CallbackReturn on_deactivate(const rclcpp_lifecycle::State &) override
  {
    parameters_->set_active(false);
    return CallbackReturn::SUCCESS;
  }

  return_type update(const rclcpp::Time &, const rclcpp::Duration & period) override
  {
    sources_.read(state_interfaces_);
    observer::Measurement<Robot> now = joints_;
    if constexpr (Robot::floating_base)
    {
      const Eigen::Quaterniond orientation(Eigen::Vector4d(base_.orientation));
      now.base_velocity << base_.angular_velocity, base_.linear_velocity;
      now.gravity = orientation.conjugate() * parameters_->configuration().gravity;
    }
    else
    {
      now.gravity = parameters_->configuration().gravity;
    }
    broadcast_->update(now, period.seconds());
    topics_->set(ExternalForces<Robot>(*broadcast_));
    return return_type::OK;
  }

private:
  /// Calls `visit(name, number)` for each state interface that is read.
  template <typename Visit>
  void each_state(const Visit & visit) const
  {
    const Configuration & configuration = parameters_->configuration();
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      const std::string joint = Robot::joint_names[i];
      visit(joint + "/position", joints_.q(i));
      visit(joint + "/velocity", joints_.qd(i));
      visit(joint + "/" + configuration.effort_interface, joints_.tau(i));
    }
    if (Robot::floating_base)
    {
      each_number(configuration.base_name + "/linear_velocity", base_.linear_velocity, visit);
      each_number(configuration.imu_name + "/orientation", base_.orientation, visit);
      each_number(configuration.imu_name + "/angular_velocity", base_.angular_velocity, visit);
    }
  }

  std::optional<NodeParameters<Robot, Configuration>> parameters_;
  std::optional<observer::Broadcast<Robot>> broadcast_;
  std::optional<ExternalForceTopics<Robot>> topics_;
  StateSources sources_;
  mutable observer::Measurement<Robot> joints_;
  mutable BaseReading base_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_BROADCASTER_HPP_
