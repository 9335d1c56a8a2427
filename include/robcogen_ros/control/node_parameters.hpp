// The parameters of the controller on its node: declared, checked, handed to real time.
#ifndef ROBCOGEN_ROS__CONTROL__NODE_PARAMETERS_HPP_
#define ROBCOGEN_ROS__CONTROL__NODE_PARAMETERS_HPP_

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/exchange.hpp"
#include "robcogen_ros/parameters/table.hpp"

namespace robcogen_ros::control
{

namespace detail
{

/// True if a node tells of changes once all callbacks have agreed (rclcpp of Humble does not).
template <typename Node, typename = void>
constexpr bool tells_of_changes = false;
template <typename Node>
constexpr bool tells_of_changes<
  Node, std::void_t<decltype(std::declval<Node &>().add_post_set_parameters_callback(nullptr))>> =
  true;

}  // namespace detail

/// What a controller's parameters are now.
///
/// Changes are checked as a whole and refused with a reason. Those of gains, limits, gravity and
/// the model's own parameters (`model.<name>`) reach settings() without a lock, once every callback
/// of the node has agreed. It may be released while the node's own thread is in one.
///
/// \tparam Robot the robot of a controller
/// \tparam Configuration what the parameters of its table mean for it
template <typename Robot, typename Configuration>
class NodeParameters
{
public:
  using Node = rclcpp_lifecycle::LifecycleNode::SharedPtr;
  using Parameters = typename Configuration::Parameters;
  using Settings = decltype(Configuration::settings);

  /// Declares all parameters, and follows their changes.
  ///
  /// \throws std::exception if a value that was given at the start is wrong
  static std::shared_ptr<NodeParameters> make(const Node & node)
  {
    std::shared_ptr<NodeParameters> result(new NodeParameters(node));
    result->follow(result);
    return result;
  }

  /// Takes over all values.
  void configure()
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    configuration_ = latest_;
    configured_ = true;
  }

  void release() { configured_ = false; }
  void set_active(bool active) noexcept { active_ = active; }

  /// As they were when the controller was configured.
  const Configuration & configuration() const { return configuration_; }

  /// The newest; for the thread of the control loop.
  const Settings & settings() noexcept { return exchange_.read(); }

private:
  using Changed = std::map<std::string, rclcpp::ParameterValue>;
  using Given = std::vector<rclcpp::Parameter>;

  explicit NodeParameters(const Node & node)
  : node_(declared(node)), latest_(read({})), configuration_(latest_), exchange_(latest_.settings)
  {
  }

  static const Node & declared(const Node & node)
  {
    refuse_old_names(*node);
    Parameters().each([&node](const auto & value, const parameters::Entry & entry)
                      { declare(node, std::string(entry.name), value, descriptor(entry)); });
    if constexpr (has_parameters<Robot>)
    {
      const typename Robot::Parameters defaults{};
      for (int i = 0; i < Robot::parameter_count; ++i)
      {
        declare(node, model_name(i), numbers_of(defaults)[i], of_model());
      }
    }
    return node;
  }

  void follow(const std::weak_ptr<NodeParameters> & self)
  {
    using Result = rcl_interfaces::msg::SetParametersResult;
    checking_ = node_->add_on_set_parameters_callback(
      [self](const Given & wanted)
      {
        const auto parameters = self.lock();
        return parameters ? parameters->check(wanted) : Result().set__successful(true);
      });
    if constexpr (detail::tells_of_changes<rclcpp_lifecycle::LifecycleNode>)
    {
      changing_ = node_->add_post_set_parameters_callback(
        [self](const Given & changed)
        {
          if (const auto parameters = self.lock())
          {
            parameters->take(changed);
          }
        });
    }
  }

  static std::string model_name(int i) { return std::string("model.") + Robot::parameter_names[i]; }

  template <typename Parameters>
  static auto * numbers_of(Parameters & parameters)
  {
    using Number = std::conditional_t<std::is_const_v<Parameters>, const double, double>;
    return reinterpret_cast<Number *>(&parameters);
  }

  static std::string moment(parameters::Change change)
  {
    static constexpr std::array words{
      "at any time", "while the controller is not active", "before the controller is configured"};
    return words[static_cast<std::size_t>(change)];
  }

  static void refuse_old_names(rclcpp_lifecycle::LifecycleNode & node)
  {
    const auto & given = node.get_node_parameters_interface()->get_parameter_overrides();
    for (const auto & [name, successor] : Parameters::refused)
    {
      if (given.count(std::string(name)) > 0 || node.has_parameter(std::string(name)))
      {
        throw std::invalid_argument(
          std::string(name) + ": use " + std::string(successor) + " instead");
      }
    }
  }

  static rcl_interfaces::msg::ParameterDescriptor descriptor(const parameters::Entry & entry)
  {
    rcl_interfaces::msg::ParameterDescriptor result;
    result.description = entry.meaning;
    result.dynamic_typing = true;
    result.additional_constraints = std::string("can change ") + moment(entry.change);
    if (!entry.choices.empty())
    {
      result.additional_constraints += "; one of " + std::string(entry.choices);
    }
    if (entry.least > -parameters::endless && entry.greatest < parameters::endless)
    {
      auto & range = result.floating_point_range.emplace_back();
      range.from_value = entry.least;
      range.to_value = entry.greatest;
    }
    return result;
  }

