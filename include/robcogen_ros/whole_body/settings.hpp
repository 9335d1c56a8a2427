// How a robot on legs is controlled.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__SETTINGS_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__SETTINGS_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/types.hpp"
#include "robcogen_ros/whole_body/cones.hpp"
#include "robcogen_ros/whole_body/matrices.hpp"

namespace robcogen_ros::whole_body
{

/// How an error becomes an acceleration.
struct Gains
{
  double stiffness = 0.0;  ///< [1/s^2]
  double damping = 0.0;    ///< [1/s]

  bool valid() const noexcept
  {
    return stiffness >= 0.0 && damping >= 0.0 && std::isfinite(stiffness + damping);
  }
};

/// What may be wrong with settings.
constexpr const char * setting_problems[] = {
  "gravity: expected a vector of finite length, not zero",
  "normal: expected a vector of finite length, upwards: against gravity",
  "trunk_angular: expected a stiffness and a damping, 0 or more",
  "trunk_linear: expected a stiffness and a damping, 0 or more",
  "foot: expected a stiffness and a damping, 0 or more",
  "posture: expected a stiffness and a damping, 0 or more",
  "stance_damping: expected 0 or more",
  "trunk_angular_weight: expected 0 or more",
  "trunk_linear_weight: expected 0 or more",
  "foot_weight: expected 0 or more",
  "posture_weight: expected 0 or more",
  "upper_body_weight: expected 0 or more",
  "stance_weight: expected more than 0",
  "force_weight: expected more than 0",
  "friction: expected 0 or more",
  "least_normal_force: expected 0 or more, at most greatest_normal_force",
  "greatest_normal_force: expected a finite number",
  "sole_share: expected more than 0, at most 1",
  "soles: expected the four corners of a rectangle for each contact that is a pose",
  "effort_limits: expected more than 0",
  "joint_damping: expected 0 or more",
  "greatest_distance: expected 0 or more",
  "greatest_angle: expected 0 or more",
  "landing_speed: expected 0 or more",
  "iterations: expected a whole number from 1 on",
};

/// What a whole-body controller is set to.
///
/// Weights are of squares: of accelerations as multiples of g (a rad/s^2 counts as a m/s^2), of
/// forces as multiples of the robot's weight.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
struct Settings
{
  using Sole = Eigen::Matrix<double, 3, 4>;

  Eigen::Vector3d gravity{0.0, 0.0, -9.81};           ///< in the world [m/s^2]
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< of the ground, upwards, in the world

  Gains trunk_angular{200.0, 28.0};
  Gains trunk_linear{200.0, 28.0};
  Gains foot{600.0, 50.0};  ///< in swing
  Gains posture{100.0, 20.0};
  double stance_damping = 20.0;  ///< by which a foot that slips is stopped [1/s]

  double trunk_angular_weight = 1.0;
  double trunk_linear_weight = 1.0;
  double foot_weight = 1.0;         ///< in swing
  double posture_weight = 1e-4;     ///< of the joints of legs
  double upper_body_weight = 1e-2;  ///< of the others: of arms, torso and head
  double stance_weight = 1e3;       ///< of what a foot in stance accelerates
  double force_weight = 1e-3;

  double friction = 0.5;               ///< coefficient of the cone around the pyramid
  double least_normal_force = 0.002;   ///< of a foot in stance, as a share of the weight
  double greatest_normal_force = 3.0;  ///< of a foot, as a share of the weight
  double sole_share = 0.9;             ///< of a sole that the center of pressure may use
  /// Corners of the rectangular sole of a contact that is a pose, in its frame [m].
  std::array<Sole, Robot::contact_count> soles{};

  /// Whether what the model's joint friction takes at the reference's velocity is added.
  bool compensate_friction = true;
  typename Robot::JointVector effort_limits;  ///< [N m or N]; may be infinite
  typename Robot::JointVector joint_damping;  ///< after faults [N m s/rad or N s/m]

  double greatest_distance = 0.2;  ///< from where trunk or foot is to be to where it is [m]
  double greatest_angle = 0.5;     ///< likewise [rad]
  double landing_speed = 0.1;      ///< of a foot that is to stand but touches nothing [m/s]
  int iterations = 100;            ///< greatest number of the QP's

  typename ConstantsOf<Robot>::Type constants{};

  Settings() noexcept
  {
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      const double limit = Robot::effort_limits[i];
      effort_limits(i) = limit > 0.0 ? limit : INFINITY;
      joint_damping(i) = std::isfinite(effort_limits(i)) ? 0.02 * limit : 1.0;
    }
    soles.fill(Sole::Zero());
  }

  /// Whether all numbers are finite and in their ranges, and each pose has a sole.
  bool valid() const noexcept { return problem() < 0; }

  /// The first of setting_problems that there is; -1 if there is none.
  int problem() const noexcept
  {
    const auto amount = [](double value) { return value >= 0.0 && std::isfinite(value); };
    const bool good[] = {
      gravity.allFinite() && gravity.norm() > 0.0,
      normal.allFinite() && normal.dot(gravity) < 0.0,
      trunk_angular.valid(),
      trunk_linear.valid(),
      foot.valid(),
      posture.valid(),
      amount(stance_damping),
      amount(trunk_angular_weight),
      amount(trunk_linear_weight),
      amount(foot_weight),
      amount(posture_weight),
      amount(upper_body_weight),
      amount(stance_weight) && stance_weight > 0.0,
      amount(force_weight) && force_weight > 0.0,
      amount(friction),
      amount(least_normal_force) && least_normal_force <= greatest_normal_force,
      std::isfinite(greatest_normal_force),
      sole_share > 0.0 && sole_share <= 1.0,
      have_soles(),
      (effort_limits.array() > 0.0).all(),
      joint_damping.allFinite() && (joint_damping.array() >= 0.0).all(),
      amount(greatest_distance),
      amount(greatest_angle),
      amount(landing_speed),
      iterations > 0};
    static_assert(std::size(good) == std::size(setting_problems));
    const auto wrong = std::find(std::begin(good), std::end(good), false);
    return wrong == std::end(good) ? -1 : static_cast<int>(wrong - std::begin(good));
  }

private:
  bool have_soles() const noexcept
  {
    bool result = true;
    for (int i = 0; i < Robot::contact_count; ++i)
    {
      const Sole & sole = soles[static_cast<std::size_t>(i)];
      result = result && sole.allFinite() &&
               (Robot::contacts[i].rows() != 6 || whole_body::Sole::is_rectangle(sole));
    }
    return result;
  }
};

/// Roots of the weights of joints.
template <typename Robot>
typename Robot::JointVector posture_roots(const Settings<Robot> & settings) noexcept
{
  constexpr auto in_leg = leg_joints<Robot>();
  typename Robot::JointVector result;
  for (int i = 0; i < Robot::joint_count; ++i)
  {
    result(i) = std::sqrt(in_leg[i] ? settings.posture_weight : settings.upper_body_weight);
  }
  return result;
}

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__SETTINGS_HPP_
