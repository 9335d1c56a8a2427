// clang-format off
// Rendered from robcogen_ros/parameters/simulated_hardware.yaml by `python -m robcogen_ros.parameters`.
#ifndef ROBCOGEN_ROS__PARAMETERS__SIMULATED_HARDWARE_HPP_
#define ROBCOGEN_ROS__PARAMETERS__SIMULATED_HARDWARE_HPP_

#include <array>
#include <string>

#include "robcogen_ros/parameters/table.hpp"

namespace robcogen_ros::parameters
{

/// Parameters that docs/controller.md lists.
struct SimulatedHardware
{
  std::string space = "joint";

  static constexpr std::array<OldName, 0> refused{
  };

  /// Calls `visit(value, entry)` for each parameter.
  template <typename Visit>
  void each(Visit && visit)
  {
    visit(space, {"space", Change::unconfigured, -endless, endless, false, 0, "joint, motor", "What is told and commanded: the joints that are the robot's coordinates, or its motors, on their side of the gears."});
  }
};

}  // namespace robcogen_ros::parameters

#endif  // ROBCOGEN_ROS__PARAMETERS__SIMULATED_HARDWARE_HPP_
