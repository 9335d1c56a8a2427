// What a robot is left with when control ends.
#ifndef ROBCOGEN_ROS__CONTROL__PARTING_HPP_
#define ROBCOGEN_ROS__CONTROL__PARTING_HPP_

namespace robcogen_ros::control
{

/// What a robot is left with when control ends; parameters have these words in this order.
enum class Parting
{
  zero,          ///< no effort
  hold_gravity,  ///< what carries its weight where it was seen last; no effort if it never was
  keep,          ///< the last effort
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__PARTING_HPP_
