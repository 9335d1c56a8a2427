// A ros2_control broadcaster of what acts on a robot from outside.
#ifndef ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_BROADCASTER_HPP_
#define ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_BROADCASTER_HPP_

#include <controller_interface/controller_interface.hpp>
#include <optional>
#include <string>

#include "robcogen_ros/control/base_measurement.hpp"
#include "robcogen_ros/control/configured_controller.hpp"
#include "robcogen_ros/control/external_force_configuration.hpp"
#include "robcogen_ros/control/external_force_topics.hpp"
#include "robcogen_ros/control/semantic_numbers.hpp"

namespace robcogen_ros::control
{

/// What a broadcaster reads.
template <typename Robot>
struct ExternalForceReadings
{
  observer::Measurement<Robot> joints;
  BaseReading base;
};

/// Reads joints, and the motion of a floating base; commands nothing. What it tells is
/// observer::Broadcast; docs/external_forces.md tells all. A cycle in which a state is missing, or
/// an orientation is none, leaves what was told.
///
/// \tparam Robot the Traits of a generated robot
template <typename Robot>
class ExternalForceBroadcaster : public ConfiguredController<
                                   controller_interface::ControllerInterface, Robot,
                                   ExternalForceConfiguration<Robot>, ExternalForceReadings<Robot>>
{
  using Readings = ExternalForceReadings<Robot>;
  using Base = ConfiguredController<
    controller_interface::ControllerInterface, Robot, ExternalForceConfiguration<Robot>, Readings>;

public:
  using typename Base::return_type;

  controller_interface::InterfaceConfiguration command_interface_configuration() const override
  {
    return {controller_interface::interface_configuration_type::NONE, {}};
  }

  return_type update(const rclcpp::Time &, const rclcpp::Duration & period) override
  {
    const Readings & readings = this->read_states();
    observer::Measurement<Robot> now = readings.joints;
    if constexpr (Robot::floating_base)
    {
      const BaseReading & base = readings.base;
      now.base_velocity << base.angular_velocity, base.linear_velocity;
      if (whole_body::is_unit(base.orientation))
      {
        const Eigen::Quaterniond orientation(Eigen::Vector4d(base.orientation.normalized()));
        now.gravity = orientation.conjugate() * *this->configuration().gravity;
      }
    }
    else
    {
      now.gravity = this->configuration().gravity;
    }
    if (broadcast_->update(now, period.seconds()))
    {
      topics_->set(ExternalForces<Robot>(*broadcast_));
    }
    return return_type::OK;
  }

protected:
  using typename Base::Visit;

  void each_state(Readings & readings, const Visit & visit) const override
  {
    const auto & configuration = this->configuration();
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      const std::string joint = Robot::joint_names[i];
      visit(joint + "/position", readings.joints.q(i));
      visit(joint + "/velocity", readings.joints.qd(i));
      visit(joint + "/" + this->parameters().effort_interface, readings.joints.tau(i));
    }
    if (Robot::floating_base)
    {
      each_number(
        configuration.base_name + "/linear_velocity", readings.base.linear_velocity, visit);
      each_number(configuration.imu_name + "/orientation", readings.base.orientation, visit);
      each_number(
        configuration.imu_name + "/angular_velocity", readings.base.angular_velocity, visit);
    }
  }

  bool set_up() override
  {
    broadcast_.emplace(this->configuration().settings);
    topics_.emplace(this->get_node(), this->parameters().publish_rate);
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
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_BROADCASTER_HPP_
