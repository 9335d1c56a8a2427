// clang-format off
// Rendered from robcogen_ros/parameters/inverse_dynamics_controller.yaml by `python -m robcogen_ros.parameters`.
#ifndef ROBCOGEN_ROS__PARAMETERS__INVERSE_DYNAMICS_CONTROLLER_HPP_
#define ROBCOGEN_ROS__PARAMETERS__INVERSE_DYNAMICS_CONTROLLER_HPP_

#include <array>
#include <string>

#include "robcogen_ros/parameters/table.hpp"

namespace robcogen_ros::parameters
{

/// Parameters that docs/controller.md lists.
struct InverseDynamicsController
{
  bool feed_forward = true, compensate_friction = true, add_gravity = true, estimate_velocity = false, hold_position_on_activation = true;
  std::int64_t max_stale_cycles = 5, max_missed_cycles = 20;
  double activation_time = 0.5, reference_timeout = 0.1, stop_gain = 200.0, stop_friction_tolerance = 0.2, model_tolerance = 1e-06, state_publish_rate = 50.0;
  std::string mode = "computed_torque", space = "joint", deactivation_effort = "hold_gravity", failure_effort = "hold_gravity", model_check = "strict", robot_description = "";
  Numbers kp{100.0}, kd{20.0}, effort_limits{}, gravity{}, stop_efforts{};
  Words command_interfaces{"effort"};

  static constexpr std::array<OldName, 3> refused{
    OldName{"state_timeout", "max_stale_cycles [cycles]"},
    OldName{"on_deactivate", "deactivation_effort"},
    OldName{"on_state_timeout", "failure_effort"},
  };

  /// Calls `visit(value, entry)` for each parameter.
  template <typename Visit>
  void each(Visit && visit)
  {
    visit(mode, {"mode", Change::inactive, -endless, endless, false, 0, "gravity, compensation, pd_gravity, computed_torque, feed_forward", "Control law."});
    visit(kp, {"kp", Change::always, 0.0, 1000000.0, false, 0, "", "Gain on the position error, one for all joints or one for each joint. [1/s^2 in computed_torque, N m/rad or N/m in pd_gravity]"});
    visit(kd, {"kd", Change::always, 0.0, 1000000.0, false, 0, "", "Gain on the velocity error, one for all joints or one for each joint. [1/s in computed_torque, N m s/rad or N s/m in pd_gravity]"});
    visit(effort_limits, {"effort_limits", Change::always, 0.0, endless, true, 0, "", "Largest efforts, one for all joints or one for each joint. They only lower the model's limits. Empty or .inf: the model's limits. [N m or N]"});
    visit(space, {"space", Change::unconfigured, -endless, endless, false, 0, "joint, motor", "What is measured and commanded: the joints that are the robot's coordinates, or its motors, on their side of the gears. References and gains are those of the coordinates in either; effort_limits are then those of the motors."});
    visit(feed_forward, {"feed_forward", Change::always, -endless, endless, false, 0, "", "Whether computed_torque includes the acceleration of the reference and the Coriolis terms."});
    visit(compensate_friction, {"compensate_friction", Change::always, -endless, endless, false, 0, "", "Whether efforts include the model's joint friction at the velocity of the reference."});
    visit(add_gravity, {"add_gravity", Change::inactive, -endless, endless, false, 0, "", "Whether efforts include gravity. Set to false for a robot that compensates its own weight."});
    visit(gravity, {"gravity", Change::inactive, -100.0, 100.0, false, 3, "", "Gravity in base coordinates. Empty: the model's gravity. [m/s^2]"});
    visit(command_interfaces, {"command_interfaces", Change::unconfigured, -endless, endless, false, 0, "effort, position, velocity", "Interfaces that are commanded. Position and velocity pass the reference on, in mode feed_forward."});
    visit(estimate_velocity, {"estimate_velocity", Change::unconfigured, -endless, endless, false, 0, "", "Set to true if joints have no velocity interface. Velocities are then estimated from positions."});
    visit(activation_time, {"activation_time", Change::unconfigured, 0.0, 60.0, false, 0, "", "Time after activation in which efforts rise from gravity compensation to the full control law. [s]"});
    visit(hold_position_on_activation, {"hold_position_on_activation", Change::unconfigured, -endless, endless, false, 0, "", "Whether the robot holds its position until a reference comes. False: until then only gravity is compensated."});
    visit(reference_timeout, {"reference_timeout", Change::unconfigured, 0.0, 10.0, false, 0, "", "Time for which the last reference of the topic is extrapolated with its velocity. Then it stops. [s]"});
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

#endif  // ROBCOGEN_ROS__PARAMETERS__INVERSE_DYNAMICS_CONTROLLER_HPP_
