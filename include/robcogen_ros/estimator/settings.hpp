// What an estimator of a base is told of a robot and its sensors.
#ifndef ROBCOGEN_ROS__ESTIMATOR__SETTINGS_HPP_
#define ROBCOGEN_ROS__ESTIMATOR__SETTINGS_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/parameters/whole_body_controller.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::estimator
{

/// Reasons to refuse settings.
constexpr const char * setting_problems[] = {
  "gravity: expected three numbers that are not all zero",
  "imu_frame: expected a frame of the base link",
  "gyroscope_noise: expected more than 0",
  "accelerometer_noise: expected more than 0",
  "gyroscope_bias_walk: expected 0 or more",
  "accelerometer_bias_walk: expected 0 or more",
  "gyroscope_bias: expected 0 or more",
  "accelerometer_bias: expected 0 or more",
  "joint_position_noise: expected 0 or more",
  "foot_position_noise: expected more than 0",
  "foot_creep: expected 0 or more",
  "foot_radius: expected 0 or more",
  "soles: expected finite numbers",
  "touch_down_time: expected 0 or more",
  "greatest_imu_angle: expected more than 0",
};

/// Settings of an estimator; docs/state_estimation.md lists the parameters, with their defaults.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
struct Settings
{
  Robot robot;
  Eigen::Vector3d gravity;  ///< in the world [m/s^2]
  int imu_frame = -1;       ///< number of the frame that the IMU measures in; -1: that of the base

  double gyroscope_noise;          ///< density [rad/s/sqrt(Hz)]
  double accelerometer_noise;      ///< density [m/s^2/sqrt(Hz)]
  double gyroscope_bias_walk;      ///< density of its rate [rad/s^2/sqrt(Hz)]
  double accelerometer_bias_walk;  ///< density of its rate [m/s^3/sqrt(Hz)]
  double gyroscope_bias;           ///< standard deviation at the start [rad/s]
  double accelerometer_bias;       ///< standard deviation at the start [m/s^2]
  double joint_position_noise;     ///< standard deviation of a measured position [rad or m]
  double foot_position_noise;      ///< standard deviation of a foot in the base [m]
  double foot_creep;               ///< density of the velocity of a foot that stands [m/s/sqrt(Hz)]
  double foot_radius;              ///< of feet that are balls about their frames, and roll [m]
  std::array<Eigen::Vector3d, SizesOf<Robot>::most_contacts> soles;  ///< middles, in feet [m]
  double touch_down_time;          ///< for which a foot touches before it is relied on [s]
  double greatest_imu_angle;       ///< between gravity and the normal of the feet at rest [rad]

  typename ConstantsOf<Robot>::Type constants{};

  explicit Settings(
    const parameters::WholeBodyController & given = parameters::WholeBodyController(),
    const Robot & of = Robot())
  : robot(of),
    gravity(given.gravity.data()),
    gyroscope_noise(given.gyroscope_noise),
    accelerometer_noise(given.accelerometer_noise),
    gyroscope_bias_walk(given.gyroscope_bias_walk),
    accelerometer_bias_walk(given.accelerometer_bias_walk),
    gyroscope_bias(given.gyroscope_bias),
    accelerometer_bias(given.accelerometer_bias),
    joint_position_noise(given.joint_position_noise),
    foot_position_noise(given.foot_position_noise),
    foot_creep(given.foot_creep),
    foot_radius(given.foot_radius),
    touch_down_time(given.touch_down_time),
    greatest_imu_angle(given.greatest_imu_angle)
  {
    for (int i = 0; i < robot.frame_count && !given.imu_frame.empty(); ++i)
    {
      imu_frame = given.imu_frame == robot.frame_names[i] ? i : imu_frame;
    }
    soles.fill(Eigen::Vector3d::Zero());
    const double * corners = given.soles.data();
    for (int i = 0; i < robot.contact_count && !given.soles.empty(); ++i)
    {
      if (robot.contacts[i].rows() == 6 && corners + 12 <= given.soles.data() + given.soles.size())
      {
        set_sole(i, corners);
        corners += given.soles.size() > 12 ? 12 : 0;
      }
    }
    imu_frame = given.imu_frame.empty() || imu_frame >= 0 ? imu_frame : robot.frame_count;
  }

  /// \param corners of the sole of a foot in its frame, three numbers each [m]
  void set_sole(int foot, const double * corners)
  {
    soles[foot] = Eigen::Map<const Eigen::Matrix<double, 3, 4>>(corners).rowwise().mean();
  }

  /// The first of setting_problems that there is; -1 if there is none.
  int problem() const noexcept
  {
    const auto amount = [](double value) { return value >= 0.0 && std::isfinite(value); };
    const bool good[] = {
      gravity.allFinite() && gravity.norm() > 0.0,
      imu_frame < 0 || (imu_frame < robot.frame_count && robot.frame_links[imu_frame] == 0),
      amount(gyroscope_noise) && gyroscope_noise > 0.0,
      amount(accelerometer_noise) && accelerometer_noise > 0.0,
      amount(gyroscope_bias_walk),
      amount(accelerometer_bias_walk),
      amount(gyroscope_bias),
      amount(accelerometer_bias),
      amount(joint_position_noise),
      amount(foot_position_noise) && foot_position_noise > 0.0,
      amount(foot_creep),
      amount(foot_radius),
      std::all_of(soles.begin(), soles.end(), [](const auto & sole) { return sole.allFinite(); }),
      amount(touch_down_time),
      greatest_imu_angle > 0.0};
    static_assert(std::size(good) == std::size(setting_problems));
    const auto wrong = std::find(std::begin(good), std::end(good), false);
    return wrong == std::end(good) ? -1 : static_cast<int>(wrong - std::begin(good));
  }
};

}  // namespace robcogen_ros::estimator

#endif  // ROBCOGEN_ROS__ESTIMATOR__SETTINGS_HPP_
