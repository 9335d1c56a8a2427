// What the values of the parameters mean for the tool of one robot.
#ifndef ROBCOGEN_ROS__CONTROL__TASK_CONFIGURATION_HPP_
#define ROBCOGEN_ROS__CONTROL__TASK_CONFIGURATION_HPP_

#include "robcogen_ros/control/task_law.hpp"

namespace robcogen_ros::control
{

/// All settings of a controller of a tool; not for real time.
///
/// \tparam Robot one that is known at run time
template <typename Robot>
struct TaskConfiguration
{
  using Parameters = parameters::TaskSpaceController;

  Parameters parameters;
  TaskSettings<Robot> settings;

  /// \throws std::invalid_argument that says which value is wrong and what is expected
  explicit TaskConfiguration(const Parameters & given, const Robot & robot)
  : parameters(given), settings(given, robot)
  {
  }
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__TASK_CONFIGURATION_HPP_
