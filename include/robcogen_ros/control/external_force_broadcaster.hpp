// A ros2_control broadcaster of what acts on a robot from outside.
#ifndef ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_BROADCASTER_HPP_
#define ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_BROADCASTER_HPP_

#include <controller_interface/controller_interface.hpp>
#include <optional>
#include <string>

#include "robcogen_ros/control/base_measurement.hpp"
#include "robcogen_ros/control/configured_controller.hpp"
#include "robcogen_ros/control/external_force_parameters.hpp"
#include "robcogen_ros/control/external_force_topics.hpp"
#include "robcogen_ros/control/semantic_numbers.hpp"

namespace robcogen_ros::control
{

/// Reads joints, and the motion of a floating base; commands nothing. What it tells is
/// observer::Broadcast; docs/external_forces.md tells all. A cycle in which a state is missing, or
/// an orientation is none, leaves what was told.
///
/// \tparam Robot the Traits of a generated robot
template <typename Robot>
class ExternalForceBroadcaster
: public ConfiguredController<
    controller_interface::ControllerInterface, Robot, ExternalForceConfiguration<Robot>>
{
  using Base = ConfiguredController<
    controller_interface::ControllerInterface, Robot, ExternalForceConfiguration<Robot>>;

public:
  using typename Base::return_type;

  controller_interface::InterfaceConfiguration command_interface_configuration() const override
  {
    return {controller_interface::interface_configuration_type::NONE, {}};
  }

  return_type update(const rclcpp::Time &, const rclcpp::Duration & period) override
  {
    this->read_states();
    observer::Measurement<Robot> now = joints_;
    if constexpr (Robot::floating_base)
    {
      now.base_velocity << base_.angular_velocity, base_.linear_velocity;
      if (base_.oriented())
      {
        const Eigen::Quaterniond orientation(Eigen::Vector4d(base_.orientation.normalized()));
        now.gravity = orientation.conjugate() * this->configuration().gravity;
      }
    }
    else
    {
      now.gravity = this->configuration().gravity;
    }
    broadcast_->update(now, period.seconds());
    topics_->set(ExternalForces<Robot>(*broadcast_));
    return return_type::OK;
  }

protected:
  using typename Base::Visit;

  void each_state(const Visit & visit) const override
  {
    const auto & configuration = this->configuration();
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

  bool set_up() override
  {
    broadcast_.emplace(this->configuration().settings);
    topics_.emplace(this->get_node(), this->configuration().publish_rate);
    return true;
  }

  void tear_down() override
  {
    topics_.reset();
    broadcast_.reset();
  }

  void begin() override { broadcast_->reset(); }

private:
  std::optional<observer::Broadcast<Robot>> broadcast_;
  std::optional<ExternalForceTopics<Robot>> topics_;
  mutable observer::Measurement<Robot> joints_;
  mutable BaseReading base_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_BROADCASTER_HPP_
