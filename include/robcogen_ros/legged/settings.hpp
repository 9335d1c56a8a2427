// How a robot on legs stands and steps.
#ifndef ROBCOGEN_ROS__LEGGED__SETTINGS_HPP_
#define ROBCOGEN_ROS__LEGGED__SETTINGS_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/legged/pattern.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::legged
{

/// Settings of a gait.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
struct Settings
{
  static constexpr int feet = SizesOf<Robot>::most_contacts;

  Robot robot;
  Eigen::Vector3d gravity = standard_gravity();  ///< in the world [m/s^2]
  /// Normal of the ground in the world, upwards, of any length.
  Eigen::Vector3d ground_normal = Eigen::Vector3d::UnitZ();
  /// Positions of the joints as the robot stands, its base level.
  typename Robot::JointVector posture;
  Pattern<feet> pattern;  ///< in which the robot steps
  /// Corners of the sole of a foot that is flat, in its frame; zero of a point [m].
  std::array<Eigen::Matrix<double, 3, 4>, feet> soles;
  bool recover = true;  ///< whether a robot that stands steps where a push would topple it

  double swing_height = 0.08;    ///< of a foot above the line from lift-off to touch-down [m]
  double sinking_speed = 0.3;    ///< of a foot that finds no ground where it is to stand [m/s]
  double longest_step = 0.25;    ///< of a foot, from where it stands below the trunk [m]
  double balance = 2.0;          ///< centers of pressure per error of the capture point, less one
  double polygon_share = 0.8;    ///< of the support polygon, about its center, that is used
  double settled = 0.03;         ///< errors of feet and capture point at which stepping ends [m]
  double last_correction = 0.2;  ///< last share of a swing, in which its foothold stays
  double early_contact = 0.5;    ///< share of a swing from which on a contact ends it
  /// Speed at which a foot meets the ground, which is so met in time [m/s].
  double touch_down_speed = 0.0;
  /// Least distance of two feet aside, as a share of that in which the robot stands.
  double apart = 0.7;

  typename ConstantsOf<Robot>::Type constants{};

  Settings() : Settings(Robot()) {}
  explicit Settings(const Robot & given)
  : robot(given), posture(Robot::JointVector::Zero(robot.joint_count))
  {
    pattern.count = robot.contact_count;
    soles.fill(Eigen::Matrix<double, 3, 4>::Zero());
  }

  bool valid() const noexcept
  {
    return gravity.allFinite() && gravity.norm() > 0.0 && ground_normal.allFinite() &&
           ground_normal.z() > 0.0 && posture.allFinite() && pattern.valid() &&
           swing_height >= 0.0 && std::isfinite(swing_height) && sinking_speed >= 0.0 &&
           std::isfinite(sinking_speed) && longest_step >= 0.0 && std::isfinite(longest_step) &&
           balance >= 0.0 && std::isfinite(balance) && polygon_share > 0.0 &&
           polygon_share <= 1.0 && settled >= 0.0 && last_correction >= 0.0 &&
           last_correction <= 1.0 && early_contact >= 0.0 && early_contact <= 1.0 && apart >= 0.0 &&
           apart <= 1.0 && touch_down_speed >= 0.0 && std::isfinite(touch_down_speed) &&
           std::all_of(soles.begin(), soles.end(), [](const auto & x) { return x.allFinite(); });
  }
};

/// Motion that a user wants of a robot on legs.
struct Motion
{
  bool step = false;  ///< whether to step in the pattern, or to stand
  Eigen::Vector2d velocity = Eigen::Vector2d::Zero();  ///< while stepping, of heading axes [m/s]
  double yaw_rate = 0.0;                               ///< while stepping [rad/s]
};

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__SETTINGS_HPP_
