// The parameters of the controller on its node: declared, checked, handed to real time.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__NODE_PARAMETERS_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__NODE_PARAMETERS_HPP_

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

#include "robcogen_ros/exchange.hpp"
#include "robcogen_ros/parameters/table.hpp"
#include "robcogen_ros/ros2_control/configured_controller.hpp"
#include "robcogen_ros/ros2_control/robot.hpp"

namespace robcogen_ros::ros2_control
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

/// Parameters of a controller as they are now.
///
/// Changes are checked as a whole and refused with a reason. Those of gains, limits, gravity and
/// the model's own parameters (`model.<name>`) reach settings() without a lock, once every callback
/// of the node has agreed. It may be released while the node's own thread is in one.
///
/// \tparam Configuration what the parameters of its table mean for it
template <typename Configuration>
class NodeParameters : public TableOnNode
{
public:
  using Node = rclcpp_lifecycle::LifecycleNode::SharedPtr;
  using Parameters = typename Configuration::Parameters;
  using Settings = decltype(Configuration::settings);

  /// Declares all parameters, and follows their changes.
  ///
  /// \throws std::exception if a value that was given at the start is wrong
  static std::shared_ptr<NodeParameters> make(
    const Node & node, const CompiledRobot & compiled, const Robot & robot)
  {
    std::shared_ptr<NodeParameters> result(new NodeParameters(node, compiled, robot));
    result->follow(result);
    return result;
  }

  void configure() override
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    configuration_ = latest_;
    robot_.use_constants(configuration_.constants);
    configured_ = true;
  }

  void release() override { configured_ = false; }
  void set_active(bool active) noexcept override { active_ = active; }

  /// Configuration as it was when the controller was configured.
  const Configuration & configuration() const { return configuration_.table; }
  const Parameters & parameters() const { return configuration_.table.parameters; }

  /// The newest, those of the model too from now on. For the thread of the control loop.
  const Settings & settings() noexcept
  {
    const Changing & now = exchange_.read();
    robot_.use_constants(now.constants);
    return now.settings;
  }

private:
  using Changed = std::map<std::string, rclcpp::ParameterValue>;
  using Given = std::vector<rclcpp::Parameter>;

  using Constants = std::vector<double>;

  /// Meaning of the values, and the constants of the model that they give.
  struct Meaning
  {
    Configuration table;
    Constants constants;
  };
  /// Parts of it that may change in any cycle.
  struct Changing
  {
    Settings settings;
    Constants constants;
  };

  NodeParameters(const Node & node, const CompiledRobot & compiled, const Robot & robot)
  : node_(declared(node, *compiled.model)),
    compiled_(compiled),
    robot_(robot),
    latest_(read({})),
    configuration_(latest_),
    exchange_({latest_.table.settings, latest_.constants})
  {
  }

  static const Node & declared(const Node & node, const robcogen_model & model)
  {
    refuse_old_names(*node);
    Parameters().each([&node](const auto & value, const parameters::Entry & entry)
                      { declare(node, std::string(entry.name), value, descriptor(entry)); });
    for (std::size_t i = 0; i < model.parameter_count; ++i)
    {
      declare(node, model_name(model, i), model.parameter_defaults[i], of_model());
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

  static std::string model_name(const robcogen_model & model, std::size_t i)
  {
    return std::string("model.") + model.parameter_names[i];
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

  Meaning read(const Changed & changed) const
  {
    const auto value_of_word = [&](std::string_view word) -> std::optional<parameters::Value>
    {
      const std::string name(word);
      const auto value = current(name, changed);
      return value.get_type() == rclcpp::PARAMETER_NOT_SET
               ? std::nullopt
               : std::make_optional(value_of(name, value));
    };
    return {Configuration(parameters::read<Parameters>(value_of_word), robot_), constants(changed)};
  }

  /// Returns the constants for values of the parameters that the model leaves open.
  Constants constants(const Changed & changed) const
  {
    const robcogen_model & model = *compiled_.model;
    std::vector<double> values(model.parameter_count);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      const std::string name = model_name(model, i);
      const parameters::Entry number{name, {}, -parameters::endless, parameters::endless, false, 0,
                                     "",   ""};
      parameters::take_over(number, value_of(name, current(name, changed)), values[i]);
    }
    if (values.empty())
    {
      return {};
    }
    for (const std::string & problem : compiled_.problems(values.data()))
    {
      throw std::invalid_argument(problem);
    }
    return robot_.constants(values.data());
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
    const Meaning next = read(named(changed));
    const std::lock_guard<std::mutex> lock(mutex_);
    latest_ = next;
    exchange_.publish({next.table.settings, next.constants});
  }

  /// Returns values by name; of a name that is there twice the last counts, as for the node.
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
  const CompiledRobot compiled_;
  Robot robot_;
  std::mutex mutex_;  ///< of latest_; nothing else is locked while it is held
  Meaning latest_;
  Meaning configuration_;
  Exchange<Changing> exchange_;
  std::atomic<bool> configured_{false};
  std::atomic<bool> active_{false};
  std::shared_ptr<void> checking_, changing_;  ///< callbacks of the node
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__NODE_PARAMETERS_HPP_
