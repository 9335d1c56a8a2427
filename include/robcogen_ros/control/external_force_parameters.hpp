// The parameters of the broadcaster of external forces, and what they mean for one robot.
#ifndef ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_PARAMETERS_HPP_
#define ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_PARAMETERS_HPP_

#include <Eigen/Core>
#include <array>
#include <stdexcept>
#include <string>

#include "robcogen_ros/control/parameter_values.hpp"
#include "robcogen_ros/observer/settings.hpp"

namespace robcogen_ros::control
{

// clang-format off
inline constexpr std::array external_force_parameters{
  ParameterEntry{"gain", Kind::number, "100.0", 0.01, 1e5, "", Change::unconfigured,
    "Gain of the observer [1/s]. Its estimates lag by one over the gain."},
  ParameterEntry{"joint_thresholds", Kind::numbers, "[]", 0, endless, "", Change::unconfigured,
    "External efforts from which a joint is reported as pushed [N m or N], one for all joints or "
    "one for each joint. Empty: 2 % of the effort limits."},
  ParameterEntry{"contact_threshold", Kind::number, "0.0", 0, endless, "", Change::unconfigured,
    "Force from which a contact is reported as touching [N]. 0: the observer's own choice for the "
    "robot."},
  ParameterEntry{"base_force_threshold", Kind::number, "10.0", 0, endless, "", Change::unconfigured,
    "Force from which a push at a floating base is reported [N]."},
  ParameterEntry{"base_moment_threshold", Kind::number, "5.0", 0, endless, "", Change::unconfigured,
    "Moment from which a push at a floating base is reported [N m]."},
  ParameterEntry{"release", Kind::number, "0.5", 0, 1, "", Change::unconfigured,
    "Share of a threshold below which a report ends [-]."},
  ParameterEntry{"friction_tolerance", Kind::number, "0.2", 0, 10, "", Change::unconfigured,
    "How far joint friction may be from the model's, as a share of the model's [-]."},
  ParameterEntry{"effort_interface", Kind::word, "effort", 0, 0, "", Change::unconfigured,
    "State interface of the joints that holds the efforts of the motors."},
  ParameterEntry{"imu_name", Kind::word, "''", 0, 0, "", Change::unconfigured,
    "Prefix of the state interfaces orientation.* and angular_velocity.* of a floating base. "
    "Empty: the name of the base link."},
  ParameterEntry{"base_name", Kind::word, "''", 0, 0, "", Change::unconfigured,
    "Prefix of the state interfaces linear_velocity.* of a floating base. Empty: the name of the "
    "base link."},
  ParameterEntry{"gravity", Kind::numbers, "[0.0, 0.0, -9.81]", -endless, endless, "", Change::unconfigured,
    "Gravity [m/s^2], in the world; for a fixed base, in base coordinates."},
  ParameterEntry{"publish_rate", Kind::number, "100.0", 0.1, 1000, "", Change::unconfigured,
    "Rate of the topics [Hz]."},
};
// clang-format on

/// All settings of a broadcaster; not for real time.
///
/// \tparam Robot the Traits of a generated robot
template <typename Robot>
struct ExternalForceConfiguration
{
  using JointVector = typename Robot::JointVector;
  static constexpr auto & table = external_force_parameters;

  observer::Settings<Robot> settings;
  Eigen::Vector3d gravity{0.0, 0.0, -9.81};  ///< [m/s^2]
  std::string effort_interface;
  std::string imu_name;
  std::string base_name;
  double publish_rate = 100.0;  ///< [Hz]

  /// \throws std::invalid_argument that says which value is wrong and what is expected
  explicit ExternalForceConfiguration(const Lookup & lookup)
  {
    const ParameterValues values(external_force_parameters, lookup);
    values.get(settings.gain, "gain");
    settings.joint_threshold =
      values.template of_joints<JointVector>("joint_thresholds", settings.joint_threshold);
    const double force = values.template value<double>("contact_threshold");
    settings.contact_threshold = force > 0.0 ? force : settings.contact_threshold;
    values.get(settings.base_force_threshold, "base_force_threshold");
    values.get(settings.base_moment_threshold, "base_moment_threshold");
    values.get(settings.release, "release");
    values.get(settings.friction_tolerance, "friction_tolerance");
    values.get(effort_interface, "effort_interface");
    const std::string base = Robot::link_names[0];
    imu_name = values.word("imu_name");
    imu_name = imu_name.empty() ? base : imu_name;
    base_name = values.word("base_name");
    base_name = base_name.empty() ? base : base_name;
    const Numbers numbers = values.numbers("gravity");
    if (numbers.size() != 3)
    {
      throw std::invalid_argument(
        "gravity: expected 3 values, found " + std::to_string(numbers.size()));
    }
    gravity = Eigen::Vector3d(numbers[0], numbers[1], numbers[2]);
    values.get(publish_rate, "publish_rate");
  }

  /// Takes over what is made of the parameters that the model leaves open.
  void set_constants(const typename ConstantsOf<Robot>::Type & constants) noexcept
  {
    settings.constants = constants;
  }
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__EXTERNAL_FORCE_PARAMETERS_HPP_
