// How a robot on legs is controlled.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__SETTINGS_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__SETTINGS_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/parameters/joints.hpp"
#include "robcogen_ros/parameters/whole_body_controller.hpp"
#include "robcogen_ros/sizes.hpp"
#include "robcogen_ros/whole_body/cones.hpp"
#include "robcogen_ros/whole_body/matrices.hpp"

namespace robcogen_ros::whole_body
{

/// Gains by which an error becomes an acceleration.
struct Gains
{
  double stiffness;  ///< [1/s^2]
  double damping;    ///< [1/s]

  bool valid() const noexcept
  {
    return stiffness >= 0.0 && damping >= 0.0 && std::isfinite(stiffness + damping);
  }
};

/// Reasons to refuse settings.
constexpr const char * setting_problems[] = {
  "gravity: expected a vector of finite length, not zero",
  "gravity and ground_normal: expected finite lengths, and the normal against gravity",
  "orientation_gains: expected a stiffness and a damping, 0 or more",
  "position_gains: expected a stiffness and a damping, 0 or more",
  "foot_gains: expected a stiffness and a damping, 0 or more",
  "posture_gains: expected a stiffness and a damping, 0 or more",
  "stance_damping: expected 0 or more",
  "orientation_weight: expected 0 or more",
  "position_weight: expected 0 or more",
  "foot_weight: expected 0 or more",
  "posture_weight: expected 0 or more",
  "upper_body_weight: expected 0 or more",
  "stance_weight: expected more than 0",
  "force_weight: expected more than 0",
  "friction: expected 0 or more",
  "least_normal_force: expected 0 or more, at most greatest_normal_force, and of all feet together "
  "no more than the weight, 1",
  "greatest_normal_force: expected a finite number, and of all feet together the weight, 1, or "
  "more",
  "sole_share: expected more than 0, at most 1",
  "soles: expected the four corners of a rectangle for each contact that is a pose",
  "effort_limits: expected more than 0",
  "joint_damping: expected 0 or more",
  "greatest_distance: expected 0 or more",
  "greatest_angle: expected 0 or more",
  "landing_speed: expected 0 or more",
  "iterations: expected a whole number from 1 on",
};

/// Settings of a whole-body controller: parameters as they are for the joints and contacts of a
/// robot. docs/legged_controller.md lists them with their defaults.
///
/// Weights are of squares: of accelerations as multiples of g (a rad/s^2 counts as a m/s^2), of
/// forces as multiples of the robot's weight.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
struct Settings
{
  using Sole = Eigen::Matrix<double, 3, 4>;
  using JointVector = typename Robot::JointVector;
  using Parameters = parameters::WholeBodyController;

  Robot robot;
  Eigen::Vector3d gravity;        ///< in the world [m/s^2]
  Eigen::Vector3d ground_normal;  ///< upwards, in the world

  Gains orientation_gains, position_gains, foot_gains, posture_gains;
  double stance_damping;  ///< [1/s]

  double orientation_weight, position_weight, foot_weight, posture_weight, upper_body_weight;
  double stance_weight, force_weight;

  double friction;                                   ///< of the cone around the pyramid
  double least_normal_force, greatest_normal_force;  ///< as shares of the weight
  double sole_share;
  /// Corners of the rectangular sole of a contact that is a pose, in its frame [m].
  std::array<Sole, SizesOf<Robot>::most_contacts> soles;

  bool compensate_friction;
  JointVector effort_limits;  ///< [N m or N]; may be infinite
  JointVector joint_damping;  ///< after faults [N m s/rad or N s/m]

  double greatest_distance;  ///< [m]
  double greatest_angle;     ///< [rad]
  double landing_speed;      ///< [m/s]
  int iterations;

  typename ConstantsOf<Robot>::Type constants{};

  Settings() : Settings(Parameters()) {}

