// References for a robot on legs, from a topic.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__WHOLE_BODY_TOPIC_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__WHOLE_BODY_TOPIC_HPP_

#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>
#include <string_view>
#include <trajectory_msgs/msg/multi_dof_joint_trajectory.hpp>

#include "robcogen_ros/control/foot_name.hpp"
#include "robcogen_ros/control/whole_body_reference.hpp"
#include "robcogen_ros/ros2_control/newest_message.hpp"
#include "robcogen_ros/ros2_control/robot.hpp"

namespace robcogen_ros::ros2_control
{

/// Set points on `~/reference`, a MultiDOFJointTrajectory of one point: where the trunk is to be,
/// under the name of the base link, and feet that swing, under the names of their contacts. Feet
/// that are not named stand.
///
/// Poses are those of frames in the world; twists and accelerations those of their origins, in
/// world axes. These may be left out.
class WholeBodyTopic
{
public:
  using Reference = whole_body::Reference<Robot>;

  /// \param node whose topic it is
  /// \param patience how long a point is carried on with its twists [s]
  WholeBodyTopic(
    const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, double patience, const Robot & robot)
  : patience_(patience),
    nothing_(no_request(robot)),
    newest_(
      node, "reference", nothing_, [robot](const Message & message, Reference & request)
      { return take(message, robot, request); })
  {
  }

  /// Returns the reference of this cycle, NaN where nothing was said. For the thread of the control
  /// loop.
  ///
  /// \param step time since the last cycle [s]
  Reference sample(double step) noexcept
  {
    const Reference * const newest = newest_.sample(step);
    return newest == nullptr ? nothing_ : carried_on<Robot>(*newest, newest_.age(), patience_);
  }

  /// Returns true if it was said so recently that it is carried on.
  bool fresh() const noexcept { return newest_.there() && newest_.age() <= patience_; }

  /// Leaves out of use what has come so far. For the thread of the control loop.
  void forget() noexcept { newest_.forget(); }

private:
  using Message = trajectory_msgs::msg::MultiDOFJointTrajectory;

  /// Takes over a message; returns what is wrong with it.
  static std::string take(const Message & message, const Robot & robot, Reference & request)
  {
    if (message.points.size() != 1)
    {
      return "expected one point, found " + std::to_string(message.points.size());
    }
    const auto & point = message.points.front();
    if (point.time_from_start.sec != 0 || point.time_from_start.nanosec != 0)
    {
      return "expected time_from_start zero";
    }
    const std::size_t count = message.joint_names.size();
    const auto sized = [count](const auto & values)
    { return values.empty() || values.size() == count; };
    if (point.transforms.size() != count || !sized(point.velocities) || !sized(point.accelerations))
    {
      return "transforms, velocities or accelerations are not one a name";
    }
    for (std::size_t i = 0; i < count; ++i)
    {
      whole_body::Motion * const motion = motion_of(message.joint_names[i], robot, request);
      if (motion == nullptr)
      {
        return "'" + message.joint_names[i] + "' is neither the base link '" + robot.link_names[0] +
               "' nor a contact, or is there twice";
      }
      place(point, i, *motion);
      if (!motion->finite())
      {
        return "numbers of '" + message.joint_names[i] +
               "' are not finite, or its quaternion is not one";
      }
    }
    return "";
  }

  /// Returns the place of the motion of a name; a foot that has one swings. None if it is no name
  /// of one that has no motion yet.
  static whole_body::Motion * motion_of(
    std::string_view name, const Robot & robot, Reference & request)
  {
    if (name == robot.link_names[0])
    {
      return request.trunk.position.allFinite() ? nullptr : &request.trunk;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(robot.contact_count); ++i)
    {
      if (name == control::foot_name(robot.contact_names[i]) && request.feet[i].stance)
      {
        request.feet[i].stance = false;
        return &request.feet[i].motion;
      }
    }
    return nullptr;
  }

  template <typename Point>
  static void place(const Point & point, std::size_t i, whole_body::Motion & motion)
  {
    const auto vector = [](const auto & v) { return Eigen::Vector3d(v.x, v.y, v.z); };
    motion = whole_body::Motion();
    const auto & pose = point.transforms[i];
    motion.position = vector(pose.translation);
    motion.orientation =
      Eigen::Quaterniond(pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z);
    if (!point.velocities.empty())
    {
      motion.linear_velocity = vector(point.velocities[i].linear);
      motion.angular_velocity = vector(point.velocities[i].angular);
    }
    if (!point.accelerations.empty())
    {
      motion.linear_acceleration = vector(point.accelerations[i].linear);
      motion.angular_acceleration = vector(point.accelerations[i].angular);
    }
  }

  double patience_;
  const Reference nothing_;
  NewestMessage<Message, Reference> newest_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__WHOLE_BODY_TOPIC_HPP_
