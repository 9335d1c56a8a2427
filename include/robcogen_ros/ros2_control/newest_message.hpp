// The newest message of a topic, for a control loop.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__NEWEST_MESSAGE_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__NEWEST_MESSAGE_HPP_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>
#include <utility>

#include "robcogen_ros/exchange.hpp"

namespace robcogen_ros::ros2_control
{

/// Newest message of a topic, handed to the control loop without a lock. A message that cannot be
/// used is told in the log and ignored.
///
/// It may be destroyed while the node's own thread takes a message.
///
/// \tparam Message of the topic
/// \tparam Value what it means
template <typename Message, typename Value>
class NewestMessage
{
public:
  /// Takes a message over into a value; returns what is wrong with it. It must not refer to what is
  /// destroyed with the topic.
  using Take = std::function<std::string(const Message &, Value &)>;

  /// \param node whose topic it is
  /// \param name of the topic, after `~/`; the log calls it so
  /// \param nothing the value that messages are taken over into
  NewestMessage(
    const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, const std::string & name,
    const Value & nothing, Take take)
  : receiver_(std::make_shared<Receiver>(node, name, nothing, std::move(take))),
    subscription_(node->create_subscription<Message>(
      "~/" + name, rclcpp::QoS(1),
      [receiver = receiver_](const typename Message::ConstSharedPtr message)
      { receiver->receive(*message); }))
  {
  }

  /// Returns what has come last since forget(), if anything has. For the thread of the control
  /// loop.
  ///
  /// \param step time since the last cycle [s]; none if a clock was set back
  const Value * sample(double step) noexcept
  {
    const Numbered & newest = receiver_->exchange.read();
    age_ = newest.number == number_ ? age_ + std::max(0.0, step) : 0.0;
    number_ = newest.number;
    return there() ? &newest.value : nullptr;
  }

  /// Returns true if anything has come since forget(), as of the last sample().
  bool there() const noexcept { return number_ != ignored_; }

  /// Time for which it has been there [s]; zero in the cycle in which it came.
  double age() const noexcept { return age_; }

  /// Leaves out of use what has come so far. For the thread of the control loop.
  void forget() noexcept { number_ = ignored_ = receiver_->exchange.read().number; }

private:
  struct Numbered
  {
    Value value;
    std::uint64_t number;
  };

  /// State that the node's own thread works on.
  struct Receiver
  {
    Receiver(
      const rclcpp_lifecycle::LifecycleNode::SharedPtr & node, std::string topic,
      const Value & none, Take taking)
    : name(std::move(topic)),
      nothing(none),
      take(std::move(taking)),
      logger(node->get_logger()),
      clock(node->get_clock()),
      exchange(Numbered{none, 0})
    {
    }

    void receive(const Message & message)
    {
      Numbered next{nothing, received + 1};
      const std::string problem = take(message, next.value);
      if (!problem.empty())
      {
        RCLCPP_WARN_THROTTLE(logger, *clock, 1000, "%s ignored: %s", name.c_str(), problem.c_str());
        return;
      }
      received = next.number;
      exchange.publish(next);
    }

    std::string name;
    Value nothing;
    Take take;
    rclcpp::Logger logger;
    rclcpp::Clock::SharedPtr clock;
    Exchange<Numbered> exchange;
    std::uint64_t received = 0;
  };

  std::shared_ptr<Receiver> receiver_;
  std::uint64_t number_ = 0;
  std::uint64_t ignored_ = 0;
  double age_ = 0.0;
  typename rclcpp::Subscription<Message>::SharedPtr subscription_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__NEWEST_MESSAGE_HPP_
