// Motions of the trunk and the feet of a robot on legs, from a topic.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__WHOLE_BODY_TOPIC_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__WHOLE_BODY_TOPIC_HPP_

#include <cmath>
#include <limits>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>
#include <string_view>
#include <trajectory_msgs/msg/multi_dof_joint_trajectory.hpp>

#include "robcogen_ros/control/foot_name.hpp"
#include "robcogen_ros/control/trunk_plan.hpp"
#include "robcogen_ros/ros2_control/newest_message.hpp"
#include "robcogen_ros/ros2_control/robot.hpp"
#include "robcogen_ros/ros2_control/trajectory_points.hpp"

namespace robcogen_ros::ros2_control
{

/// References on `~/reference`, a MultiDOFJointTrajectory: where the trunk is to be, under the name
/// of the base link, and feet that swing, under the names of their contacts. Feet that are not
/// named stand. Several points are a plan that begins when it comes.
///
/// Poses are those of frames in the world; twists and accelerations those of their origins, in
/// world axes. These may be left out.
class WholeBodyTopic
{
public:
  using Reference = whole_body::Reference<Robot>;
  using Plan = TrunkPlan<Robot>;

  /// \param node whose topic it is
  /// \param patience how long the last point is carried on with its twists [s]
  WholeBodyTopic(
    const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, double patience, const Robot & robot)
  : patience_(patience),
    nothing_(no_request(robot)),
    newest_(
      node, "reference", Plan(),
      [robot](const Message & message, Plan & plan) { return take(message, robot, plan); })
  {
  }

  /// Returns the reference of this cycle, NaN where nothing was said. For the thread of the control
  /// loop.
  ///
  /// \param step time since the last cycle [s]
  Reference sample(double step) noexcept
  {
    const Plan * const newest = newest_.sample(step);
    late_ = newest == nullptr ? INFINITY : newest->late(newest_.age());
    return newest == nullptr ? nothing_ : newest->sample(newest_.age(), patience_, nothing_);
  }

  /// Returns true if it goes on, or ended so recently that it is carried on.
  bool fresh() const noexcept { return late_ <= patience_; }

  /// Leaves out of use what has come so far. For the thread of the control loop.
  void forget() noexcept { newest_.forget(); }

private:
  using Message = trajectory_msgs::msg::MultiDOFJointTrajectory;

  /// Takes over a message; returns what is wrong with it.
  static std::string take(const Message & message, const Robot & robot, Plan & plan)
  {
    const std::string wrong = wrong_times(message.points);
    if (!wrong.empty())
    {
      return wrong;
    }
    if (seconds(message.points.front()) != 0.0)
    {
      return "expected time_from_start zero of the first point";
    }
    for (const auto & point : message.points)
    {
      Reference request = no_request(robot);
      const std::string problem = take(message, point, robot, request);
      if (!problem.empty())
      {
        return problem;
      }
      plan.add(seconds(point), request);
    }
    return "";
  }

  /// Takes over a point; returns what is wrong with it.
  template <typename Point>
  static std::string take(
    const Message & message, const Point & point, const Robot & robot, Reference & request)
  {
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
      const bool chosen = message.points.size() > 1;
      const double open = std::numeric_limits<double>::quiet_NaN();
      if (chosen && point.velocities.empty())
      {
        motion->linear_velocity.setConstant(open);
        motion->angular_velocity.setConstant(open);
      }
      if (chosen && point.accelerations.empty())
      {
        motion->linear_acceleration.setConstant(open);
        motion->angular_acceleration.setConstant(open);
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
  double late_ = INFINITY;  ///< how long ago the last point was [s]
  const Reference nothing_;
  NewestMessage<Message, Plan> newest_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__WHOLE_BODY_TOPIC_HPP_
