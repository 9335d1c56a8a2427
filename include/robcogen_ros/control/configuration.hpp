// What the values of the parameters mean for one robot.
#ifndef ROBCOGEN_ROS__CONTROL__CONFIGURATION_HPP_
#define ROBCOGEN_ROS__CONTROL__CONFIGURATION_HPP_

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

#include "robcogen_ros/control/controller.hpp"
#include "robcogen_ros/control/parameter_values.hpp"

namespace robcogen_ros::control
{

/// All settings of a controller; not for real time.
///
/// \tparam Robot the Traits of a generated robot on a fixed base
template <typename Robot>
struct Configuration
{
  using JointVector = typename Robot::JointVector;
  static constexpr auto & table = controller_parameters;

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
    const ParameterValues values(controller_parameters, lookup);
    settings.mode = *find_mode(values.word("mode"));
    settings.kp = values.of_joints("kp", JointVector(JointVector::Zero()));
    settings.kd = values.of_joints("kd", JointVector(JointVector::Zero()));
    settings.effort_limits = values.effort_limits(settings.effort_limits);
    values.get(settings.feed_forward, "feed_forward");
    values.get(settings.compensate_friction, "compensate_friction");
    bool add_gravity = true;
    values.get(add_gravity, "add_gravity");
    set_gravity(add_gravity, values.numbers("gravity"));

    values.get(behaviour.activation_time, "activation_time");
    behaviour.max_stale_cycles = values.whole("max_stale_cycles");
    behaviour.max_missed_cycles = values.whole("max_missed_cycles");
    values.get(behaviour.hold_at_activation, "hold_position_on_activation");
    values.get(behaviour.estimate_velocity, "estimate_velocity");
    behaviour.failure = values.parting("failure_effort");
    deactivation = values.parting("deactivation_effort");

    values.get(reference_timeout, "reference_timeout");
    values.get(command_interfaces, "command_interfaces");
    model_check = values.word("model_check");
    values.get(model_tolerance, "model_tolerance");
    robot_description = values.word("robot_description");
    values.get(state_publish_rate, "state_publish_rate");
    check_command_interfaces();
  }

  /// Takes over what is made of the parameters that the model leaves open.
  void set_constants(const typename ConstantsOf<Robot>::Type & constants) noexcept
  {
    settings.dynamics.constants = constants;
  }

private:
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
