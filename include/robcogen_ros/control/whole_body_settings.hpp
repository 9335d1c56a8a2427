// What a loop of whole-body control reads and may be told anew, and how its cycles went.
#ifndef ROBCOGEN_ROS__CONTROL__WHOLE_BODY_SETTINGS_HPP_
#define ROBCOGEN_ROS__CONTROL__WHOLE_BODY_SETTINGS_HPP_

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "robcogen_ros/control/base_measurement.hpp"
#include "robcogen_ros/control/commanded_gait.hpp"
#include "robcogen_ros/control/estimated_base.hpp"
#include "robcogen_ros/control/measurements.hpp"
#include "robcogen_ros/parameters/whole_body_controller.hpp"
#include "robcogen_ros/whole_body/controller.hpp"

namespace robcogen_ros::control
{

/// How a cycle went.
enum class WholeBodyCondition
{
  normal,
  stale,    ///< states are missing, the last ones are used
  lost,     ///< states have been missing for too long
  fallen,   ///< the trunk is tilted too far
  unsound,  ///< an effort is not finite
};

/// Names of the conditions, in the order of the enumeration.
constexpr std::array<std::string_view, 5> whole_body_condition_names{
  "normal", "stale", "lost", "fallen", "unsound"};

/// What may change while a controller is active.
template <typename Robot>
struct WholeBodySettings
{
  whole_body::Settings<Robot> law;
  /// Positions of joints that are preferred, NaN where those at activation are [rad or m].
  typename Robot::JointVector posture;
  typename Robot::JointVector motor_limits;  ///< of efforts, where they are commanded [N m or N]
  double contact_threshold;  ///< force of a foot that touches, as a share of the weight
  double contact_release;    ///< share of it below which it no more does
  double greatest_tilt;      ///< of the trunk from that at activation [rad]
  GaitSettings<Robot> gait;

  WholeBodySettings() : WholeBodySettings(parameters::WholeBodyController()) {}

  /// \throws std::invalid_argument if a list has neither one value nor one for each joint
  explicit WholeBodySettings(
    const parameters::WholeBodyController & given, const Robot & robot = Robot())
  : law(given, robot),
    posture(
      Robot::JointVector::Constant(robot.joint_count, std::numeric_limits<double>::quiet_NaN())),
    motor_limits(Robot::JointVector::Constant(robot.joint_count, INFINITY)),
    contact_threshold(given.contact_threshold),
    contact_release(given.contact_release),
    greatest_tilt(given.greatest_tilt),
    gait(given)
  {
    posture = parameters::per_joint("posture", given.posture, posture);
    motor_limits = parameters::per_joint("effort_limits", given.effort_limits, motor_limits);
  }
};

/// What is read in a cycle; NaN where there is nothing.
template <typename Robot>
struct WholeBodyReadings : JointReadings<Robot>
{
  using Forces = Eigen::Matrix<double, 3, SizesOf<Robot>::most_contacts>;

  BaseReading base;                                                 ///< of no use to an estimator
  estimator::ImuReading imu;                                        ///< of no use without one
  Forces forces = Forces::Constant(JointReadings<Robot>::unknown);  ///< of feet, in any axes [N]

  WholeBodyReadings() noexcept : WholeBodyReadings(Robot()) {}
  explicit WholeBodyReadings(const Robot & robot) noexcept : JointReadings<Robot>(robot) {}
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__WHOLE_BODY_SETTINGS_HPP_
