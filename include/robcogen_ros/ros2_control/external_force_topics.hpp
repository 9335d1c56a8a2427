// External forces on a robot, published beside the control loop.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__EXTERNAL_FORCE_TOPICS_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__EXTERNAL_FORCE_TOPICS_HPP_

#include <Eigen/Core>
#include <array>
#include <control_msgs/msg/dynamic_joint_state.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>
#include <vector>

#include "robcogen_ros/control/foot_name.hpp"
#include "robcogen_ros/observer/broadcast.hpp"
#include "robcogen_ros/ros2_control/handover.hpp"
#include "robcogen_ros/ros2_control/robot.hpp"

namespace robcogen_ros::ros2_control
{

/// Forces that are published of a cycle.
struct ExternalForces
{
  std::array<Robot::Vector6, Robot::most_contacts> wrenches;
  Robot::Vector6 base_wrench;
  JointVector efforts;
  std::array<bool, Robot::most_contacts> closed{};
  std::array<bool, Robot::most_joints> disturbed{};
  bool pushed = false;

  ExternalForces() = default;

  ExternalForces(const observer::Broadcast<Robot> & broadcast, const Robot & robot) noexcept
  : base_wrench(broadcast.base_wrench()),
    efforts(broadcast.joint_efforts()),
    pushed(broadcast.pushed())
  {
    for (int i = 0; i < robot.contact_count; ++i)
    {
      wrenches[static_cast<std::size_t>(i)] = broadcast.contact_wrench(i);
      closed[static_cast<std::size_t>(i)] = broadcast.closed(i);
    }
    for (int i = 0; i < robot.joint_count; ++i)
    {
      disturbed[static_cast<std::size_t>(i)] = broadcast.disturbed(i);
    }
  }
};

/// Publishes an estimate on `~/contacts/<foot>`, `~/base_wrench` of a floating base, and
/// `~/external_efforts`.
class ExternalForceWriter
{
public:
  ExternalForceWriter(const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, const Robot & robot)
  : robot_(robot), clock_(node->get_clock())
  {
    for (int i = 0; i < robot.contact_count; ++i)
    {
      wrenches_.push_back(
        rclcpp::create_publisher<Wrench>(
          node, "~/contacts/" + control::foot_topic(robot.contact_names[i]), rclcpp::QoS(10)));
    }
    if (robot.floating_base)
    {
      base_ = rclcpp::create_publisher<Wrench>(node, "~/base_wrench", rclcpp::QoS(10));
    }
    for (int i = 0; i < robot.joint_count; ++i)
    {
      message_.joint_names.emplace_back(robot.joint_names[i]);
      message_.interface_values.emplace_back().interface_names = {"external_effort", "disturbed"};
    }
    for (int i = 0; i < robot.contact_count; ++i)
    {
      message_.joint_names.push_back(control::foot_name(robot.contact_names[i]));
      message_.interface_values.emplace_back().interface_names = {"closed"};
    }
    message_.joint_names.emplace_back(robot.link_names[0]);
    message_.interface_values.emplace_back().interface_names = {"pushed"};
    efforts_ = rclcpp::create_publisher<Efforts>(node, "~/external_efforts", rclcpp::QoS(10));
  }

  void operator()(const ExternalForces & now)
  {
    message_.header.stamp = clock_->now();
    auto value = message_.interface_values.begin();
    for (int i = 0; i < robot_.joint_count; ++i)
    {
      (value++)->values = {now.efforts(i), now.disturbed[static_cast<std::size_t>(i)] ? 1.0 : 0.0};
    }
    for (std::size_t i = 0; i < wrenches_.size(); ++i)
    {
      (value++)->values = {now.closed[i] ? 1.0 : 0.0};
      const auto frame = robot_.contacts[static_cast<int>(i)].frame;
      wrenches_[i]->publish(wrench(robot_.frame_names[frame], now.wrenches[i]));
    }
    value->values = {now.pushed ? 1.0 : 0.0};
    if (base_)
    {
      base_->publish(wrench(robot_.link_names[0], now.base_wrench));
    }
    efforts_->publish(message_);
  }

private:
  using Wrench = geometry_msgs::msg::WrenchStamped;
  using Efforts = control_msgs::msg::DynamicJointState;

  template <typename Values>
  Wrench wrench(const char * frame, const Values & values) const
  {
    Wrench result;
    result.header.stamp = message_.header.stamp;
    result.header.frame_id = frame;
    auto & of = result.wrench;
    of.torque.x = values(0);
    of.torque.y = values(1);
    of.torque.z = values(2);
    of.force.x = values(3);
    of.force.y = values(4);
    of.force.z = values(5);
    return result;
  }

  const Robot robot_;
  rclcpp::Clock::SharedPtr clock_;
  Efforts message_;
  std::vector<rclcpp::Publisher<Wrench>::SharedPtr> wrenches_;
  rclcpp::Publisher<Wrench>::SharedPtr base_;
  rclcpp::Publisher<Efforts>::SharedPtr efforts_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__EXTERNAL_FORCE_TOPICS_HPP_
