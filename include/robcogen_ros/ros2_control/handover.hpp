// Values of a control loop for the thread of its node.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__HANDOVER_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__HANDOVER_HPP_

#include <chrono>
#include <functional>
#include <memory>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <utility>

#include "robcogen_ros/exchange.hpp"

namespace robcogen_ros::ros2_control
{

/// Hands the newest value to a function on the node's own thread, at a rate and without a lock. No
/// value is handed over twice: where the loop does not run, nothing is.
///
/// It may be destroyed while that thread is in the function, which must not refer to what is
/// destroyed with it.
///
/// \tparam Value what is handed over
template <typename Value>
class Handover
{
public:
  using Use = std::function<void(const Value &)>;

  /// \param rate how often it is looked for a new value [Hz]
  /// \param any value, which is not handed over
  Handover(
    const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, double rate, const Value & any,
    Use use)
  : exchange_(std::make_shared<Exchange<Value>>(any)),
    timer_(node->create_wall_timer(
      std::chrono::duration<double>(1.0 / rate),
      [exchange = exchange_, use = std::move(use)]()
      {
        if (exchange->fresh())
        {
          use(exchange->read());
        }
      }))
  {
  }

  /// Publishes a value, from the thread of the control loop.
  void set(const Value & value) noexcept { exchange_->publish(value); }

private:
  std::shared_ptr<Exchange<Value>> exchange_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__HANDOVER_HPP_
