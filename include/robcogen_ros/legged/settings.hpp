// How a robot on legs stands and steps.
#ifndef ROBCOGEN_ROS__LEGGED__SETTINGS_HPP_
#define ROBCOGEN_ROS__LEGGED__SETTINGS_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/legged/pattern.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::legged
{

/// Reasons to refuse settings; of lengths and speeds they are beyond those of any robot.
constexpr const char * setting_problems[] = {
  "gravity: expected a vector of finite length, downwards",
  "ground_normal: expected a vector of finite length, upwards",
  "posture: expected numbers from -1000 to 1000",
  "period: expected more than 0, at most 5",
  "duty: expected more than 0, at most 1",
  "phases: expected 0 or more, less than 1",
  "duty and phases: expected a foot that stands at any time",
  "swing_height: expected 0 to 1",
  "sinking_speed: expected 0 to 10",
  "longest_step: expected 0 to 10",
  "balance: expected 0 to 100",
  "polygon_share: expected more than 0, at most 1",
  "settled: expected 0 to 10",
  "last_correction: expected 0 to 1",
  "early_contact: expected 0 to 1",
  "touch_down_speed: expected 0 to 10",
  "apart: expected 0 to 1",
  "soles: expected numbers from -10 to 10",
};

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

  /// True if all numbers are finite and in their ranges.
  bool valid() const noexcept { return problem() < 0; }

  /// The first of setting_problems that there is; -1 if there is none.
  int problem() const noexcept
  {
    const auto within = [](double value, double most) { return value >= 0.0 && value <= most; };
    const auto small = [](const auto & all, double most)
    { return (all.array().abs() <= most).all(); };
    const bool good[] = {
      gravity.allFinite() && gravity.z() < 0.0,
      ground_normal.allFinite() && ground_normal.z() > 0.0,
      small(posture, 1000.0),
      pattern.period > 0.0 && pattern.period <= 5.0,
      pattern.duty > 0.0 && pattern.duty <= 1.0,
      pattern.valid(),
      pattern.carries(),
      within(swing_height, 1.0),
      within(sinking_speed, 10.0),
      within(longest_step, 10.0),
      within(balance, 100.0),
      polygon_share > 0.0 && polygon_share <= 1.0,
      within(settled, 10.0),
      within(last_correction, 1.0),
      within(early_contact, 1.0),
      within(touch_down_speed, 10.0),
      within(apart, 1.0),
      std::all_of(
        soles.begin(), soles.end(), [&](const auto & sole) { return small(sole, 10.0); })};
    static_assert(std::size(good) == std::size(setting_problems));
    const auto wrong = std::find(std::begin(good), std::end(good), false);
    return wrong == std::end(good) ? -1 : static_cast<int>(wrong - std::begin(good));
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
