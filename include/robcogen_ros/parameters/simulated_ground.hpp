// clang-format off
// Rendered from robcogen_ros/parameters/simulated_ground.yaml by `python -m robcogen_ros.parameters`.
#ifndef ROBCOGEN_ROS__PARAMETERS__SIMULATED_GROUND_HPP_
#define ROBCOGEN_ROS__PARAMETERS__SIMULATED_GROUND_HPP_

#include <array>
#include <string>

#include "robcogen_ros/parameters/table.hpp"

namespace robcogen_ros::parameters
{

/// Parameters that docs/legged_controller.md lists.
struct SimulatedGround
{
  std::int64_t sensor_seed = 1;
  double plane_friction = 0.6, plane_restitution = 0.0, imu_rate = 0.0, imu_delay = 0.0, gyroscope_noise = 0.0, accelerometer_noise = 0.0, gyroscope_bias_walk = 0.0, accelerometer_bias_walk = 0.0, force_noise = 0.0, force_delay = 0.0, false_contacts = 0.0;
  std::string imu_name = "imu", imu_frame = "";
  Numbers plane_point{0.0, 0.0, 0.0}, plane_normal{0.0, 0.0, 1.0}, gravity{0.0, 0.0, -9.81}, initial_base_position{}, initial_base_orientation{0.0, 0.0, 0.0}, gyroscope_bias{0.0, 0.0, 0.0}, accelerometer_bias{0.0, 0.0, 0.0};

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
    visit(imu_name, {"imu_name", Change::unconfigured, -endless, endless, false, 0, "", "Prefix of the state interfaces angular_velocity.* and linear_acceleration.* of the IMU."});
    visit(imu_frame, {"imu_frame", Change::unconfigured, -endless, endless, false, 0, "", "Frame of the base link that the IMU measures in. Empty: the base's."});
    visit(imu_rate, {"imu_rate", Change::unconfigured, 0.0, 100000.0, false, 0, "", "Rate of the IMU, which gives means over its period. 0: that of its readings. [Hz]"});
    visit(imu_delay, {"imu_delay", Change::unconfigured, 0.0, 0.1, false, 0, "", "How late the IMU tells; at most 256 steps. [s]"});
    visit(gyroscope_noise, {"gyroscope_noise", Change::unconfigured, 0.0, 1.0, false, 0, "", "Density of the noise of the gyroscope. [rad/s/sqrt(Hz)]"});
    visit(accelerometer_noise, {"accelerometer_noise", Change::unconfigured, 0.0, 10.0, false, 0, "", "Density of the noise of the accelerometer. [m/s^2/sqrt(Hz)]"});
    visit(gyroscope_bias, {"gyroscope_bias", Change::unconfigured, -10.0, 10.0, false, 3, "", "Bias of the gyroscope at the start. [rad/s]"});
    visit(accelerometer_bias, {"accelerometer_bias", Change::unconfigured, -100.0, 100.0, false, 3, "", "Bias of the accelerometer at the start. [m/s^2]"});
    visit(gyroscope_bias_walk, {"gyroscope_bias_walk", Change::unconfigured, 0.0, 1.0, false, 0, "", "Density of the rate at which the bias of the gyroscope wanders. [rad/s^2/sqrt(Hz)]"});
    visit(accelerometer_bias_walk, {"accelerometer_bias_walk", Change::unconfigured, 0.0, 10.0, false, 0, "", "Density of the rate at which the bias of the accelerometer wanders. [m/s^3/sqrt(Hz)]"});
    visit(force_noise, {"force_noise", Change::unconfigured, 0.0, 10000.0, false, 0, "", "Standard deviation of each number of a foot's force. [N]"});
    visit(force_delay, {"force_delay", Change::unconfigured, 0.0, 0.1, false, 0, "", "How late forces of feet are told; at most 256 steps. [s]"});
    visit(false_contacts, {"false_contacts", Change::unconfigured, 0.0, 1.0, false, 0, "", "Share of readings of a foot's force that are false: zero of one that touches, of another the largest of the other feet."});
    visit(sensor_seed, {"sensor_seed", Change::unconfigured, 0.0, 1000000.0, false, 0, "", "Seed of the noise of all sensors."});
  }
};

}  // namespace robcogen_ros::parameters

#endif  // ROBCOGEN_ROS__PARAMETERS__SIMULATED_GROUND_HPP_
