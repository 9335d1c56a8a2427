// clang-format off
// Rendered from robcogen_ros/parameters/task_space_controller.yaml by `python -m robcogen_ros.parameters`.
#ifndef ROBCOGEN_ROS__PARAMETERS__TASK_SPACE_CONTROLLER_HPP_
#define ROBCOGEN_ROS__PARAMETERS__TASK_SPACE_CONTROLLER_HPP_

#include <array>
#include <string>

#include "robcogen_ros/parameters/table.hpp"

namespace robcogen_ros::parameters
{

/// Parameters that docs/task_space_controller.md lists.
struct TaskSpaceController
{
  bool compensate_friction = true, add_gravity = true, estimate_velocity = false;
  std::int64_t max_stale_cycles = 5, max_missed_cycles = 20;
  double damping_ratio = 1.0, max_angular_error = 0.5, max_linear_error = 0.1, max_angular_velocity = 1.5, max_linear_velocity = 0.5, max_torque = 10.0, max_force = 50.0, apparent_mass_limit = 100.0, characteristic_length = 0.1, posture_stiffness = 10.0, posture_damping = 6.0, limit_rate = 10.0, activation_time = 0.5, reference_timeout = 0.1, stop_gain = 200.0, stop_friction_tolerance = 0.2, model_tolerance = 1e-06, state_publish_rate = 50.0;
  std::string base_frame = "", tool_frame = "", mode = "impedance", axes = "base", deactivation_effort = "hold_gravity", failure_effort = "hold_gravity", model_check = "strict", robot_description = "";
  Numbers stiffness{30.0, 30.0, 30.0, 400.0, 400.0, 400.0}, damping{0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, posture{}, effort_limits{}, effort_rate_limits{}, gravity{}, stop_efforts{};

  static constexpr std::array<OldName, 3> refused{
    OldName{"state_timeout", "max_stale_cycles [cycles]"},
    OldName{"on_deactivate", "deactivation_effort"},
    OldName{"on_state_timeout", "failure_effort"},
  };

  /// Calls `visit(value, entry)` for each parameter.
  template <typename Visit>
  void each(Visit && visit)
  {
    visit(base_frame, {"base_frame", Change::unconfigured, -endless, endless, false, 0, "", "Frame that references are in. Empty: the robot's base."});
    visit(tool_frame, {"tool_frame", Change::unconfigured, -endless, endless, false, 0, "", "Frame that is controlled. It must be given."});
    visit(mode, {"mode", Change::inactive, -endless, endless, false, 0, "impedance, motion", "Control law."});
    visit(stiffness, {"stiffness", Change::always, 0.0, 100000.0, false, 6, "", "Stiffness about three axes, then along them. [N m/rad and N/m in impedance, 1/s^2 in motion]"});
    visit(axes, {"axes", Change::always, -endless, endless, false, 0, "base, tool", "Whose axes those of stiffness and damping are."});
    visit(damping_ratio, {"damping_ratio", Change::always, 0.0, 5.0, false, 0, "", "Damping of the motion that stiffness makes, 1 if critical."});
    visit(damping, {"damping", Change::always, 0.0, 10000.0, false, 6, "", "Damping on top of that, for axes without stiffness. [N m s/rad and N s/m in impedance, 1/s in motion]"});
    visit(max_angular_error, {"max_angular_error", Change::always, 0.01, 3.0, false, 0, "", "How far the target turns ahead of the tool at most. [rad]"});
    visit(max_linear_error, {"max_linear_error", Change::always, 0.001, 10.0, false, 0, "", "How far the target is ahead of the tool at most. [m]"});
    visit(max_angular_velocity, {"max_angular_velocity", Change::always, 0.0, 100.0, false, 0, "", "Greatest speed at which the target turns to its reference. [rad/s]"});
    visit(max_linear_velocity, {"max_linear_velocity", Change::always, 0.0, 100.0, false, 0, "", "Greatest speed at which the target moves to its reference. [m/s]"});
    visit(max_torque, {"max_torque", Change::always, 0.0, 100000.0, false, 0, "", "Greatest torque of a reference's wrench. [N m]"});
    visit(max_force, {"max_force", Change::always, 0.0, 100000.0, false, 0, "", "Greatest force of a reference's wrench. [N]"});
    visit(apparent_mass_limit, {"apparent_mass_limit", Change::always, 0.0, endless, true, 0, "", "Greatest mass that the law takes the tool to have in any direction. Near singularities it is larger: there the law is damped. .inf: never. [kg]"});
    visit(characteristic_length, {"characteristic_length", Change::always, 0.001, 10.0, false, 0, "", "Lever arm by which moments of inertia count as masses, for apparent_mass_limit. [m]"});
    visit(posture, {"posture", Change::always, -1000.0, 1000.0, false, 0, "", "Positions of joints that the robot tends to as far as the tool allows it: those that do not move it, and all if more than six do. Empty: where it was found. [rad or m]"});
    visit(posture_stiffness, {"posture_stiffness", Change::always, 0.0, 10000.0, false, 0, "", "Stiffness of the motion to the posture. [1/s^2]"});
    visit(posture_damping, {"posture_damping", Change::always, 0.0, 1000.0, false, 0, "", "Damping of motions of joints that do not move the tool. [1/s]"});
    visit(limit_rate, {"limit_rate", Change::always, 0.0, 1000.0, false, 0, "", "How fast joints come to rest before their limits of position and velocity. 0: these are not minded. [1/s]"});
    visit(effort_limits, {"effort_limits", Change::always, 0.0, endless, true, 0, "", "Largest efforts, one for all joints or one for each joint. They only lower the model's limits. Empty or .inf: the model's limits. [N m or N]"});
    visit(effort_rate_limits, {"effort_rate_limits", Change::always, 0.0, endless, true, 0, "", "How fast efforts beyond gravity's change at most, one for all joints or one for each joint. Empty: at any rate. [N m/s or N/s]"});
    visit(compensate_friction, {"compensate_friction", Change::always, -endless, endless, false, 0, "", "Whether efforts include the model's joint friction at the velocity of the reference."});
    visit(add_gravity, {"add_gravity", Change::inactive, -endless, endless, false, 0, "", "Whether efforts include gravity. Set to false for a robot that compensates its own weight."});
    visit(gravity, {"gravity", Change::inactive, -100.0, 100.0, false, 3, "", "Gravity in base coordinates. Empty: the model's gravity. [m/s^2]"});
    visit(estimate_velocity, {"estimate_velocity", Change::unconfigured, -endless, endless, false, 0, "", "Set to true if joints have no velocity interface. Velocities are then estimated from positions."});
    visit(activation_time, {"activation_time", Change::unconfigured, 0.0, 60.0, false, 0, "", "Time after activation in which efforts rise from gravity compensation to the full control law. [s]"});
    visit(reference_timeout, {"reference_timeout", Change::unconfigured, 0.0, 10.0, false, 0, "", "Time for which the last twist and the last wrench hold. Then they are zero. [s]"});
    visit(max_stale_cycles, {"max_stale_cycles", Change::unconfigured, 0.0, 1000.0, false, 0, "", "Number of cycles in a row in which states may be missing before the controller fails. [cycles]"});
    visit(max_missed_cycles, {"max_missed_cycles", Change::unconfigured, 0.0, 1000000.0, false, 0, "", "Number of cycles that may be missed. After a longer pause, efforts rise again over activation_time. [cycles]"});
    visit(stop_efforts, {"stop_efforts", Change::unconfigured, 0.0, endless, true, 0, "", "External efforts on joints from which the arm brakes and stands until it is activated anew, one for all joints or one for each joint. Empty: it never does. [N m or N]"});
    visit(stop_gain, {"stop_gain", Change::unconfigured, 1.0, 10000.0, false, 0, "", "Gain of the observer of external efforts: what pushes the arm is seen with a lag of one over the gain. [1/s]"});
    visit(stop_friction_tolerance, {"stop_friction_tolerance", Change::unconfigured, 0.0, 10.0, false, 0, "", "How far joint friction may be from the model's, as a share of the model's, without a stop."});
    visit(deactivation_effort, {"deactivation_effort", Change::unconfigured, -endless, endless, false, 0, "zero, hold_gravity, keep", "Efforts after deactivation: none, gravity compensation at the last position, or the last ones."});
    visit(failure_effort, {"failure_effort", Change::unconfigured, -endless, endless, false, 0, "zero, hold_gravity", "Efforts after states are lost or an effort is not finite: none, or gravity compensation at the last position."});
    visit(model_check, {"model_check", Change::unconfigured, -endless, endless, false, 0, "strict, warn, off", "What happens if the robot description differs from the compiled model: strict refuses to start, warn logs a warning, off skips the check."});
    visit(model_tolerance, {"model_tolerance", Change::unconfigured, 0.0, 1.0, false, 0, "", "Tolerance of the model check: absolute for lengths and unit vectors, relative for masses and inertias. [m]"});
    visit(robot_description, {"robot_description", Change::unconfigured, -endless, endless, false, 0, "", "URDF for the model check. Needed only if the controller manager passes no description on (ros2_control 2)."});
    visit(state_publish_rate, {"state_publish_rate", Change::unconfigured, 0.0, 1000.0, false, 0, "", "Rate of ~/controller_state. 0: it is not published. [Hz]"});
  }
};

}  // namespace robcogen_ros::parameters

#endif  // ROBCOGEN_ROS__PARAMETERS__TASK_SPACE_CONTROLLER_HPP_
