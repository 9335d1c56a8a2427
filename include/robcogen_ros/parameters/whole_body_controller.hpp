// clang-format off
// Rendered from robcogen_ros/parameters/whole_body_controller.yaml by `python -m robcogen_ros.parameters`.
#ifndef ROBCOGEN_ROS__PARAMETERS__WHOLE_BODY_CONTROLLER_HPP_
#define ROBCOGEN_ROS__PARAMETERS__WHOLE_BODY_CONTROLLER_HPP_

#include <array>
#include <string>

#include "robcogen_ros/parameters/table.hpp"

namespace robcogen_ros::parameters
{

/// Parameters that docs/legged_controller.md lists.
struct WholeBodyController
{
  bool compensate_friction = true, estimate_velocity = false, recover = true;
  std::int64_t iterations = 100, max_stale_cycles = 5;
  double orientation_weight = 1.0, position_weight = 1.0, foot_weight = 1.0, posture_weight = 0.0001, upper_body_weight = 0.01, stance_weight = 1000.0, force_weight = 0.001, stance_damping = 20.0, friction = 0.5, least_normal_force = 0.002, greatest_normal_force = 3.0, sole_share = 0.9, greatest_distance = 0.2, greatest_angle = 0.5, landing_speed = 0.3, gyroscope_noise = 0.00025, accelerometer_noise = 0.0019, gyroscope_bias_walk = 1e-05, accelerometer_bias_walk = 0.0001, gyroscope_bias = 0.0175, accelerometer_bias = 0.2, joint_position_noise = 0.001, foot_position_noise = 0.002, foot_creep = 0.005, foot_radius = 0.0, touch_down_time = 0.01, greatest_imu_angle = 0.35, base_state_timeout = 0.02, observer_gain = 300.0, contact_threshold = 0.002, contact_release = 0.5, greatest_tilt = 0.8, cmd_vel_timeout = 0.5, greatest_yaw_rate = 0.0, swing_height = 0.0, longest_step = 0.0, reference_timeout = 0.1, model_tolerance = 1e-06, state_publish_rate = 50.0;
  std::string space = "joint", base_state = "interfaces", base_name = "", imu_name = "", imu_frame = "", contact_source = "forces", gait = "stand", gait_file = "", deactivation_effort = "hold_gravity", failure_effort = "hold_gravity", model_check = "strict", robot_description = "";
  Numbers orientation_gains{200.0, 28.0}, position_gains{200.0, 28.0}, foot_gains{600.0, 50.0}, posture_gains{100.0, 20.0}, soles{}, effort_limits{}, joint_damping{}, gravity{0.0, 0.0, -9.81}, ground_normal{0.0, 0.0, 1.0}, posture{}, greatest_velocity{0.0, 0.0}, gait_period{0.0, 0.0}, gait_duty{0.0, 0.0};

  static constexpr std::array<OldName, 10> refused{
    OldName{"trunk_angular", "orientation_gains [1/s^2, 1/s]"},
    OldName{"trunk_linear", "position_gains [1/s^2, 1/s]"},
    OldName{"foot", "foot_gains [1/s^2, 1/s]"},
    OldName{"trunk_angular_weight", "orientation_weight"},
    OldName{"trunk_linear_weight", "position_weight"},
    OldName{"normal", "ground_normal"},
    OldName{"contacts", "contact_source"},
    OldName{"state_timeout", "max_stale_cycles [cycles]"},
    OldName{"on_deactivate", "deactivation_effort"},
    OldName{"on_state_timeout", "failure_effort"},
  };

