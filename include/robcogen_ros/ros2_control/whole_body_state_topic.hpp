// State of a whole-body controller, published beside the control loop.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__WHOLE_BODY_STATE_TOPIC_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__WHOLE_BODY_STATE_TOPIC_HPP_

#include <control_msgs/msg/dynamic_joint_state.hpp>
#include <cstdint>
#include <initializer_list>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>

#include "robcogen_ros/control/foot_name.hpp"
#include "robcogen_ros/control/whole_body_loop.hpp"
#include "robcogen_ros/ros2_control/handover.hpp"
#include "robcogen_ros/ros2_control/robot.hpp"

namespace robcogen_ros::ros2_control
{

/// Values that are published of a cycle.
struct WholeBodySnapshot
{
  ground::State<Robot> state;
  whole_body::Reference<Robot> reference;
  JointVector efforts;
  decltype(whole_body::Command<Robot>::forces) forces;
  typename WholeBodyLoop<Robot>::Closed closed{};
  WholeBodyCondition condition = WholeBodyCondition::normal;
  std::uint32_t faults = 0;
  int iterations = 0;
  int stale_cycles = 0;
  std::uint64_t unwritten = 0;

  explicit WholeBodySnapshot(const Robot & robot) : state(robot), reference(robot) {}

  /// \param loop after a cycle
  /// \param unwritten_count how often an interface could not be written
  WholeBodySnapshot(const WholeBodyLoop<Robot> & loop, std::uint64_t unwritten_count) noexcept
  : state(loop.told_state()),
    reference(loop.reference()),
    efforts(loop.efforts()),
    forces(loop.forces()),
    closed(loop.closed()),
    condition(loop.condition()),
    faults(loop.faults()),
    iterations(loop.iterations()),
    stale_cycles(loop.stale_cycles()),
    unwritten(unwritten_count)
  {
    reference.trunk = loop.told_trunk();
  }
};

/// Publishes a cycle on `~/controller_state`: of joints, contacts, the base, and the controller
/// itself.
class WholeBodyStateWriter
{
public:
  WholeBodyStateWriter(const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, const Robot & robot)
  : robot_(robot),
    clock_(node->get_clock()),
    publisher_(rclcpp::create_publisher<Message>(node, "~/controller_state", rclcpp::QoS(10)))
  {
    lay_out(node->get_name());
  }

  void operator()(const WholeBodySnapshot & now)
  {
    message_.header.stamp = clock_->now();
    auto value = message_.interface_values.begin();
    for (int i = 0; i < robot_.joint_count; ++i)
    {
      (value++)->values = {now.state.q(i), now.state.qd()(i), now.efforts(i)};
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(robot_.contact_count); ++i)
    {
      const Contact & contact = robot_.contacts[i];
      const Eigen::Vector3d force =
        now.state.orientation * now.forces.segment<3>(contact.first_row + contact.rows() - 3);
      (value++)->values = {
        now.reference.feet[i].stance ? 1.0 : 0.0, now.closed[i] ? 1.0 : 0.0, force.x(), force.y(),
        force.z()};
    }
    const auto & trunk = now.reference.trunk;
    (value++)->values = {
      now.state.position.x(),
      now.state.position.y(),
      now.state.position.z(),
      trunk.position.x(),
      trunk.position.y(),
      trunk.position.z(),
      now.state.orientation.angularDistance(trunk.orientation)};
    value->values = {
      static_cast<double>(now.condition), static_cast<double>(now.faults),
      static_cast<double>(now.iterations), static_cast<double>(now.stale_cycles),
      static_cast<double>(now.unwritten)};
    publisher_->publish(message_);
  }

private:
  using Message = control_msgs::msg::DynamicJointState;

  void lay_out(const std::string & controller)
  {
    const auto add = [this](const std::string & name, std::initializer_list<const char *> kinds)
    {
      message_.joint_names.push_back(name);
      message_.interface_values.emplace_back().interface_names.assign(kinds.begin(), kinds.end());
    };
    for (int i = 0; i < robot_.joint_count; ++i)
    {
      add(robot_.joint_names[i], {"position", "velocity", "effort"});
    }
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      add(
        control::foot_name(robot_.contact_names[i]),
        {"stance", "closed", "force.x", "force.y", "force.z"});
    }
    add(
      robot_.link_names[0], {"position.x", "position.y", "position.z", "reference.x", "reference.y",
                             "reference.z", "tracking_angle"});
    add(controller, {"condition", "faults", "iterations", "stale_cycles", "unwritten"});
  }

  const Robot robot_;
  rclcpp::Clock::SharedPtr clock_;
  Message message_;
  rclcpp::Publisher<Message>::SharedPtr publisher_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__WHOLE_BODY_STATE_TOPIC_HPP_
