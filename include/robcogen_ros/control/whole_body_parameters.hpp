// The parameters of the whole-body controller: one table that declares, checks and documents them.
#ifndef ROBCOGEN_ROS__CONTROL__WHOLE_BODY_PARAMETERS_HPP_
#define ROBCOGEN_ROS__CONTROL__WHOLE_BODY_PARAMETERS_HPP_

#include <array>

#include "robcogen_ros/control/parameters.hpp"

namespace robcogen_ros::control
{

// clang-format off
inline constexpr std::array whole_body_parameters{
  ParameterEntry{"orientation_gains", Kind::numbers, "[200.0, 28.0]", 0, endless, "", Change::always,
    "Stiffness [1/s^2] and damping [1/s] of the trunk's orientation."},
  ParameterEntry{"position_gains", Kind::numbers, "[200.0, 28.0]", 0, endless, "", Change::always,
    "Stiffness [1/s^2] and damping [1/s] of the trunk's position."},
  ParameterEntry{"foot_gains", Kind::numbers, "[600.0, 50.0]", 0, endless, "", Change::always,
    "Stiffness [1/s^2] and damping [1/s] of swing feet."},
  ParameterEntry{"posture_gains", Kind::numbers, "[100.0, 20.0]", 0, endless, "", Change::always,
    "Stiffness [1/s^2] and damping [1/s] of the joints, as far as trunk and feet leave them free."},
  ParameterEntry{"orientation_weight", Kind::number, "1.0", 0, endless, "", Change::always,
    "Weight of the trunk's angular acceleration [-]."},
  ParameterEntry{"position_weight", Kind::number, "1.0", 0, endless, "", Change::always,
    "Weight of the trunk's linear acceleration [-]."},
  ParameterEntry{"foot_weight", Kind::number, "1.0", 0, endless, "", Change::always,
    "Weight of the acceleration of swing feet [-]."},
  ParameterEntry{"posture_weight", Kind::number, "1e-4", 0, endless, "", Change::always,
    "Weight of the acceleration of the joints of legs [-]."},
  ParameterEntry{"upper_body_weight", Kind::number, "1e-2", 0, endless, "", Change::always,
    "Weight of the acceleration of joints that are in no leg, those of arms, torso and head [-]."},
  ParameterEntry{"stance_weight", Kind::number, "1e3", 1e-6, endless, "", Change::always,
    "Weight of the acceleration of stance feet, which are to stay where they are [-]."},
  ParameterEntry{"force_weight", Kind::number, "1e-3", 1e-12, endless, "", Change::always,
    "Weight of the contact forces [-]."},
  ParameterEntry{"stance_damping", Kind::number, "20.0", 0, endless, "", Change::always,
    "Damping of stance feet that slip [1/s]."},
  ParameterEntry{"friction", Kind::number, "0.5", 0, 10, "", Change::always,
    "Friction coefficient that forces stay within [-]. Choose it lower than the ground's."},
  ParameterEntry{"least_normal_force", Kind::number, "0.002", 0, 1, "", Change::always,
    "Smallest normal force of a stance foot, as a share of the robot's weight [-]."},
  ParameterEntry{"greatest_normal_force", Kind::number, "3.0", 0, 100, "", Change::always,
    "Largest normal force of a foot, as a share of the robot's weight [-]."},
  ParameterEntry{"sole_share", Kind::number, "0.9", 0.01, 1, "", Change::always,
    "Share of a sole's length and width that the center of pressure may use [-]."},
  ParameterEntry{"soles", Kind::numbers, "[]", -endless, endless, "", Change::unconfigured,
    "Four corners of the sole along its border in the frame of the foot [m]: twelve numbers for "
    "all contacts that are poses, or twelve for each."},
  ParameterEntry{"compensate_friction", Kind::boolean, "true", 0, 0, "", Change::always,
    "Whether efforts include the model's joint friction at the velocity of the reference."},
  shared::effort_limits,
  ParameterEntry{"joint_damping", Kind::numbers, "[]", 0, endless, "", Change::always,
    "Joint damping while the robot is held without a solution [N m s/rad or N s/m], one for all "
    "joints or one for each joint. Empty: 0.02 s times the effort limits."},
  ParameterEntry{"gravity", Kind::numbers, "[0.0, 0.0, -9.81]", -endless, endless, "", Change::always,
    "Gravity in the world [m/s^2]."},
  ParameterEntry{"ground_normal", Kind::numbers, "[0.0, 0.0, 1.0]", -1, 1, "", Change::always,
    "Normal of the ground in the world, upwards, of any length [-]."},
  ParameterEntry{"posture", Kind::numbers, "[]", -endless, endless, "", Change::always,
    "Preferred joint positions [rad or m], one for each joint. Empty: those at activation."},
  ParameterEntry{"greatest_distance", Kind::number, "0.2", 0, endless, "", Change::always,
    "Largest position error of trunk and feet that is acted on [m]. Larger ones are cut."},
  ParameterEntry{"greatest_angle", Kind::number, "0.5", 0, 3.2, "", Change::always,
    "Largest orientation error of the trunk that is acted on [rad]. Larger ones are cut."},
  ParameterEntry{"landing_speed", Kind::number, "0.1", 0, endless, "", Change::always,
    "Speed at which a foot is lowered that is to stand but touches nothing [m/s]."},
  ParameterEntry{"iterations", Kind::integer, "100", 1, 10000, "", Change::always,
    "Largest number of iterations of the solver of the quadratic program."},
  ParameterEntry{"base_state", Kind::word, "interfaces", 0, 0, "interfaces topic", Change::unconfigured,
    "Source of the base state: state interfaces, or the topic ~/base_state."},
  ParameterEntry{"base_name", Kind::word, "''", 0, 0, "", Change::unconfigured,
    "Prefix of the state interfaces position.* and linear_velocity.* of the base. Empty: the name "
    "of the base link."},
  ParameterEntry{"imu_name", Kind::word, "''", 0, 0, "", Change::unconfigured,
    "Prefix of the state interfaces orientation.* and angular_velocity.*, of an IMU whose axes "
    "are parallel to those of the base. Empty: base_name."},
  ParameterEntry{"base_state_timeout", Kind::number, "0.02", 0, 10, "", Change::unconfigured,
    "Age from which a message on ~/base_state is too old [s]."},
  ParameterEntry{"contacts", Kind::word, "forces", 0, 0, "forces schedule", Change::unconfigured,
    "How the controller knows which feet touch the ground: by the state interfaces "
    "<foot>/force.*, or by the contact schedule alone."},
  ParameterEntry{"contact_threshold", Kind::number, "0.002", 0, 1, "", Change::always,
    "Force from which a foot touches the ground, as a share of the robot's weight [-]."},
  ParameterEntry{"contact_release", Kind::number, "0.5", 0, 1, "", Change::always,
    "Share of contact_threshold below which a foot stops touching [-]."},
  ParameterEntry{"greatest_tilt", Kind::number, "0.8", 0.01, 3.2, "", Change::always,
    "Tilt of the trunk, relative to activation, beyond which the robot counts as fallen [rad]."},
  shared::estimate_velocity,
  ParameterEntry{"gait", Kind::word, "stand", 0, 0, "stand trot walk", Change::always,
    "How the robot follows ~/cmd_vel: not at all (stand), or by a trot or a walk. Trot and walk "
    "need four point feet."},
  ParameterEntry{"cmd_vel_timeout", Kind::number, "0.5", 0, endless, "", Change::unconfigured,
    "Age from which a velocity command is too old. The robot then stops and stands [s]."},
  ParameterEntry{"greatest_velocity", Kind::numbers, "[0.0, 0.0]", 0, 10, "", Change::always,
    "Largest velocity ahead and to the side [m/s]. 0: it follows from the height of the base "
    "above the feet."},
  ParameterEntry{"greatest_yaw_rate", Kind::number, "0.0", 0, 10, "", Change::always,
    "Largest yaw rate [rad/s]. 0: it follows from the height of the base."},
  ParameterEntry{"gait_period", Kind::number, "0.0", 0, 60, "", Change::always,
    "Period of the gait [s]. 0: it follows from the height of the base."},
  ParameterEntry{"gait_duty", Kind::number, "0.0", 0, 0.97, "", Change::always,
    "Share of the period in which a foot stands, at least 0.5 [-]. 0: 0.55 for a trot, 0.9 for a "
    "walk."},
  ParameterEntry{"swing_height", Kind::number, "0.0", 0, 10, "", Change::always,
    "Height to which swing feet are lifted [m]. 0: it follows from the height of the base."},
  ParameterEntry{"longest_step", Kind::number, "0.0", 0, 10, "", Change::always,
    "Largest distance of a foothold from where the foot stands below the trunk [m]. 0: it follows "
    "from the height of the base."},
  ParameterEntry{"recover", Kind::boolean, "true", 0, 0, "", Change::always,
    "Whether a robot that stands in a gait steps if a push would topple it."},
  ParameterEntry{"reference_timeout", Kind::number, "0.1", 0, endless, "", Change::unconfigured,
    "Time for which the last reference of the topic is extrapolated with its twist. Then it "
    "stops, and all feet stand [s]."},
  shared::max_stale_cycles,
  ParameterEntry{"deactivation_effort", Kind::word, "hold_gravity", 0, 0, "zero hold_gravity keep", Change::unconfigured,
    "Efforts after the controller is deactivated: zero, gravity compensation, or the last ones."},
  ParameterEntry{"failure_effort", Kind::word, "hold_gravity", 0, 0, "zero hold_gravity keep", Change::unconfigured,
    "Efforts after states are lost, after a fall, or if an effort is not finite: zero, gravity "
    "compensation, or the last ones."},
  shared::model_check,
  shared::model_tolerance,
  shared::robot_description,
  shared::state_publish_rate,
};
// clang-format on

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__WHOLE_BODY_PARAMETERS_HPP_
