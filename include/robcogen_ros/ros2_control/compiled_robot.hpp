// A robot as its plugins are given it.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__COMPILED_ROBOT_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__COMPILED_ROBOT_HPP_

#include <string>
#include <vector>

#include "robcogen_ros/control/model_check.hpp"
#include "robcogen_ros/model.h"

namespace robcogen_ros::ros2_control
{

/// Robot as the package knows it that has generated it.
struct CompiledRobot
{
  const robcogen_model * model;
  /// Returns the record of its file, to compare with a robot description.
  control::ModelRecord (*record)();
  /// Returns what is wrong with values of the parameters that the model leaves open, if it has any.
  std::vector<std::string> (*problems)(const double * values) = nullptr;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__COMPILED_ROBOT_HPP_