  static rcl_interfaces::msg::ParameterDescriptor of_model()
  {
    rcl_interfaces::msg::ParameterDescriptor result;
    result.description = "parameter of the model";
    result.dynamic_typing = true;
    return result;
  }

  /// The node may have it already, from the file of parameters it was started with.
  template <typename Held>
  static void declare(
    const Node & node, const std::string & name, const Held & value,
    const rcl_interfaces::msg::ParameterDescriptor & descriptor)
  {
    if (!node->has_parameter(name))
    {
      node->declare_parameter(name, rclcpp::ParameterValue(value), descriptor);
    }
  }

  static parameters::Value value_of(const std::string & name, const rclcpp::ParameterValue & value)
  {
    switch (value.get_type())
    {
      case rclcpp::PARAMETER_BOOL:
        return value.get<bool>();
      case rclcpp::PARAMETER_INTEGER:
        return value.get<std::int64_t>();
      case rclcpp::PARAMETER_DOUBLE:
        return value.get<double>();
      case rclcpp::PARAMETER_STRING:
        return value.get<std::string>();
      case rclcpp::PARAMETER_DOUBLE_ARRAY:
        return value.get<std::vector<double>>();
      case rclcpp::PARAMETER_STRING_ARRAY:
        return value.get<std::vector<std::string>>();
      case rclcpp::PARAMETER_INTEGER_ARRAY:
      {
        const auto whole = value.get<std::vector<std::int64_t>>();
        return parameters::Numbers(whole.begin(), whole.end());
      }
      default:
        throw std::invalid_argument(name + ": has a value of no known type");
    }
  }

  rclcpp::ParameterValue current(const std::string & name, const Changed & changed) const
  {
    const auto found = changed.find(name);
    return found == changed.end() ? node_->get_parameter(name).get_parameter_value()
                                  : found->second;
  }

  Configuration read(const Changed & changed) const
  {
    Configuration result(
      parameters::read<Parameters>(
        [&](std::string_view word) -> std::optional<parameters::Value>
        {
          const std::string name(word);
          const auto value = current(name, changed);
          return value.get_type() == rclcpp::PARAMETER_NOT_SET
                   ? std::nullopt
                   : std::make_optional(value_of(name, value));
        }));
    if constexpr (has_parameters<Robot>)
    {
      typename Robot::Parameters values{};
      for (int i = 0; i < Robot::parameter_count; ++i)
      {
        const std::string name = model_name(i);
        const parameters::Entry number{
          name, {}, -parameters::endless, parameters::endless, false, 0, "", ""};
        parameters::take_over(
          number, value_of(name, current(name, changed)), numbers_of(values)[i]);
      }
      for (const std::string & problem : Robot::problems(values))
      {
        throw std::invalid_argument(problem);
      }
      result.set_constants(typename Robot::Constants(values));
    }
    return result;
  }

  rcl_interfaces::msg::SetParametersResult check(const Given & wanted)
  {
    rcl_interfaces::msg::SetParametersResult result;
    result.successful = true;
    try
    {
      for (const rclcpp::Parameter & parameter : wanted)
      {
        check_moment(parameter);
      }
      if constexpr (detail::tells_of_changes<rclcpp_lifecycle::LifecycleNode>)
      {
        read(named(wanted));
      }
      else
      {
        take(wanted);
      }
    }
    catch (const std::exception & error)
    {
      result.successful = false;
      result.reason = error.what();
    }
    return result;
  }

  void take(const Given & changed)
  {
    const Configuration next = read(named(changed));
    const std::lock_guard<std::mutex> lock(mutex_);
    latest_ = next;
    exchange_.publish(next.settings);
  }

  /// Of a name that is there twice the last counts, as for the node.
  static Changed named(const Given & parameters)
  {
    Changed result;
    for (const rclcpp::Parameter & parameter : parameters)
    {
      result.insert_or_assign(parameter.get_name(), parameter.get_parameter_value());
    }
    return result;
  }

  void check_moment(const rclcpp::Parameter & parameter) const
  {
    Parameters().each(
      [&](const auto &, const parameters::Entry & entry)
      {
        const bool late = (entry.change == parameters::Change::unconfigured && configured_) ||
                          (entry.change == parameters::Change::inactive && active_);
        if (late && entry.name == parameter.get_name())
        {
          throw std::invalid_argument(
            parameter.get_name() + ": can change only " + moment(entry.change));
        }
      });
  }

  Node node_;
  std::mutex mutex_;  ///< of latest_; nothing else is locked while it is held
  Configuration latest_;
  Configuration configuration_;
  Exchange<Settings> exchange_;
  std::atomic<bool> configured_{false};
  std::atomic<bool> active_{false};
  std::shared_ptr<void> checking_, changing_;  ///< callbacks of the node
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__NODE_PARAMETERS_HPP_
