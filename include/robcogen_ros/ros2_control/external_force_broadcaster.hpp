// A ros2_control broadcaster of external forces.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__EXTERNAL_FORCE_BROADCASTER_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__EXTERNAL_FORCE_BROADCASTER_HPP_

#include <memory>

#include "robcogen_ros/ros2_control/configured_controller.hpp"

namespace robcogen_ros::ros2_control
{

/// Reads joints, and the motion of a floating base; commands nothing. What it tells is
/// observer::Broadcast; docs/external_forces.md tells all. A cycle in which a state is missing, or
/// an orientation is none, leaves what was told.
class ExternalForceBroadcaster
: public ConfiguredController<controller_interface::ControllerInterface>
{
public:
  explicit ExternalForceBroadcaster(const CompiledRobot & robot);
  ~ExternalForceBroadcaster() override;

  controller_interface::InterfaceConfiguration command_interface_configuration() const override;
  return_type update(const rclcpp::Time & time, const rclcpp::Duration & period) override;

protected:
  TableOnNode & declare() override;
  void each_state(const Visit & visit) const override;
  void forget_states() override;
  bool set_up() override;
  void tear_down() override;
  void begin() override;

private:
  struct Parts;

  std::unique_ptr<Parts> parts_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__EXTERNAL_FORCE_BROADCASTER_HPP_