  /// Leaves the soles open.
  ///
  /// \throws std::invalid_argument if a list has neither one value nor one for each joint
  explicit Settings(const Parameters & given, const Robot & of = Robot())
  : robot(of),
    gravity(given.gravity.data()),
    ground_normal(given.ground_normal.data()),
    orientation_gains(gains(given.orientation_gains)),
    position_gains(gains(given.position_gains)),
    foot_gains(gains(given.foot_gains)),
    posture_gains(gains(given.posture_gains)),
    stance_damping(given.stance_damping),
    orientation_weight(given.orientation_weight),
    position_weight(given.position_weight),
    foot_weight(given.foot_weight),
    posture_weight(given.posture_weight),
    upper_body_weight(given.upper_body_weight),
    stance_weight(given.stance_weight),
    force_weight(given.force_weight),
    friction(given.friction),
    least_normal_force(given.least_normal_force),
    greatest_normal_force(given.greatest_normal_force),
    sole_share(given.sole_share),
    compensate_friction(given.compensate_friction),
    effort_limits(robot.joint_count),
    joint_damping(robot.joint_count),
    greatest_distance(given.greatest_distance),
    greatest_angle(given.greatest_angle),
    landing_speed(given.landing_speed),
    iterations(static_cast<int>(given.iterations))
  {
    soles.fill(Sole::Zero());
    for (int i = 0; i < robot.joint_count; ++i)
    {
      const double limit = robot.effort_limits[i];
      effort_limits(i) = limit > 0.0 ? limit : INFINITY;
      joint_damping(i) = std::isfinite(effort_limits(i)) ? 0.02 * limit : 1.0;
    }
    joint_damping = parameters::per_joint("joint_damping", given.joint_damping, joint_damping);
    const JointVector asked =
      parameters::per_joint("effort_limits", given.effort_limits, effort_limits);
    effort_limits = (asked.array() >= effort_limits.array()).select(effort_limits, asked);
  }

  /// True if all numbers are finite and in their ranges, and each pose has a sole.
  bool valid() const noexcept { return problem() < 0; }

  /// The first of setting_problems that there is; -1 if there is none.
  int problem() const noexcept
  {
    const auto amount = [](double value) { return value >= 0.0 && std::isfinite(value); };
    const bool good[] = {
      gravity.allFinite() && gravity.norm() > 0.0,
      std::isnormal(ground_normal.squaredNorm()) && ground_normal.dot(gravity) < 0.0,
      orientation_gains.valid(),
      position_gains.valid(),
      foot_gains.valid(),
      posture_gains.valid(),
      amount(stance_damping),
      amount(orientation_weight),
      amount(position_weight),
      amount(foot_weight),
      amount(posture_weight),
      amount(upper_body_weight),
      amount(stance_weight) && stance_weight > 0.0,
      amount(force_weight) && force_weight > 0.0,
      amount(friction),
      amount(least_normal_force) && least_normal_force <= greatest_normal_force &&
        least_normal_force * robot.contact_count <= 1.0,
      std::isfinite(greatest_normal_force) && greatest_normal_force * robot.contact_count >= 1.0,
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
  static Gains gains(const parameters::Numbers & pair) { return {pair[0], pair[1]}; }

  bool have_soles() const noexcept
  {
    bool result = true;
    for (int i = 0; i < robot.contact_count; ++i)
    {
      const Sole & sole = soles[static_cast<std::size_t>(i)];
      result = result && sole.allFinite() &&
               (robot.contacts[i].rows() != 6 || whole_body::Sole::is_rectangle(sole));
    }
    return result;
  }
};

/// Roots of the weights of joints: those of legs move a contact.
///
/// \param jacobian of the contacts, columns of the base first
template <typename Robot, typename Jacobian>
typename Robot::JointVector posture_roots(
  const Jacobian & jacobian, const Settings<Robot> & settings) noexcept
{
  typename Robot::JointVector result(settings.robot.joint_count);
  for (int i = 0; i < settings.robot.joint_count; ++i)
  {
    const bool in_leg = !jacobian.col(6 + i).isZero(0.0);
    result(i) = std::sqrt(in_leg ? settings.posture_weight : settings.upper_body_weight);
  }
  return result;
}

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__SETTINGS_HPP_
