// References of a tool from topics, for a controller with no other in front.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__TASK_TOPICS_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__TASK_TOPICS_HPP_

#include <geometry_msgs/msg/pose_stamped.hpp>
#include <geometry_msgs/msg/twist_stamped.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>

#include "robcogen_ros/control/task_reference.hpp"
#include "robcogen_ros/ros2_control/newest_message.hpp"
#include "robcogen_ros/ros2_control/robot.hpp"

namespace robcogen_ros::ros2_control
{

/// `~/pose`, `~/twist` and `~/wrench`, all of them in the base frame.
class TaskTopics
{
public:
  /// \param node whose topics they are
  /// \param base name of the base frame
  TaskTopics(const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, const std::string & base)
  : pose_(
      node, "pose", TaskRequest(),
      [base](const Pose & message, TaskRequest & request)
      {
        const auto & p = message.pose.position;
        const auto & q = message.pose.orientation;
        request.position = Eigen::Vector3d(p.x, p.y, p.z);
        request.orientation = Eigen::Vector4d(q.x, q.y, q.z, q.w);
        return problem(
          message, base, request.has_pose(),
          "expected finite numbers and a quaternion of length 1");
      }),
    twist_(
      node, "twist", TaskRequest(),
      [base](const Twist & message, TaskRequest & request)
      {
        request.twist = six(message.twist.angular, message.twist.linear);
        return problem(message, base, request.twist.allFinite(), "expected finite numbers");
      }),
    wrench_(
      node, "wrench", TaskRequest(),
      [base](const Wrench & message, TaskRequest & request)
      {
        request.wrench = six(message.wrench.torque, message.wrench.force);
        return problem(message, base, request.wrench.allFinite(), "expected finite numbers");
      })
  {
  }

  /// Returns what has come since the last cycle. For the thread of the control loop.
  ///
  /// \param step time since the last cycle [s]
  TaskRequest sample(double step) noexcept
  {
    TaskRequest result;
    if (const TaskRequest * const news = fresh(pose_, step))
    {
      result.position = news->position;
      result.orientation = news->orientation;
    }
    if (const TaskRequest * const news = fresh(twist_, step))
    {
      result.twist = news->twist;
    }
    if (const TaskRequest * const news = fresh(wrench_, step))
    {
      result.wrench = news->wrench;
    }
    return result;
  }

  /// Leaves out of use what has come so far. For the thread of the control loop.
  void forget() noexcept
  {
    pose_.forget();
    twist_.forget();
    wrench_.forget();
  }

private:
  using Pose = geometry_msgs::msg::PoseStamped;
  using Twist = geometry_msgs::msg::TwistStamped;
  using Wrench = geometry_msgs::msg::WrenchStamped;

  template <typename Vector>
  static Vector6 six(const Vector & angular, const Vector & linear)
  {
    Vector6 result;
    result << angular.x, angular.y, angular.z, linear.x, linear.y, linear.z;
    return result;
  }

  /// Returns what is wrong with a message; empty if nothing is.
  template <typename Message>
  static std::string problem(
    const Message & message, const std::string & base, bool usable, const char * expected)
  {
    const std::string & frame = message.header.frame_id;
    if (!frame.empty() && frame != base)
    {
      return "expected frame_id '" + base + "' or none, found '" + frame + "'";
    }
    return usable ? "" : expected;
  }

  /// Returns what has come in this cycle, if anything has.
  template <typename Topic>
  static const TaskRequest * fresh(Topic & topic, double step) noexcept
  {
    const TaskRequest * const newest = topic.sample(step);
    return topic.age() == 0.0 ? newest : nullptr;
  }

  NewestMessage<Pose, TaskRequest> pose_;
  NewestMessage<Twist, TaskRequest> twist_;
  NewestMessage<Wrench, TaskRequest> wrench_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__TASK_TOPICS_HPP_