  /// Calls `visit(value, entry)` for each parameter.
  template <typename Visit>
  void each(Visit && visit)
  {
    visit(orientation_gains, {"orientation_gains", Change::always, 0.0, endless, false, 2, "", "Stiffness and damping of the trunk's orientation. [1/s^2, 1/s]"});
    visit(position_gains, {"position_gains", Change::always, 0.0, endless, false, 2, "", "Stiffness and damping of the trunk's position. [1/s^2, 1/s]"});
    visit(foot_gains, {"foot_gains", Change::always, 0.0, endless, false, 2, "", "Stiffness and damping of swing feet. [1/s^2, 1/s]"});
    visit(posture_gains, {"posture_gains", Change::always, 0.0, endless, false, 2, "", "Stiffness and damping of the joints, as far as trunk and feet leave them free. [1/s^2, 1/s]"});
    visit(orientation_weight, {"orientation_weight", Change::always, 0.0, endless, false, 0, "", "Weight of the trunk's angular acceleration."});
    visit(position_weight, {"position_weight", Change::always, 0.0, endless, false, 0, "", "Weight of the trunk's linear acceleration."});
    visit(foot_weight, {"foot_weight", Change::always, 0.0, endless, false, 0, "", "Weight of the acceleration of swing feet."});
    visit(posture_weight, {"posture_weight", Change::always, 0.0, endless, false, 0, "", "Weight of the acceleration of the joints of legs."});
    visit(upper_body_weight, {"upper_body_weight", Change::always, 0.0, endless, false, 0, "", "Weight of the acceleration of joints that are in no leg, those of arms, torso and head."});
    visit(stance_weight, {"stance_weight", Change::always, 1e-06, endless, false, 0, "", "Weight of the acceleration of stance feet, which are to stay where they are."});
    visit(force_weight, {"force_weight", Change::always, 1e-12, endless, false, 0, "", "Weight of the contact forces."});
    visit(stance_damping, {"stance_damping", Change::always, 0.0, endless, false, 0, "", "Damping of stance feet that slip. [1/s]"});
    visit(friction, {"friction", Change::always, 0.01, 10.0, false, 0, "", "Friction coefficient that forces stay within. Choose it lower than the ground's."});
    visit(least_normal_force, {"least_normal_force", Change::always, 0.0, 1.0, false, 0, "", "Smallest normal force of a stance foot, as a share of the robot's weight."});
    visit(greatest_normal_force, {"greatest_normal_force", Change::always, 0.0, 100.0, false, 0, "", "Largest normal force of a foot, as a share of the robot's weight."});
    visit(sole_share, {"sole_share", Change::always, 0.01, 1.0, false, 0, "", "Share of a sole's length and width that the center of pressure may use."});
    visit(soles, {"soles", Change::unconfigured, -endless, endless, false, 0, "", "Four corners of the sole along its border in the frame of the foot: twelve numbers for all contacts that are poses, or twelve for each. [m]"});
    visit(compensate_friction, {"compensate_friction", Change::always, -endless, endless, false, 0, "", "Whether efforts include the model's joint friction at the velocity of the reference."});
    visit(effort_limits, {"effort_limits", Change::always, 0.0, endless, true, 0, "", "Largest efforts, one for all joints or one for each joint. They only lower the model's limits. Empty or .inf: the model's limits. [N m or N]"});
    visit(space, {"space", Change::unconfigured, -endless, endless, false, 0, "joint, motor", "What is measured and commanded: the joints that are the robot's coordinates, or its motors, on their side of the gears. References and gains are those of the coordinates in either; effort_limits are then those of the motors."});
    visit(joint_damping, {"joint_damping", Change::always, 0.0, endless, false, 0, "", "Joint damping while the robot is held without a solution, one for all joints or one for each joint. Empty: 0.02 s times the effort limits. [N m s/rad or N s/m]"});
    visit(gravity, {"gravity", Change::unconfigured, -100.0, 100.0, false, 3, "", "Gravity in the world. [m/s^2]"});
    visit(ground_normal, {"ground_normal", Change::always, -1000000.0, 1000000.0, false, 3, "", "Normal of the ground in the world, upwards, of any length."});
    visit(posture, {"posture", Change::always, -1000.0, 1000.0, false, 0, "", "Preferred joint positions, one for each joint. Empty: those at activation. [rad or m]"});
    visit(greatest_distance, {"greatest_distance", Change::always, 0.0, endless, false, 0, "", "Largest position error of trunk and feet that is acted on. Larger ones are cut. [m]"});
    visit(greatest_angle, {"greatest_angle", Change::always, 0.0, 3.2, false, 0, "", "Largest orientation error of the trunk that is acted on. Larger ones are cut. [rad]"});
    visit(landing_speed, {"landing_speed", Change::always, 0.0, endless, false, 0, "", "Speed at which a foot is lowered that is to stand but touches nothing. [m/s]"});
    visit(iterations, {"iterations", Change::always, 1.0, 10000.0, false, 0, "", "Largest number of iterations of the solver of the quadratic program."});
    visit(base_state, {"base_state", Change::unconfigured, -endless, endless, false, 0, "interfaces, topic, estimator", "Source of the base state: state interfaces, the topic ~/base_state, or an estimator within the controller, of IMU, joints and feet."});
    visit(base_name, {"base_name", Change::unconfigured, -endless, endless, false, 0, "", "Prefix of the state interfaces position.* and linear_velocity.* of the base. Empty: the name of the base link."});
    visit(imu_name, {"imu_name", Change::unconfigured, -endless, endless, false, 0, "", "Prefix of the state interfaces orientation.* and angular_velocity.*, of an IMU whose axes are parallel to those of the base. Empty: base_name."});
    visit(imu_frame, {"imu_frame", Change::unconfigured, -endless, endless, false, 0, "", "Frame of the base link that the IMU of the estimator measures in. Empty: the base's."});
    visit(gyroscope_noise, {"gyroscope_noise", Change::unconfigured, 1e-09, 1.0, false, 0, "", "Density of the noise of the gyroscope. Defaults of the IMU are those of a BMI088. [rad/s/sqrt(Hz)]"});
    visit(accelerometer_noise, {"accelerometer_noise", Change::unconfigured, 1e-09, 10.0, false, 0, "", "Density of the noise of the accelerometer. [m/s^2/sqrt(Hz)]"});
    visit(gyroscope_bias_walk, {"gyroscope_bias_walk", Change::unconfigured, 0.0, 1.0, false, 0, "", "Density of the rate at which the bias of the gyroscope wanders. [rad/s^2/sqrt(Hz)]"});
    visit(accelerometer_bias_walk, {"accelerometer_bias_walk", Change::unconfigured, 0.0, 10.0, false, 0, "", "Density of the rate at which the bias of the accelerometer wanders. [m/s^3/sqrt(Hz)]"});
    visit(gyroscope_bias, {"gyroscope_bias", Change::unconfigured, 0.0, 1.0, false, 0, "", "Standard deviation of the bias of the gyroscope at the start. [rad/s]"});
    visit(accelerometer_bias, {"accelerometer_bias", Change::unconfigured, 0.0, 10.0, false, 0, "", "Standard deviation of the bias of the accelerometer at the start. [m/s^2]"});
    visit(joint_position_noise, {"joint_position_noise", Change::unconfigured, 0.0, 1.0, false, 0, "", "Standard deviation of a measured joint position. [rad or m]"});
    visit(foot_position_noise, {"foot_position_noise", Change::unconfigured, 1e-06, 1.0, false, 0, "", "Standard deviation of the place of a foot in the base, besides that of joints: legs that bend, feet that roll. [m]"});
    visit(foot_creep, {"foot_creep", Change::unconfigured, 0.0, 10.0, false, 0, "", "Density of the velocity of a foot that stands. [m/s/sqrt(Hz)]"});
    visit(foot_radius, {"foot_radius", Change::unconfigured, 0.0, 1.0, false, 0, "", "Radius of feet that are balls about their frames, which roll as the legs turn: the estimator has its world begin so far below them. [m]"});
    visit(touch_down_time, {"touch_down_time", Change::unconfigured, 0.0, 1.0, false, 0, "", "Time for which a foot touches before the estimator relies on it. [s]"});
    visit(greatest_imu_angle, {"greatest_imu_angle", Change::unconfigured, 0.01, 3.2, false, 0, "", "Largest angle at the start between gravity, as the IMU has it, and the normal of the feet. Beyond, the IMU is not where imu_frame says. [rad]"});
    visit(base_state_timeout, {"base_state_timeout", Change::unconfigured, 0.001, 10.0, false, 0, "", "Age from which a message on ~/base_state is too old. [s]"});
    visit(contact_source, {"contact_source", Change::unconfigured, -endless, endless, false, 0, "forces, observer, schedule", "How the controller knows which feet touch the ground: by the state interfaces <foot>/force.*, by an observer of external forces within it, or by the contact schedule alone."});
    visit(observer_gain, {"observer_gain", Change::unconfigured, 0.01, 100000.0, false, 0, "", "Gain of the observer of contact_source. Its forces lag by one over the gain. [1/s]"});
    visit(contact_threshold, {"contact_threshold", Change::always, 0.0, 0.05, false, 0, "", "Force from which a foot that is to stand touches the ground, as a share of the robot's weight; one that is to swing touches from ten times as much, above the noise of sensors. For forces of an observer all of this times 2.5."});
    visit(contact_release, {"contact_release", Change::always, 0.1, 1.0, false, 0, "", "Share of contact_threshold below which a foot stops touching."});
    visit(greatest_tilt, {"greatest_tilt", Change::always, 0.01, 3.2, false, 0, "", "Tilt of the trunk, relative to activation, beyond which the robot counts as fallen. [rad]"});
    visit(estimate_velocity, {"estimate_velocity", Change::unconfigured, -endless, endless, false, 0, "", "Set to true if joints have no velocity interface. Velocities are then estimated from positions."});
    visit(gait, {"gait", Change::always, -endless, endless, false, 0, "stand, trot, walk, played", "How the robot follows ~/cmd_vel: not at all (stand), by a trot or a walk, or by the gait of gait_file (played). A trot and a gait of a file need four point feet, a walk these or two feet."});
    visit(gait_file, {"gait_file", Change::unconfigured, -endless, endless, false, 0, "", "Gait that is played: a .csv of robcogen gait, with an absolute path. While ~/cmd_vel is its velocity, the robot moves as in the file; otherwise it steps in its pattern."});
    visit(cmd_vel_timeout, {"cmd_vel_timeout", Change::unconfigured, 0.0, 60.0, false, 0, "", "Age from which a velocity command is too old. The robot then stops and stands. [s]"});
    visit(greatest_velocity, {"greatest_velocity", Change::always, 0.0, 10.0, false, 2, "", "Largest velocity ahead and to the side. 0: it follows from the height of the base above the feet, the largest that was tried. [m/s]"});
    visit(greatest_yaw_rate, {"greatest_yaw_rate", Change::always, 0.0, 10.0, false, 0, "", "Largest yaw rate. 0: it follows from the height of the base. [rad/s]"});
    visit(gait_period, {"gait_period", Change::always, 0.0, 5.0, false, 2, "", "Period of a trot and of a walk, at least 0.1 s; of a trot 1.25 to 5 sqrt(h / g), h the height of the base. Feet are in the air for 0.5 sqrt(h / g) at least. Where no posture tells the height, it is not checked. 0: it follows from the height of the base. [s]"});
    visit(gait_duty, {"gait_duty", Change::always, 0.0, 0.97, false, 2, "", "Share of the period in which a foot stands, at least 0.5 of a trot and 0.8 of a walk, of two feet 0.5. 0: 0.55 for a trot, 0.9 for a walk, 0.6 of two feet."});
    visit(swing_height, {"swing_height", Change::always, 0.0, 1.0, false, 0, "", "Height to which swing feet are lifted, at most 0.35 of that of the base. 0: it follows from the height of the base. [m]"});
    visit(longest_step, {"longest_step", Change::always, 0.0, 10.0, false, 0, "", "Largest distance of a foothold from where the foot stands below the trunk. 0: it follows from the height of the base. [m]"});
    visit(recover, {"recover", Change::always, -endless, endless, false, 0, "", "Whether a robot that stands in a gait steps if a push would topple it."});
    visit(reference_timeout, {"reference_timeout", Change::unconfigured, 0.0, 10.0, false, 0, "", "Time for which the last reference of the topic is extrapolated with its twist. Then it stops, and all feet stand. [s]"});
    visit(max_stale_cycles, {"max_stale_cycles", Change::unconfigured, 0.0, 1000.0, false, 0, "", "Number of cycles in a row in which states may be missing before the controller fails. [cycles]"});
    visit(deactivation_effort, {"deactivation_effort", Change::unconfigured, -endless, endless, false, 0, "zero, hold_gravity, keep", "Efforts after deactivation: none, gravity compensation at the last position, or the last ones."});
    visit(failure_effort, {"failure_effort", Change::unconfigured, -endless, endless, false, 0, "zero, hold_gravity, keep", "Efforts after states are lost, after a fall, or if an effort is not finite: none, gravity compensation, or the last ones."});
    visit(model_check, {"model_check", Change::unconfigured, -endless, endless, false, 0, "strict, warn, off", "What happens if the robot description differs from the compiled model: strict refuses to start, warn logs a warning, off skips the check."});
    visit(model_tolerance, {"model_tolerance", Change::unconfigured, 0.0, 1.0, false, 0, "", "Tolerance of the model check: absolute for lengths and unit vectors, relative for masses and inertias. [m]"});
    visit(robot_description, {"robot_description", Change::unconfigured, -endless, endless, false, 0, "", "URDF for the model check. Needed only if the controller manager passes no description on (ros2_control 2)."});
    visit(state_publish_rate, {"state_publish_rate", Change::unconfigured, 0.0, 1000.0, false, 0, "", "Rate of ~/controller_state. 0: it is not published. [Hz]"});
  }
};

}  // namespace robcogen_ros::parameters

#endif  // ROBCOGEN_ROS__PARAMETERS__WHOLE_BODY_CONTROLLER_HPP_
