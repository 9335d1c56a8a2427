// How a robot on legs is controlled.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__SETTINGS_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__SETTINGS_HPP_

#include <Eigen/Core>
#include <array>
#include <cmath>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/types.hpp"
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
  /// Corners of the sole of a contact that is a pose, along its border, in its frame [m].
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
  bool valid() const noexcept
  {
    for (int i = 0; i < Robot::contact_count; ++i)
    {
      if (!soles[i].allFinite() || (Robot::contacts[i].rows() == 6 && area(soles[i]) <= 0.0))
      {
        return false;
      }
    }
    const Eigen::Matrix<double, 13, 1> amounts{
      trunk_angular_weight,
      trunk_linear_weight,
      foot_weight,
      posture_weight,
      upper_body_weight,
      stance_damping,
      friction,
      least_normal_force,
      greatest_normal_force - least_normal_force,
      landing_speed,
      greatest_distance,
      greatest_angle,
      joint_damping.minCoeff()};
    return gravity.allFinite() && gravity.norm() > 0.0 && normal.allFinite() &&
           normal.norm() > 0.0 && trunk_angular.valid() && trunk_linear.valid() && foot.valid() &&
           posture.valid() && amounts.allFinite() && amounts.minCoeff() >= 0.0 &&
           stance_weight > 0.0 && std::isfinite(stance_weight) && force_weight > 0.0 &&
           std::isfinite(force_weight) && sole_share > 0.0 && sole_share <= 1.0 &&
           effort_limits.minCoeff() > 0.0 && joint_damping.allFinite() && iterations > 0;
  }

  static double area(const Sole & sole) noexcept
  {
    return (sole.col(1) - sole.col(0)).cross(sole.col(3) - sole.col(0)).norm();
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
