// Where joints of simulated hardware start.
#ifndef ROBCOGEN_ROS__CONTROL__INITIAL_POSITIONS_HPP_
#define ROBCOGEN_ROS__CONTROL__INITIAL_POSITIONS_HPP_

#include <Eigen/Core>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "robcogen_ros/number.hpp"

namespace robcogen_ros::control
{

/// Calls `visit(joint, text)` with the `initial_value` of each state interface of position.
///
/// \param info a hardware_interface::HardwareInfo
template <typename Info, typename Visit>
void each_initial_value(const Info & info, const Visit & visit)
{
  for (const auto & joint : info.joints)
  {
    for (const auto & interface : joint.state_interfaces)
    {
      if (interface.name == "position" && !interface.initial_value.empty())
      {
        visit(joint.name, interface.initial_value);
      }
    }
  }
}

/// The `initial_value` of each joint's state interface of position, zero where there is none.
///
/// \param info a hardware_interface::HardwareInfo
/// \throws std::invalid_argument if one is no number, or beyond the limits of its joint
template <typename Robot, typename Info>
typename Robot::JointVector initial_positions(const Info & info, const Robot & robot = Robot())
{
  typename Robot::JointVector result = Robot::JointVector::Zero(robot.joint_count);
  each_initial_value(
    info,
    [&](const std::string & joint, const std::string & text)
    {
      const auto index = robot.find_joint(joint);
      if (!index)
      {
        return;
      }
      const double value = number(text);
      const auto place = static_cast<std::size_t>(*index);
      if (!(value >= robot.lower_limits[place] && value <= robot.upper_limits[place]))
      {
        throw std::invalid_argument(
          joint + ": initial_value " + text + " is beyond the joint's limits");
      }
      result(static_cast<Eigen::Index>(*index)) = value;
    });
  return result;
}

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__INITIAL_POSITIONS_HPP_
