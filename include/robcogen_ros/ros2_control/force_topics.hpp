// Wanted forces of the ground on the feet of a robot, from topics.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__FORCE_TOPICS_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__FORCE_TOPICS_HPP_

#include <Eigen/Core>
#include <cstddef>
#include <deque>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>

#include "robcogen_ros/control/foot_name.hpp"
#include "robcogen_ros/ros2_control/newest_message.hpp"
#include "robcogen_ros/ros2_control/robot.hpp"
#include "robcogen_ros/whole_body/reference.hpp"

namespace robcogen_ros::ros2_control
{

/// The newest geometry_msgs/WrenchStamped of `~/forces/<foot>`, one topic a foot: the wrench of the
/// ground on it that is wanted, about the origin of its frame in axes of the world.
class ForceTopics
{
public:
  /// \param node whose topics they are
  /// \param patience how long a wrench is wanted after it came [s]
  ForceTopics(
    const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, double patience, const Robot & robot)
  : patience_(patience)
  {
    for (int i = 0; i < robot.contact_count; ++i)
    {
      feet_.emplace_back(
        node, "forces/" + control::foot_topic(robot.contact_names[i]), Wrench(Wrench::Zero()),
        [robot](const Message & message, Wrench & wrench) { return take(message, robot, wrench); });
    }
  }

  /// Adds what is wanted in this cycle to a request. For the thread of the control loop.
  ///
  /// \param step time since the last cycle [s]
  void sample(double step, whole_body::Reference<Robot> & request) noexcept
  {
    for (std::size_t i = 0; i < feet_.size(); ++i)
    {
      const Wrench * const newest = feet_[i].sample(step);
      if (newest != nullptr && feet_[i].age() <= patience_)
      {
        request.feet[i].wrench = *newest;
      }
    }
  }

  /// Leaves out of use what has come so far. For the thread of the control loop.
  void forget() noexcept
  {
    for (Foot & foot : feet_)
    {
      foot.forget();
    }
  }

private:
  using Message = geometry_msgs::msg::WrenchStamped;
  using Wrench = Eigen::Matrix<double, 6, 1>;
  using Foot = NewestMessage<Message, Wrench>;

  /// Takes over a message; returns what is wrong with it.
  static std::string take(const Message & message, const Robot & robot, Wrench & wrench)
  {
    const auto &force = message.wrench.force, &torque = message.wrench.torque;
    wrench << torque.x, torque.y, torque.z, force.x, force.y, force.z;
    const auto & frame = message.header.frame_id;
    for (int i = 0; i < robot.frame_count; ++i)
    {
      if (frame == robot.frame_names[i])
      {
        return "expected axes of the world, found those of frame '" + frame + "' of the robot";
      }
    }
    return wrench.allFinite() ? "" : "its numbers are not finite";
  }

  double patience_;
  std::deque<Foot> feet_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__FORCE_TOPICS_HPP_
