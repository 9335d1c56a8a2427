// State of a floating base from a topic.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__BASE_TOPIC_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__BASE_TOPIC_HPP_

#include <algorithm>
#include <cstdint>
#include <locale>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <sstream>
#include <string>

#if __has_include(<nav_msgs/msg/odometry.hpp>)
#include <nav_msgs/msg/odometry.hpp>
#endif

#include "robcogen_ros/control/base_measurement.hpp"
#include "robcogen_ros/ros2_control/newest_message.hpp"

namespace robcogen_ros::ros2_control
{

#if __has_include(<nav_msgs/msg/odometry.hpp>)

/// The newest nav_msgs/Odometry of `~/base_state`: pose in its frame, which is the world, twist in
/// the axes of the base, which is its child frame. Its age counts from its stamp, where it has one,
/// otherwise from when it came.
class BaseTopic
{
public:
  static constexpr bool available = true;

  /// \param node whose topic it is
  /// \param base the child frame to expect
  /// \param greatest_age of a message that is used [s]
  BaseTopic(
    const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, const std::string & base,
    double greatest_age)
  : greatest_age_(greatest_age),
    newest_(
      node, "base_state", Aged{},
      [base, greatest_age, clock = node->get_clock()](const Message & message, Aged & reading)
      {
        reading.age = age_of(message.header.stamp, clock->now().nanoseconds());
        return reading.age > greatest_age ? too_old(reading.age, greatest_age)
                                          : take(message, base, reading);
      })
  {
  }

  /// The newest reading, NaN throughout if there is none that is young enough. For the thread of
  /// the control loop.
  ///
  /// \param step time since the last cycle [s]
  control::BaseReading sample(double step) noexcept
  {
    const Aged * const newest = newest_.sample(step);
    if (newest == nullptr || newest->age + newest_.age() > greatest_age_)
    {
      return control::BaseReading();
    }
    return *newest;
  }

  /// Leaves out of use what has come so far. For the thread of the control loop.
  void forget() noexcept { newest_.forget(); }

private:
  using Message = nav_msgs::msg::Odometry;

  /// A reading with its age when it came [s].
  struct Aged : control::BaseReading
  {
    double age = 0.0;
  };

  /// The age of a stamp [s], zero where there is none or it is ahead of the clock.
  template <typename Stamp>
  static double age_of(const Stamp & stamp, std::int64_t now)
  {
    const std::int64_t then = std::int64_t{stamp.sec} * 1'000'000'000 + stamp.nanosec;
    return then == 0 ? 0.0 : std::max(0.0, 1e-9 * static_cast<double>(now - then));
  }

  static std::string too_old(double age, double greatest)
  {
    std::ostringstream problem;
    problem.imbue(std::locale::classic());
    problem << "its stamp is " << age << " s old, base_state_timeout is " << greatest << " s";
    return problem.str();
  }

  static std::string take(
    const Message & message, const std::string & base, control::BaseReading & reading)
  {
    if (message.child_frame_id != base)
    {
      return "expected child_frame_id '" + base + "', found '" + message.child_frame_id + "'";
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

  double greatest_age_;
  NewestMessage<Message, Aged> newest_;
};

#else

/// Stands where nav_msgs was not found when the controller was compiled: it cannot be made.
class BaseTopic
{
public:
  static constexpr bool available = false;

  BaseTopic(const rclcpp_lifecycle::LifecycleNode::SharedPtr &, const std::string &, double) {}
  control::BaseReading sample(double) noexcept { return {}; }
  void forget() noexcept {}
};

#endif

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__BASE_TOPIC_HPP_
