// What the values of the parameters of the broadcaster of external forces mean for one robot.
#ifndef ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_CONFIGURATION_HPP_
#define ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_CONFIGURATION_HPP_

#include <Eigen/Core>
#include <optional>
#include <string>

#include "robcogen_ros/observer/settings.hpp"

namespace robcogen_ros::control
{

/// All settings of a broadcaster; not for real time.
///
/// \tparam Robot the Traits of a generated robot
template <typename Robot>
struct ExternalForceConfiguration
{
  using Parameters = parameters::ExternalForceBroadcaster;

  Parameters parameters;
  observer::Settings<Robot> settings;
  std::optional<Eigen::Vector3d> gravity;  ///< [m/s^2]; that of the model if there is none
  std::string imu_name;
  std::string base_name;

  /// \throws std::invalid_argument that says which value is wrong and what is expected
  explicit ExternalForceConfiguration(const Parameters & given, const Robot & robot = Robot())
  : parameters(given),
    settings(given, robot),
    imu_name(given.imu_name.empty() ? robot.link_names[0] : given.imu_name),
    base_name(given.base_name.empty() ? robot.link_names[0] : given.base_name)
  {
    if (!given.gravity.empty())
    {
      gravity = Eigen::Vector3d(given.gravity.data());
    }
    else if (robot.floating_base)
    {
      gravity = standard_gravity();
    }
  }
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_CONFIGURATION_HPP_
