// Settings of a plugin, found among the parameters of the node that loads it.
#ifndef ROBCOGEN_ROS__PLUGINS__NODE_PARAMETERS_HPP_
#define ROBCOGEN_ROS__PLUGINS__NODE_PARAMETERS_HPP_

#include <Eigen/Core>
#include <cmath>
#include <memory>
#include <optional>
#include <rclcpp/node_interfaces/node_parameters_interface.hpp>
#include <rclcpp/parameter.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "robcogen_ros/control/dynamics.hpp"

namespace robcogen_ros::plugins
{

/// Reads parameters; none is declared, and none needs to be there.
class NodeParameters
{
public:
  using Interface = std::shared_ptr<const rclcpp::node_interfaces::NodeParametersInterface>;

  /// \param name_space where the plugin's own parameters lie; empty: at the top
  NodeParameters(Interface interface, const std::string & name_space)
  : interface_(std::move(interface)), prefix_(name_space.empty() ? "" : name_space + ".")
  {
  }

  /// A text, or another one where the node has none.
  std::string text(const std::string & name, const std::string & otherwise) const
  {
    const auto parameter = find(prefix_ + name);
    return parameter ? typed(*parameter, &rclcpp::Parameter::as_string) : otherwise;
  }

  /// A number; whole ones are numbers too.
  double number(const std::string & name, double otherwise) const
  {
    const auto parameter = find(prefix_ + name);
    if (!parameter)
    {
      return otherwise;
    }
    const double value = parameter->get_type() == rclcpp::PARAMETER_INTEGER
                           ? static_cast<double>(parameter->as_int())
                           : typed(*parameter, &rclcpp::Parameter::as_double);
    if (!std::isfinite(value))
    {
      throw std::invalid_argument(parameter->get_name() + ": expected a finite number");
    }
    return value;
  }

  /// Three numbers.
  std::optional<Eigen::Vector3d> vector(const std::string & name) const
  {
    const auto parameter = find(prefix_ + name);
    if (!parameter)
    {
      return std::nullopt;
    }
    const std::vector<double> values = typed(*parameter, &rclcpp::Parameter::as_double_array);
    const Eigen::Map<const Eigen::VectorXd> found(
      values.data(), static_cast<Eigen::Index>(values.size()));
    if (found.size() != 3 || !found.allFinite())
    {
      throw std::invalid_argument(
        parameter->get_name() + ": expected three finite numbers, found " +
        std::to_string(values.size()) + (found.size() == 3 ? ", not all finite" : ""));
    }
    return Eigen::Vector3d(found);
  }

  /// The robot's description, of the node where it was not handed over; may be empty.
  std::string robot_description(const std::string & given) const
  {
    if (!given.empty())
    {
      return given;
    }
    const auto parameter = find("robot_description");
    return parameter ? typed(*parameter, &rclcpp::Parameter::as_string) : std::string();
  }

  /// Returns the constants of what the robot leaves open until run time, from `model.<name>`.
  ///
  /// \throws std::invalid_argument if no body has such masses
  template <typename Robot>
  typename ConstantsOf<Robot>::Type constants() const
  {
    if constexpr (has_parameters<Robot>)
    {
      typename Robot::Parameters parameters;
      auto * values = reinterpret_cast<double *>(&parameters);
      for (int i = 0; i < Robot::parameter_count; ++i)
      {
        values[i] = number(std::string("model.") + Robot::parameter_names[i], values[i]);
      }
      for (const std::string & problem : Robot::problems(parameters))
      {
        throw std::invalid_argument("model: " + problem);
      }
      return typename Robot::Constants(parameters);
    }
    else
    {
      return {};
    }
  }

private:
  std::optional<rclcpp::Parameter> find(const std::string & name) const
  {
    rclcpp::Parameter parameter;
    const bool found = interface_ && interface_->get_parameter(name, parameter) &&
                       parameter.get_type() != rclcpp::PARAMETER_NOT_SET;
    return found ? std::make_optional(parameter) : std::nullopt;
  }

  template <typename Value>
  static std::decay_t<Value> typed(
    const rclcpp::Parameter & parameter, Value (rclcpp::Parameter::*get)() const)
  {
    try
    {
      return (parameter.*get)();
    }
    catch (const std::exception & error)
    {
      throw std::invalid_argument(parameter.get_name() + ": " + error.what());
    }
  }

  Interface interface_;
  std::string prefix_;
};

}  // namespace robcogen_ros::plugins

#endif  // ROBCOGEN_ROS__PLUGINS__NODE_PARAMETERS_HPP_
