// What the values of the parameters mean for one robot.
#ifndef ROBCOGEN_ROS__CONTROL__CONFIGURATION_HPP_
#define ROBCOGEN_ROS__CONTROL__CONFIGURATION_HPP_

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "robcogen_ros/control/controller.hpp"
#include "robcogen_ros/control/parameters.hpp"

namespace robcogen_ros::control
{

/// Where values of parameters come from.
using Lookup = std::function<Value(const ParameterEntry &)>;

/// All settings of a controller; not for real time.
///
/// \tparam Robot the Traits of a generated robot on a fixed base
template <typename Robot>
struct Configuration
{
  using JointVector = typename Robot::JointVector;

  Settings<Robot> settings;
  Behaviour behaviour;
  Parting deactivation = Parting::zero;
  double reference_timeout = 0.1;  ///< [s]
  Words command_interfaces;
  std::string model_check;
  double model_tolerance = 0.0;
  std::string robot_description;
  double state_publish_rate = 0.0;  ///< [Hz]

  /// \throws std::invalid_argument that says which value is wrong and what is expected
  explicit Configuration(const Lookup & lookup)
  {
    const auto get = [&lookup](auto & to, std::string_view name)
    {
      const ParameterEntry & entry = parameter_entry(name);
      to = std::get<std::decay_t<decltype(to)>>(checked(entry, lookup(entry)));
    };
    const auto whole = [&get](std::string_view name)
    {
      std::int64_t value = 0;
      get(value, name);
      return static_cast<int>(value);
    };
    const auto word = [&get](std::string_view name)
    {
      std::string value;
      get(value, name);
      return value;
    };
    const auto numbers = [&get](std::string_view name)
    {
      Numbers values;
      get(values, name);
      return values;
    };
    settings.mode = *find_mode(word("mode"));
    settings.kp = of_joints("kp", numbers("kp"), JointVector::Zero());
    settings.kd = of_joints("kd", numbers("kd"), JointVector::Zero());
    const JointVector greatest = Limits<Robot>().effort;
    settings.effort_limits =
      of_joints("effort_limits", numbers("effort_limits"), greatest).cwiseMin(greatest);
    get(settings.feed_forward, "feed_forward");
    get(settings.compensate_friction, "compensate_friction");
    bool add_gravity = true;
    get(add_gravity, "add_gravity");
    set_gravity(add_gravity, numbers("gravity"));

    get(behaviour.activation_time, "activation_time");
    behaviour.max_stale_cycles = whole("max_stale_cycles");
    behaviour.max_missed_cycles = whole("max_missed_cycles");
    get(behaviour.hold_at_activation, "hold_position_on_activation");
    get(behaviour.estimate_velocity, "estimate_velocity");
    behaviour.failure = parting(word("failure_effort"));
    deactivation = parting(word("deactivation_effort"));

    get(reference_timeout, "reference_timeout");
    get(command_interfaces, "command_interfaces");
    model_check = word("model_check");
    get(model_tolerance, "model_tolerance");
    robot_description = word("robot_description");
    get(state_publish_rate, "state_publish_rate");
    check_command_interfaces();
  }

private:
  static JointVector of_joints(
    const std::string & name, const Numbers & values, const JointVector & otherwise)
  {
    constexpr auto n = static_cast<std::size_t>(Robot::joint_count);
    if (values.size() == 1)
    {
      return JointVector::Constant(values.front());
    }
    if (values.size() == n)
    {
      return Eigen::Map<const JointVector>(values.data());
    }
    if (values.empty() && parameter_entry(name).fallback == "[]")
    {
      return otherwise;
    }
    throw std::invalid_argument(
      name + ": expected one value or " + std::to_string(n) + ", found " +
      std::to_string(values.size()));
  }

  void set_gravity(bool added, const Numbers & values)
  {
    if (!values.empty() && values.size() != 3)
    {
      throw std::invalid_argument(
        "gravity: expected three values or none, found " + std::to_string(values.size()));
    }
    if (!added)
    {
      settings.dynamics.gravity = Eigen::Vector3d::Zero();
    }
    else if (!values.empty())
    {
      settings.dynamics.gravity = Eigen::Vector3d(values[0], values[1], values[2]);
    }
  }

  static Parting parting(const std::string & name)
  {
    const auto found = std::find(parting_names.begin(), parting_names.end(), name);
    return static_cast<Parting>(found - parting_names.begin());
  }

  void check_command_interfaces() const
  {
    const Words & names = command_interfaces;
    if (std::count(names.begin(), names.end(), "effort") != 1)
    {
      throw std::invalid_argument("command_interfaces: expected 'effort' among them");
    }
    if (names.size() > 1 && settings.mode != Mode::feed_forward)
    {
      throw std::invalid_argument(
        "command_interfaces: position and velocity go with mode feed_forward only");
    }
    for (const std::string & name : names)
    {
      if (std::count(names.begin(), names.end(), name) > 1)
      {
        throw std::invalid_argument("command_interfaces: '" + name + "' is there twice");
      }
    }
  }
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__CONFIGURATION_HPP_
