// A trait that is true of robots that were generated with tables of their motors.
#ifndef ROBCOGEN_ROS__CORE__MOTOR_TABLES_HPP_
#define ROBCOGEN_ROS__CORE__MOTOR_TABLES_HPP_

#include <cstddef>

#include "robcogen_ros/model.h"

namespace robcogen_ros::core
{

inline bool has_motors(const robcogen_model & model) noexcept
{
  return model.size >=
         offsetof(robcogen_model, motor_effort_limits) + sizeof(model.motor_effort_limits);
}

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__MOTOR_TABLES_HPP_
