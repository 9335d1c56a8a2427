// The robot of a controller, whose sizes are known at run time, and what is done with it.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__ROBOT_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__ROBOT_HPP_

#include "robcogen_ros/core/runtime_model.hpp"

namespace robcogen_ros::control
{
}

namespace robcogen_ros::ros2_control
{

using namespace control;  // NOLINT: what knows no ROS
using Robot = RuntimeModel;
using JointVector = Robot::JointVector;

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__ROBOT_HPP_
