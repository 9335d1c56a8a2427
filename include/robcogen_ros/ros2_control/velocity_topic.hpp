// Velocity commands for a robot on legs, from a topic.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__VELOCITY_TOPIC_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__VELOCITY_TOPIC_HPP_

#include <geometry_msgs/msg/twist_stamped.hpp>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>

#include "robcogen_ros/control/commanded_gait.hpp"
#include "robcogen_ros/ros2_control/newest_message.hpp"

namespace robcogen_ros::ros2_control
{

/// The newest geometry_msgs/TwistStamped of `~/cmd_vel`: linear x ahead, y to the left, angular z,
/// of the robot's heading. Its age counts from when it came.
class VelocityTopic
{
public:
  /// \param node whose topic it is
  /// \param patience how long a command holds [s]
  VelocityTopic(const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, double patience)
  : patience_(patience), newest_(node, "cmd_vel", control::VelocityCommand{}, take)
  {
  }

  /// The command that holds in this cycle, NaN if there is none. For the thread of the control
  /// loop.
  ///
  /// \param step time since the last cycle [s]
  control::VelocityCommand sample(double step) noexcept
  {
    const control::VelocityCommand * const newest = newest_.sample(step);
    return newest == nullptr ? control::VelocityCommand() : newest->after(newest_.age(), patience_);
  }

  /// Leaves out of use what has come so far. For the thread of the control loop.
  void forget() noexcept { newest_.forget(); }

private:
  using Message = geometry_msgs::msg::TwistStamped;

  static std::string take(const Message & message, control::VelocityCommand & command)
  {
    const auto & twist = message.twist;
    command.linear << twist.linear.x, twist.linear.y;
    command.yaw_rate = twist.angular.z;
    return "";
  }

  double patience_;
  NewestMessage<Message, control::VelocityCommand> newest_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__VELOCITY_TOPIC_HPP_
