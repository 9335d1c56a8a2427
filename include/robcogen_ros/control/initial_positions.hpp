// Where joints of simulated hardware start.
#ifndef ROBCOGEN_ROS__CONTROL__INITIAL_POSITIONS_HPP_
#define ROBCOGEN_ROS__CONTROL__INITIAL_POSITIONS_HPP_

#include <Eigen/Core>

#include "robcogen_ros/number.hpp"

namespace robcogen_ros::control
{

/// The `initial_value` of each joint's state interface of position, zero where there is none.
///
/// \param info a hardware_interface::HardwareInfo
/// \throws std::invalid_argument if one is no number
template <typename Robot, typename Info>
typename Robot::JointVector initial_positions(const Info & info)
{
  typename Robot::JointVector result = Robot::JointVector::Zero();
  for (const auto & joint : info.joints)
  {
    const auto index = Robot::find_joint(joint.name);
    for (const auto & interface : joint.state_interfaces)
    {
      if (index && interface.name == "position" && !interface.initial_value.empty())
      {
        result(static_cast<Eigen::Index>(*index)) = number(interface.initial_value);
      }
    }
  }
  return result;
}

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__INITIAL_POSITIONS_HPP_
