// What a controller tells of itself, published beside the control loop.
#ifndef ROBCOGEN_ROS__CONTROL__STATE_TOPIC_HPP_
#define ROBCOGEN_ROS__CONTROL__STATE_TOPIC_HPP_

#include <control_msgs/msg/dynamic_joint_state.hpp>
#include <cstdint>
#include <optional>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>
#include <vector>

#include "robcogen_ros/control/controller.hpp"
#include "robcogen_ros/control/handover.hpp"

namespace robcogen_ros::control
{

/// What is published of a cycle.
template <typename Robot>
struct Snapshot
{
  using JointVector = typename Robot::JointVector;

  JointVector position = JointVector::Zero();
  JointVector velocity = JointVector::Zero();
  MotionState<Robot> reference;
  Command<Robot> command;
  double share = 0.0;
  Condition condition = Condition::normal;
  int stale_cycles = 0;
  std::uint64_t missed_cycles = 0;
  std::uint64_t unwritten_count = 0;

  Snapshot() = default;

  /// \param controller after a cycle
  /// \param unwritten how often an interface could not be written
  Snapshot(const Controller<Robot> & controller, std::uint64_t unwritten) noexcept
  : position(controller.measurements().position()),
    velocity(controller.measurements().velocity()),
    reference(controller.reference()),
    command(controller.command()),
    share(controller.share()),
    condition(controller.condition()),
    stale_cycles(controller.measurements().missing()),
    missed_cycles(controller.missed_cycles()),
    unwritten_count(unwritten)
  {
  }
};

/// The topic `~/controller_state`, published while the control loop runs: the newest cycle.
///
/// \tparam Robot the Traits of a generated robot
template <typename Robot>
class StateTopic
{
public:
  /// \param node whose topic it is
  /// \param rate how often it is published [Hz]; 0: never
  StateTopic(const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, double rate)
  {
    if (rate > 0.0)
    {
      newest_.emplace(node, rate, Writer(node));
    }
  }

  /// For the thread of the control loop.
  void set(const Snapshot<Robot> & snapshot) noexcept
  {
    if (newest_)
    {
      newest_->set(snapshot);
    }
  }

private:
  using Message = control_msgs::msg::DynamicJointState;

  class Writer;

  std::optional<Handover<Snapshot<Robot>>> newest_;
};

/// Publishes a cycle.
template <typename Robot>
class StateTopic<Robot>::Writer
{
public:
  explicit Writer(const rclcpp_lifecycle::LifecycleNode::SharedPtr & node)
  : clock_(node->get_clock()),
    message_(layout(node->get_name())),
    publisher_(rclcpp::create_publisher<Message>(node, "~/controller_state", rclcpp::QoS(10)))
  {
  }

  void operator()(const Snapshot<Robot> & now)
  {
    message_.header.stamp = clock_->now();
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      message_.interface_values[static_cast<std::size_t>(i)].values = {
        now.position(i),
        now.velocity(i),
        now.reference.position(i),
        now.reference.velocity(i),
        now.reference.acceleration(i),
        now.reference.effort(i),
        now.command.effort(i),
        now.command.gravity(i)};
    }
    message_.interface_values.back().values = {
      now.command.scale,
      now.share,
      static_cast<double>(now.condition),
      static_cast<double>(now.stale_cycles),
      static_cast<double>(now.missed_cycles),
      static_cast<double>(now.unwritten_count)};
    publisher_->publish(message_);
  }

private:
  static Message layout(const std::string & controller)
  {
    Message message;
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      message.joint_names.emplace_back(Robot::joint_names[i]);
      message.interface_values.emplace_back().interface_names = {
        "position",
        "velocity",
        "reference_position",
        "reference_velocity",
        "reference_acceleration",
        "reference_effort",
        "effort",
        "gravity"};
    }
    message.joint_names.push_back(controller);
    message.interface_values.emplace_back().interface_names = {
      "scale", "share", "condition", "stale_cycles", "missed_cycles", "unwritten"};
    return message;
  }

  rclcpp::Clock::SharedPtr clock_;
  Message message_;
  typename rclcpp::Publisher<Message>::SharedPtr publisher_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__STATE_TOPIC_HPP_
