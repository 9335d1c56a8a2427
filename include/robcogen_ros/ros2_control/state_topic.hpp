// State of a controller, published beside the control loop.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__STATE_TOPIC_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__STATE_TOPIC_HPP_

#include <control_msgs/msg/dynamic_joint_state.hpp>
#include <cstdint>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>
#include <vector>

#include "robcogen_ros/control/controller.hpp"
#include "robcogen_ros/ros2_control/handover.hpp"
#include "robcogen_ros/ros2_control/robot.hpp"
#include "robcogen_ros/ros2_control/stop_message.hpp"

namespace robcogen_ros::ros2_control
{

/// Numbers of a cycle that are published.
struct Snapshot
{
  JointVector position, velocity;
  MotionState<Robot> reference;
  Command<Robot> command;
  JointVector external;
  double share = 0.0;
  Condition condition = Condition::normal;
  int stale_cycles = 0;
  std::uint64_t missed_cycles = 0;
  std::uint64_t unwritten_count = 0;

  explicit Snapshot(const Robot & robot)
  : reference(robot), command(robot), external(command.effort)
  {
  }

  /// \param controller after a cycle
  /// \param unwritten how often an interface could not be written
  Snapshot(const Controller<Robot> & controller, std::uint64_t unwritten) noexcept
  : position(controller.measurements().position()),
    velocity(controller.measurements().velocity()),
    reference(controller.reference()),
    command(controller.command()),
    external(controller.supervisor().reflex().external()),
    share(controller.supervisor().share()),
    condition(controller.supervisor().condition()),
    stale_cycles(controller.measurements().missing()),
    missed_cycles(controller.supervisor().missed_cycles()),
    unwritten_count(unwritten)
  {
  }
};

/// Publishes a cycle on `~/controller_state`.
class StateWriter
{
public:
  StateWriter(const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, const Robot & robot)
  : clock_(node->get_clock()),
    told_(node->get_logger()),
    message_(layout(node->get_name(), robot)),
    publisher_(rclcpp::create_publisher<Message>(node, "~/controller_state", rclcpp::QoS(10)))
  {
  }

  void operator()(const Snapshot & now)
  {
    message_.header.stamp = clock_->now();
    for (int i = 0; i < now.position.size(); ++i)
    {
      message_.interface_values[static_cast<std::size_t>(i)].values = {
        now.position(i),
        now.velocity(i),
        now.reference.position(i),
        now.reference.velocity(i),
        now.reference.acceleration(i),
        now.reference.effort(i),
        now.command.effort(i),
        now.command.gravity(i),
        now.external(i)};
    }
    message_.interface_values.back().values = {
      now.command.scale,
      now.share,
      static_cast<double>(now.condition),
      static_cast<double>(now.stale_cycles),
      static_cast<double>(now.missed_cycles),
      static_cast<double>(now.unwritten_count)};
    publisher_->publish(message_);
    told_.tell(now.condition, message_.joint_names, now.external);
  }

private:
  using Message = control_msgs::msg::DynamicJointState;

  static Message layout(const std::string & controller, const Robot & robot)
  {
    Message message;
    for (int i = 0; i < robot.joint_count; ++i)
    {
      message.joint_names.emplace_back(robot.joint_names[i]);
      message.interface_values.emplace_back().interface_names = {
        "position",
        "velocity",
        "reference_position",
        "reference_velocity",
        "reference_acceleration",
        "reference_effort",
        "effort",
        "gravity",
        "external"};
    }
    message.joint_names.push_back(controller);
    message.interface_values.emplace_back().interface_names = {
      "scale", "share", "condition", "stale_cycles", "missed_cycles", "unwritten"};
    return message;
  }

  rclcpp::Clock::SharedPtr clock_;
  StopMessage told_;
  Message message_;
  rclcpp::Publisher<Message>::SharedPtr publisher_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__STATE_TOPIC_HPP_
