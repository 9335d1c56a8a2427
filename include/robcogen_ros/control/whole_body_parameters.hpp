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
    "stiffness [1/s^2] and damping [1/s] by which the trunk turns to its reference"},
  ParameterEntry{"position_gains", Kind::numbers, "[200.0, 28.0]", 0, endless, "", Change::always,
    "the same of its position"},
  ParameterEntry{"foot_gains", Kind::numbers, "[600.0, 50.0]", 0, endless, "", Change::always,
    "the same of feet that swing"},
  ParameterEntry{"posture_gains", Kind::numbers, "[100.0, 20.0]", 0, endless, "", Change::always,
    "the same of joints, as far as trunk and feet leave them free"},
  ParameterEntry{"orientation_weight", Kind::number, "1.0", 0, endless, "", Change::always,
    "weight of the trunk's angular acceleration"},
  ParameterEntry{"position_weight", Kind::number, "1.0", 0, endless, "", Change::always,
    "weight of its linear acceleration"},
  ParameterEntry{"foot_weight", Kind::number, "1.0", 0, endless, "", Change::always,
    "weight of the acceleration of feet that swing"},
  ParameterEntry{"posture_weight", Kind::number, "1e-3", 0, endless, "", Change::always,
    "weight of the acceleration of joints"},
  ParameterEntry{"stance_weight", Kind::number, "1e3", 1e-6, endless, "", Change::always,
    "weight of what a foot that stands accelerates"},
  ParameterEntry{"force_weight", Kind::number, "1e-4", 1e-12, endless, "", Change::always,
    "weight of the forces of feet, as multiples of the robot's weight"},
  ParameterEntry{"stance_damping", Kind::number, "20.0", 0, endless, "", Change::always,
    "by which a foot that slips is stopped [1/s]"},
  ParameterEntry{"friction", Kind::number, "0.5", 0, 10, "", Change::always,
    "coefficient of friction of the ground, of the cone around the pyramid of forces"},
  ParameterEntry{"least_normal_force", Kind::number, "0.002", 0, 1, "", Change::always,
    "of a foot that stands, as a share of the robot's weight"},
  ParameterEntry{"greatest_normal_force", Kind::number, "3.0", 0, 100, "", Change::always,
    "of a foot, as a share of the robot's weight"},
  ParameterEntry{"sole_share", Kind::number, "0.9", 0.01, 1, "", Change::always,
    "share of a sole's length and width that the center of pressure may use"},
  ParameterEntry{"soles", Kind::numbers, "[]", -endless, endless, "", Change::unconfigured,
    "four corners of the sole along its border in the axes of the foot's frame [m], twelve numbers "
    "for all contacts that are poses or twelve for each"},
  ParameterEntry{"compensate_friction", Kind::boolean, "true", 0, 0, "", Change::always,
    "whether what the model's joint friction takes at the reference's velocity is added"},
  shared::effort_limits,
  ParameterEntry{"joint_damping", Kind::numbers, "[]", 0, endless, "", Change::always,
    "damping of the joints while the robot is held without a solution [N m s/rad or N s/m], one for "
    "all or one each; empty: 2 % of the effort limits"},
  ParameterEntry{"gravity", Kind::numbers, "[0.0, 0.0, -9.81]", -endless, endless, "", Change::always,
    "gravity in the world [m/s^2]"},
  ParameterEntry{"ground_normal", Kind::numbers, "[0.0, 0.0, 1.0]", -1, 1, "", Change::always,
    "normal of the ground in the world, upwards"},
  ParameterEntry{"posture", Kind::numbers, "[]", -endless, endless, "", Change::always,
    "positions of all joints that are preferred [rad or m]; empty: those found at activation"},
  ParameterEntry{"greatest_distance", Kind::number, "0.2", 0, endless, "", Change::always,
    "greatest error of position that is acted on, of trunk and feet [m]"},
  ParameterEntry{"greatest_angle", Kind::number, "0.5", 0, 3.2, "", Change::always,
    "greatest error of the trunk's orientation that is acted on [rad]"},
  ParameterEntry{"landing_speed", Kind::number, "0.1", 0, endless, "", Change::always,
    "at which a foot that is to stand but touches nothing is lowered [m/s]"},
  ParameterEntry{"iterations", Kind::integer, "50", 1, 10000, "", Change::always,
    "greatest number of iterations of the quadratic program"},
  ParameterEntry{"base_state", Kind::word, "interfaces", 0, 0, "interfaces topic", Change::unconfigured,
    "where the base's place and motion come from: state interfaces, or ~/base_state"},
  ParameterEntry{"base_name", Kind::word, "''", 0, 0, "", Change::unconfigured,
    "what the state interfaces position.* and linear_velocity.* belong to; empty: the base link"},
  ParameterEntry{"imu_name", Kind::word, "''", 0, 0, "", Change::unconfigured,
    "what the state interfaces orientation.* and angular_velocity.* belong to, in axes parallel to "
    "those of the base; empty: as base_name"},
  ParameterEntry{"base_state_timeout", Kind::number, "0.02", 0, 10, "", Change::unconfigured,
    "age from which on a message of ~/base_state is too old [s]"},
  ParameterEntry{"contacts", Kind::word, "forces", 0, 0, "forces schedule", Change::unconfigured,
    "how it is known which feet touch the ground: by state interfaces <foot>/force.*, or as the "
    "schedule has it"},
  ParameterEntry{"contact_threshold", Kind::number, "0.002", 0, 1, "", Change::always,
    "force from which a foot touches the ground, as a share of the robot's weight"},
  ParameterEntry{"contact_release", Kind::number, "0.5", 0, 1, "", Change::always,
    "share of that threshold below which it no more does"},
  ParameterEntry{"greatest_tilt", Kind::number, "0.8", 0.01, 3.2, "", Change::always,
    "tilt of the trunk from that at activation beyond which the robot falls [rad]"},
  shared::estimate_velocity,
  ParameterEntry{"gait", Kind::word, "stand", 0, 0, "stand trot walk", Change::always,
    "how commands of ~/cmd_vel are followed, by robots on four points; with stand they are not"},
  ParameterEntry{"cmd_vel_timeout", Kind::number, "0.5", 0, endless, "", Change::unconfigured,
    "how long a command holds before the robot stops and stands [s]"},
  ParameterEntry{"greatest_velocity", Kind::numbers, "[0.0, 0.0]", 0, 10, "", Change::always,
    "greatest velocities, ahead and to a side [m/s]; 0: by the height of the base above the feet"},
  ParameterEntry{"greatest_yaw_rate", Kind::number, "0.0", 0, 10, "", Change::always,
    "the same of turning [rad/s]"},
  ParameterEntry{"gait_period", Kind::number, "0.0", 0, 60, "", Change::always,
    "time of a cycle of steps [s]; 0: by that height"},
  ParameterEntry{"gait_duty", Kind::number, "0.0", 0, 0.97, "", Change::always,
    "share of it in which a foot stands, at least 0.5; 0: 0.55 in a trot, 0.9 in a walk"},
  ParameterEntry{"swing_height", Kind::number, "0.0", 0, 10, "", Change::always,
    "how high feet are lifted [m]; 0: by that height"},
  ParameterEntry{"longest_step", Kind::number, "0.0", 0, 10, "", Change::always,
    "of a foot, from where it stands below the trunk [m]; 0: by that height"},
  ParameterEntry{"recover", Kind::boolean, "true", 0, 0, "", Change::always,
    "whether a robot that stands in a gait steps where a push would topple it"},
  ParameterEntry{"reference_timeout", Kind::number, "0.1", 0, endless, "", Change::unconfigured,
    "how long a reference of the topic is carried on with its twist before it stops, and all feet "
    "stand [s]"},
  shared::max_stale_cycles,
  ParameterEntry{"deactivation_effort", Kind::word, "hold_gravity", 0, 0, "zero hold_gravity keep",
    Change::unconfigured, "efforts that remain after the controller is deactivated"},
  ParameterEntry{"failure_effort", Kind::word, "hold_gravity", 0, 0, "zero hold_gravity keep",
    Change::unconfigured,
    "efforts that remain after states are lost, a fall, or an effort that is not finite"},
  shared::model_check,
  shared::model_tolerance,
  shared::robot_description,
  shared::state_publish_rate,
};
// clang-format on

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__WHOLE_BODY_PARAMETERS_HPP_
