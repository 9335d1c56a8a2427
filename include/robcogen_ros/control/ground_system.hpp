// Hardware for ros2_control that is none: a robot on legs on a simulated ground.
#ifndef ROBCOGEN_ROS__CONTROL__GROUND_SYSTEM_HPP_
#define ROBCOGEN_ROS__CONTROL__GROUND_SYSTEM_HPP_

#include "robcogen_ros/control/robot_on_ground.hpp"
#include "robcogen_ros/control/simulated_system.hpp"

namespace robcogen_ros::control
{

/// A robot on legs: parameters of `<hardware>` are those of GroundDescription.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
using GroundSystem = SimulatedSystem<Robot, RobotOnGround<Robot>>;

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__GROUND_SYSTEM_HPP_
