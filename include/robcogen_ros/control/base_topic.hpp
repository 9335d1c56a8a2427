// Where a floating base is, from a topic.
#ifndef ROBCOGEN_ROS__CONTROL__BASE_TOPIC_HPP_
#define ROBCOGEN_ROS__CONTROL__BASE_TOPIC_HPP_

#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#if __has_include(<nav_msgs/msg/odometry.hpp>)
#include <nav_msgs/msg/odometry.hpp>
#endif

#include "robcogen_ros/control/base_measurement.hpp"
#include "robcogen_ros/control/newest_message.hpp"

namespace robcogen_ros::control
{

#if __has_include(<nav_msgs/msg/odometry.hpp>)

/// The newest nav_msgs/Odometry of `~/base_state`: pose in its frame, which is the world, twist in
/// the axes of the base, which is its child frame.
class BaseTopic
{
public:
  static constexpr bool available = true;

  /// \param node whose topic it is
  /// \param base the child frame to expect
  /// \param greatest_age of a message that is used [s]
  BaseTopic(
    const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, std::string base, double greatest_age)
  : base_(std::move(base)),
    greatest_age_(greatest_age),
    newest_(
      node, "base_state", BaseReading{},
      [this](const Message & message, BaseReading & reading) { return take(message, reading); })
  {
  }

  /// The newest reading, NaN throughout if there is none that is young enough. For the thread of
  /// the control loop.
  ///
  /// \param step time since the last cycle [s]
  BaseReading sample(double step) noexcept
  {
    const BaseReading * const newest = newest_.sample(step);
    return newest == nullptr || newest_.age() > greatest_age_ ? BaseReading() : *newest;
  }

  /// Does not use what has come so far. For the thread of the control loop.
  void forget() noexcept { newest_.forget(); }

private:
  using Message = nav_msgs::msg::Odometry;

  std::string take(const Message & message, BaseReading & reading) const
  {
    if (message.child_frame_id != base_)
    {
      return "expected child_frame_id '" + base_ + "', found '" + message.child_frame_id + "'";
    }
    const auto & pose = message.pose.pose;
    const auto & twist = message.twist.twist;
    reading.position << pose.position.x, pose.position.y, pose.position.z;
    reading.orientation << pose.orientation.x, pose.orientation.y, pose.orientation.z,
      pose.orientation.w;
    reading.linear_velocity << twist.linear.x, twist.linear.y, twist.linear.z;
    reading.angular_velocity << twist.angular.x, twist.angular.y, twist.angular.z;
    return "";
  }

  std::string base_;
  double greatest_age_;
  NewestMessage<Message, BaseReading> newest_;
};

#else

/// Stands where nav_msgs was not found when the controller was compiled: it cannot be made.
class BaseTopic
{
public:
  static constexpr bool available = false;

  BaseTopic(const rclcpp_lifecycle::LifecycleNode::SharedPtr &, const std::string &, double) {}
  BaseReading sample(double) noexcept { return {}; }
  void forget() noexcept {}
};

#endif

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__BASE_TOPIC_HPP_
