// clang-format off
// Rendered from robcogen_ros/parameters/simulated_ground.yaml by `python -m robcogen_ros.parameters`.
#ifndef ROBCOGEN_ROS__PARAMETERS__SIMULATED_GROUND_HPP_
#define ROBCOGEN_ROS__PARAMETERS__SIMULATED_GROUND_HPP_

#include <array>
#include <string>

#include "robcogen_ros/parameters/table.hpp"

namespace robcogen_ros::parameters
{

/// What docs/legged_controller.md lists.
struct SimulatedGround
{
  double plane_friction = 0.6, plane_restitution = 0.0;
  Numbers plane_point{0.0, 0.0, 0.0}, plane_normal{0.0, 0.0, 1.0}, gravity{0.0, 0.0, -9.81}, initial_base_position{}, initial_base_orientation{0.0, 0.0, 0.0};

  static constexpr std::array<OldName, 2> refused{
    OldName{"ground_friction", "plane_friction"},
    OldName{"ground_restitution", "plane_restitution"},
  };

  /// Calls `visit(value, entry)` for each parameter.
  template <typename Visit>
  void each(Visit && visit)
  {
    visit(plane_point, {"plane_point", Change::unconfigured, -1000000.0, 1000000.0, false, 3, "", "A point of the plane. [m]"});
    visit(plane_normal, {"plane_normal", Change::unconfigured, -1000000.0, 1000000.0, false, 3, "", "Its normal, upwards, of any length."});
    visit(plane_friction, {"plane_friction", Change::unconfigured, 0.0, 100.0, false, 0, "", "Its coefficient of friction."});
    visit(plane_restitution, {"plane_restitution", Change::unconfigured, 0.0, 1.0, false, 0, "", "Impulses of restitution per impulses of compression where a foot hits the plane."});
    visit(gravity, {"gravity", Change::unconfigured, -100.0, 100.0, false, 3, "", "Gravity in the world. [m/s^2]"});
    visit(initial_base_position, {"initial_base_position", Change::unconfigured, -1000000.0, 1000000.0, false, 3, "", "Where the base starts in the world. Empty: the robot stands on its lowest foot. [m]"});
    visit(initial_base_orientation, {"initial_base_orientation", Change::unconfigured, -100.0, 100.0, false, 3, "", "Its orientation at the start: roll, pitch, yaw about fixed axes. [rad]"});
  }
};

}  // namespace robcogen_ros::parameters

#endif  // ROBCOGEN_ROS__PARAMETERS__SIMULATED_GROUND_HPP_
