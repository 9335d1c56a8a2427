// State of a controller of a tool, published beside the control loop.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__TASK_STATE_TOPIC_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__TASK_STATE_TOPIC_HPP_

#include <control_msgs/msg/dynamic_joint_state.hpp>
#include <cstdint>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>

#include "robcogen_ros/control/semantic_numbers.hpp"
#include "robcogen_ros/control/task_space_controller.hpp"
#include "robcogen_ros/ros2_control/robot.hpp"
#include "robcogen_ros/ros2_control/stop_message.hpp"

namespace robcogen_ros::ros2_control
{

/// Numbers of a cycle that are published.
struct TaskSnapshot
{
  JointVector effort, gravity, external;
  control::Pose pose, target;
  TaskReport report;
  double scale = 1.0, share = 0.0;
  Condition condition = Condition::normal;
  std::uint64_t missed_cycles = 0, unwritten = 0;

  explicit TaskSnapshot(const Robot & robot)
  : effort(JointVector::Zero(robot.joint_count)), gravity(effort), external(effort)
  {
  }

  /// \param controller after a cycle
  /// \param failed_writes how often an interface could not be written
  TaskSnapshot(
    const control::TaskSpaceController<Robot> & controller, std::uint64_t failed_writes) noexcept
  : effort(controller.command().effort),
    gravity(controller.command().gravity),
    external(controller.supervisor().reflex().external()),
    pose(controller.motion().pose),
    target(controller.reference().target()),
    report(controller.report()),
    scale(controller.command().scale),
    share(controller.supervisor().share()),
    condition(controller.supervisor().condition()),
    missed_cycles(controller.supervisor().missed_cycles()),
    unwritten(failed_writes)
  {
  }
};

/// Publishes a cycle on `~/controller_state`.
class TaskStateWriter
{
public:
  TaskStateWriter(const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, const Robot & robot)
  : clock_(node->get_clock()),
    told_(node->get_logger()),
    publisher_(rclcpp::create_publisher<Message>(node, "~/controller_state", rclcpp::QoS(10)))
  {
    for (int i = 0; i < robot.joint_count; ++i)
    {
      message_.joint_names.emplace_back(robot.joint_names[i]);
      message_.interface_values.emplace_back().interface_names = {"effort", "gravity", "external"};
    }
    message_.joint_names.emplace_back(node->get_name());
    auto & own = message_.interface_values.emplace_back();
    TaskSnapshot nothing(robot);
    each(
      nothing, [&own](const std::string & name, double) { own.interface_names.push_back(name); });
    own.values.resize(own.interface_names.size());
  }

  void operator()(const TaskSnapshot & now)
  {
    message_.header.stamp = clock_->now();
    for (int i = 0; i < now.effort.size(); ++i)
    {
      message_.interface_values[static_cast<std::size_t>(i)].values = {
        now.effort(i), now.gravity(i), now.external(i)};
    }
    auto & values = message_.interface_values.back().values;
    values.clear();
    each(now, [&values](const std::string &, double value) { values.push_back(value); });
    publisher_->publish(message_);
    told_.tell(now.condition, message_.joint_names, now.external);
  }

private:
  using Message = control_msgs::msg::DynamicJointState;

  /// Calls `visit(name, value)` for each number of the controller itself.
  template <typename Visit>
  static void each(const TaskSnapshot & now, const Visit & visit)
  {
    each_number("pose.position", now.pose.position, visit);
    each_number("pose.orientation", now.pose.orientation.coeffs(), visit);
    each_number("target.position", now.target.position, visit);
    each_number("target.orientation", now.target.orientation.coeffs(), visit);
    each_number("error.angular", now.report.error.head<3>(), visit);
    each_number("error.linear", now.report.error.tail<3>(), visit);
    each_number("torque", now.report.wrench.head<3>(), visit);
    each_number("force", now.report.wrench.tail<3>(), visit);
    visit("apparent_mass", now.report.apparent_mass);
    visit("damped", now.report.damped);
    visit("scale", now.scale);
    visit("share", now.share);
    visit("condition", static_cast<double>(now.condition));
    visit("missed_cycles", static_cast<double>(now.missed_cycles));
    visit("unwritten", static_cast<double>(now.unwritten));
  }

  rclcpp::Clock::SharedPtr clock_;
  StopMessage told_;
  Message message_;
  rclcpp::Publisher<Message>::SharedPtr publisher_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__TASK_STATE_TOPIC_HPP_
