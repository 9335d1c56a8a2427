// What acts on a robot from outside, published beside the control loop.
#ifndef ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_TOPICS_HPP_
#define ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_TOPICS_HPP_

#include <Eigen/Core>
#include <array>
#include <control_msgs/msg/dynamic_joint_state.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>
#include <vector>

#include "robcogen_ros/control/handover.hpp"
#include "robcogen_ros/observer/broadcast.hpp"

namespace robcogen_ros::control
{

/// What is published of a cycle.
template <typename Robot>
struct ExternalForces
{
  static constexpr int contacts = SizesOf<Robot>::most_contacts;

  Eigen::Matrix<double, 6, contacts> wrenches = Eigen::Matrix<double, 6, contacts>::Zero();
  typename Robot::Vector6 base_wrench = Robot::Vector6::Zero();
  typename Robot::JointVector efforts = Robot::JointVector::Zero();
  std::array<bool, static_cast<std::size_t>(contacts)> closed{};
  std::array<bool, static_cast<std::size_t>(Robot::joint_count)> disturbed{};
  bool pushed = false;

  ExternalForces() = default;

  explicit ExternalForces(const observer::Broadcast<Robot> & broadcast) noexcept
  : base_wrench(broadcast.base_wrench()),
    efforts(broadcast.joint_efforts()),
    pushed(broadcast.pushed())
  {
    if constexpr (contacts > 0)
    {
      for (int i = 0; i < contacts; ++i)
      {
        wrenches.col(i) = broadcast.contact_wrench(i);
        closed[static_cast<std::size_t>(i)] = broadcast.closed(i);
      }
    }
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      disturbed[static_cast<std::size_t>(i)] = broadcast.disturbed(i);
    }
  }
};

/// Topics `~/contacts/<foot>`, `~/base_wrench` of a floating base, `~/external_efforts`: the newest
/// estimate, published while there are new ones.
///
/// \tparam Robot the Traits of a generated robot
template <typename Robot>
class ExternalForceTopics
{
public:
  ExternalForceTopics(const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, double rate)
  : newest_(node, rate, Writer(node))
  {
  }

  /// For the thread of the control loop.
  void set(const ExternalForces<Robot> & forces) noexcept { newest_.set(forces); }

private:
  class Writer;

  Handover<ExternalForces<Robot>> newest_;
};

/// Publishes an estimate.
template <typename Robot>
class ExternalForceTopics<Robot>::Writer
{
public:
  explicit Writer(const rclcpp_lifecycle::LifecycleNode::SharedPtr & node)
  : clock_(node->get_clock())
  {
    for (int i = 0; i < ExternalForces<Robot>::contacts; ++i)
    {
      wrenches_.push_back(
        rclcpp::create_publisher<Wrench>(
          node, std::string("~/contacts/") + name_of_contact(i), rclcpp::QoS(10)));
    }
    if (Robot::floating_base)
    {
      base_ = rclcpp::create_publisher<Wrench>(node, "~/base_wrench", rclcpp::QoS(10));
    }
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      message_.joint_names.emplace_back(Robot::joint_names[i]);
      message_.interface_values.emplace_back().interface_names = {"external_effort", "disturbed"};
    }
    for (int i = 0; i < ExternalForces<Robot>::contacts; ++i)
    {
      message_.joint_names.emplace_back(name_of_contact(i));
      message_.interface_values.emplace_back().interface_names = {"closed"};
    }
    message_.joint_names.emplace_back(Robot::link_names[0]);
    message_.interface_values.emplace_back().interface_names = {"pushed"};
    efforts_ = rclcpp::create_publisher<Efforts>(node, "~/external_efforts", rclcpp::QoS(10));
  }

  void operator()(const ExternalForces<Robot> & now)
  {
    message_.header.stamp = clock_->now();
    auto value = message_.interface_values.begin();
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      (value++)->values = {now.efforts(i), now.disturbed[static_cast<std::size_t>(i)] ? 1.0 : 0.0};
    }
    if constexpr (ExternalForces<Robot>::contacts > 0)
    {
      for (std::size_t i = 0; i < wrenches_.size(); ++i)
      {
        (value++)->values = {now.closed[i] ? 1.0 : 0.0};
        wrenches_[i]->publish(wrench(
          observer::Broadcast<Robot>::frame_of_contact(static_cast<int>(i)),
          now.wrenches.col(static_cast<Eigen::Index>(i))));
      }
    }
    value->values = {now.pushed ? 1.0 : 0.0};
    if (base_)
    {
      base_->publish(wrench(Robot::link_names[0], now.base_wrench));
    }
    efforts_->publish(message_);
  }

private:
  using Wrench = geometry_msgs::msg::WrenchStamped;
  using Efforts = control_msgs::msg::DynamicJointState;

  static const char * name_of_contact([[maybe_unused]] int contact) noexcept
  {
    if constexpr (ExternalForces<Robot>::contacts > 0)
    {
      return Robot::contact_names[contact];
    }
    return "";
  }

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

  rclcpp::Clock::SharedPtr clock_;
  Efforts message_;
  std::vector<typename rclcpp::Publisher<Wrench>::SharedPtr> wrenches_;
  typename rclcpp::Publisher<Wrench>::SharedPtr base_;
  typename rclcpp::Publisher<Efforts>::SharedPtr efforts_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_TOPICS_HPP_
