// References from a topic, for a controller with no other in front.
#ifndef ROBCOGEN_ROS__CONTROL__REFERENCE_TOPIC_HPP_
#define ROBCOGEN_ROS__CONTROL__REFERENCE_TOPIC_HPP_

#include <cstdint>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>
#include <trajectory_msgs/msg/joint_trajectory.hpp>
#include <vector>

#include "robcogen_ros/control/reference.hpp"
#include "robcogen_ros/exchange.hpp"

namespace robcogen_ros::control
{

/// Set points on `~/reference`, a JointTrajectory of one point; joints are matched by name.
///
/// \tparam Robot the Traits of a generated robot
template <typename Robot>
class ReferenceTopic
{
public:
  /// \param node whose topic it is
  /// \param patience how long a point is carried on with its velocity [s]
  ReferenceTopic(const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, double patience)
  : patience_(patience), logger_(node->get_logger()), clock_(*node->get_clock()), newest_(Stamped{})
  {
    subscription_ = node->create_subscription<Message>(
      "~/reference", rclcpp::QoS(1),
      [this](const typename Message::ConstSharedPtr message) { receive(*message); });
  }

  /// Where to be in this cycle, NaN where nothing was said. For the thread of the control loop.
  MotionState<Robot> sample(double step) noexcept
  {
    const Stamped & newest = newest_.read();
    age_ = newest.number == number_ ? age_ + step : 0.0;
    number_ = newest.number;
    return number_ == ignored_ ? nothing<Robot>() : newest.point.sample(age_);
  }

  /// Does not follow what has come so far. For the thread of the control loop.
  void forget() noexcept { number_ = ignored_ = newest_.read().number; }

private:
  using Message = trajectory_msgs::msg::JointTrajectory;
  using JointVector = typename Robot::JointVector;

  struct Stamped
  {
    SetPoint<Robot> point;
    std::uint64_t number = 0;
  };

  void receive(const Message & message)
  {
    Stamped next;
    next.point.patience = patience_;
    const std::string problem = take(message, next.point.state);
    if (!problem.empty())
    {
      RCLCPP_WARN_THROTTLE(logger_, clock_, 1000, "reference ignored: %s", problem.c_str());
      return;
    }
    next.number = ++received_;
    newest_.publish(next);
  }

  /// Takes over a message; returns what is wrong with it.
  static std::string take(const Message & message, MotionState<Robot> & state)
  {
    if (message.points.size() != 1)
    {
      return "expected one point, found " + std::to_string(message.points.size()) +
             "; joint_trajectory_controller in front follows trajectories";
    }
    const auto & point = message.points.front();
    if (point.time_from_start.sec != 0 || point.time_from_start.nanosec != 0)
    {
      return "expected time_from_start zero; joint_trajectory_controller in front follows "
             "trajectories";
    }
    std::vector<Eigen::Index> order;
    for (const std::string & name : message.joint_names)
    {
      const auto joint = Robot::find_joint(name);
      if (!joint)
      {
        return "the robot has no joint '" + name + "'";
      }
      order.push_back(static_cast<Eigen::Index>(*joint));
    }
    JointVector seen = JointVector::Zero();
    for (const Eigen::Index i : order)
    {
      seen(i) += 1.0;
    }
    if (seen != JointVector::Ones())
    {
      return "expected each of the robot's " + std::to_string(Robot::joint_count) + " joints once";
    }
    if (point.positions.empty())
    {
      return "it has no positions";
    }
    const bool sized = place(point.positions, order, state.position) &&
                       place(point.velocities, order, state.velocity) &&
                       place(point.accelerations, order, state.acceleration) &&
                       place(point.effort, order, state.effort);
    return sized ? "" : "positions, velocities, accelerations or effort are not one a joint";
  }

  /// Puts values where their joints are; whether there are as many, or none.
  static bool place(
    const std::vector<double> & values, const std::vector<Eigen::Index> & order, JointVector & to)
  {
    for (std::size_t i = 0; i < values.size() && values.size() == order.size(); ++i)
    {
      to(order[i]) = values[i];
    }
    return values.empty() || values.size() == order.size();
  }

  double patience_;
  rclcpp::Logger logger_;
  rclcpp::Clock clock_;
  Exchange<Stamped> newest_;
  std::uint64_t received_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t ignored_ = 0;
  double age_ = 0.0;
  typename rclcpp::Subscription<Message>::SharedPtr subscription_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__REFERENCE_TOPIC_HPP_
