// clang-format off
// Rendered from robcogen_ros/parameters/external_force_broadcaster.yaml by `python -m robcogen_ros.parameters`.
#ifndef ROBCOGEN_ROS__PARAMETERS__EXTERNAL_FORCE_BROADCASTER_HPP_
#define ROBCOGEN_ROS__PARAMETERS__EXTERNAL_FORCE_BROADCASTER_HPP_

#include <array>
#include <string>

#include "robcogen_ros/parameters/table.hpp"

namespace robcogen_ros::parameters
{

/// Parameters that docs/external_forces.md lists.
struct ExternalForceBroadcaster
{
  double gain = 100.0, contact_threshold = 0.0, base_force_threshold = 10.0, base_moment_threshold = 5.0, release = 0.5, friction_tolerance = 0.2, publish_rate = 100.0;
  std::string effort_interface = "effort", imu_name = "", base_name = "";
  Numbers joint_thresholds{}, gravity{};

  static constexpr std::array<OldName, 0> refused{
  };

  /// Calls `visit(value, entry)` for each parameter.
  template <typename Visit>
  void each(Visit && visit)
  {
    visit(gain, {"gain", Change::unconfigured, 0.01, 100000.0, false, 0, "", "Gain of the observer. Its estimates lag by one over the gain. [1/s]"});
    visit(joint_thresholds, {"joint_thresholds", Change::unconfigured, 0.0, endless, false, 0, "", "External efforts from which a joint is reported as pushed, one for all joints or one for each joint. Empty: 2 % of the effort limits. [N m or N]"});
    visit(contact_threshold, {"contact_threshold", Change::unconfigured, 0.0, endless, false, 0, "", "Force from which a contact is reported as touching. 0: the observer's own choice for the robot. [N]"});
    visit(base_force_threshold, {"base_force_threshold", Change::unconfigured, 0.0, endless, false, 0, "", "Force from which a push at a floating base is reported. [N]"});
    visit(base_moment_threshold, {"base_moment_threshold", Change::unconfigured, 0.0, endless, false, 0, "", "Moment from which a push at a floating base is reported. [N m]"});
    visit(release, {"release", Change::unconfigured, 0.0, 1.0, false, 0, "", "Share of a threshold below which a report ends."});
    visit(friction_tolerance, {"friction_tolerance", Change::unconfigured, 0.0, 10.0, false, 0, "", "How far joint friction may be from the model's, as a share of the model's."});
    visit(effort_interface, {"effort_interface", Change::unconfigured, -endless, endless, false, 0, "", "State interface of the joints that holds the efforts of the motors."});
    visit(imu_name, {"imu_name", Change::unconfigured, -endless, endless, false, 0, "", "Prefix of the state interfaces orientation.* and angular_velocity.* of a floating base. Empty: the name of the base link."});
    visit(base_name, {"base_name", Change::unconfigured, -endless, endless, false, 0, "", "Prefix of the state interfaces linear_velocity.* of a floating base. Empty: the name of the base link."});
    visit(gravity, {"gravity", Change::unconfigured, -100.0, 100.0, false, 3, "", "Gravity in base coordinates of a fixed base, or in the world of a floating one. Empty: the model's gravity, or 0 0 -9.81 in the world. [m/s^2]"});
    visit(publish_rate, {"publish_rate", Change::unconfigured, 0.1, 1000.0, false, 0, "", "Rate of the topics. [Hz]"});
  }
};

}  // namespace robcogen_ros::parameters

#endif  // ROBCOGEN_ROS__PARAMETERS__EXTERNAL_FORCE_BROADCASTER_HPP_
