// What a robot is left with when control ends.
#ifndef ROBCOGEN_ROS__CONTROL__PARTING_HPP_
#define ROBCOGEN_ROS__CONTROL__PARTING_HPP_

#include <array>
#include <string_view>

namespace robcogen_ros::control
{

/// What a robot is left with when control ends.
enum class Parting
{
  zero,          ///< no effort
  hold_gravity,  ///< what carries its weight where it was seen last; no effort if it never was
  keep,          ///< the last effort
};

/// Names of the ways to part, in the order of the enumeration.
constexpr std::array<std::string_view, 3> parting_names{"zero", "hold_gravity", "keep"};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__PARTING_HPP_
