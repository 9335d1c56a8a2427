// What the values of the parameters mean for one robot.
#ifndef ROBCOGEN_ROS__CONTROL__CONFIGURATION_HPP_
#define ROBCOGEN_ROS__CONTROL__CONFIGURATION_HPP_

#include <algorithm>
#include <stdexcept>
#include <string>

#include "robcogen_ros/control/law.hpp"

namespace robcogen_ros::control
{

/// All settings of a controller; not for real time.
///
/// \tparam Robot the Traits of a generated robot on a fixed base
template <typename Robot>
struct Configuration
{
  using Parameters = parameters::InverseDynamicsController;

  Parameters parameters;
  Settings<Robot> settings;

  /// \throws std::invalid_argument that says which value is wrong and what is expected
  explicit Configuration(const Parameters & given, const Robot & robot = Robot())
  : parameters(given), settings(given, robot)
  {
    const parameters::Words & names = parameters.command_interfaces;
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
