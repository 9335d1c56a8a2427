// What a whole-body controller tells of itself, published beside the control loop.
#ifndef ROBCOGEN_ROS__CONTROL__WHOLE_BODY_STATE_TOPIC_HPP_
#define ROBCOGEN_ROS__CONTROL__WHOLE_BODY_STATE_TOPIC_HPP_

#include <control_msgs/msg/dynamic_joint_state.hpp>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>

#include "robcogen_ros/control/handover.hpp"
#include "robcogen_ros/control/whole_body_loop.hpp"

namespace robcogen_ros::control
{

/// What is published of a cycle.
template <typename Robot>
struct WholeBodySnapshot
{
  ground::State<Robot> state;
  whole_body::Reference<Robot> reference;
  typename Robot::JointVector efforts = Robot::JointVector::Zero();
  decltype(whole_body::Command<Robot>::forces) forces =
    decltype(whole_body::Command<Robot>::forces)::Zero();
  typename WholeBodyLoop<Robot>::Closed closed{};
  WholeBodyCondition condition = WholeBodyCondition::normal;
  std::uint32_t faults = 0;
  int iterations = 0;
  int stale_cycles = 0;
  std::uint64_t unwritten = 0;

  WholeBodySnapshot() = default;

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

/// The topic `~/controller_state`: of joints, contacts, the base, and the controller itself. It is
/// published while the control loop runs: the newest cycle.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
class WholeBodyStateTopic
{
public:
  /// \param node whose topic it is
  /// \param rate how often it is published [Hz]; 0: never
  WholeBodyStateTopic(const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, double rate)
  {
    if (rate > 0.0)
    {
      newest_.emplace(node, rate, Writer(node));
    }
  }

  /// For the thread of the control loop.
  void set(const WholeBodySnapshot<Robot> & snapshot) noexcept
  {
    if (newest_)
    {
      newest_->set(snapshot);
    }
  }

private:
  using Message = control_msgs::msg::DynamicJointState;

  class Writer;

  std::optional<Handover<WholeBodySnapshot<Robot>>> newest_;
};

/// Publishes a cycle.
template <typename Robot>
class WholeBodyStateTopic<Robot>::Writer
{
public:
  explicit Writer(const rclcpp_lifecycle::LifecycleNode::SharedPtr & node)
  : clock_(node->get_clock()),
    publisher_(rclcpp::create_publisher<Message>(node, "~/controller_state", rclcpp::QoS(10)))
  {
    lay_out(node->get_name());
  }

  void operator()(const WholeBodySnapshot<Robot> & now)
  {
    message_.header.stamp = clock_->now();
    auto value = message_.interface_values.begin();
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      (value++)->values = {now.state.q(i), now.state.qd()(i), now.efforts(i)};
    }
    for (std::size_t i = 0; i < now.closed.size(); ++i)
    {
      const Contact & contact = Robot::contacts[i];
      const Eigen::Vector3d force =
        now.state.orientation *
        now.forces.template segment<3>(contact.first_row + contact.rows() - 3);
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
  void lay_out(const std::string & controller)
  {
    const auto add = [this](const std::string & name, std::initializer_list<const char *> kinds)
    {
      message_.joint_names.push_back(name);
      message_.interface_values.emplace_back().interface_names.assign(kinds.begin(), kinds.end());
    };
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      add(Robot::joint_names[i], {"position", "velocity", "effort"});
    }
    for (int i = 0; i < Robot::contact_count; ++i)
    {
      add(Robot::contact_names[i], {"stance", "closed", "force.x", "force.y", "force.z"});
    }
    add(
      Robot::link_names[0], {"position.x", "position.y", "position.z", "reference.x", "reference.y",
                             "reference.z", "tracking_angle"});
    add(controller, {"condition", "faults", "iterations", "stale_cycles", "unwritten"});
  }

  rclcpp::Clock::SharedPtr clock_;
  Message message_;
  typename rclcpp::Publisher<Message>::SharedPtr publisher_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__WHOLE_BODY_STATE_TOPIC_HPP_
