// References from a topic, for a controller with no other in front.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__REFERENCE_TOPIC_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__REFERENCE_TOPIC_HPP_

#include <atomic>
#include <memory>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>
#include <trajectory_msgs/msg/joint_trajectory.hpp>
#include <vector>

#include "robcogen_ros/control/reference.hpp"
#include "robcogen_ros/ros2_control/newest_message.hpp"
#include "robcogen_ros/ros2_control/robot.hpp"
#include "robcogen_ros/ros2_control/trajectory_points.hpp"

namespace robcogen_ros::ros2_control
{

/// Set points on `~/reference`, a JointTrajectory of one point; joints are matched by name.
///
/// A point may have efforts alone; where no positions are followed, it must have efforts.
class ReferenceTopic
{
public:
  /// \param node whose topic it is
  /// \param patience how long a point is carried on with its velocity [s]
  ReferenceTopic(
    const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, double patience, const Robot & robot)
  : robot_(robot),
    nothing_(nothing(robot)),
    newest_(
      node, "reference", SetPoint<Robot>{nothing_, patience},
      [follows = follows_, patience, robot](const Message & message, SetPoint<Robot> & point)
      {
        point.patience = patience;
        return take(message, *follows, robot, point.state);
      }),
    point_{nothing_, patience}
  {
  }

  /// Returns the motion of this cycle, NaN where nothing was said. For the thread of the control
  /// loop.
  ///
  /// \param step time since the last cycle [s]
  /// \param position the reference so far: continuous joints go the short way from there
  MotionState<Robot> sample(double step, const JointVector & position) noexcept
  {
    const SetPoint<Robot> * const newest = newest_.sample(step);
    if (newest == nullptr)
    {
      return nothing_;
    }
    if (newest_.age() == 0.0)
    {
      point_ = *newest;
      point_.turn_to(position, robot_);
    }
    return point_.sample(newest_.age());
  }

  /// Leaves out of use what has come so far. For the thread of the control loop.
  void forget() noexcept { newest_.forget(); }

  /// Sets whether positions are followed, from now on.
  void set_follows(bool value) noexcept { *follows_ = value; }

private:
  using Message = trajectory_msgs::msg::JointTrajectory;

  /// Takes over a message; returns what is wrong with it.
  static std::string take(
    const Message & message, bool follows, const Robot & robot, MotionState<Robot> & state)
  {
    if (message.points.size() != 1)
    {
      return "expected one point, found " + std::to_string(message.points.size()) +
             "; joint_trajectory_controller in front follows trajectories";
    }
    const auto & point = message.points.front();
    if (seconds(point) != 0.0)
    {
      return "expected time_from_start zero; joint_trajectory_controller in front follows "
             "trajectories";
    }
    std::vector<Eigen::Index> order;
    for (const std::string & name : message.joint_names)
    {
      const auto joint = robot.find_joint(name);
      if (!joint)
      {
        return "the robot has no joint '" + name + "'";
      }
      order.push_back(static_cast<Eigen::Index>(*joint));
    }
    JointVector seen = JointVector::Zero(robot.joint_count);
    for (const Eigen::Index i : order)
    {
      seen(i) += 1.0;
    }
    if (seen != JointVector::Ones(robot.joint_count))
    {
      return "expected each of the robot's " + std::to_string(robot.joint_count) + " joints once";
    }
    const bool moves = !point.velocities.empty() || !point.accelerations.empty();
    if (point.positions.empty() && (moves || point.effort.empty()))
    {
      return "expected positions, or effort alone";
    }
    if (!follows && point.effort.empty())
    {
      return "the mode follows no positions, it adds efforts; expected effort";
    }
    const bool sized = place(point.positions, order, state.position) &&
                       place(point.velocities, order, state.velocity) &&
                       place(point.accelerations, order, state.acceleration) &&
                       place(point.effort, order, state.effort);
    return sized ? out_of_bounds(state, robot)
                 : "positions, velocities, accelerations or effort are not one a joint";
  }

  std::shared_ptr<std::atomic<bool>> follows_ = std::make_shared<std::atomic<bool>>(true);
  const Robot robot_;
  const MotionState<Robot> nothing_;
  NewestMessage<Message, SetPoint<Robot>> newest_;
  SetPoint<Robot> point_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__REFERENCE_TOPIC_HPP_
