// Motions of the preferred posture of a robot on legs, from a topic.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__POSTURE_TOPIC_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__POSTURE_TOPIC_HPP_

#include <algorithm>
#include <cmath>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>
#include <trajectory_msgs/msg/joint_trajectory.hpp>
#include <vector>

#include "robcogen_ros/control/posture_motion.hpp"
#include "robcogen_ros/control/reference.hpp"
#include "robcogen_ros/ros2_control/newest_message.hpp"
#include "robcogen_ros/ros2_control/robot.hpp"
#include "robcogen_ros/ros2_control/trajectory_points.hpp"

namespace robcogen_ros::ros2_control
{

/// Motions on `~/posture`, a JointTrajectory of any joints that begins when it comes. Where it has
/// several points, or its point is later, the posture goes on from where it is: what the first says
/// of the start itself gives way.
class PostureTopic
{
public:
  /// \param node whose topic it is
  PostureTopic(const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, const Robot & robot)
  : motion_(robot),
    newest_(
      node, "posture", Points(),
      [robot](const Message & message, Points & points) { return take(message, robot, points); })
  {
  }

  /// Moves the posture of settings as told. For the thread of the control loop.
  ///
  /// \param step time since the last cycle [s]
  /// \param set the posture that is preferred where nothing moves it
  template <typename Settings>
  void sample(double step, const JointVector & set, Settings & settings) noexcept
  {
    const Points * const newest = newest_.sample(step);
    if (newest != nullptr && newest_.age() == 0.0)
    {
      motion_.begin(*newest, set);
    }
    if (newest != nullptr)
    {
      motion_.move(settings, *newest, newest_.age(), set);
    }
  }

  /// Leaves out of use what has come so far. For the thread of the control loop.
  void forget() noexcept { newest_.forget(); }

private:
  using Message = trajectory_msgs::msg::JointTrajectory;
  using Points = Waypoints<JointVector>;

  /// Takes over a message; returns what is wrong with it.
  static std::string take(const Message & message, const Robot & robot, Points & points)
  {
    const std::string wrong = wrong_times(message.points);
    if (!wrong.empty())
    {
      return wrong;
    }
    std::vector<Eigen::Index> order;
    for (const std::string & name : message.joint_names)
    {
      const auto joint = robot.find_joint(name);
      const auto index = joint ? static_cast<Eigen::Index>(*joint) : -1;
      if (!joint || std::find(order.begin(), order.end(), index) != order.end())
      {
        return "the robot has no joint '" + name + "', or it is there twice";
      }
      order.push_back(index);
    }
    const MotionState<Robot> open = nothing(robot);
    if (seconds(message.points.front()) > 0.0)
    {
      points.push_back({0.0, open.position, open.velocity, open.acceleration});
    }
    for (const auto & point : message.points)
    {
      MotionState<Robot> state = open;
      if (
        order.empty() || point.positions.empty() ||
        !place(point.positions, order, state.position) ||
        !place(point.velocities, order, state.velocity) ||
        !place(point.accelerations, order, state.acceleration))
      {
        return "expected positions, and velocities and accelerations if any, one a joint";
      }
      const auto is_number = [](double value) { return std::isfinite(value); };
      if (!std::all_of(point.positions.begin(), point.positions.end(), is_number))
      {
        return "its positions are not finite";
      }
      const std::string problem = out_of_bounds(state, robot);
      if (!problem.empty())
      {
        return problem;
      }
      points.push_back({seconds(point), state.position, state.velocity, state.acceleration});
    }
    return "";
  }

  PostureMotion<Robot> motion_;
  NewestMessage<Message, Points> newest_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__POSTURE_TOPIC_HPP_
