// Where a floating base is, from a topic.
#ifndef ROBCOGEN_ROS__CONTROL__BASE_TOPIC_HPP_
#define ROBCOGEN_ROS__CONTROL__BASE_TOPIC_HPP_

#include <cstdint>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#if __has_include(<nav_msgs/msg/odometry.hpp>)
#include <nav_msgs/msg/odometry.hpp>
#endif

#include "robcogen_ros/control/base_measurement.hpp"
#include "robcogen_ros/exchange.hpp"

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
    logger_(node->get_logger()),
    clock_(*node->get_clock()),
    newest_(Stamped{})
  {
    subscription_ = node->create_subscription<Message>(
      "~/base_state", rclcpp::QoS(1),
      [this](const typename Message::ConstSharedPtr message) { receive(*message); });
  }

  /// The newest reading, NaN throughout if there is none that is young enough. For the thread of
  /// the control loop.
  ///
  /// \param step time since the last cycle [s]
  BaseReading sample(double step) noexcept
  {
    const Stamped & newest = newest_.read();
    age_ = newest.number == number_ ? age_ + step : 0.0;
    number_ = newest.number;
    return number_ == ignored_ || age_ > greatest_age_ ? BaseReading() : newest.reading;
  }

  /// Does not use what has come so far. For the thread of the control loop.
  void forget() noexcept { number_ = ignored_ = newest_.read().number; }

private:
  using Message = nav_msgs::msg::Odometry;

  struct Stamped
  {
    BaseReading reading;
    std::uint64_t number = 0;
  };

  void receive(const Message & message)
  {
    if (message.child_frame_id != base_)
    {
      RCLCPP_WARN_THROTTLE(
        logger_, clock_, 1000, "base state ignored: expected child_frame_id '%s', found '%s'",
        base_.c_str(), message.child_frame_id.c_str());
      return;
    }
    const auto & pose = message.pose.pose;
    const auto & twist = message.twist.twist;
    Stamped next;
    next.reading.position << pose.position.x, pose.position.y, pose.position.z;
    next.reading.orientation << pose.orientation.x, pose.orientation.y, pose.orientation.z,
      pose.orientation.w;
    next.reading.linear_velocity << twist.linear.x, twist.linear.y, twist.linear.z;
    next.reading.angular_velocity << twist.angular.x, twist.angular.y, twist.angular.z;
    next.number = ++received_;
    newest_.publish(next);
  }

  std::string base_;
  double greatest_age_;
  rclcpp::Logger logger_;
  rclcpp::Clock clock_;
  Exchange<Stamped> newest_;
  std::uint64_t received_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t ignored_ = 0;
  double age_ = 0.0;
  rclcpp::Subscription<Message>::SharedPtr subscription_;
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
