// What a robot is left with when control ends.
#ifndef ROBCOGEN_ROS__CONTROL__PARTING_HPP_
#define ROBCOGEN_ROS__CONTROL__PARTING_HPP_

#include <string_view>

namespace robcogen_ros::control
{

/// Efforts that a robot is left with when control ends.
enum class Parting
{
  zero,          ///< no effort
  hold_gravity,  ///< what carries its weight where it was seen last; no effort if it never was
  keep,          ///< the last effort
};

/// Returns the meaning of a word of `deactivation_effort` or `failure_effort`.
inline Parting parting(std::string_view word) noexcept
{
  return word == "zero" ? Parting::zero : word == "keep" ? Parting::keep : Parting::hold_gravity;
}

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__PARTING_HPP_
