// The parameters of the controller on its node: declared, checked, handed to real time.
#ifndef ROBCOGEN_ROS__CONTROL__NODE_PARAMETERS_HPP_
#define ROBCOGEN_ROS__CONTROL__NODE_PARAMETERS_HPP_

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/control/parameters.hpp"
#include "robcogen_ros/exchange.hpp"

namespace robcogen_ros::control
{

/// What a controller's parameters are now.
///
/// Changes are checked as a whole and refused with a reason. Those of gains, limits, gravity and
/// the model's own parameters (`model.<name>`) reach settings() without a lock.
///
/// \tparam Robot the robot of a controller
/// \tparam Configuration what the parameters of its table mean for it
template <typename Robot, typename Configuration>
class NodeParameters
{
public:
  using Node = rclcpp_lifecycle::LifecycleNode::SharedPtr;
  using Settings = decltype(Configuration::settings);

  /// Declares all parameters.
  ///
  /// \throws std::exception if a value that was given at the start is wrong
  explicit NodeParameters(const Node & node) : node_(node), exchange_(Settings{})
  {
    for (const ParameterEntry & entry : Configuration::table)
    {
      declare(std::string(entry.name), fallback(entry), descriptor(entry));
    }
    if constexpr (has_parameters<Robot>)
    {
      for (int i = 0; i < Robot::parameter_count; ++i)
      {
        declare(model_name(i), numbers_of(defaults_)[i], of_model());
      }
    }
    configuration_.emplace(read({}));
    exchange_.publish(configuration_->settings);
    callback_ = node_->add_on_set_parameters_callback(
      [this](const std::vector<rclcpp::Parameter> & changed) { return change(changed); });
  }

  /// Takes over all values; says in the log what is wrong with them.
  bool configure()
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    try
    {
      configuration_.emplace(read({}));
    }
    catch (const std::exception & error)
    {
      RCLCPP_ERROR(node_->get_logger(), "%s", error.what());
      return false;
    }
    exchange_.publish(configuration_->settings);
    configured_ = true;
    return true;
  }

  void release() { configured_ = false; }
  void set_active(bool active) noexcept { active_ = active; }

  /// As they were when the controller was configured.
  const Configuration & configuration() const { return *configuration_; }

  /// The newest; for the thread of the control loop.
  const Settings & settings() noexcept { return exchange_.read(); }

private:
  using Changed = std::map<std::string, rclcpp::ParameterValue>;

  static std::string model_name(int i) { return std::string("model.") + Robot::parameter_names[i]; }

  template <typename Parameters>
  static auto * numbers_of(Parameters & parameters)
  {
    using Number = std::conditional_t<std::is_const_v<Parameters>, const double, double>;
    return reinterpret_cast<Number *>(&parameters);
  }

  static const char * moment(Change change)
  {
    switch (change)
    {
      case Change::inactive:
        return "while the controller is not active";
      case Change::unconfigured:
        return "before the controller is configured";
      default:
        return "at any time";
    }
  }

  static rcl_interfaces::msg::ParameterDescriptor descriptor(const ParameterEntry & entry)
  {
    rcl_interfaces::msg::ParameterDescriptor result;
    result.description = entry.meaning;
    result.dynamic_typing = true;
    result.additional_constraints = std::string("can change ") + moment(entry.change);
    if (!entry.choices.empty())
    {
      result.additional_constraints += "; one of " + std::string(entry.choices);
    }
    if (entry.kind == Kind::number && entry.greatest < endless)
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
  void declare(
    const std::string & name, const Value & value,
    const rcl_interfaces::msg::ParameterDescriptor & descriptor)
  {
    if (!node_->has_parameter(name))
    {
      const auto held = std::visit([](const auto & v) { return rclcpp::ParameterValue(v); }, value);
      node_->declare_parameter(name, held, descriptor);
    }
  }

  static Value value_of(const std::string & name, const rclcpp::ParameterValue & value)
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
        return Numbers(whole.begin(), whole.end());
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
      [&](const ParameterEntry & entry)
      {
        const std::string name(entry.name);
        const auto value = current(name, changed);
        return value.get_type() == rclcpp::PARAMETER_NOT_SET ? fallback(entry)
                                                             : value_of(name, value);
      });
    if constexpr (has_parameters<Robot>)
    {
      typename Robot::Parameters parameters = defaults_;
      for (int i = 0; i < Robot::parameter_count; ++i)
      {
        const std::string name = model_name(i);
        const ParameterEntry number{name, Kind::number, "", -endless, endless, "", {}, ""};
        const Value value = checked(number, value_of(name, current(name, changed)));
        numbers_of(parameters)[i] = std::get<double>(value);
      }
      for (const std::string & problem : Robot::problems(parameters))
      {
        throw std::invalid_argument(problem);
      }
      result.set_constants(typename Robot::Constants(parameters));
    }
    return result;
  }

  rcl_interfaces::msg::SetParametersResult change(const std::vector<rclcpp::Parameter> & wanted)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    rcl_interfaces::msg::SetParametersResult result;
    result.successful = true;
    try
    {
      Changed changed;
      for (const rclcpp::Parameter & parameter : wanted)
      {
        check_moment(parameter);
        changed.emplace(parameter.get_name(), parameter.get_parameter_value());
      }
      const Configuration next = read(changed);
      exchange_.publish(next.settings);
    }
    catch (const std::exception & error)
    {
      result.successful = false;
      result.reason = error.what();
    }
    return result;
  }

  void check_moment(const rclcpp::Parameter & parameter) const
  {
    for (const ParameterEntry & entry : Configuration::table)
    {
      const bool late = (entry.change == Change::unconfigured && configured_) ||
                        (entry.change == Change::inactive && active_);
      if (late && entry.name == parameter.get_name())
      {
        throw std::invalid_argument(
          parameter.get_name() + ": can change only " + moment(entry.change));
      }
    }
  }

  Node node_;
  std::mutex mutex_;
  std::optional<Configuration> configuration_;
  Exchange<Settings> exchange_;
  std::atomic<bool> configured_{false};
  std::atomic<bool> active_{false};
  typename ParametersOf<Robot>::Type defaults_{};
  rclcpp_lifecycle::LifecycleNode::OnSetParametersCallbackHandle::SharedPtr callback_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__NODE_PARAMETERS_HPP_
