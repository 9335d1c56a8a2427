// The newest message of a topic, for a control loop.
#ifndef ROBCOGEN_ROS__CONTROL__NEWEST_MESSAGE_HPP_
#define ROBCOGEN_ROS__CONTROL__NEWEST_MESSAGE_HPP_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>
#include <utility>

#include "robcogen_ros/exchange.hpp"

namespace robcogen_ros::control
{

/// What the newest message of a topic means, handed to the control loop without a lock. A message
/// that cannot be used is told in the log and ignored.
///
/// \tparam Message of the topic
/// \tparam Value what it means
template <typename Message, typename Value>
class NewestMessage
{
public:
  /// Takes a message over into a value; returns what is wrong with it.
  using Take = std::function<std::string(const Message &, Value &)>;

  /// \param node whose topic it is
  /// \param name of the topic, after `~/`; the log calls it so
  /// \param nothing the value that messages are taken over into
  NewestMessage(
    const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, const std::string & name,
    const Value & nothing, Take take)
  : nothing_(nothing),
    take_(std::move(take)),
    logger_(node->get_logger()),
    clock_(*node->get_clock()),
    exchange_(Numbered{nothing, 0})
  {
    subscription_ = node->create_subscription<Message>(
      "~/" + name, rclcpp::QoS(1),
      [this, name](const typename Message::ConstSharedPtr message) { receive(name, *message); });
  }

  /// What has come last since forget(), if anything has. For the thread of the control loop.
  ///
  /// \param step time since the last cycle [s]; none if a clock was set back
  const Value * sample(double step) noexcept
  {
    const Numbered & newest = exchange_.read();
    age_ = newest.number == number_ ? age_ + std::max(0.0, step) : 0.0;
    number_ = newest.number;
    return there() ? &newest.value : nullptr;
  }

  /// Whether anything has come since forget(), as of the last sample().
  bool there() const noexcept { return number_ != ignored_; }

  /// How long it has been there [s]; zero in the cycle in which it came.
  double age() const noexcept { return age_; }

  /// Does not use what has come so far. For the thread of the control loop.
  void forget() noexcept { number_ = ignored_ = exchange_.read().number; }

private:
  struct Numbered
  {
    Value value;
    std::uint64_t number;
  };

  void receive(const std::string & name, const Message & message)
  {
    Numbered next{nothing_, 0};
    const std::string problem = take_(message, next.value);
    if (!problem.empty())
    {
      RCLCPP_WARN_THROTTLE(logger_, clock_, 1000, "%s ignored: %s", name.c_str(), problem.c_str());
      return;
    }
    next.number = ++received_;
    exchange_.publish(next);
  }

  Value nothing_;
  Take take_;
  rclcpp::Logger logger_;
  rclcpp::Clock clock_;
  Exchange<Numbered> exchange_;
  std::uint64_t received_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t ignored_ = 0;
  double age_ = 0.0;
  typename rclcpp::Subscription<Message>::SharedPtr subscription_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__NEWEST_MESSAGE_HPP_
