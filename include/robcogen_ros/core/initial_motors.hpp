// Positions of a robot from those of its motors.
#ifndef ROBCOGEN_ROS__CORE__INITIAL_MOTORS_HPP_
#define ROBCOGEN_ROS__CORE__INITIAL_MOTORS_HPP_

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "robcogen_ros/control/initial_positions.hpp"
#include "robcogen_ros/core/motor_space.hpp"

namespace robcogen_ros::core
{

/// Positions of the coordinates from the `initial_value` of each motor's state interface of
/// position; where a motor has none, it is where it is with the coordinates at zero.
///
/// \param info a hardware_interface::HardwareInfo
/// \throws std::invalid_argument if one is no number, or the robot cannot be there
template <typename Info>
MotorSpace::Vector initial_positions(
  const Info & info, const robcogen_model & model, const Motors & motors)
{
  using Vector = MotorSpace::Vector;
  Vector q = Vector::Zero(static_cast<Eigen::Index>(model.joint_count));
  Vector at = motors.positions(q);
  bool given = false;
  control::each_initial_value(
    info,
    [&](const std::string & joint, const std::string & text)
    {
      for (int i = 0; i < motors.size(); ++i)
      {
        if (motors.names()[static_cast<std::size_t>(i)] == joint)
        {
          at[i] = number(text);
          given = true;
        }
      }
    });
  if (given)
  {
    MotorSpace space(&model);
    Vector rest = Vector::Zero(at.size());
    space.to_joints(at, rest);
    q = at;
  }
  for (int i = 0; i < q.size() && given; ++i)
  {
    if (!(q[i] >= model.lower_limits[i] && q[i] <= model.upper_limits[i]))
    {
      throw std::invalid_argument(
        std::string("with motors at their initial_value, ") + model.joint_names[i] +
        " is beyond its limits, or no loops close");
    }
  }
  return q;
}

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__INITIAL_MOTORS_HPP_
